"""One pass over a ledger that yields the rows of every table of an export, in the order of events.

Rows leave as soon as they are known: it needs memory for one hand and one day, and in manual mode
for a number a hand, because a total may be corrected later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from jackpot.audit.books.movements import POOL_ACCOUNTS, Books
from jackpot.audit.books.tables import COLUMNS, FAULTS, Value
from jackpot.audit.source import Source
from jackpot.law.derivation import Line
from jackpot.ledger.chain import BatchRow, EventRow

_NS_PER_S, _NS_PER_MS = 1_000_000_000, 1_000_000

Row = tuple[str, tuple[Value, ...]]
"""The name of a table, and a row of it."""

_BETS = {"bet_accepted": "accepted", "bet_returned": "returned", "bet_carried": "carried"}


def utc(at_ns: int) -> str:
    """``2026-11-30T20:15:00.250Z``."""
    moment = datetime.fromtimestamp(at_ns // _NS_PER_S, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{at_ns % _NS_PER_S // _NS_PER_MS:03d}Z"


class _Here(NamedTuple):
    """An event at its place."""

    seq: int
    batch: int
    at: str
    hand: int | None
    kind: str
    box: int | None
    cents: int | None
    microcents: int | None
    info: Mapping[str, Any]
    text: str | None

    @property
    def place(self) -> tuple[Value, ...]:
        """The columns that most tables begin with."""
        return self.seq, self.batch, self.at, self.hand


def extract(source: Source) -> Iterator[Row]:
    """Every row of every table. Raises ``LedgerUnreadable``."""
    for item in source.about.items():
        yield "about", item
    yield from _Extract().rows(source)
    notes = source.rows(
        "SELECT batch, at_ns, note FROM checkpoint WHERE batch <= ? ORDER BY batch",
        (source.batch,),
    )
    for note in notes:
        yield "checkpoints", note


class _Extract:
    """What is known of the running day, hand and award."""

    def __init__(self) -> None:
        self._books = Books()
        self._pools: dict[str, int] = {}
        self._day: dict[str, Value] = {}
        self._hand: dict[str, Value] = {}
        self._number: int | None = None
        self._award: dict[str, Value] = {}
        self._cards: dict[tuple[int, int], str] = {}
        self._voids = False
        self._totals: dict[int, int] = {}
        self._decision = 0
        """The last decision of the carrusel that was applied."""

    def rows(self, source: Source) -> Iterator[Row]:
        """The rows of all batches."""
        for header, events in source.batches():
            at = utc(header[1])
            yield "batches", (*header[:2], at, *header[2:])
            for event in events:
                yield "events", event
                yield from self._event(header, at, event)
        if self._hand:
            yield self._row("hands", self._hand)
        if self._day:
            yield self._row("days", self._day)

    def _event(self, header: BatchRow, at: str, event: EventRow) -> Iterator[Row]:
        seq, batch, kind, box, cents, microcents, text = event
        info = {} if text is None else msgspec.json.decode(text)
        if kind == "hand_started":
            self._number = info["hand"]
        here = _Here(seq, batch, at, self._number, kind, box, cents, microcents, info, text)
        yield from self._movements(header, event, here)
        rule = _RULES.get(kind)
        if rule is not None:
            yield from rule(self, here)
        if kind in FAULTS or (kind == "controller_started" and not info["clean"]):
            yield "faults", (*here.place, box, kind, text)
        if "why" in info and "second" in info:
            signed = (info["by"], info["second"], info["why"])
            yield "corrections", (*here.place, kind, *signed, cents, microcents)
        if kind == "hand_ended":
            self._number = None

    def _movements(self, header: BatchRow, event: EventRow, here: _Here) -> Iterator[Row]:
        """A pool in the journal is a debt: what it gains is a credit."""
        for entry in self._books.entries([(header, [event])]):
            for account, amount in entry.postings:
                if account.startswith(POOL_ACCOUNTS):
                    self._pools[account] = self._pools.get(account, 0) - amount
                    moved = (account, -amount, self._pools[account])
                    yield "pools", (*here.place, here.box, here.kind, *moved)

    # ---- days and hands --------------------------------------------------------------------------

    def _day_opened(self, here: _Here) -> Iterator[Row]:
        self._day = {
            "day": here.info["day"],
            "opened_utc": here.at,
            "opened_by": here.info["by"],
            "opened_second": here.info["second"],
            "opening_cents": here.cents,
            **dict.fromkeys(("hands", "bets", "bets_cents", "paid_cents"), 0),
        }
        yield from ()

    def _day_closed(self, here: _Here) -> Iterator[Row]:
        self._day |= {
            "closed_utc": here.at,
            "closed_by": here.info["by"],
            "closed_second": here.info["second"],
            "closing_cents": here.cents,
        }
        yield self._row("days", self._day)
        self._day = {}

    def _hand_started(self, here: _Here) -> Iterator[Row]:
        self._hand = {
            "hand": here.hand,
            "day": self._day.get("day"),
            "started_utc": here.at,
            **dict.fromkeys(("bets", "bets_cents", "paid_cents"), 0),
        }
        yield from ()

    def _hand_locked(self, here: _Here) -> Iterator[Row]:
        self._hand |= {"locked_utc": here.at, "lock_meter_microcents": here.microcents}
        yield from ()

    def _hand_ended(self, here: _Here) -> Iterator[Row]:
        self._hand |= {"ended_utc": here.at, "how": here.info["how"]}
        if here.info["how"] != "voided":
            self._count("hands", 1)
        yield self._row("hands", self._hand)
        self._hand = {}
        self._award = {}

    def _count(self, name: str, number: int) -> None:
        """Add to the sums of the running hand and day."""
        for sums in (self._hand, self._day):
            value = sums.get(name)
            if isinstance(value, int):
                sums[name] = value + number

    # ---- bets and totals -------------------------------------------------------------------------

    def _bet(self, here: _Here) -> Iterator[Row]:
        """A bet that is carried or goes back is no bet of its hand any more (CAN-10.1). One that the
        croupier hands back later was taken off already, when its own hand was voided."""
        sign = 1 if here.kind == "bet_accepted" else -1
        if here.kind != "bet_returned" or self._voids:
            self._count("bets", sign)
            self._count("bets_cents", sign * (here.cents or 0))
        what = (_BETS[here.kind], here.info.get("bet"), here.cents, here.info.get("source"))
        yield "bets", (*here.place, here.box, *what)

    def _voided(self, here: _Here) -> Iterator[Row]:
        self._voids = here.kind == "hand_voided"
        yield from ()

    def _total(self, here: _Here) -> Iterator[Row]:
        """Manual mode (CAN-8.b1): the hand's bets as one number."""
        sign = -1 if here.kind == "total_returned" else 1
        self._totals[here.hand or 0] = here.info["chips"]
        self._count("bets", sign * here.info["chips"])
        self._count("bets_cents", sign * (here.cents or 0))
        yield from ()

    def _total_adjusted(self, here: _Here) -> Iterator[Row]:
        """A final total was corrected later: it counts on the day on which that was found."""
        hand, chips = here.info["hand"], here.info["chips"]
        before, self._totals[hand] = self._totals.get(hand, 0), chips
        self._count("bets", chips - before)
        self._count("bets_cents", here.cents or 0)
        yield from ()

    # ---- awards ----------------------------------------------------------------------------------

    def _declared(self, here: _Here) -> Iterator[Row]:
        self._award = {"declared_by": here.info["by"]}
        hands = here.info["hands"]
        self._cards = {(hand["box"], hand.get("bet", 1)): hand["cards"] for hand in hands}
        yield from ()

    def _confirmed(self, here: _Here) -> Iterator[Row]:
        self._award["confirmed_by"] = here.info["by"]
        yield from ()

    def _frozen(self, here: _Here) -> Iterator[Row]:
        self._award |= {"award": here.info["award"], "base_microcents": here.microcents}
        yield from ()

    def _claimed(self, here: _Here) -> Iterator[Row]:
        self._award |= {"award": here.info["award"]}
        yield from ()

    def _payment(self, here: _Here) -> Iterator[Row]:
        bet = here.info.get("bet", 1)
        cards = self._cards.get((here.box or 0, bet))
        what = (here.info["hand"], here.info["rule"], here.cents, cards)
        yield "payments", (*here.place, self._award.get("award"), here.box, bet, *what)

    def _decided(self, here: _Here) -> Iterator[Row]:
        info = here.info
        names = ("seq", "batch", "at_utc", "hand")
        self._award |= dict(zip(names, here.place, strict=True))
        self._award |= {
            "total_cents": here.cents,
            "deducted_microcents": here.microcents,
            "house_microcents": info["house_microcents"],
            "restart": info["restart"],
            "second_signature": info["second_signature"],
        }
        yield self._row("awards", self._award)
        lines = msgspec.convert(info["derivation"], list[Line])
        for number, line in enumerate(lines, 1):
            words = (line.rule, line.text("es"), line.text("en"))
            yield "derivations", (here.hand, info["award"], number, *words)

    def _paid(self, here: _Here) -> Iterator[Row]:
        self._count("paid_cents", here.cents or 0)
        bet = here.info.get("bet", 1)
        yield "handovers", (*here.place, here.box, bet, here.cents, here.info["by"])

    # ---- in a carrusel ---------------------------------------------------------------------------

    def _joined(self, here: _Here) -> Iterator[Row]:
        self._decision = here.info["decision"]
        yield from ()

    def _settled(self, here: _Here) -> Iterator[Row]:
        """The table applies only the decision after the last."""
        info = here.info
        if info["decision"] != self._decision + 1:
            return
        self._decision = info["decision"]
        if here.kind == "carrusel_decided" and info["table"] == self._books.table:
            self._award.setdefault("base_microcents", here.microcents)
        for share in info["shares"]:
            yield self._row(
                "settlements",
                {
                    **dict(zip(("seq", "batch", "at_utc", "hand"), here.place, strict=True)),
                    "decision": info["decision"],
                    "undoes": info.get("undoes"),
                    "won_by": info["table"],
                    "won_in_hand": info["hand"],
                    **share,
                },
            )

    # ---- who and under what terms ----------------------------------------------------------------

    def _officers(self, here: _Here) -> Iterator[Row]:
        for officer, roles in sorted(here.info["officers"].items()):
            yield "officers", (*here.place[:3], officer, ", ".join(roles))

    def _terms(self, here: _Here) -> Iterator[Row]:
        terms = msgspec.json.encode(here.info["terms"]).decode()
        yield "terms", (*here.place[:3], here.kind, terms)

    def _row(self, table: str, values: Mapping[str, Value]) -> Row:
        return table, tuple(values.get(name) for name in COLUMNS[table])


