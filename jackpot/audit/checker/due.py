"""What has to follow from a fact: for each kind, the outcome rows that the rules demand.

Each function is given the table *before* the fact and returns the rows that must come after it, in
order: ``(kind, box, cents, microcents, info)``. Facts of slots and of the gaming day are here,
those of a hand's end in ``due_hand``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, NamedTuple

import msgspec

from jackpot.audit.checker.findings import Findings
from jackpot.audit.checker.limits import check_limits
from jackpot.audit.checker.pools import (
    JACKPOT,
    OVERFLOW,
    RESERVE,
    Moved,
    Start,
    contribution,
    start,
)
from jackpot.audit.checker.state import BETTING_IS_OPEN, CLOSED, LOCKING, Layout, Sums, Table
from jackpot.audit.checker.terms import MICROCENTS, Terms, Text, only_free_changes, terms_of

_json = msgspec.json.Encoder().encode

Due = tuple[str, int | None, int | None, int | None, str | None]
Info = dict[str, Any]


class Fact(NamedTuple):
    """A fact as the rules look at it; ``box`` is 0 and an amount None where it has none."""

    box: int
    cents: int | None
    microcents: int | None
    info: Info


POOL_INFO = {pool: f'{{"pool":"{pool}"}}' for pool in (JACKPOT, OVERFLOW, RESERVE)}


def text(info: Info) -> str:
    """JSON without blanks, as the ledger writes it."""
    return _json(info).decode()


def terms(table: Table) -> Terms:
    """The terms in force. Raises ``ValueError`` (``check_act`` has told already)."""
    if table.terms is None:
        raise ValueError("no terms are in force")
    return table.terms.terms


# ---- rows that several facts lead to -------------------------------------------------------------


def item(table: Table, box: int | None, what: str, ahead: int = 0) -> Due:
    """Something to see to; ``ahead`` counts those that the same fact opened before."""
    return ("item_opened", box, None, None, text({"item": table.next_item + ahead, "what": what}))


def refused(table: Table, box: int | None, why: str) -> list[Due]:
    """A chip that is no bet is handed back."""
    return [
        ("chip_refused", box, None, None, f'{{"why":"{why}"}}'),
        item(table, box, "hand_back_chip"),
    ]


def bet(table: Table, box: int, source: str) -> Sequence[Due]:
    """A bet and what it adds to each pool (CAN-8.b); a carried one has added it before."""
    number = table.bets_in(box) + 1
    known: Sequence[Due] | None = table.bet_rows.get((box, number, source))
    if known is not None:
        return known
    force = terms(table)
    info = f'{{"bet":{number},"source":"{source}"}}'
    rows: list[Due] = [("bet_accepted", box, force.bet_cents, None, info)]
    if source != "carried":
        rows += [
            ("contributed", box, None, amount, POOL_INFO[pool])
            for pool, amount in contribution(force, table.pools, force.bet_cents)
        ]
    if force.top_microcents is None:
        table.bet_rows[box, number, source] = rows
    return rows


def reversals(box: int, taken: Moved) -> list[Due]:
    """What a void takes back from each pool."""
    return [("contribution_reversed", box, None, amount, POOL_INFO[pool]) for pool, amount in taken]


def into_pools(kind: str, moves: Iterable[tuple[str, int]]) -> list[Due]:
    """What a signed entry or a total moves; no box has it."""
    return [(kind, None, None, amount, POOL_INFO[pool]) for pool, amount in moves]


def terms_row(kind: str, these: Text) -> Due:
    """Terms that come into force, or wait."""
    return (kind, None, None, None, text({"terms": these.raw}))


def started(begin: Start) -> Due:
    """A jackpot starts; what it gains, and from whom (CAN-8.b)."""
    info = {
        "house_microcents": begin.house,
        "reserve_microcents": begin.reserve,
        "overflow_microcents": begin.overflow,
    }
    return ("jackpot_started", None, None, begin.gain, text(info))


# ---- controller and slots --------------------------------------------------------------------------


def controller_started(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """It says whether the last run said goodbye; the ledger knows."""
    if fact.info["clean"] is table.running:
        expected = f"clean: {not table.running}".lower()
        findings.wrong("controller", "how the last run ended", expected, fact.info["clean"])
    return ()


def chip_seen(table: Table, fact: Fact, _: Findings) -> Sequence[Due]:
    """A chip is a bet if it is the right one, in time, and its box has room (CAN-7.1, CAN-8.1)."""
    box = fact.box
    force = table.terms
    if table.test is not None and table.test[0] == box:
        return [("chip_tested", box, None, None, text({"expected": fact.info["expected"]}))]
    if force is None or not fact.info["expected"]:
        return refused(table, box, "wrong")
    if table.owed.get(box, 0) > 0:
        return [("chip_matched", box, None, None, None)]
    if box in table.closed_boxes or box in table.locks.values() or box > force.terms.boxes:
        return refused(table, box, "closed_box")
    if table.manual:
        return [("chip_matched", box, None, None, None)]
    if table.phase not in BETTING_IS_OPEN:
        return _extra(table, force.terms, box, "late")
    if not table.has_room(box):
        return _extra(table, force.terms, box, "second")
    return bet(table, box, "chip")


def _extra(table: Table, force: Terms, box: int, why: str) -> list[Due]:
    waits = force.policies.extra_chip == "next_hand" and table.phase != CLOSED
    if waits and not table.waiting_in(box):
        return [("chip_held", box, None, None, None)]
    return refused(table, box, why)


def slot_event(table: Table, fact: Fact, _: Findings) -> Sequence[Due]:
    """A sign of fraud is something to see to; too many of one gaming day lock the slot."""
    box = fact.box
    if not fact.info["fraud"]:
        return ()
    sign = item(table, box, "fraud_sign")
    most = 0 if table.terms is None else table.terms.terms.lock_after_fraud_signs
    locks = 0 < most <= table.fraud_signs.get(box, 0) + 1 and box not in table.locks.values()
    return [sign, item(table, box, "slot_locked", 1)] if locks else [sign]


def slot_events_lost(table: Table, fact: Fact, _: Findings) -> Sequence[Due]:
    """Somebody looks into the box."""
    box = fact.box
    return [item(table, box, "events_lost")]


def slot_restarted(table: Table, fact: Fact, _: Findings) -> Sequence[Due]:
    """While bets are taken, somebody looks into the box."""
    box = fact.box
    return [item(table, box, "slot_restarted")] if table.phase in BETTING_IS_OPEN else ()


def slot_identified(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """A base line in doubt is a question for the staff; a continued one is the same acceptor."""
    box = fact.box
    if fact.info["continuity"] == "continued":
        known = table.slot_identity.get(box)
        if known != (fact.info["serial"], fact.info["epoch"]):
            findings.wrong(
                "slots",
                f"box {box} goes on as another acceptor",
                f"serial and epoch {known}",
                (fact.info["serial"], fact.info["epoch"]),
                "CAN-8.b2",
            )
    return [item(table, box, "slot_doubtful")] if fact.info["continuity"] == "doubtful" else ()


def lock_reached(table: Table, _fact: Fact, _: Findings) -> Sequence[Due]:
    """The betting is closed: what was shown, and the bets, at that moment. A member of a carrusel
    stays at the barrier until it has a total to show (CAN-9)."""
    if table.phase != LOCKING or table.waits_for_view:
        return ()
    bets_cents = sum(one.cents for one in table.bets)
    return [("hand_locked", None, bets_cents, table.shown_microcents, None)]


# ---- configuration and gaming day ----------------------------------------------------------------


def configuration_loaded(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """When changed terms apply (policy ``config_change``); those of another layout wait with it, and
    a third layout is none of this table (CAN-2.2)."""
    new, parked = terms_of(fact.info["terms"]), table.parked
    check_limits(new, fact.info["profile_text"], findings)
    name = new.terms.layout
    if table.terms is None or name == table.name:
        return _changed_terms(table, new, closed=table.phase == CLOSED)
    if parked is not None and name == parked.name:
        return _changed_terms(parked, new, closed=True)
    if parked is None or not (parked.started or parked.sums[JACKPOT] != Sums()):
        return [terms_row("terms_in_force", new)]
    return ()


def _changed_terms(layout: Layout, new: Text, *, closed: bool) -> Sequence[Due]:
    old = layout.terms
    if old is None or not layout.started:
        return [terms_row("terms_in_force", new)]
    if new.raw == old.raw:
        return () if layout.pending is None else [terms_row("terms_in_force", old)]
    if closed and only_free_changes(old, new):
        return [terms_row("terms_in_force", new)]
    return [terms_row("terms_pending", new)]


def _due_at_opening(table: Table, old: Text) -> Text | None:
    """Waiting terms that an opening brings into force; with a new jackpot always."""
    pending = table.pending
    if pending is None or not table.started:
        return pending
    if table.carrusel is not None:
        return pending if only_free_changes(old, pending) else None
    authorised = pending.terms.authorisation not in ("", old.terms.authorisation)
    if old.terms.policies.config_change == "at_opening" and authorised:
        return pending
    return pending if only_free_changes(old, pending) else None


def day_opened(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Two officers sign what the visor shows; the first opening starts the jackpot (CAN-8.b)."""
    force = table.terms
    if force is None:
        return ()
    in_service(table, "day_opened", findings)
    _day_name(table, str(fact.info["day"]), findings)
    after = _due_at_opening(table, force)
    rows: list[Due] = [] if after is None else [terms_row("terms_in_force", after)]
    shown = table.meter_microcents
    if not table.started:
        begin = start((after or force).terms, table.pools)
        shown += begin.gain
        rows.append(started(begin))
    signed_amount("day_opened", shown, fact.cents, findings)
    return rows


