"""How money moves in the checker's picture: awards, restarts, totals, signed entries.

An amount enters a pool by the column and its sum by the parts that explain it, so that a difference
between the two is found (``conservation``).
"""

from __future__ import annotations

from collections.abc import Callable

from jackpot.audit.checker.due import Info
from jackpot.audit.checker.pools import JACKPOT
from jackpot.audit.checker.state import (
    BETWEEN_HANDS,
    DECIDED,
    LOCKED,
    PAYABLE,
    TOTAL,
    Decided,
    HandTotal,
    Table,
)

Fold = Callable[[Table, int, int, int, Info], None]
"""``(table, box, cents, microcents, info)``; an amount is 0 where the event has none."""

REMEMBERED_TOTALS = 1_000
"""Totals that may be corrected one by one: two long days of a manual table."""


# ---- awards and restarts ---------------------------------------------------------------------------


def _awards_decided(table: Table, _b: int, _c: int, microcents: int, info: Info) -> None:
    house = info["house_microcents"]
    table.pools[JACKPOT] -= microcents + house
    sums = table.sums[JACKPOT]
    sums.deducted += microcents
    sums.house += house
    table.decided = Decided(microcents, house)
    table.signature_due = info["second_signature"]
    table.phase = DECIDED if table.signature_due else PAYABLE
    noted = table.newest_applied
    if noted is not None:
        noted.deducted += microcents
        noted.house += house


def _paid_from_seed(table: Table, _b: int, _c: int, microcents: int, _i: Info) -> None:
    table.pools[JACKPOT] -= microcents
    table.sums[JACKPOT].deducted += microcents
    if table.decided is not None:
        table.decided.deducted += microcents
    noted = table.newest_applied
    if noted is not None:
        noted.deducted += microcents


def _jackpot_started(table: Table, _b: int, _c: int, microcents: int, info: Info) -> None:
    house = info["house_microcents"]
    reserve, overflow = info["reserve_microcents"], info["overflow_microcents"]
    table.pools[JACKPOT] += microcents
    table.seeded(house, reserve, overflow)
    table.started = True
    table.jackpots += 1
    of_hand = table.carrusel is None or table.hand_decision == table.carrusel.decision
    for one in (
        table.decided if of_hand and table.phase in (DECIDED, PAYABLE) else None,
        table.newest_applied,
    ):
        if one is not None:
            one.seed_house, one.seed_reserve, one.seed_overflow = house, reserve, overflow


def _decision_undone(table: Table, _b: int, _c: int, microcents: int, info: Info) -> None:
    table.pools[JACKPOT] += microcents
    sums = table.sums[JACKPOT]
    sums.deducted -= info["deducted_microcents"]
    sums.house -= info["house_microcents"]
    table.seeded(
        -info["seed_house_microcents"],
        -info["seed_reserve_microcents"],
        -info["seed_overflow_microcents"],
    )
    table.phase, table.declared = LOCKED, []
    table.declared_by = table.confirmed_by = None
    table.payments, table.award, table.decided, table.terms_before = {}, 0, None, None
    table.jackpots = table.award_jackpot


def _payment_reversed(table: Table, box: int, cents: int, _m: int, info: Info) -> None:
    place = (box, info["bet"])
    if table.phase == PAYABLE:
        payment = table.payments.get(place) if info["award"] == table.award else None
    else:
        past = table.past_awards.get(info["award"])
        payment = None if past is None else past.payments.get(place)
    if payment is not None:
        payment.reversed_cents += cents


def _slip_printed(table: Table, box: int, _c: int, _m: int, info: Info) -> None:
    payment = table.payment(info["award"], (box, info["bet"]))
    if payment is not None:
        payment.printed = True


def _payment_struck(table: Table, box: int, _c: int, _m: int, info: Info) -> None:
    payment = table.payments.get((box, info["bet"]))
    if payment is not None:
        payment.open = False


# ---- totals (CAN-8.b1) -----------------------------------------------------------------------------


def _total_entered(table: Table, _b: int, cents: int, _m: int, info: Info) -> None:
    table.phase, table.total = TOTAL, (info["chips"], cents)
    table.totals_entered += 1


