"""What an award is based on (CAN-9), by worked examples; amounts in euros, worked out by hand."""

from __future__ import annotations

import pytest
from support.carrusel_log import EURO, Log
from support.table import FOUR_ACES, FOUR_SEVENS, ROYAL_HEARTS, ROYAL_SPADES

from jackpot.law.policies import BelowRoyal, CarruselOrder, Policies
from jackpot.link import entries as e
from jackpot.link import state as states
from jackpot.link.base import bases
from jackpot.link.proposing import next_decision, waits_for
from jackpot.table.outcomes.carrusel import Stage


def two_tables() -> Log:
    """60,000.00 at A and 40,000.00 at B: a prize of 100,000.00."""
    log = Log()
    log.join("a", 60_000)
    log.join("b", 40_000, seed_euros=5_000)
    return log


def test_four_of_a_kind_is_paid_by_all_tables_in_proportion() -> None:
    """CAN-8.3 on the sum of CAN-9: 5 % of 100,000.00 is 5,000.00; A bears 3,000.00, B 2,000.00."""
    log = two_tables()
    log.lock("b")
    log.claim("b", (3, FOUR_ACES))
    award = log.decide("b")
    assert (award.base_microcents, award.paid_cents) == (100_000 * EURO, 500_000)
    assert [share.deducted_microcents for share in award.shares] == [3_000 * EURO, 2_000 * EURO]
    assert (log.euros("a"), log.euros("b")) == (57_000, 38_000)
    assert log.state.total_microcents == 95_000 * EURO


def test_bets_after_the_lock_stay_for_the_next_jackpot() -> None:
    """CAN-7.1: 700.00 come in at A after B's «no va más»; the royal flush takes the 100,000.00 that
    the visor showed, and each table restarts at its own seed on top of what came in."""
    log = two_tables()
    log.lock("b")
    log.bet("a", 700)
    log.claim("b", (3, ROYAL_SPADES))
    award = log.decide("b")
    assert award.paid_cents == 10_000_000
    assert award.restart
    assert (log.euros("a"), log.euros("b")) == (700 + 10_000, 5_000)


def test_of_two_royal_flushes_the_second_gets_what_the_first_left() -> None:
    """Both visors showed 100,000.00. A is decided first and takes it all; B gets the new seeds,
    10,000.00 and 5,000.00, and not the 300.00 that came in meanwhile."""
    log = two_tables()
    log.lock("a")
    log.lock("b")
    log.claim("a", (1, ROYAL_SPADES))
    log.claim("b", (2, ROYAL_HEARTS))
    assert log.decide("a").paid_cents == 10_000_000
    log.bet("a", 300)
    second = log.decide("b")
    assert [share.base_microcents for share in second.shares] == [10_000 * EURO, 5_000 * EURO]
    assert second.paid_cents == 1_500_000
    assert (log.euros("a"), log.euros("b")) == (300 + 10_000, 5_000)


def test_what_was_refunded_and_bet_again_is_not_in_the_base() -> None:
    """The lowest since the view counts: 100.00 were taken back at A and 100.00 bet anew."""
    log = two_tables()
    log.lock("b")
    log.bet("a", -100)
    log.bet("a", 100)
    assert bases(log.state, log.locked("b")) == {"a": 59_900 * EURO, "b": 40_000 * EURO}


def test_a_table_that_joined_after_the_view_bears_nothing() -> None:
    """Its meter was not on the visor."""
    log = two_tables()
    log.lock("b")
    log.join("c", 20_000)
    log.claim("b", (3, FOUR_SEVENS))
    award = log.decide("b")
    assert [share.table for share in award.shares] == ["a", "b"]
    assert log.euros("c") == 20_000


def test_a_table_that_leaves_bears_its_part_of_a_hand_that_was_locked_before() -> None:
    """B's visor showed A's 60,000.00 at the lock; A is out of the total, and pays 3,000.00 all the
    same before it takes its meter along."""
    log = two_tables()
    log.lock("b")
    log.tell("a", Stage.LEAVING)
    log.append(e.MemberLeaving(table="a"))
    assert log.state.total_microcents == 40_000 * EURO
    log.claim("b", (3, FOUR_ACES))
    assert [share.deducted_microcents for share in log.decide("b").shares] == [
        3_000 * EURO,
        2_000 * EURO,
    ]
    log.tell("b", Stage.ENDED, hand=1)
    log.append(e.MemberLeft(table="a", meter_microcents=57_000 * EURO))
    assert log.state.conserved