def in_service(table: Table, what: str, findings: Findings) -> None:
    """No day and no hand begins at a table out of service."""
    if table.suspended:
        says = f"{what} at a table out of service"
        findings.wrong("service", says, "a table in service", "one out of service", "CAN-7.3a")


def _day_name(table: Table, name: str, findings: Findings) -> None:
    iso_day(name, findings)
    if table.day is not None and name <= table.day:
        says = "a gaming day that is not after the last one"
        findings.wrong("days", says, f"a day after {table.day}", name, "CAN-2.2")


def iso_day(name: str, findings: Findings) -> None:
    """A gaming day is named by a date."""
    try:
        is_a_day = date.fromisoformat(name).isoformat() == name
    except ValueError:
        is_a_day = False
    if not is_a_day:
        findings.wrong("days", "a gaming day without a date", "as in 2026-11-30", name, "CAN-2.2")


def signed_amount(what: str, microcents: int, cents: int | None, findings: Findings) -> None:
    """The amount that two officers signed is that of the meter, rounded down to the cent."""
    if cents != microcents // MICROCENTS:
        findings.wrong(
            "signed_amounts",
            f"{what} signs another amount than the meter's",
            f"{microcents // MICROCENTS} cents",
            f"{cents} cents",
            "CAN-8.7",
        )


