"""How each recorded event changes the checker's picture of the table.

What is recorded is taken as it stands, right or wrong: whether it is right, ``due`` says.
"""

from __future__ import annotations

from jackpot.audit.checker.due import Info
from jackpot.audit.checker.due_hand import declared_of
from jackpot.audit.checker.fold_carrusel import CARRUSEL_FOLDS
from jackpot.audit.checker.fold_money import MONEY_FOLDS, Fold
from jackpot.audit.checker.fold_place import PLACE_FOLDS
from jackpot.audit.checker.state import (
    BETTING,
    BETWEEN_HANDS,
    CLOSED,
    DECLARED,
    LOCKED,
    LOCKING,
    MANUAL,
    PAYABLE,
    Bet,
    Chip,
    PastAward,
    Payment,
    Table,
)

UNTOLD = ("asserted", "disputed")
"""Bets whose chip the acceptor has not told of, and may still."""

REMEMBERED_AWARDS = 64
"""Awards whose payments may be reversed: weeks of a table, longer than a dispute waits."""


# ---- controller, slots, officers -----------------------------------------------------------------


def _controller_started(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    """What the slots did meanwhile is unknown until each has answered again."""
    table.running = True
    table.slots_up.clear()
    table.test = None
    if table.carrusel is not None:
        table.carrusel.linked = table.carrusel.heard = False


def _controller_stopped(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    table.running = False


def _officers_listed(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    table.officers = info["officers"]


def _slot_identified(table: Table, box: int, _c: int, _m: int, info: Info) -> None:
    table.slot_identity[box] = (info["serial"], info["epoch"])
    if info["continuity"] != "continued":
        table.owed.pop(box, None)
        table.slot_accepts.pop(box, None)


def _slot_restarted(table: Table, box: int, _c: int, _m: int, info: Info) -> None:
    serial = table.slot_identity.get(box, (None, None))[0]
    table.slot_identity[box] = (serial, info["epoch"])
    table.owed.pop(box, None)


def _slot_down(table: Table, box: int, _c: int, _m: int, _i: Info) -> None:
    table.slots_up.discard(box)


def _slot_up(table: Table, box: int, _c: int, _m: int, _i: Info) -> None:
    table.slots_up.add(box)


def _box_closed(table: Table, box: int, _c: int, _m: int, _i: Info) -> None:
    table.closed_boxes.add(box)


def _box_opened(table: Table, box: int, _c: int, _m: int, _i: Info) -> None:
    table.closed_boxes.discard(box)


def _item_opened(table: Table, box: int, _c: int, _m: int, info: Info) -> None:
    table.items[info["item"]] = box
    if info["what"] == "slot_locked":
        table.locks[info["item"]] = box
    table.next_item = info["item"] + 1


def _item_settled(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    table.items.pop(info["item"], None)
    box = table.locks.pop(info["item"], None)
    if box is not None:
        table.fraud_signs.pop(box, None)


def _slot_event(table: Table, box: int, _c: int, _m: int, info: Info) -> None:
    if info["fraud"]:
        table.fraud_signs[box] = table.fraud_signs.get(box, 0) + 1


def _slot_test_started(table: Table, box: int, _c: int, _m: int, info: Info) -> None:
    table.test, table.test_chips = (box, info["by"]), 0


def _slot_tested(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    table.test = None


def _chip_tested(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    table.test_chips += int(info["expected"])


# ---- bets and pools ------------------------------------------------------------------------------


def _chip_seen(table: Table, box: int, _c: int, _m: int, _i: Info) -> None:
    table.detected[box] = table.detected.get(box, 0) + 1


def _bet_accepted(table: Table, box: int, cents: int, _m: int, info: Info) -> None:
    chip = table.waiting_in(box)
    if chip is not None:
        table.waiting.remove(chip)
    if info["source"] in UNTOLD:
        table.owed[box] = table.owed.get(box, 0) + 1
        table.detected[box] = table.detected.get(box, 0) + 1
    table.bets.append(Bet(box, info["bet"], cents, [] if chip is None else chip.moved))
    table.day_bets_cents += cents


def _contributed(table: Table, box: int, _c: int, microcents: int, info: Info) -> None:
    pool = info["pool"]
    table.pools[pool] += microcents
    table.sums[pool].contributed += microcents
    for bet in reversed(table.bets):
        if bet.box == box:
            bet.moved.append((pool, microcents))
            return


def _contribution_reversed(table: Table, _b: int, _c: int, microcents: int, info: Info) -> None:
    table.pools[info["pool"]] -= microcents
    table.sums[info["pool"]].reversed += microcents


def _bet_returned(table: Table, box: int, cents: int, _m: int, _i: Info) -> None:
    chip = table.waiting_in(box)
    if chip is None:
        table.day_bets_cents -= cents
    else:
        table.waiting.remove(chip)  # it left the day's bets when it began to wait


def _bet_carried(table: Table, box: int, cents: int, _m: int, info: Info) -> None:
    bets = [bet for bet in table.bets if (bet.box, bet.number) == (box, info["bet"])]
    moved = bets[0].moved if bets else []
    table.waiting.append(Chip(box, cents, "carried", moved))
    table.day_bets_cents -= cents


def _chip_held(table: Table, box: int, _c: int, _m: int, _i: Info) -> None:
    cents = 0 if table.terms is None else table.terms.terms.bet_cents
    table.waiting.append(Chip(box, cents, "held", []))


def _chip_matched(table: Table, box: int, _c: int, _m: int, _i: Info) -> None:
    """It was counted before, as a bet that had not been told of or within a total."""
    table.owed[box] = max(0, table.owed.get(box, 0) - 1)
    table.detected[box] = table.detected.get(box, 0) - 1


def _chip_decided(table: Table, box: int, _c: int, _m: int, info: Info) -> None:
    chip = table.waiting_in(box)
    if chip is not None and chip.source == "held" and not info["plays"]:
        table.waiting.remove(chip)


# ---- gaming day ----------------------------------------------------------------------------------


def _day_opened(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    table.phase, table.day, table.hands_left = BETWEEN_HANDS, info["day"], None
    table.days_opened += 1
    table.fraud_signs.clear()
    table.day_hands = table.day_bets_cents = table.day_paid_cents = table.day_total_chips = 0
    table.detected, table.accepted = {}, dict.fromkeys(table.slot_accepts, 0)


def _day_closed(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    table.phase, table.hands_left = CLOSED, None


def _hands_left(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    table.hands_left = info["left"]


# ---- a hand --------------------------------------------------------------------------------------


def _hand_started(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    table.phase, table.hand = BETTING, info["hand"]
    table.start_meter_microcents, table.lock_meter_microcents = table.meter_microcents, None
    table.bets, table.unknown, table.declared = [], set(), []
    table.declared_by = table.confirmed_by = None
    table.payments, table.award, table.decided, table.terms_before = {}, 0, None, None
    table.hand_manual = table.mode == MANUAL
    table.total, table.totals_entered, table.total_is_final = None, 0, False
    table.total_moved, table.how = [], None
    table.view, table.hand_decision = None, 0
    table.claim_withdrawn = table.reversal_asked = False


def _lock_pressed(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    table.phase = LOCKING


def _lock_reached(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    """A silent box is a question only where a bet may still be."""
    free = {box for box in info["unknown_boxes"] if table.has_room(box)}
    table.unknown = free - table.manual_boxes


def _hand_locked(table: Table, _b: int, _c: int, microcents: int, _i: Info) -> None:
    table.phase, table.lock_meter_microcents = LOCKED, microcents


def _slot_decided(table: Table, box: int, _c: int, _m: int, _i: Info) -> None:
    table.unknown.discard(box)


def _awards_declared(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    table.phase, table.declared, table.declared_by = DECLARED, declared_of(info), info["by"]


def _awards_rejected(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    table.phase, table.declared, table.declared_by = LOCKED, [], None


def _awards_confirmed(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    table.confirmed_by = info["by"]


def _awards_frozen(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    table.awards = table.award = info["award"]
    table.award_jackpot = table.jackpots
    table.terms_before = None if table.pending is None else table.terms


def _payment_decided(table: Table, box: int, cents: int, _m: int, info: Info) -> None:
    table.payments[box, info["bet"]] = Payment(cents, open=cents != 0)


def _awards_signed(table: Table, _b: int, _c: int, _m: int, _i: Info) -> None:
    table.phase = PAYABLE


def _award_paid(table: Table, box: int, cents: int, _m: int, info: Info) -> None:
    payment = table.payments.get((box, info["bet"]))
    if payment is not None:
        payment.open = False
    table.paid_cents += cents
    table.day_paid_cents += cents


def _hand_ended(table: Table, _b: int, _c: int, _m: int, info: Info) -> None:
    table.phase = BETWEEN_HANDS
    table.hands_ended += 1
    table.bets = []
    if info["how"] != "voided":
        table.day_hands += 1
    if table.award:
        table.past_awards[table.award] = PastAward(table.award_jackpot, table.payments)
        if len(table.past_awards) > REMEMBERED_AWARDS:
            del table.past_awards[next(iter(table.past_awards))]


FOLDS: dict[str, Fold] = {
    "controller_started": _controller_started,
    "controller_stopped": _controller_stopped,
    "officers_listed": _officers_listed,
    "slot_identified": _slot_identified,
    "slot_restarted": _slot_restarted,
    "slot_down": _slot_down,
    "slot_up": _slot_up,
    "slot_event": _slot_event,
    "slot_test_started": _slot_test_started,
    "slot_tested": _slot_tested,
    "chip_tested": _chip_tested,
    "box_closed": _box_closed,
    "box_opened": _box_opened,
    "item_opened": _item_opened,
    "item_settled": _item_settled,
    "chip_seen": _chip_seen,
    "bet_accepted": _bet_accepted,
    "contributed": _contributed,
    "contribution_reversed": _contribution_reversed,
    "bet_returned": _bet_returned,
    "bet_carried": _bet_carried,
    "chip_held": _chip_held,
    "chip_matched": _chip_matched,
    "chip_decided": _chip_decided,
    "day_opened": _day_opened,
    "day_closed": _day_closed,
    "hands_left": _hands_left,
    "hand_started": _hand_started,
    "lock_pressed": _lock_pressed,
    "lock_reached": _lock_reached,
    "hand_locked": _hand_locked,
    "slot_decided": _slot_decided,
    "awards_declared": _awards_declared,
    "awards_rejected": _awards_rejected,
    "awards_confirmed": _awards_confirmed,
    "awards_frozen": _awards_frozen,
    "payment_decided": _payment_decided,
    "awards_signed": _awards_signed,
    "award_paid": _award_paid,
    "hand_ended": _hand_ended,
    **MONEY_FOLDS,
    **PLACE_FOLDS,
    **CARRUSEL_FOLDS,
}
"""By kind; every other kind changes nothing."""