_RULES: Mapping[str, Callable[[_Extract, _Here], Iterator[Row]]] = {
    "award_paid": _Extract._paid,
    "awards_confirmed": _Extract._confirmed,
    "awards_decided": _Extract._decided,
    "awards_declared": _Extract._declared,
    "awards_frozen": _Extract._frozen,
    "bet_accepted": _Extract._bet,
    "bet_carried": _Extract._bet,
    "bet_returned": _Extract._bet,
    "awards_claimed": _Extract._claimed,
    "carrusel_decided": _Extract._settled,
    "carrusel_joined": _Extract._joined,
    "carrusel_undone": _Extract._settled,
    "chip_decided": _Extract._voided,
    "day_closed": _Extract._day_closed,
    "day_opened": _Extract._day_opened,
    "hand_ended": _Extract._hand_ended,
    "hand_locked": _Extract._hand_locked,
    "hand_started": _Extract._hand_started,
    "hand_voided": _Extract._voided,
    "officers_listed": _Extract._officers,
    "payment_decided": _Extract._payment,
    "terms_in_force": _Extract._terms,
    "terms_pending": _Extract._terms,
    "total_accepted": _Extract._total,
    "total_adjusted": _Extract._total_adjusted,
    "total_returned": _Extract._total,
}
"""What each kind adds."""
