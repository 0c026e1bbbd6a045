"""For each validator at least one ledger that hashes and signs well but breaks the rule."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import faults_of_acts as acts
import faults_of_money as money
import faults_of_the_carrusel as carrusel
import faults_of_the_pit as pit
import pytest
from forgery import SEQ, Forgery, Row

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


FAULTS = (
    Fault("wrong contribution", "contributions", "CAN-8.b", money.wrong_contribution),
    Fault("another pool", "contributions", "CAN-8.b", money.contribution_to_another_pool),
    Fault("no contribution", "contributions", "CAN-8.b", money.no_contribution, "missing"),
    Fault(
        "bet without a chip", "bets", "CAN-8.1", money.bet_without_a_chip, "follows from nothing"
    ),
    Fault("chip without a bet", "bets", "CAN-8.1", money.chip_without_a_bet, "missing"),
    Fault("cheaper bet", "bets", "CAN-8.1", money.cheaper_bet),
    Fault("second bet in a box", "bets", "CAN-8.1", money.second_bet_in_a_box),
    Fault("asserted bet", "bets", "CAN-8.b2", money.asserted_where_the_slot_spoke),
    Fault("silent box", "bets", "CAN-8.b2", money.silent_box_not_looked_into),
    Fault("winner without a bet", "bets", "CAN-8.b2", money.winner_without_a_bet),
    Fault("card in two boxes", "cards", "CAN-2.1", money.card_in_two_boxes),
    Fault("suited five-high", "cards", "CAN-8.3", money.suited_five_high),
    Fault("wrong base", "base", "policy:base_of_hand", money.wrong_base),
    Fault("award order", "awards", "CAN-8.5", money.award_order_swapped),
    Fault("one cent too much", "awards", "CAN-8.5", money.payment_one_cent_high),
    Fault("equal flushes", "awards", "CAN-8.5", money.equal_flushes_paid_of_the_remainder),
    Fault("deducted less", "awards", "CAN-8.7", money.deducted_less_than_paid),
    Fault("another sum", "awards", "CAN-8.7", money.sum_of_another_award),
    Fault("derivation", "derivations", "CAN-8.7", money.derivation_of_another_payment),
    Fault("signature waived", "awards", "CAN-8.7", money.second_signature_waived),
    Fault("no second signature", "phases", "CAN-8.7", money.paid_without_the_second_signature),
    Fault("paid too much", "payments", "CAN-8.7", money.paid_more_than_decided),
    Fault("award unpaid", "unpaid_award", "CAN-7.3a", money.award_unpaid_then_a_new_hand),
    Fault("smaller seed", "restarts", "CAN-8.b", money.smaller_seed),
    Fault("seed from nowhere", "conservation", "CAN-8.b", money.seed_from_nowhere),
    Fault("terms too early", "terms", "policy:config_change", money.new_terms_too_early),
    Fault("another rate", "terms", "policy:config_change", money.another_rate_in_force),
    Fault("seed below the limit", "limits", "CAN-8.b", money.seed_below_the_limit),
    Fault("bet above half", "limits", "CAN-8.1", money.bet_above_half_the_minimum),
    Fault("void keeps money", "voids", "CAN-10.1", money.void_keeps_a_contribution, "missing"),
    Fault("void takes too much", "voids", "CAN-10.1", money.void_reverses_too_much),
    Fault("unknown officer", "officers", None, acts.officer_unknown),
    Fault("croupier confirms", "officers", "CAN-3.1", acts.croupier_confirms),
    Fault("technician opens", "officers", "CAN-3.1", acts.technician_opens),
    Fault("signed twice", "two_officers", None, acts.one_person_signs_twice),
    Fault("declares and confirms", "two_officers", None, acts.declares_and_confirms),
    Fault("hand skipped", "hand_numbers", "CAN-7.3a", acts.hand_number_skipped),
    Fault("batch of another hand", "hand_numbers", None, acts.batch_of_another_hand),
    Fault("declared too early", "phases", "CAN-8.2", acts.declared_before_the_lock),
    Fault("wrong lock", "locks", "CAN-7.1", acts.wrong_amount_at_the_lock),
    Fault("opened on another amount", "signed_amounts", "CAN-8.7", acts.opened_on_another_amount),
    Fault("signed another total", "signed_amounts", "CAN-8.7", acts.signed_another_total),
    Fault("countdown", "countdown", "CAN-7.3b", acts.a_hand_after_the_last),
    Fault("a fourth last hand", "countdown", "CAN-7.3b", acts.a_fourth_last_hand),
    Fault("end of another kind", "hand_ends", "CAN-7.3a", acts.end_of_another_kind),
    Fault("day totals", "days", "CAN-8.7", acts.wrong_day_totals),
    Fault("closed with things open", "days", "CAN-7.3a", acts.closed_with_a_chip_to_hand_back),
    Fault("settled nothing", "items", None, acts.settled_what_was_not_open),
    Fault("fraud hidden", "items", None, acts.fraud_sign_hidden, "missing"),
    Fault("test miscounted", "slot_tests", "CAN-7.1", acts.tested_two_chips_that_were_one),
    Fault("slot down", "slots", "CAN-8.b2", acts.slot_down_in_a_hand),
    Fault("another acceptor", "slots", "CAN-8.b2", acts.another_acceptor_goes_on),
    Fault("box eight", "boxes", "CAN-2.2", acts.box_eight_closed),
    Fault("stopped well", "controller", None, acts.says_it_stopped_well),
    Fault("outcome alone", "outcomes", None, acts.outcome_alone),
    Fault("unheard-of kind", "kinds", None, acts.unheard_of_kind),
    Fault("fields missing", "fields", None, acts.fields_missing),
    Fault("rules of tomorrow", "rules", None, acts.rules_of_tomorrow),
)

PIT_FAULTS = (
    Fault("total: too many", "totals", "CAN-8.b1", pit.total_of_more_chips_than_boxes, "boxes"),
    Fault("total: too few", "totals", "CAN-8.b1", pit.total_below_the_winners, "winning bets"),
    Fault("total: contribution", "totals", "CAN-8.b1", pit.total_contributes_too_much),
    Fault("total: confirmed", "totals", "CAN-8.b1", pit.another_total_confirmed, "confirmed"),
    Fault("total: corrected", "totals", "CAN-8.b1", pit.corrected_total_keeps_the_money, "missing"),
    Fault("undone for less", "disputes", "CAN-8.7", pit.decision_taken_back_for_less),
    Fault("from nowhere", "conservation", "CAN-8.b", pit.deduction_comes_back_from_nowhere),
    Fault("too much comes back", "disputes", "CAN-8.7", pit.more_comes_back_than_was_paid),
    Fault("two originals", "payments", "CAN-8.7", pit.second_original_of_a_slip),
    Fault("slip of nothing", "payments", "CAN-8.7", pit.slip_of_what_was_not_paid),
    Fault("not struck", "disputes", "CAN-8.7", pit.payment_not_struck, "missing"),
    Fault("another correction", "entries", "CAN-8.b", pit.correction_of_another_amount),
    Fault("no reason", "entries", "CAN-8.b", pit.entry_without_a_reason, "reason"),
    Fault("no authorisation", "entries", "CAN-8.b", pit.entry_without_authorisation),
    Fault("lost on the way", "entries", "CAN-8.b", pit.a_micro_cent_lost_on_the_way),
    Fault("chief alone", "officers", "CAN-3.1", pit.chief_alone),
    Fault("mode", "modes", "policy:broken_slot", pit.mode_without_authorisation),
    Fault("two layouts", "layouts", "CAN-2.2", pit.two_layouts_in_a_day),
    Fault("third layout", "layouts", "CAN-2.2", pit.a_third_layout),
    Fault("out of service", "service", "CAN-7.3a", pit.hand_at_a_suspended_table),
    Fault("drop made to fit", "drops", "CAN-8.b2", pit.drop_made_to_fit),
    Fault("drop differs", "items", None, pit.drop_that_differs_silently, "missing"),
    Fault("above the band", "limits", "CAN-6.1", pit.minimum_outside_the_band),
    Fault("below the bet", "limits", "CAN-8.1", pit.minimum_below_twice_the_bet),
    Fault("minimum by the chief", "officers", "CAN-3.1", pit.minimum_by_the_chief),
    Fault("no room", "bets", "CAN-8.1", pit.bet_disputed_where_there_is_one, "no room"),
)
"""In the story of the pit."""

CARRUSEL_FAULTS = (
    Fault("kept back", "carrusel", "CAN-9", carrusel.operation_kept_back, "missing"),
    Fault(
        "kept back without a gap",
        "carrusel",
        "CAN-9",
        carrusel.operation_kept_back_without_a_gap,
        "missing",
    ),
    Fault("told less", "carrusel", "CAN-9", carrusel.operation_of_another_amount),
    Fault("told a number too many", "carrusel", "CAN-9", carrusel.operation_left_out_of_the_count),
    Fault("more than viewed", "locks", "CAN-7.1", carrusel.lock_on_more_than_was_viewed),
    Fault("another share", "carrusel", "CAN-9", carrusel.another_share_deducted),
    Fault("shares moved", "carrusel", "CAN-9", carrusel.share_moved_to_a_neighbour, "proportion"),
    Fault("more than paid", "carrusel", "CAN-9", carrusel.members_give_more_than_is_paid, "sum"),
    Fault("above the view", "carrusel", "CAN-9", carrusel.base_above_the_view, "visor"),
    Fault("not earned", "awards", "CAN-8.5", carrusel.payment_of_another_amount),
    Fault("applied twice", "carrusel", "CAN-9", carrusel.decision_applied_twice, "from nothing"),
    Fault("no shortfall", "carrusel", "CAN-9", carrusel.shortfall_that_is_none, "from nothing"),
    Fault("undone for more", "carrusel", "CAN-9", carrusel.seed_kept_at_the_undoing),
    Fault("ended", "carrusel", "CAN-9", carrusel.jackpot_ended_in_a_carrusel, "end of a jackpot"),
    Fault("undecided", "phases", "CAN-8.7", carrusel.award_paid_without_a_decision),
    Fault("chief alone joins", "officers", "CAN-3.1", carrusel.join_by_the_chief_alone),
    Fault("unanswered", "carrusel", "CAN-9", carrusel.hand_before_the_answer, "membership"),
    Fault("a seed", "carrusel", "CAN-8.b", carrusel.decision_of_a_seed_without_restart),
)
"""In the story of a carrusel."""


def describe(findings: tuple[Finding, ...]) -> str:
    return "\n".join(finding.text() for finding in findings)


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_a_well_made_forgery_that_breaks_a_rule_is_found(fault: Fault, forgery: Forgery) -> None:
    assert_found(fault, forgery)


@pytest.mark.parametrize("fault", PIT_FAULTS, ids=[fault.name for fault in PIT_FAULTS])
def test_a_forgery_of_what_people_do_around_the_hands_is_found(
    fault: Fault, pit_ledger: Path, tmp_path: Path
) -> None:
    assert_found(fault, Forgery(pit_ledger, tmp_path / "forged"))


@pytest.mark.parametrize("fault", CARRUSEL_FAULTS, ids=[fault.name for fault in CARRUSEL_FAULTS])
def test_CAN_9_a_forgery_at_a_member_of_a_carrusel_is_found(
    fault: Fault, carrusel_ledger: Path, tmp_path: Path
) -> None:
    assert_found(fault, Forgery(carrusel_ledger, tmp_path / "forged"))


def assert_found(fault: Fault, forgery: Forgery) -> None:
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


def test_the_stories_themselves_are_clean(story: Path, carried: Path, pit_ledger: Path) -> None:
    for path in (story, carried, pit_ledger):
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


@pytest.mark.parametrize("day", ["2026-11-29", "2026-11-30"])
def test_CAN_2_2_a_day_that_is_not_after_the_last_one_is_found(forgery: Forgery, day: str) -> None:
    forgery.tell(forgery.event("day_opened", 1), day=day)
    report = verify(forgery.well_made())
    assert ("days", day) in {(one.validator, one.found) for one in report.findings}


def test_CAN_2_2_a_day_without_a_date_is_found(forgery: Forgery) -> None:
    forgery.tell(forgery.event("day_opened", 1), day="Monday")
    report = verify(forgery.well_made())
    assert ("days", "Monday") in {(one.validator, one.found) for one in report.findings}
