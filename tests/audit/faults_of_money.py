"""Planted faults about chips, bets, awards, terms. Each returns the event where it must be found."""

from __future__ import annotations

import json
from pathlib import Path

from forgery import BOX, CENTS, KIND, MICROCENTS, Forgery, Row

ROOT = Path(__file__).parents[2]


def wrong_contribution(bench: Forgery) -> Row:
    event = bench.event("contributed", 2)
    event[MICROCENTS] += 1
    return event


def contribution_to_another_pool(bench: Forgery) -> Row:
    event = bench.event("contributed", 1)
    bench.tell(event, pool="reserve")
    return event


def no_contribution(bench: Forgery) -> Row:
    event = bench.event("contributed", 0)
    bench.drop(event)
    return bench.event("bet_accepted", 0)


def bet_without_a_chip(bench: Forgery) -> Row:
    """A further bet and its contribution behind those of a real chip."""
    event = bench.event("contributed", 0)
    bench.add_after(
        event,
        ("bet_accepted", 5, 200, None, '{"bet":1,"source":"chip"}'),
        ("contributed", 5, None, 50_000_000, '{"pool":"jackpot"}'),
    )
    at = next(index for index, row in enumerate(bench.events) if row is event)
    return bench.events[at + 1]


def chip_without_a_bet(bench: Forgery) -> Row:
    chip = bench.event("chip_seen", 0)
    bench.drop(bench.event("bet_accepted", 0), bench.event("contributed", 0))
    return chip


def cheaper_bet(bench: Forgery) -> Row:
    event = bench.event("bet_accepted", 3)
    event[CENTS] = 100
    return event


def second_bet_in_a_box(bench: Forgery) -> Row:
    """The same chip counted in two batches."""
    chip = bench.event("chip_seen", 1)
    lock = bench.event("lock_pressed", 0)
    bench.repeat_batch(bench.batch_of(chip), bench.batch_of(lock))
    at = next(index for index, row in enumerate(bench.events) if row is lock)
    return bench.events[at - 2]


def asserted_where_the_slot_spoke(bench: Forgery) -> Row:
    event = bench.event("slot_decided", 0)
    event[BOX] = 6
    return event


def silent_box_not_looked_into(bench: Forgery) -> Row:
    bench.drop(bench.event("slot_decided", 1))
    ends = [row for row in bench.events if row[KIND] == "no_awards_declared"]
    return ends[1]


def winner_without_a_bet(bench: Forgery) -> Row:
    event = bench.event("awards_declared", 0)
    hands = [{"box": 7, "cards": "Kd Qd Jd Td 9d", "bet": 1}]
    bench.tell(event, hands=hands)
    return event


def card_in_two_boxes(bench: Forgery) -> Row:
    event = bench.event("awards_declared", 0)
    hands = [
        {"box": 1, "cards": "Kd Qd Jd Td 9d", "bet": 1},
        {"box": 2, "cards": "9d 9s 9h 9c 2c", "bet": 1},
    ]
    bench.tell(event, hands=hands)
    return event


def suited_five_high(bench: Forgery) -> Row:
    """CAN-2.1: no straight, and suited no award."""
    event = bench.event("awards_declared", 1)
    bench.tell(event, hands=[{"box": 1, "cards": "5d 4d 3d 2d Ad", "bet": 1}])
    return event


def wrong_base(bench: Forgery) -> Row:
    event = bench.event("awards_frozen", 0)
    event[MICROCENTS] += 50_000_000
    return event


def award_order_swapped(bench: Forgery) -> Row:
    """The lower hand first: 5 % of the base, then 10 % of what remains."""
    high, low = bench.event("payment_decided", 0), bench.event("payment_decided", 1)
    high[BOX], low[BOX] = low[BOX], high[BOX]
    high[6], low[6] = low[6], high[6]
    return high


