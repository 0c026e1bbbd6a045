"""A carrusel's log in short words, for tests: entries in, the folded state and decisions out."""

from __future__ import annotations

from collections.abc import Sequence

from jackpot.law.policies import Policies
from jackpot.law.terms import Terms
from jackpot.link import entries as e
from jackpot.link.base import decide, undo
from jackpot.link.fold import fold, past_of
from jackpot.link.log import entry_of, seal
from jackpot.link.members import LockedHand, Member
from jackpot.link.messages import Entry, Operation
from jackpot.link.state import CarruselState, Past
from jackpot.table.facts.hand import DeclaredHand
from jackpot.table.outcomes.carrusel import Stage
from support.table import canarias

EURO = 100_000_000
"""One euro in micro-cents."""


def terms_of(table: str, seed_euros: int = 10_000, policies: Policies | None = None) -> Terms:
    """A table's terms with its own seed."""
    return canarias(policies, table=table, seed_cents=100 * seed_euros)


class Log:
    """Appends entries as a coordinator would, and folds them."""

    def __init__(self) -> None:
        self.state = CarruselState()
        self.sealed: list[Entry] = []
        self.append(e.LogOpened(carrusel="norte", log_id="1", coordinators={"k1": "key"}))

    def append(self, entry: e.LogEntry) -> Entry:
        """One entry at the end."""
        position, head = self.state.position + 1, self.state.head
        sealed = seal("norte", entry, head, position, "k1", 5, lambda _: "signed")
        self.sealed.append(sealed)
        fold(self.state, sealed, entry_of(sealed), self.past_at)
        return sealed

    def past_at(self, position: int, until: int) -> Past:
        """By folding everything again."""
        return past_of(self.sealed, position, until)

    def join(
        self, table: str, euros: int, seed_euros: int = 10_000, policies: Policies | None = None
    ) -> None:
        """A table joins with its meter."""
        known = self.state.members.get(table)
        meter = euros * EURO if known is None else known.meter_microcents
        self.append(
            e.MemberJoined(
                table=table,
                ledger=f"{table}-key",
                incarnation=1 if known is None else known.incarnation + 1,
                join_hash=f"{table}-join",
                officers=("j1", "d1"),
                authorisation="A-1",
                terms=terms_of(table, seed_euros, policies),
                meter_microcents=meter,
                offered_microcents=euros * EURO,
            )
        )

    def tell(
        self,
        table: str,
        stage: Stage = Stage.MOVED,
        *,
        euros: int = 0,
        hand: int = 0,
        view: int | None = None,
        hands: Sequence[tuple[int, str]] = (),
    ) -> None:
        """One operation of a table."""
        member = self.state.members[table]
        operation = Operation(
            number=member.operation + 1,
            previous=member.hash,
            hash=f"{table}-{member.operation + 1}",
            stage=stage,
            delta_microcents=euros * EURO,
            hand=hand,
            view_position=view,
            hands=tuple(DeclaredHand(box, cards) for box, cards in hands),
        )
        self.append(
            e.OperationsTaken(table=table, incarnation=member.incarnation, operations=(operation,))
        )

    def bet(self, table: str, euros: int) -> None:
        """So many euros reach the meter (below zero: are taken back)."""
        self.tell(table, euros=euros)

    def lock(self, table: str, hand: int = 1, view: int | None = None) -> int:
        """«No va más», on the log as it stands unless a view is named; returns the view."""
        seen = self.state.position if view is None else view
        self.tell(table, Stage.LOCKED, hand=hand, view=seen)
        return seen

    def claim(self, table: str, *hands: tuple[int, str], hand: int = 1) -> None:
        """The table chief confirmed the cards."""
        self.tell(table, Stage.CLAIMED, hand=hand, hands=hands)

    def member(self, table: str) -> Member:
        """A member as the log has it."""
        return self.state.members[table]

    def locked(self, table: str) -> LockedHand:
        """Its locked hand."""
        locked = self.member(table).locked
        assert locked is not None
        return locked

    def decide(self, table: str) -> e.AwardDecided:
        """The award on its claim, appended."""
        award = decide(self.state, self.member(table), self.locked(table))
        self.append(award)
        return award

    def undo(self, table: str) -> e.AwardUndone:
        """The award on its hand taken back, appended."""
        undone = undo(self.state, self.member(table), self.locked(table))
        self.append(undone)
        return undone

    def euros(self, table: str) -> int:
        """A member's meter in whole euros; it holds no cents in these tests."""
        euros, rest = divmod(self.member(table).meter_microcents, EURO)
        assert rest == 0
        return euros
