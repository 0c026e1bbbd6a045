"""What a bet adds, what a void takes back, how a jackpot restarts (CAN-8.b, CAN-8.a, CAN-10.1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import CANARIAS, changed, with_policies

from jackpot.invariant import InvariantBroken
from jackpot.law.policies import SeedSource
from jackpot.law.pools import Movement, Pool, Pools, Restart, contribute, restart, reverse, spread
from jackpot.law.terms import JackpotKind

CENT = 1_000_000
CEILING = changed(CANARIAS, ceiling_cents=2_000_000)
TOP = 2_000_000 * CENT
RESERVE = with_policies(changed(CANARIAS, reserve_ppm=10_000), seed_source=SeedSource.RESERVE)


def test_CAN_8_b_a_quarter_of_a_two_euro_bet_goes_to_the_jackpot() -> None:
    assert contribute(CANARIAS, Pools(), 200) == (Movement(Pool.JACKPOT, 50 * CENT),)


def test_CAN_8_b1_seven_bets_in_one_total_add_what_seven_bets_add() -> None:
    assert contribute(CANARIAS, Pools(), 7 * 200) == (Movement(Pool.JACKPOT, 350 * CENT),)


def test_CAN_8_b1_a_hand_without_bets_adds_nothing() -> None:
    assert contribute(CANARIAS, Pools(), 0) == ()


def test_CAN_8_b_the_reserve_is_fed_by_its_own_percentage() -> None:
    assert contribute(RESERVE, Pools(), 200) == (
        Movement(Pool.JACKPOT, 50 * CENT),
        Movement(Pool.RESERVE, 2 * CENT),
    )


def test_ceiling_what_exceeds_it_goes_to_the_overflow() -> None:
    pools = Pools(TOP - 20 * CENT)
    assert contribute(CEILING, pools, 200) == (
        Movement(Pool.JACKPOT, 20 * CENT),
        Movement(Pool.OVERFLOW, 30 * CENT),
    )


@pytest.mark.parametrize("meter", [TOP, TOP + 1])
def test_ceiling_at_or_above_it_everything_goes_to_the_overflow(meter: int) -> None:
    assert contribute(CEILING, Pools(meter), 200) == (Movement(Pool.OVERFLOW, 50 * CENT),)


def test_CAN_8_a_a_fixed_jackpot_never_grows() -> None:
    fixed = changed(CANARIAS, kind=JackpotKind.FIXED, jackpot_ppm=0, seed_cents=2_000_000)
    assert contribute(fixed, Pools(TOP), 200) == ()


def test_CAN_10_1_a_bet_is_taken_back_as_it_went_in() -> None:
    before = Pools(7, 0, 3)
    made = contribute(RESERVE, before, 200)
    after = before.plus(made)
    assert after.plus(reverse(after, made)) == before


def test_CAN_10_1_under_a_ceiling_the_spill_of_a_later_bet_comes_back_first() -> None:
    # The first bet fills the last 50 cents; the second spills all of its 50.
    start = Pools(TOP - 50 * CENT)
    first = contribute(CEILING, start, 200)
    second = contribute(CEILING, start.plus(first), 200)
    both = start.plus(first).plus(second)
    back = reverse(both, first, later=second)
    assert back == (Movement(Pool.OVERFLOW, -50 * CENT),)
    assert both.plus(back) == start.plus(contribute(CEILING, start, 200))


def test_CAN_10_1_an_older_overflow_is_left_alone() -> None:
    start = Pools(TOP - 50 * CENT, overflow_microcents=40 * CENT)
    made = contribute(CEILING, start, 200)
    after = start.plus(made)
    assert after.plus(reverse(after, made)) == start


def test_CAN_10_1_what_a_restart_has_poured_from_the_overflow_is_taken_from_the_meter() -> None:
    made = (Movement(Pool.OVERFLOW, 50 * CENT),)
    after_restart = Pools(1_000_050 * CENT)
    assert reverse(after_restart, made) == (Movement(Pool.JACKPOT, -50 * CENT),)


def test_CAN_10_1_no_pool_falls_below_zero_and_the_house_bears_what_is_missing() -> None:
    made = (Movement(Pool.JACKPOT, 50), Movement(Pool.RESERVE, 10))
    assert reverse(Pools(30, 0, 4), made) == (
        Movement(Pool.JACKPOT, -30),
        Movement(Pool.RESERVE, -4),
    )


def test_a_pool_below_zero_breaks_an_invariant() -> None:
    with pytest.raises(InvariantBroken):
        Pools(1).plus([Movement(Pool.JACKPOT, -2)])


def test_CAN_8_b_the_house_seeds_and_what_was_left_stays() -> None:
    start = restart(CANARIAS, Pools(1 * CENT))
    assert start == Restart(1_000_000 * CENT, 0, 0)
    assert Pools(1 * CENT).plus(start.movements) == Pools(1_000_001 * CENT)


def test_seed_source_reserve_the_reserve_pays_and_the_house_tops_up() -> None:
    pools = Pools(0, 0, 400_000 * CENT)
    start = restart(RESERVE, pools)
    assert start == Restart(600_000 * CENT, 400_000 * CENT, 0)
    assert pools.plus(start.movements) == Pools(1_000_000 * CENT)


def test_seed_source_reserve_a_rich_reserve_keeps_the_rest() -> None:
    pools = Pools(0, 0, 1_500_000 * CENT)
    start = restart(RESERVE, pools)
    assert start == Restart(0, 1_000_000 * CENT, 0)
    assert pools.plus(start.movements) == Pools(1_000_000 * CENT, 0, 500_000 * CENT)


def test_ceiling_the_overflow_feeds_the_next_jackpot() -> None:
    pools = Pools(0, 300_000 * CENT)
    start = restart(CEILING, pools)
    assert start == Restart(1_000_000 * CENT, 0, 300_000 * CENT)
    assert pools.plus(start.movements) == Pools(1_300_000 * CENT)


def test_ceiling_the_overflow_is_poured_up_to_the_ceiling_only() -> None:
    pools = Pools(0, 1_200_000 * CENT)
    after = pools.plus(restart(CEILING, pools).movements)
    assert after == Pools(2_000_000 * CENT, 200_000 * CENT)


def test_ceiling_what_was_left_above_it_goes_to_the_overflow() -> None:
    pools = Pools(1_200_000 * CENT)
    start = restart(CEILING, pools)
    assert start.overflow_microcents == -200_000 * CENT
    assert pools.plus(start.movements) == Pools(2_000_000 * CENT, 200_000 * CENT)


def test_without_a_ceiling_an_older_overflow_is_poured_in_whole() -> None:
    pools = Pools(0, 1_200_000 * CENT)
    assert pools.plus(restart(CANARIAS, pools).movements) == Pools(2_200_000 * CENT)


def test_CAN_8_a_a_fixed_jackpot_is_filled_up_to_its_amount() -> None:
    fixed = changed(CANARIAS, kind=JackpotKind.FIXED, jackpot_ppm=0, seed_cents=2_000_000)
    assert restart(fixed, Pools(1_710_000 * CENT)) == Restart(290_000 * CENT, 0, 0)


bets = st.integers(0, 10_000)
pools_under_the_ceiling = st.builds(
    Pools, st.integers(0, TOP), st.integers(0, 10**12), st.integers(0, 10**12)
)


@given(pools_under_the_ceiling, bets)
def test_CAN_8_b_nothing_of_a_contribution_is_lost(pools: Pools, bet_cents: int) -> None:
    terms = changed(CEILING, reserve_ppm=10_000)
    movements = contribute(terms, pools, bet_cents)
    assert sum(movement.microcents for movement in movements) == bet_cents * 260_000
    assert pools.plus(movements).jackpot_microcents <= TOP


@given(pools_under_the_ceiling, st.lists(bets, min_size=1, max_size=7), st.data())
def test_CAN_10_1_taking_one_bet_back_is_as_if_it_had_never_been(
    start: Pools, amounts: list[int], data: st.DataObject
) -> None:
    taken = data.draw(st.integers(0, len(amounts) - 1))
    pools, made = start, []
    for bet_cents in amounts:
        made.append(contribute(CEILING, pools, bet_cents))
        pools = pools.plus(made[-1])
    later = [movement for movements in made[taken + 1 :] for movement in movements]
    back = pools.plus(reverse(pools, made[taken], later))
    without = start
    for place, bet_cents in enumerate(amounts):
        if place != taken:
            without = without.plus(contribute(CEILING, without, bet_cents))
    assert back == without


def test_what_reaches_a_jackpot_otherwise_than_by_bets_stops_at_its_ceiling() -> None:
    limited = changed(CANARIAS, ceiling_cents=1_100_000)
    pools = Pools(jackpot_microcents=1_050_000_000_000)
    assert spread(limited, pools, 80_000_000_000) == (
        Movement(Pool.JACKPOT, 50_000_000_000),
        Movement(Pool.OVERFLOW, 30_000_000_000),
    )
    assert spread(CANARIAS, pools, 7) == (Movement(Pool.JACKPOT, 7),)
