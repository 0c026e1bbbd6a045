"""What goes on in one layout's books from day to day."""

from __future__ import annotations

from jackpot.audit.table_book.pages import Book, EntryRow, SettlementRow, Sums
from jackpot.law.pools import Pool
from jackpot.law.terms import Terms


class Layout:
    """Terms, pools, what waits for the next opening (entries, and settlements of a carrusel), and the
    newest book, whose chips may be counted after its closing."""

    def __init__(self) -> None:
        self.terms: Terms | None = None
        self.sums = {pool: Sums() for pool in Pool}
        self.waiting: list[EntryRow] = []
        self.waiting_settlements: list[SettlementRow] = []
        self.newest: Book | None = None

    def next_period(self) -> None:
        """A closed day hands its closing amounts on."""
        self.sums = {pool: Sums(opening=sums.closing()) for pool, sums in self.sums.items()}
        self.waiting = []
        self.waiting_settlements = []