def _total_withdrawn(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    table.total = None


def _total_due(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    table.phase, table.how = TOTAL, info["how"]


def _total_accepted(table: Table, _b: int, cents: int, _m: int, info: Info) -> None:
    """Where its awards come later, the hand is as locked now."""
    table.phase, table.total_is_final = LOCKED, True
    table.day_bets_cents += cents
    table.day_total_chips += info["chips"]
    if table.terms is None:
        return
    force = table.terms.terms
    table.hand_totals[table.hand] = HandTotal(
        day=table.day,
        chips=info["chips"],
        bet_cents=force.bet_cents,
        jackpot_ppm=force.jackpot_ppm,
        reserve_ppm=force.reserve_ppm,
        jackpot=table.jackpots,
        winning_bets=len(table.declared),
    )
    if len(table.hand_totals) > REMEMBERED_TOTALS:
        del table.hand_totals[next(iter(table.hand_totals))]


def _total_contributed(table: Table, _b: int, _c: int, microcents: int, info: Info) -> None:
    pool = info["pool"]
    table.pools[pool] += microcents
    table.sums[pool].contributed += microcents
    if table.phase != BETWEEN_HANDS:
        table.total_moved.append((pool, microcents))


def _total_reversed(table: Table, _b: int, _c: int, microcents: int, info: Info) -> None:
    table.pools[info["pool"]] -= microcents
    table.sums[info["pool"]].reversed += microcents


def _total_returned(table: Table, _b: int, cents: int, _m: int, info: Info) -> None:
    table.day_bets_cents -= cents
    table.day_total_chips -= info["chips"]
    table.hand_totals.pop(table.hand, None)


def _total_adjusted(table: Table, _b: int, cents: int, _m: int, info: Info) -> None:
    """The amount is of the day on which it was found; the chips are of the hand's own day."""
    table.day_bets_cents += cents
    known = table.hand_totals.get(info["hand"])
    if known is not None:
        if known.day == table.day:
            table.day_total_chips += info["chips"] - known.chips
        known.chips = info["chips"]


# ---- signed entries --------------------------------------------------------------------------------


def _amount_in(table: Table, _b: int, _c: int, microcents: int, info: Info) -> None:
    table.pools[info["pool"]] += microcents
    table.sums[info["pool"]].incoming += microcents


def _amount_out(table: Table, _b: int, _c: int, microcents: int, info: Info) -> None:
    table.pools[info["pool"]] -= microcents
    table.sums[info["pool"]].outgoing += microcents


def _amount_adjusted(table: Table, _b: int, _c: int, microcents: int, info: Info) -> None:
    table.pools[info["pool"]] += microcents
    table.sums[info["pool"]].adjusted += microcents


def _seed_added(table: Table, _b: int, _c: int, microcents: int, info: Info) -> None:
    table.pools[info["pool"]] += microcents
    table.sums[info["pool"]].seeds += microcents


def _jackpot_arrives(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    table.jackpots += not table.started
    table.started = True


def _jackpot_leaves(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    table.started = False


MONEY_FOLDS: dict[str, Fold] = {
    "awards_decided": _awards_decided,
    "paid_from_seed": _paid_from_seed,
    "jackpot_started": _jackpot_started,
    "decision_undone": _decision_undone,
    "payment_reversed": _payment_reversed,
    "payment_struck": _payment_struck,
    "slip_printed": _slip_printed,
    "total_entered": _total_entered,
    "total_withdrawn": _total_withdrawn,
    "total_due": _total_due,
    "total_accepted": _total_accepted,
    "total_contributed": _total_contributed,
    "total_reversed": _total_reversed,
    "total_returned": _total_returned,
    "total_adjusted": _total_adjusted,
    "amount_in": _amount_in,
    "amount_out": _amount_out,
    "amount_adjusted": _amount_adjusted,
    "seed_added": _seed_added,
    "jackpot_taken_over": _jackpot_arrives,
    "jackpot_received": _jackpot_arrives,
    "jackpot_moved": _jackpot_leaves,
    "jackpot_ended": _jackpot_leaves,
}
"""By kind."""
