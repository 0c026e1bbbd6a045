"""Planted faults about what people do around the hands. Each returns the event where it is found."""

from __future__ import annotations

from forgery import CENTS, MICROCENTS, Forgery, Row


def total_of_more_chips_than_boxes(bench: Forgery) -> Row:
    event = bench.event("total_entered", 1)
    event[CENTS] = 1_600
    bench.tell(event, chips=8)
    return event


def total_below_the_winners(bench: Forgery) -> Row:
    event = bench.event("total_entered", 0)
    event[CENTS] = 0
    bench.tell(event, chips=0)
    return event


def total_contributes_too_much(bench: Forgery) -> Row:
    event = bench.event("total_contributed", 0)
    event[MICROCENTS] += 1
    return event


def another_total_confirmed(bench: Forgery) -> Row:
    event = bench.event("total_final", 0)
    bench.tell(event, chips=5)
    return event


def corrected_total_keeps_the_money(bench: Forgery) -> Row:
    bench.drop(bench.event("total_reversed", 0))
    return bench.event("total_adjusted", 0)


def decision_taken_back_for_less(bench: Forgery) -> Row:
    event = bench.event("decision_undone", 0)
    event[MICROCENTS] -= 1
    return event


def deduction_comes_back_from_nowhere(bench: Forgery) -> Row:
    """The meter gains what the sums of deductions do not explain: found at the end of its batch."""
    event = bench.event("decision_undone", 0)
    bench.tell(event, deducted_microcents=61_733_000_001)
    return event


def more_comes_back_than_was_paid(bench: Forgery) -> Row:
    event = bench.event("payment_reversed", 0)
    event[CENTS] = 61_734
    return event


def payment_not_struck(bench: Forgery) -> Row:
    event = bench.event("payment_struck", 0)
    bench.drop(event)
    return bench.event("hand_ended", -1)


def second_original_of_a_slip(bench: Forgery) -> Row:
    event = bench.event("slip_printed", 1)
    bench.tell(event, copy=False)
    return event


def slip_of_what_was_not_paid(bench: Forgery) -> Row:
    event = bench.event("slip_printed", 0)
    bench.tell(event, award=9)
    return event


def correction_of_another_amount(bench: Forgery) -> Row:
    event = bench.event("amount_adjusted", 1)
    event[MICROCENTS] += 1
    return event


def entry_without_a_reason(bench: Forgery) -> Row:
    event = bench.event("jackpot_corrected", 0)
    bench.tell(event, why=" ")
    return event


def entry_without_authorisation(bench: Forgery) -> Row:
    event = bench.event("seed_raised", 0)
    bench.tell(event, authorisation="")
    return event


def a_micro_cent_lost_on_the_way(bench: Forgery) -> Row:
    event = bench.event("amount_in", -1)
    event[MICROCENTS] -= 7
    return event


def chief_alone(bench: Forgery) -> Row:
    event = bench.event("jackpot_corrected", 0)
    bench.tell(event, second="C1")
    return event


def mode_without_authorisation(bench: Forgery) -> Row:
    event = bench.event("mode_changed", 0)
    bench.tell(event, mode="automatic")
    return event


def two_layouts_in_a_day(bench: Forgery) -> Row:
    event = bench.event("layout_changed", 1)
    bench.tell(event, day="2026-12-01")
    return event


def a_third_layout(bench: Forgery) -> Row:
    event = bench.event("layout_changed", 0)
    bench.tell(event, layout="2C")
    return event


def hand_at_a_suspended_table(bench: Forgery) -> Row:
    bench.drop_batch(bench.batch_of(bench.event("table_resumed", 0)))
    return bench.event("hand_started", 1)


def drop_made_to_fit(bench: Forgery) -> Row:
    event = bench.event("drop_compared", 0)
    bench.tell(event, detected=11)
    return event


def drop_that_differs_silently(bench: Forgery) -> Row:
    bench.drop(bench.event("item_opened", -1))
    return bench.event("drop_compared", 0)


def minimum_outside_the_band(bench: Forgery) -> Row:
    event = bench.event("table_minimum_set", 0)
    event[CENTS] = 2_001
    return event


def minimum_below_twice_the_bet(bench: Forgery) -> Row:
    event = bench.event("table_minimum_set", 0)
    event[CENTS] = 399
    return event


def minimum_by_the_chief(bench: Forgery) -> Row:
    event = bench.event("table_minimum_set", 0)
    bench.tell(event, by="J1")
    return event


def bet_disputed_where_there_is_one(bench: Forgery) -> Row:
    event = bench.event("bet_disputed", 0)
    event[3] = 1
    return event