def test_a_hand_locked_after_a_leave_does_not_count_on_the_table() -> None:
    """The total that its visor showed was without it."""
    log = two_tables()
    log.append(e.MemberLeaving(table="a"))
    log.lock("b")
    assert bases(log.state, log.locked("b")) == {"b": 40_000 * EURO}


def test_a_table_that_has_left_bears_nothing_more() -> None:
    """Whatever an old view still shows: it took its meter along."""
    log = two_tables()
    view = log.state.position
    log.append(e.MemberLeaving(table="a"))
    log.append(e.MemberLeft(table="a", meter_microcents=60_000 * EURO))
    log.lock("b", view=view)
    assert bases(log.state, log.locked("b")) == {"b": 40_000 * EURO}


def test_a_restored_box_comes_back_with_the_meter_of_the_log() -> None:
    """It offers 55,000.00 of an old copy; the log's 60,000.00 stand, and a view from before holds."""
    log = two_tables()
    log.lock("b")
    log.append(e.MemberStopped(table="a", incarnation=1, why="an old copy"))
    log.join("a", 55_000)
    assert log.euros("a") == 60_000
    assert bases(log.state, log.locked("b")) == {"a": 60_000 * EURO, "b": 40_000 * EURO}


def test_a_table_that_comes_back_while_it_leaves_was_out_of_the_total_in_between() -> None:
    """Stopped and joined anew before it had left: a view from before has its meter, one of the time
    between has not."""
    log = two_tables()
    before = log.state.position
    log.append(e.MemberLeaving(table="a"))
    between = log.state.position
    log.append(e.MemberStopped(table="a", incarnation=1, why="taken for dead"))
    log.join("a", 60_000)
    log.lock("b", view=between)
    assert bases(log.state, log.locked("b")) == {"b": 40_000 * EURO}
    log.lock("b", view=before)
    assert bases(log.state, log.locked("b")) == {"a": 60_000 * EURO, "b": 40_000 * EURO}


def test_an_undone_award_gives_everything_back_and_lowers_no_base() -> None:
    """A's royal flush was none: every meter is as before, the seeds are gone again. Declared anew as
    four of a kind it is paid on the 100,000.00 of its view, not on the seeds in between."""
    log = two_tables()
    log.lock("a")
    log.claim("a", (1, ROYAL_SPADES))
    log.decide("a")
    log.tell("a", Stage.REVERSAL, hand=1)
    assert log.undo("a").undoes == 1
    assert (log.euros("a"), log.euros("b")) == (60_000, 40_000)
    log.claim("a", (1, FOUR_ACES))
    again = log.decide("a")
    assert (again.decision, again.base_microcents) == (3, 100_000 * EURO)
    assert (log.euros("a"), log.euros("b")) == (57_000, 38_000)
    assert log.state.conserved


def test_a_view_of_between_an_award_and_its_undoing_is_what_the_visor_showed() -> None:
    """B locked while the visors showed the seeds, 15,000.00: that is its base."""
    log = two_tables()
    log.lock("a")
    log.claim("a", (1, ROYAL_SPADES))
    log.decide("a")
    log.lock("b")
    log.tell("a", Stage.REVERSAL, hand=1)
    log.undo("a")
    assert sum(bases(log.state, log.locked("b")).values()) == 15_000 * EURO


def test_a_restart_in_the_view_that_was_undone_since_lowers_the_base() -> None:
    """B's visors showed the seeds, 10,000.00 and 5,000.00. A's meter afterwards: 10,100.00 with a bet,
    6,100.00 once the restart was taken back; B's: 4,000.00. Those are the lowest."""
    log = Log()
    log.join("a", 6_000)
    log.join("b", 4_000, seed_euros=5_000)
    log.lock("a")
    log.claim("a", (1, ROYAL_SPADES))
    log.decide("a")
    assert (log.euros("a"), log.euros("b")) == (10_000, 5_000)
    log.lock("b")
    log.bet("a", 100)
    log.tell("a", Stage.REVERSAL, hand=1)
    log.undo("a")
    assert (log.euros("a"), log.euros("b")) == (6_100, 4_000)
    assert bases(log.state, log.locked("b")) == {"a": 6_100 * EURO, "b": 4_000 * EURO}