def last_hands_announced(table: Table, _fact: Fact, findings: Findings) -> Sequence[Due]:
    """The countdown begins, once a day (CAN-7.3b)."""
    if table.hands_left is not None:
        findings.wrong(
            "countdown", "announced twice", "one announcement a day", table.hands_left, "CAN-7.3b"
        )
    return [hands_left(terms(table).closing_hands)]


def hands_left(left: int) -> Due:
    """The countdown's row."""
    return ("hands_left", None, None, None, f'{{"left":{left}}}')


def day_closed(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Nothing is left open, the amount is signed, and the day's sums are right."""
    if table.waiting or table.items:
        findings.wrong(
            "days",
            "closed with things left open",
            "no chip waiting, nothing unsettled",
            f"chips in boxes {[chip.box for chip in table.waiting]}, items {sorted(table.items)}",
            "CAN-7.3a",
        )
    signed_amount("day_closed", table.meter_microcents, fact.cents, findings)
    info = {"hands": table.day_hands, "paid_cents": table.day_paid_cents}
    return [("day_totals", None, table.day_bets_cents, table.meter_microcents, text(info))]


def box_changed(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """A box of this table."""
    box_of_table(table, fact.box, findings)
    return ()


def box_of_table(table: Table, box: int, findings: Findings) -> None:
    """The layout has a box of this number."""
    if not 1 <= box <= terms(table).boxes:
        findings.wrong("boxes", "no such box", f"1 to {terms(table).boxes}", box, "CAN-2.2")


def item_settled(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Something that was open."""
    if fact.info["item"] not in table.items:
        findings.wrong(
            "items", "nothing open has this number", sorted(table.items), fact.info["item"]
        )
    return ()
