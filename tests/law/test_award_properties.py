"""Whatever is laid down: money is conserved, bounded, and blind to the order of entry."""

from __future__ import annotations

from itertools import islice, permutations

from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import CANARIAS, changed, with_policies

from jackpot.law.awards import AwardDecision, decide_awards
from jackpot.law.cards import DECK, Card
from jackpot.law.policies import BelowRoyal, EqualStraightFlushes, SeedSource
from jackpot.law.pools import Pools
from jackpot.law.terms import AwardedHand, JackpotKind, Terms
from jackpot.law.winners import Winner

MICROCENTS = 1_000_000
TOP_RANKS = range(6, 15)


def straight(top: int, suit_of: Card) -> tuple[Card, ...]:
    return tuple(Card(top - step, suit_of.suit) for step in range(5))


STRAIGHT_FLUSHES = [straight(top, card) for top in TOP_RANKS for card in DECK if card.rank == 14]
FOURS = [
    (*(card for card in DECK if card.rank == rank), kicker)
    for rank in range(2, 15)
    for kicker in DECK
    if kicker.rank != rank
]


@st.composite
def deals(draw: st.DrawFn, bets_per_box: int = 1) -> list[Winner]:
    """Up to seven boxes of high hands, no card twice."""
    hands = draw(st.lists(st.sampled_from([*STRAIGHT_FLUSHES, *FOURS]), max_size=12))
    entries: list[Winner] = []
    used: set[Card] = set()
    box = 0
    for hand in hands:
        if used.isdisjoint(hand) and box < 7:
            used.update(hand)
            box += 1
            bets = draw(st.integers(1, bets_per_box))
            entries += [Winner(box, hand, bet) for bet in range(1, bets + 1)]
    return entries


@st.composite
def terms_of_any_kind(draw: st.DrawFn) -> Terms:
    """Any awards, policies, ceiling, kind: also what no region has."""
    shares = st.dictionaries(st.sampled_from(AwardedHand), st.integers(1, 1_000_000))
    seed_cents = draw(st.integers(0, 10**8))
    return with_policies(
        changed(
            CANARIAS,
            bets_per_box=3,
            kind=draw(st.sampled_from(JackpotKind)),
            seed_cents=seed_cents,
            award_shares_ppm=draw(shares | st.just(CANARIAS.award_shares_ppm)),
            house_deduction_ppm=draw(st.sampled_from([0, 1, 20_000, 1_000_000])),
            ceiling_cents=draw(st.none() | st.integers(seed_cents, 2 * 10**8)),
        ),
        below_royal=draw(st.sampled_from(BelowRoyal)),
        equal_straight_flushes=draw(st.sampled_from(EqualStraightFlushes)),
        seed_source=draw(st.sampled_from(SeedSource)),
        payable_unit_cents=draw(st.sampled_from([1, 5, 50, 100])),
    )


amounts = st.integers(0, 10**9 * MICROCENTS)


def run(terms: Terms, base: int, outside: int, entries: list[Winner]) -> AwardDecision:
    pools = Pools(base + outside, overflow_microcents=12_345, reserve_microcents=10**12)
    return decide_awards(terms, base_microcents=base, pools=pools, winners=entries)


@settings(max_examples=300)
@given(terms_of_any_kind(), amounts, st.integers(0, 10**10), deals(bets_per_box=3))
def test_money_is_conserved_to_the_microcent(
    terms: Terms, base: int, outside: int, entries: list[Winner]
) -> None:
    decision = run(terms, base, outside, entries)
    start = decision.restart
    house_seed = start.house_microcents if start else 0
    before = base + outside + 12_345 + 10**12
    after = (
        decision.pools.jackpot_microcents
        + decision.pools.overflow_microcents
        + decision.pools.reserve_microcents
    )
    assert before + house_seed == after + decision.deducted_microcents + decision.house_microcents
    assert decision.deducted_microcents == MICROCENTS * sum(p.cents for p in decision.payments)


@settings(max_examples=300)
@given(terms_of_any_kind(), amounts, deals(bets_per_box=3))
def test_no_more_is_paid_than_the_base_and_what_the_restart_brought(
    terms: Terms, base: int, entries: list[Winner]
) -> None:
    decision = run(terms, base, 0, entries)
    of_base = decision.deducted_microcents - decision.from_seed_microcents
    assert 0 <= of_base + decision.house_microcents <= base
    if decision.restart is None:
        assert decision.from_seed_microcents == 0
    assert all(pool >= 0 for pool in (decision.left_microcents, decision.from_seed_microcents))


@settings(max_examples=300)
@given(terms_of_any_kind(), amounts, deals(bets_per_box=3))
def test_every_payment_is_a_positive_multiple_of_the_payable_unit_and_every_bet_is_named(
    terms: Terms, base: int, entries: list[Winner]
) -> None:
    decision = run(terms, base, 0, entries)
    unit_cents = terms.policies.payable_unit_cents
    assert all(p.cents > 0 and p.cents % unit_cents == 0 for p in decision.payments)
    named = [(p.box, p.bet) for p in decision.payments] + [(u.box, u.bet) for u in decision.unpaid]
    assert sorted(named) == sorted((entry.box, entry.bet) for entry in entries)


@given(amounts, deals())
def test_the_order_of_entry_changes_nothing(base: int, entries: list[Winner]) -> None:
    expected = run(CANARIAS, base, 0, entries)
    for order in islice(permutations(entries), 24):
        assert run(CANARIAS, base, 0, list(order)) == expected


@given(amounts, amounts, st.sampled_from([*STRAIGHT_FLUSHES, *FOURS]))
def test_a_larger_base_never_pays_one_winner_less(
    one: int, other: int, hand: tuple[Card, ...]
) -> None:
    low, high = sorted((one, other))
    winner = [Winner(1, hand)]
    assert run(CANARIAS, low, 0, winner).paid_cents <= run(CANARIAS, high, 0, winner).paid_cents


@given(amounts, deals())
def test_CAN_8_5_a_winner_more_never_lowers_what_a_higher_hand_is_paid(
    base: int, entries: list[Winner]
) -> None:
    decision = run(CANARIAS, base, 0, entries)
    if len(decision.payments) < 2 or decision.payments[-1].rule != "CAN-8.5":
        return
    *higher, lowest = decision.payments
    fewer = run(CANARIAS, base, 0, [entry for entry in entries if entry.box != lowest.box])
    assert [p.cents for p in fewer.payments[: len(higher)]] == [p.cents for p in higher]


@given(amounts, deals())
def test_CAN_8_6_under_canarias_the_limit_of_the_base_is_never_touched(
    base: int, entries: list[Winner]
) -> None:
    keys = {step.key for step in run(CANARIAS, base, 0, entries).derivation}
    assert "no_more_than_remains" not in keys
