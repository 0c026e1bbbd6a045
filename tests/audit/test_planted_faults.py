"""For each validator at least one ledger that hashes and signs well but breaks the rule."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from forgery import BOX, CENTS, HAND, KIND, MICROCENTS, RULES, SEQ, Forgery, Row

from jackpot.audit.checker import verify
from jackpot.audit.checker.findings import Finding

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Fault:
    """What the forger did, and what must be said of it.

    ``plant`` returns the event at which the finding must stand.
    """

    name: str
    validator: str
    rule: str | None
    plant: Callable[[Forgery], Row]
    says: str = ""


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


FAULTS = (
    Fault("wrong contribution", "contributions", "CAN-8.b", wrong_contribution),
    Fault("another pool", "contributions", "CAN-8.b", contribution_to_another_pool),
    Fault("no contribution", "contributions", "CAN-8.b", no_contribution, "missing"),
    Fault("bet without a chip", "bets", "CAN-8.1", bet_without_a_chip, "follows from nothing"),
    Fault("chip without a bet", "bets", "CAN-8.1", chip_without_a_bet, "missing"),
    Fault("cheaper bet", "bets", "CAN-8.1", cheaper_bet),
    Fault("second bet in a box", "bets", "CAN-8.1", second_bet_in_a_box),
    Fault("asserted bet", "bets", "CAN-8.b2", asserted_where_the_slot_spoke),
    Fault("silent box", "bets", "CAN-8.b2", silent_box_not_looked_into),
    Fault("winner without a bet", "bets", "CAN-8.b2", winner_without_a_bet),
    Fault("card in two boxes", "cards", "CAN-2.1", card_in_two_boxes),
    Fault("suited five-high", "cards", "CAN-8.3", suited_five_high),
    Fault("wrong base", "base", "policy:base_of_hand", wrong_base),
    Fault("award order", "awards", "CAN-8.5", award_order_swapped),
    Fault("one cent too much", "awards", "CAN-8.5", payment_one_cent_high),
    Fault("equal flushes", "awards", "CAN-8.5", equal_flushes_paid_of_the_remainder),
    Fault("deducted less", "awards", "CAN-8.7", deducted_less_than_paid),
    Fault("another sum", "awards", "CAN-8.7", sum_of_another_award),
    Fault("derivation", "derivations", "CAN-8.7", derivation_of_another_payment),
    Fault("signature waived", "awards", "CAN-8.7", second_signature_waived),
    Fault("no second signature", "phases", "CAN-8.7", paid_without_the_second_signature),
    Fault("paid too much", "payments", "CAN-8.7", paid_more_than_decided),
    Fault("award unpaid", "unpaid_award", "CAN-7.3a", award_unpaid_then_a_new_hand),
    Fault("smaller seed", "restarts", "CAN-8.b", smaller_seed),
    Fault("seed from nowhere", "conservation", "CAN-8.b", seed_from_nowhere),
    Fault("terms too early", "terms", "policy:config_change", new_terms_too_early),
    Fault("another rate", "terms", "policy:config_change", another_rate_in_force),
    Fault("seed below the limit", "limits", "CAN-8.b", seed_below_the_limit),
    Fault("bet above half", "limits", "CAN-8.1", bet_above_half_the_minimum),
    Fault("void keeps money", "voids", "CAN-10.1", void_keeps_a_contribution, "missing"),
    Fault("void takes too much", "voids", "CAN-10.1", void_reverses_too_much),
    Fault("unknown officer", "officers", None, officer_unknown),
    Fault("croupier confirms", "officers", "CAN-3.1", croupier_confirms),
    Fault("technician opens", "officers", "CAN-3.1", technician_opens),
    Fault("signed twice", "two_officers", None, one_person_signs_twice),
    Fault("declares and confirms", "two_officers", None, declares_and_confirms),
    Fault("hand skipped", "hand_numbers", "CAN-7.3a", hand_number_skipped),
    Fault("batch of another hand", "hand_numbers", None, batch_of_another_hand),
    Fault("declared too early", "phases", "CAN-8.2", declared_before_the_lock),
    Fault("wrong lock", "locks", "CAN-7.1", wrong_amount_at_the_lock),
    Fault("opened on another amount", "signed_amounts", "CAN-8.7", opened_on_another_amount),
    Fault("signed another total", "signed_amounts", "CAN-8.7", signed_another_total),
    Fault("countdown", "countdown", "CAN-7.3b", a_hand_after_the_last),
    Fault("a fourth last hand", "countdown", "CAN-7.3b", a_fourth_last_hand),
    Fault("end of another kind", "hand_ends", "CAN-7.3a", end_of_another_kind),
    Fault("day totals", "days", "CAN-8.7", wrong_day_totals),
    Fault("closed with things open", "days", "CAN-7.3a", closed_with_a_chip_to_hand_back),
    Fault("settled nothing", "items", None, settled_what_was_not_open),
    Fault("fraud hidden", "items", None, fraud_sign_hidden, "missing"),
    Fault("slot down", "slots", "CAN-8.b2", slot_down_in_a_hand),
    Fault("another acceptor", "slots", "CAN-8.b2", another_acceptor_goes_on),
    Fault("box eight", "boxes", "CAN-2.2", box_eight_closed),
    Fault("stopped well", "controller", None, says_it_stopped_well),
    Fault("outcome alone", "outcomes", None, outcome_alone),
    Fault("unheard-of kind", "kinds", None, unheard_of_kind),
    Fault("fields missing", "fields", None, fields_missing),
    Fault("rules of tomorrow", "rules", None, rules_of_tomorrow),
)


def describe(findings: tuple[Finding, ...]) -> str:
    return "\n".join(finding.text() for finding in findings)


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_a_well_made_forgery_that_breaks_a_rule_is_found(fault: Fault, forgery: Forgery) -> None:
    place = fault.plant(forgery)
    report = verify(forgery.well_made())
    assert report.exit_status == 1
    found = [
        finding
        for finding in report.findings
        if finding.validator == fault.validator
        and finding.rule == fault.rule
        and fault.says in finding.says
        and finding.batch == place[1]
        and finding.seq in (place[SEQ], None)
    ]
    assert found, f"at batch {place[1]}, seq {place[SEQ]}:\n{describe(report.findings)}"
    assert "chain" not in {finding.validator for finding in report.findings}


def test_the_story_itself_is_clean(story: Path, carried: Path) -> None:
    for path in (story, carried):
        report = verify(path)
        assert describe(report.findings) == ""


def test_a_forgery_that_changes_nothing_is_clean(forgery: Forgery) -> None:
    """The bench itself leaves no mark: hashing with ``json_array`` gives the store's hashes."""
    before = [row[7] for row in forgery.batches]
    assert verify(forgery.well_made()).findings == ()
    assert [row[7] for row in forgery.batches] == before


def test_terms_with_their_profile_beside_them_are_held_to_it_and_nothing_is_noted(
    forgery: Forgery,
) -> None:
    law = (ROOT / "jackpot/law/profiles/canarias.toml").read_text(encoding="utf-8")
    for nth in (0, 1):
        event = forgery.event("configuration_loaded", nth)
        terms = json.loads(event[6])["terms"]
        forgery.tell(event, profile_text=law, terms=terms)
    report = verify(forgery.well_made())
    assert describe(report.findings) == ""
    assert {note.validator for note in report.notes} == {"checkpoints", "tail"}


def test_CAN_2_2_a_day_before_the_last_one_is_a_note(forgery: Forgery) -> None:
    forgery.tell(forgery.event("day_opened", 1), day="2026-11-29")
    report = verify(forgery.well_made())
    assert describe(report.findings) == ""
    assert "a gaming day before the last one" in {note.says for note in report.notes}


def test_CAN_2_2_a_day_without_a_date_is_found(forgery: Forgery) -> None:
    forgery.tell(forgery.event("day_opened", 1), day="Monday")
    report = verify(forgery.well_made())
    assert ("days", "Monday") in {(one.validator, one.found) for one in report.findings}
