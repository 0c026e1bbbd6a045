"""The journal as text for hledger, ledger and beancount: independent programs that add up again.

A transaction is a batch. Its date is that of the batch in UTC, and never before that of the one
before it: other programs sort by date, while the order of a ledger is its sequence. Where the
ledger itself states the meter, the journal asserts the balance, and those programs check it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import chain

from jackpot.audit.books.formats import JournalFormat
from jackpot.audit.books.movements import Books, Entry, Posting
from jackpot.audit.checker.one_line import one_line
from jackpot.audit.source import Source
from jackpot.law.words import Language
from jackpot.money import microcents_text

_NS_PER_S = 1_000_000_000
_WIDTH = 40
"""Accounts are padded to this column; a longer one moves its amount to the right."""

CURRENCY = "EUR"


def journal(source: Source, form: JournalFormat) -> Iterator[str]:
    """The lines of the journal, without newlines. Raises ``LedgerUnreadable``."""
    entries = Books().entries(source.batches())
    lines = _beancount(entries) if form is JournalFormat.BEANCOUNT else _plain_text(entries)
    for line in chain(_heading(source), lines):
        yield one_line(line)


def _heading(source: Source) -> Iterator[str]:
    yield f"; jackpot journal of {source.about.get('origin', '')}"
    yield f"; ledger {source.about.get('id', '')}, {source.batch} batches, head {source.hash}"
    if warning := source.standing.warning(Language.EN):
        yield f"; {warning}"
    yield "; debts, income and pools stand below zero; amounts in euros, exact to the micro-cent"
    yield ""


def _plain_text(entries: Iterable[Entry]) -> Iterator[str]:
    """hledger's and ledger's common ground."""
    for entry, day in _dated(entries):
        yield f"{day} * ({entry.batch}) {_title(entry)}"
        yield f"    ; at: {_time(entry.at_ns)}, cause: {entry.cause}"
        for posting in entry.postings:
            yield _line(posting)
        for account, microcents in entry.stated:
            yield f"    {account:<{_WIDTH}}  0 {CURRENCY} = {_amount(microcents)}"
        yield ""


def _beancount(entries: Iterable[Entry]) -> Iterator[str]:
    """Accounts are opened first used; balances are asserted at the end, after the last day."""
    opened: set[str] = set()
    balances: dict[str, int] = {}
    last = date.min
    yield f'option "operating_currency" "{CURRENCY}"'
    yield ""
    for entry, day in _dated(entries):
        last = day
        if not entry.postings:
            continue
        for account in [p.account for p in entry.postings if p.account not in opened]:
            opened.add(account)
            yield f"{day} open {account} {CURRENCY}"
        yield f'{day} * "{_title(entry)}"'
        yield f"  batch: {entry.batch}"
        yield f'  at: "{_time(entry.at_ns)}"'
        yield f'  cause: "{entry.cause}"'
        for posting in entry.postings:
            yield _line(posting)
        yield ""
        for account, microcents in entry.postings:
            balances[account] = balances.get(account, 0) + microcents
    for account, microcents in sorted(balances.items()):
        amount = _amount(microcents).removesuffix(f" {CURRENCY}")
        yield f"{last + timedelta(days=1)} balance {account}  {amount} ~ 0 {CURRENCY}"


def _dated(entries: Iterable[Entry]) -> Iterator[tuple[Entry, date]]:
    """Each entry with its date; a clock that was set back never makes a date go back."""
    last = date.min
    for entry in entries:
        last = max(last, _moment(entry.at_ns).date())
        yield entry, last


def _title(entry: Entry) -> str:
    words = ", ".join(kind.replace("_", " ") for kind in entry.kinds) or "meter"
    return f"hand {entry.hand}: {words}" if entry.hand is not None else words


def _line(posting: Posting) -> str:
    return f"    {posting.account:<{_WIDTH}}  {_amount(posting.microcents)}"


def _amount(microcents: int) -> str:
    return f"{microcents_text(microcents)} {CURRENCY}"


def _time(at_ns: int) -> str:
    return _moment(at_ns).isoformat().replace("+00:00", "Z")


def _moment(at_ns: int) -> datetime:
    return datetime.fromtimestamp(at_ns // _NS_PER_S, UTC)