def test_a_withdrawn_claim_is_not_decided() -> None:
    """The log holds the withdrawal before any decision."""
    log = two_tables()
    log.lock("b")
    log.claim("b", (3, FOUR_ACES))
    log.tell("b", Stage.WITHDRAWN, hand=1)
    assert next_decision(log.state, {}) is None


def test_a_withdrawal_after_the_decision_comes_too_late() -> None:
    """The decision stands; taking it back is a reversal."""
    log = two_tables()
    log.lock("b")
    log.claim("b", (3, FOUR_ACES))
    log.decide("b")
    log.tell("b", Stage.WITHDRAWN, hand=1)
    assert log.locked("b").decided is not None


@pytest.mark.parametrize(
    ("order", "first"), [(CarruselOrder.ARRIVAL, "b"), (CarruselOrder.LOCK_POSITION, "")]
)
def test_claims_are_decided_in_the_order_of_the_policy(order: CarruselOrder, first: str) -> None:
    """A locked first, B claims first. ``arrival`` decides B; ``lock_position`` waits for A's hand."""
    log = Log()
    log.join("a", 60_000, policies=Policies(carrusel_order=order))
    log.join("b", 40_000, policies=Policies(carrusel_order=order))
    log.lock("a")
    log.lock("b")
    log.claim("b", (2, FOUR_ACES))
    due = next_decision(log.state, {})
    assert (due.table if isinstance(due, e.AwardDecided) else "") == first


def test_by_lock_position_the_earlier_hand_is_decided_first_and_officers_may_stop_waiting() -> None:
    """Once A claims, too, A is first; or A's hand ends; or two officers no longer wait for it."""
    policies = Policies(carrusel_order=CarruselOrder.LOCK_POSITION)
    log = Log()
    log.join("a", 60_000, policies=policies)
    log.join("b", 40_000, policies=policies)
    log.lock("a")
    log.lock("b")
    log.claim("b", (2, FOUR_ACES))
    assert waits_for(log.state, log.locked("b")) == [log.state.members["a"]]
    log.append(e.OrderOverridden(table="b", hand=1, officers=("j1", "d1"), why="A is dark"))
    due = next_decision(log.state, {})
    assert isinstance(due, e.AwardDecided)
    assert due.table == "b"
    log.claim("a", (2, FOUR_SEVENS))
    due = next_decision(log.state, {})
    assert isinstance(due, e.AwardDecided)
    assert due.table == "a"


def test_lower_hands_are_paid_from_the_restarted_meters() -> None:
    """``below_royal = from_seed``: after the royal flush the meters are 10,000.00 and 5,000.00; 5 % of
    15,000.00 is 750.00, of which A bears 500.00 and B 250.00."""
    policies = Policies(below_royal=BelowRoyal.FROM_SEED)
    log = Log()
    log.join("a", 60_000, policies=policies)
    log.join("b", 40_000, seed_euros=5_000, policies=policies)
    log.lock("b")
    log.claim("b", (1, ROYAL_SPADES), (2, FOUR_SEVENS))
    award = log.decide("b")
    assert [share.from_seed_microcents for share in award.shares] == [500 * EURO, 250 * EURO]
    assert award.paid_cents == 10_000_000 + 75_000
    assert (log.euros("a"), log.euros("b")) == (9_500, 4_750)


def test_a_view_older_than_what_is_kept_is_found_by_folding_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same bases as if everything had been kept."""
    monkeypatch.setattr(states, "KEPT_MOVES", 3)
    log = two_tables()
    view = log.state.position
    log.bet("a", -100)
    for _ in range(20):
        log.bet("b", 5)
    assert log.state.kept_from > view
    log.lock("b", view=view)
    assert bases(log.state, log.locked("b")) == {"a": 59_900 * EURO, "b": 40_000 * EURO}
