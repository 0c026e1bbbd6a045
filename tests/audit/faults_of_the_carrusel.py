"""Planted faults at a carrusel's member. Each returns the event where it is found."""

from __future__ import annotations

import json
from typing import Any

from forgery import CENTS, INFO, KIND, MICROCENTS, OF_BATCH, Forgery, Row


def _shares(event: Row) -> list[dict[str, Any]]:
    shares: list[dict[str, Any]] = json.loads(event[INFO])["shares"]
    return shares


def operation_kept_back(bench: Forgery) -> Row:
    """A chip's contribution that the carrusel never hears of."""
    event = bench.event("carrusel_operation", 1)
    bench.drop(event)
    return [row for row in bench.events if row[OF_BATCH] == event[OF_BATCH]][-1]


def operation_kept_back_without_a_gap(bench: Forgery) -> Row:
    """A usual chip, the second of box 4; the rest is renumbered, so nothing later shows it."""
    kept = bench.event("carrusel_operation", 11)
    for later in bench.events:
        if later[KIND] == "carrusel_operation" and later[OF_BATCH] > kept[OF_BATCH]:
            bench.tell(later, operation=json.loads(later[INFO])["operation"] - 1)
    bench.drop(kept)
    return [row for row in bench.events if row[OF_BATCH] == kept[OF_BATCH]][-1]


def operation_of_another_amount(bench: Forgery) -> Row:
    event = bench.event("carrusel_operation", 0)
    event[MICROCENTS] -= 1
    return event


def operation_left_out_of_the_count(bench: Forgery) -> Row:
    event = bench.event("carrusel_operation", 2)
    bench.tell(event, operation=4)
    return event


def lock_on_more_than_was_viewed(bench: Forgery) -> Row:
    event = bench.event("hand_locked", 0)
    event[MICROCENTS] += 1
    return event


def another_share_deducted(bench: Forgery) -> Row:
    event = bench.event("carrusel_deducted", 0)
    event[MICROCENTS] -= 1
    return event


def share_moved_to_a_neighbour(bench: Forgery) -> Row:
    """One micro-cent less from table 2 and one more from table 1, all along the row."""
    event = bench.event("carrusel_decided", 1)
    shares = _shares(event)
    shares[0]["deducted_microcents"] += 1
    shares[1]["deducted_microcents"] -= 1
    bench.tell(event, shares=shares)
    bench.event("carrusel_deducted", 0)[MICROCENTS] -= 1
    return event


def members_give_more_than_is_paid(bench: Forgery) -> Row:
    event = bench.event("carrusel_decided", 1)
    shares = _shares(event)
    shares[2]["deducted_microcents"] += 1_000_000
    bench.tell(event, shares=shares)
    return event


def base_above_the_view(bench: Forgery) -> Row:
    event = bench.event("carrusel_decided", 1)
    shares = _shares(event)
    shares[2]["view_microcents"] -= 1
    bench.tell(event, shares=shares)
    return event


def payment_of_another_amount(bench: Forgery) -> Row:
    """A euro more for the winner, taken from everybody: the cards do not earn it."""
    event = bench.event("carrusel_decided", 0)
    info = json.loads(event[INFO])
    info["payments"][0]["cents"] += 100
    bench.tell(event, payments=info["payments"])
    event[CENTS] += 100
    return event


def decision_applied_twice(bench: Forgery) -> Row:
    event = bench.event("carrusel_decided", 1)
    later = bench.batch_of(bench.event("hand_started", 1))
    bench.repeat_batch(bench.batch_of(event), later)
    again = [row for row in bench.events if row[2] == "carrusel_deducted"]
    return again[1]


def shortfall_that_is_none(bench: Forgery) -> Row:
    """The house bears half a euro that the meter had."""
    event = bench.event("carrusel_deducted", 0)
    bench.add_after(event, ("shortfall_borne", None, None, 50_000_000, '{"decision":2}'))
    at = next(index for index, row in enumerate(bench.events) if row is event)
    return bench.events[at + 1]


def seed_kept_at_the_undoing(bench: Forgery) -> Row:
    event = bench.event("carrusel_returned", 0)
    bench.tell(event, house_microcents=1)
    return event


def jackpot_ended_in_a_carrusel(bench: Forgery) -> Row:
    event = bench.event("day_closed", 0)
    bench.add_after(
        event,
        (
            "jackpot_ended",
            None,
            1_000_000,
            None,
            '{"by":"J1","second":"D1","why":"x","paid_to":"y","authorisation":"A"}',
        ),
    )
    bench.events = [row for row in bench.events if row is not event]
    at = next(index for index, row in enumerate(bench.events) if row[2] == "jackpot_ended")
    return bench.events[at]


def award_paid_without_a_decision(bench: Forgery) -> Row:
    """The decision is struck from the record, the payment is not."""
    paid = bench.event("award_paid", 0)
    bench.drop_batch(bench.batch_of(bench.event("carrusel_decided", 0)))
    return paid


def join_by_the_chief_alone(bench: Forgery) -> Row:
    event = bench.event("carrusel_join_asked", 0)
    bench.tell(event, second="J1")
    return event


def hand_before_the_answer(bench: Forgery) -> Row:
    bench.drop_batch(bench.batch_of(bench.event("carrusel_joined", 0)))
    return bench.event("hand_started", 0)


def decision_of_a_seed_without_restart(bench: Forgery) -> Row:
    event = bench.event("carrusel_decided", 1)
    shares = _shares(event)
    shares[0]["seed_microcents"] = 5
    bench.tell(event, shares=shares)
    return event
