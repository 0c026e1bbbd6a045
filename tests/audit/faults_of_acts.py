"""Planted faults about officers, moments, days, slots. Each returns the event where it must be found."""

from __future__ import annotations

from forgery import BOX, CENTS, HAND, KIND, MICROCENTS, RULES, Forgery, Row


def officer_unknown(bench: Forgery) -> Row:
    event = bench.event("hand_started", 1)
    bench.tell(event, by="X9")
    return event


def croupier_confirms(bench: Forgery) -> Row:
    event = bench.event("awards_confirmed", 0)
    bench.tell(event, by="C2")
    return event


def technician_opens(bench: Forgery) -> Row:
    event = bench.event("day_opened", 0)
    bench.tell(event, by="T1")
    return event


def one_person_signs_twice(bench: Forgery) -> Row:
    event = bench.event("day_closed", 0)
    bench.tell(event, by="J1")
    return event


def declares_and_confirms(bench: Forgery) -> Row:
    event = bench.event("awards_confirmed", 0)
    bench.tell(bench.event("awards_declared", 0), by="J1")
    return event


def hand_number_skipped(bench: Forgery) -> Row:
    event = bench.event("hand_started", 3)
    bench.tell(event, hand=99)
    return event


def batch_of_another_hand(bench: Forgery) -> Row:
    event = bench.event("lock_pressed", 2)
    bench.batch_of(event)[HAND] = 77
    return event


def declared_before_the_lock(bench: Forgery) -> Row:
    bench.drop_batch(bench.batch_of(bench.event("hand_locked", 1)))
    return bench.event("awards_declared", 0)


def wrong_amount_at_the_lock(bench: Forgery) -> Row:
    event = bench.event("hand_locked", 1)
    event[MICROCENTS] += 1
    return event


def opened_on_another_amount(bench: Forgery) -> Row:
    event = bench.event("day_opened", 1)
    event[CENTS] -= 1
    return event


def signed_another_total(bench: Forgery) -> Row:
    event = bench.event("awards_signed", 0)
    event[CENTS] += 1
    return event


def a_hand_after_the_last(bench: Forgery) -> Row:
    """The three announced hands are over."""
    last = bench.event("hands_left", -1)
    bench.tell(last, left=1)
    return last


def a_fourth_last_hand(bench: Forgery) -> Row:
    """Hands 7, 8, 9 were the last three; hand 10 comes on the next day, after no closing."""
    closing = bench.event("day_closed", 0)
    opening = bench.event("day_opened", 1)
    bench.drop_batch(bench.batch_of(closing))
    bench.drop_batch(bench.batch_of(opening))
    return bench.event("hand_started", 9)


def end_of_another_kind(bench: Forgery) -> Row:
    event = bench.event("hand_ended", 0)
    bench.tell(event, how="voided")
    return event


def wrong_day_totals(bench: Forgery) -> Row:
    event = bench.event("day_totals", 0)
    event[CENTS] += 200
    return event


def closed_with_a_chip_to_hand_back(bench: Forgery) -> Row:
    for row in [row for row in bench.events if row[KIND] == "item_settled"][-2:]:
        bench.drop_batch(bench.batch_of(row))
    return bench.event("day_closed", 0)


def settled_what_was_not_open(bench: Forgery) -> Row:
    event = bench.event("item_settled", 0)
    bench.tell(event, item=55)
    return event


def tested_two_chips_that_were_one(bench: Forgery) -> Row:
    event = bench.event("slot_tested", 0)
    bench.tell(event, chips=2)
    return event


def fraud_sign_hidden(bench: Forgery) -> Row:
    items = [row for row in bench.events if row[KIND] == "item_opened"]
    hidden = next(row for row in items if "fraud_sign" in row[6])
    bench.drop(hidden)
    return bench.event("slot_event", 0)


def slot_down_in_a_hand(bench: Forgery) -> Row:
    bench.drop(bench.event("slot_up", 4))
    return bench.event("hand_started", 0)


def another_acceptor_goes_on(bench: Forgery) -> Row:
    event = bench.event("slot_identified", 2)
    bench.tell(event, continuity="continued")
    return event


def box_eight_closed(bench: Forgery) -> Row:
    event = bench.event("box_closed", 0)
    event[BOX] = 8
    return event


def says_it_stopped_well(bench: Forgery) -> Row:
    bench.drop(bench.event("controller_stopped", 0))
    return bench.event("controller_started", 1)


def outcome_alone(bench: Forgery) -> Row:
    bench.drop(bench.event("no_awards_declared", 0))
    return bench.event("hand_ended", 0)


def unheard_of_kind(bench: Forgery) -> Row:
    event = bench.event("clock_stepped", 0)
    event[KIND] = "meter_set"
    return event


def fields_missing(bench: Forgery) -> Row:
    event = bench.event("chip_seen", 0)
    event[6] = '{"a":1}'
    return event


def rules_of_tomorrow(bench: Forgery) -> Row:
    event = bench.event("hand_started", 0)
    bench.batch_of(event)[RULES] = "999"
    return event
