"""Every movement of money in a ledger as double entry: what each kind of event moves, and where.

Amounts are micro-cents; a posting above zero is a debit, below zero a credit, and the postings of
one event sum to nothing. The pools are debts to the players, so they stand below zero.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from jackpot.errors import Refused
from jackpot.ledger.chain import BatchRow, EventRow
from jackpot.money import microcents_from_cents

CHIPS = "Assets:Chips"
"""Jackpot chips in the slots; the drop."""
CASH = "Assets:Cash"
"""What the awards are paid from."""
WAITING = "Liabilities:Waiting"
"""Bets of voided hands that wait in their boxes (``void_bets = carry``)."""
UNPAID = "Liabilities:Awards"
"""Decided awards until they are handed over."""
BETS = "Income:Bets"
HOUSE = "Income:House"
"""What the house deducts from an award, where a profile lets it."""
CONTRIBUTIONS = "Expenses:Contributions"
SEEDS = "Expenses:Seeds"
BORNE = "Expenses:Borne"
"""What a correction would take from a pool that no longer holds it."""
CORRECTIONS = "Equity:Corrections"
MOVED = "Equity:Moved"
"""Jackpots that came from, or went to, another table, layout or system."""

SETTLEMENT = "Assets:Settlement:"
"""How the accounts of a carrusel's other tables begin (CAN-9): what each owes to this one; below
zero, what this one owes to it."""

POOL_ACCOUNTS = "Liabilities:Pools:"
"""How the accounts of pools begin."""


class Posting(NamedTuple):
    """So much into one account; below zero: out of it."""

    account: str
    microcents: int


class Entry(NamedTuple):
    """The postings of one batch, and the pools that it states (balance by account)."""

    batch: int
    at_ns: int
    hand: int | None
    cause: str
    kinds: tuple[str, ...]
    postings: tuple[Posting, ...]
    stated: tuple[Posting, ...]


class Row(NamedTuple):
    """An event as its rules of posting see it; ``fact`` is the kind of the fact before it, and
    ``decision`` what the carrusel's decision said that it follows from."""

    kind: str
    cents: int
    microcents: int
    info: Mapping[str, Any]
    fact: str
    layout: str
    table: str = ""
    decision: Mapping[str, Any] | None = None

    def pool(self, name: str | None = None) -> str:
        """The account of a pool of the layout in use."""
        return pool_account(self.layout, name or self.info.get("pool", "jackpot"))

    @property
    def others(self) -> list[tuple[str, int]]:
        """What each other table of a carrusel gives to the award that this one pays."""
        shares = () if self.decision is None else self.decision["shares"]
        return [
            (settlement_account(one["table"]), _given(one))
            for one in shares
            if one["table"] != self.table and _given(one)
        ]

    @property
    def bet_microcents(self) -> int:
        """The column ``cents`` in micro-cents."""
        return microcents_from_cents(self.cents)


def pool_account(layout: str, pool: str) -> str:
    """``Liabilities:Pools:2A:Jackpot``: a name that hledger, ledger and beancount all take."""
    return f"{POOL_ACCOUNTS}{layout_name(layout)}:{pool.capitalize()}"


def settlement_account(table: str) -> str:
    """``Assets:Settlement:Table-3``."""
    return f"{SETTLEMENT}Table-{layout_name(table)}"


def _given(share: Mapping[str, Any]) -> int:
    return int(share["deducted_microcents"]) + int(share.get("from_seed_microcents", 0))


def layout_name(layout: str) -> str:
    """A layout as it stands in the names of accounts."""
    name = re.sub(r"[^0-9A-Za-z-]+", "-", layout).lstrip("-")
    return f"{name[:1].upper()}{name[1:]}"


def _moved(debit: str, credit: str, microcents: int) -> list[Posting]:
    return [Posting(debit, microcents), Posting(credit, -microcents)]


def _bet_accepted(row: Row) -> list[Posting]:
    came_from = WAITING if row.info.get("source") == "carried" else CHIPS
    return _moved(came_from, BETS, row.bet_microcents)