def payment_one_cent_high(bench: Forgery) -> Row:
    event = bench.event("payment_decided", 1)
    event[CENTS] += 1
    return event


def equal_flushes_paid_of_the_remainder(bench: Forgery) -> Row:
    """CAN-8.6: each of two equal straight flushes is paid 10 % of the base, not of the rest."""
    event = bench.event("payment_decided", 3)
    event[CENTS] = event[CENTS] * 9 // 10
    return event


def deducted_less_than_paid(bench: Forgery) -> Row:
    event = bench.event("awards_decided", 0)
    event[MICROCENTS] -= 1_000_000
    return event


def sum_of_another_award(bench: Forgery) -> Row:
    event = bench.event("awards_decided", 0)
    event[CENTS] += 1
    return event


def derivation_of_another_payment(bench: Forgery) -> Row:
    event = bench.event("awards_decided", 0)
    lines = json.loads(event[6])["derivation"]
    rounded = next(line for line in lines if line["key"] == "rounded_down")
    rounded["numbers"] = [[k, v + (k == "paid_cents")] for k, v in rounded["numbers"]]
    bench.tell(event, derivation=lines)
    return event


def second_signature_waived(bench: Forgery) -> Row:
    event = bench.event("awards_decided", 2)
    bench.tell(event, second_signature=False)
    return event


def paid_without_the_second_signature(bench: Forgery) -> Row:
    bench.drop(bench.event("awards_signed", 0))
    return bench.event("award_paid", 4)


def paid_more_than_decided(bench: Forgery) -> Row:
    event = bench.event("award_paid", 1)
    event[CENTS] += 100
    return event


def award_unpaid_then_a_new_hand(bench: Forgery) -> Row:
    paid = bench.event("award_paid", 1)
    bench.drop_batch(bench.batch_of(paid))
    return bench.event("hand_started", 2)


def smaller_seed(bench: Forgery) -> Row:
    """The restart must have the seed of the terms that waited for it."""
    event = bench.event("jackpot_started", 1)
    event[MICROCENTS] = 1_000_000_000_000
    bench.tell(event, house_microcents=1_000_000_000_000)
    return event


def seed_from_nowhere(bench: Forgery) -> Row:
    event = bench.event("jackpot_started", 0)
    event[MICROCENTS] += 7
    return event


def new_terms_too_early(bench: Forgery) -> Row:
    """A changed seed in the middle of a day is pending, not in force."""
    event = bench.event("terms_pending", 0)
    event[KIND] = "terms_in_force"
    return event


def another_rate_in_force(bench: Forgery) -> Row:
    event = bench.event("terms_in_force", 0)
    terms = json.loads(event[6])["terms"]
    bench.tell(event, terms={**terms, "jackpot_ppm": 200_000})
    return event


def seed_below_the_limit(bench: Forgery) -> Row:
    """CAN-8.b: 5,000 bets of 2.00 are 10,000.00."""
    event = bench.event("configuration_loaded", 0)
    terms = json.loads(event[6])["terms"]
    law = (ROOT / "jackpot/law/profiles/canarias.toml").read_text(encoding="utf-8")
    bench.tell(event, profile_text=law, terms={**terms, "seed_cents": 999_999})
    return event


def bet_above_half_the_minimum(bench: Forgery) -> Row:
    event = bench.event("configuration_loaded", 0)
    terms = json.loads(event[6])["terms"]
    law = (ROOT / "jackpot/law/profiles/canarias.toml").read_text(encoding="utf-8")
    bench.tell(event, profile_text=law, terms={**terms, "table_minimum_cents": 399})
    return event


def void_keeps_a_contribution(bench: Forgery) -> Row:
    event = bench.event("contribution_reversed", 0)
    bench.drop(event)
    return bench.event("bet_returned", 0)


def void_reverses_too_much(bench: Forgery) -> Row:
    event = bench.event("contribution_reversed", 1)
    event[MICROCENTS] *= 2
    return event