def _bet_returned(row: Row) -> list[Posting]:
    """A waiting bet that goes back was taken out of the bets when its hand was voided."""
    gone_from = WAITING if row.fact == "chip_decided" else BETS
    return _moved(gone_from, CHIPS, row.bet_microcents)


def _jackpot_started(row: Row) -> list[Posting]:
    return [
        Posting(SEEDS, row.info["house_microcents"]),
        Posting(row.pool("reserve"), row.info.get("reserve_microcents", 0)),
        Posting(row.pool("overflow"), row.info.get("overflow_microcents", 0)),
        Posting(row.pool(), -row.microcents),
    ]


def _awards_decided(row: Row) -> list[Posting]:
    """In a carrusel the other tables owe their shares to the one that pays the whole."""
    house = row.info["house_microcents"]
    others = row.others
    return [
        Posting(row.pool(), row.microcents + house),
        *(Posting(account, amount) for account, amount in others),
        Posting(UNPAID, -row.microcents - sum(amount for _, amount in others)),
        Posting(HOUSE, -house),
    ]


def _carrusel_deducted(row: Row) -> list[Posting]:
    """This table owes its share to the one that pays."""
    house = row.info["house_microcents"]
    return [
        Posting(row.pool(), row.microcents + house),
        Posting(_pays(row), -row.microcents),
        Posting(HOUSE, -house),
    ]


def _carrusel_returned(row: Row) -> list[Posting]:
    """All of it back; at the table that was to pay, the others owe nothing any more."""
    house = row.info["house_microcents"]
    pools = ("house", "reserve", "overflow")
    seeds = {name: row.info.get(f"seed_{name}_microcents", 0) for name in pools}
    pays = row.decision is not None and row.decision["table"] == row.table
    others = row.others if pays else []
    owed = row.microcents + sum(amount for _, amount in others)
    return [
        Posting(UNPAID if pays else _pays(row), owed),
        *(Posting(account, -amount) for account, amount in others),
        Posting(HOUSE, house),
        Posting(SEEDS, -seeds["house"]),
        Posting(row.pool("reserve"), -seeds["reserve"]),
        Posting(row.pool("overflow"), -seeds["overflow"]),
        Posting(row.pool(), sum(seeds.values()) - row.microcents - house),
    ]


def _pays(row: Row) -> str:
    return settlement_account("" if row.decision is None else row.decision["table"])


def _decision_undone(row: Row) -> list[Posting]:
    deducted, house = row.info["deducted_microcents"], row.info["house_microcents"]
    return [
        Posting(UNPAID, deducted),
        Posting(HOUSE, house),
        Posting(SEEDS, -row.info.get("seed_house_microcents", 0)),
        Posting(row.pool("reserve"), -row.info.get("seed_reserve_microcents", 0)),
        Posting(row.pool("overflow"), -row.info.get("seed_overflow_microcents", 0)),
        Posting(row.pool(), -row.microcents),
    ]


MOVES: Mapping[str, Callable[[Row], list[Posting]]] = {
    "amount_adjusted": lambda row: _moved(CORRECTIONS, row.pool(), row.microcents),
    "amount_in": lambda row: _moved(MOVED, row.pool(), row.microcents),
    "amount_out": lambda row: _moved(row.pool(), MOVED, row.microcents),
    "award_paid": lambda row: _moved(UNPAID, CASH, row.bet_microcents),
    "awards_decided": _awards_decided,
    "bet_accepted": _bet_accepted,
    "bet_carried": lambda row: _moved(BETS, WAITING, row.bet_microcents),
    "bet_returned": _bet_returned,
    "carrusel_deducted": _carrusel_deducted,
    "carrusel_returned": _carrusel_returned,
    "contributed": lambda row: _moved(CONTRIBUTIONS, row.pool(), row.microcents),
    "contribution_reversed": lambda row: _moved(row.pool(), CONTRIBUTIONS, row.microcents),
    "decision_undone": _decision_undone,
    "house_settled": lambda row: _moved(BORNE, CORRECTIONS, row.microcents),
    "jackpot_started": _jackpot_started,
    "paid_from_seed": lambda row: _moved(row.pool(), UNPAID, row.microcents),
    "payment_struck": lambda row: _moved(UNPAID, CORRECTIONS, row.bet_microcents),
    "shortfall_borne": lambda row: _moved(BORNE, row.pool(), row.microcents),
    "seed_added": lambda row: _moved(SEEDS, row.pool(), row.microcents),
    "total_accepted": lambda row: _moved(CHIPS, BETS, row.bet_microcents),
    "total_adjusted": lambda row: _moved(CHIPS, BETS, row.bet_microcents),
    "total_contributed": lambda row: _moved(CONTRIBUTIONS, row.pool(), row.microcents),
    "total_returned": lambda row: _moved(BETS, CHIPS, row.bet_microcents),
    "total_reversed": lambda row: _moved(row.pool(), CONTRIBUTIONS, row.microcents),
}
"""The kinds of event that move money; all others move none."""

STATES_METER = frozenset({"hand_locked", "day_totals"})
"""Events whose ``microcents`` say what the meter holds at that moment: other programs check it. A hand
of a carrusel's member is locked on the prize instead, and its batch has ``carrusel_viewed``."""

_DECIDES_A_CHIP = ("chip_decided", "hand_voided")


class Books:
    """Reads batches in order and says what each moved."""

    def __init__(self) -> None:
        self.layout = ""
        self.table = ""
        self._fact = ""
        self._decision: Mapping[str, Any] | None = None
        self._viewed = False

    def entries(self, batches: Iterable[tuple[BatchRow, Iterable[EventRow]]]) -> Iterator[Entry]:
        """One entry for each batch that moves money or states a meter."""
        for header, rows in batches:
            postings: list[Posting] = []
            stated: list[Posting] = []
            kinds: list[str] = []
            for row in rows:
                self._event(row, postings, stated, kinds)
            if postings or stated:
                batch, at_ns, hand, _, cause = header[:5]
                summed = _summed(postings)
                yield Entry(batch, at_ns, hand, cause, tuple(kinds), summed, tuple(stated))

    def _event(
        self,
        event: EventRow,
        postings: list[Posting],
        stated: list[Posting],
        kinds: list[str],
    ) -> None:
        seq, _, kind, _, cents, microcents, text = event
        move = MOVES.get(kind)
        info = {} if text is None else msgspec.json.decode(text)
        if kind in _DECIDES_A_CHIP:
            self._fact = kind
        elif kind == "terms_in_force" and not self.layout:
            self.layout = info["terms"]["layout"]
            self.table = info["terms"]["table"]
        elif kind in ("carrusel_decided", "carrusel_undone"):
            self._decision = info
        elif kind == "awards_frozen":
            self._decision = None  # an award of this table alone
        elif kind in ("carrusel_viewed", "hand_started"):
            self._viewed = kind == "carrusel_viewed"
        elif kind == "layout_changed":
            self.layout = info["layout"]
        amounts = (cents or 0, microcents or 0)
        row = Row(kind, *amounts, info, self._fact, self.layout, self.table, self._decision)
        if move is not None:
            made = move(row)
            if sum(posting.microcents for posting in made):
                raise _unbalanced(seq, kind)
            postings += made
            if kind not in kinds:
                kinds.append(kind)
        elif kind in STATES_METER and not (kind == "hand_locked" and self._viewed):
            stated[:] = [Posting(row.pool(), -row.microcents)]


def _summed(postings: Iterable[Posting]) -> tuple[Posting, ...]:
    """One posting for each account, in the order of their first one; those of nothing left out."""
    sums: dict[str, int] = {}
    for account, microcents in postings:
        sums[account] = sums.get(account, 0) + microcents
    return tuple(Posting(account, amount) for account, amount in sums.items() if amount)


def _unbalanced(seq: int, kind: str) -> Refused:
    return Refused(
        reason="unbalanced_event",
        expected=f"the amounts of {kind} to sum to nothing",
        found=f"a difference at seq {seq}",
        to_do="run `jackpot verify` on this ledger",
        rule="CAN-8.7",
    )
