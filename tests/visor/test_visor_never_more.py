"""The visor never shows more than is owed, whatever the players and the officers do."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.fakedesk import set_up, some_terms

from jackpot.console.desk import DeskStatus
from jackpot.errors import Refused
from jackpot.law.policies import BaseOfHand, ExtraChip, Policies, SeedSource, VoidBets
from jackpot.money import MICROCENTS_PER_CENT
from jackpot.table import facts as f
from jackpot.table.decide import play
from jackpot.table.event import Fact
from jackpot.table.state import INITIAL, Phase, TableState
from jackpot.visor.state import visor_state

CARDS = ("Ad Kd Qd Jd Td", "Ks Qs Js Ts 9s", "7s 7h 7d 7c 2d", "As Ah Ac 3c Ad")
STEPS = (
    *(f"chip {box}" for box in range(1, 8)),
    *("start", "lock", "none", "declare", "confirm", "sign", "pay", "void", "plays", "back"),
)
READY = DeskStatus(ready=True)


def _fact(state: TableState, step: str, cards: str) -> Fact:
    hand, number = state.hand, state.hand_number
    box = state.waiting_chips[0].box if state.waiting_chips else 1
    if step.startswith("chip"):
        return f.ChipSeen(box=int(step[-1]), expected=True, a=1, b=0)
    bet_box = hand.bets[0].box if hand is not None and hand.bets else 1
    payments = () if hand is None else hand.payments
    unpaid = next((p for p in payments if not p.paid), None)
    return {
        "start": f.HandStarted(by="c1", hand=number + 1),
        "lock": f.LockPressed(by="c1", hand=number),
        "none": f.NoAwardsDeclared(by="c1", hand=number),
        "declare": f.AwardsDeclared(
            by="c1", hand=number, hands=(f.DeclaredHand(box=bet_box, cards=cards),)
        ),
        "confirm": f.AwardsConfirmed(by="j1", hand=number),
        "sign": f.AwardsSigned(by="d1", hand=number, total_cents=sum(p.cents for p in payments)),
        "pay": f.AwardPaid(
            by="c1",
            hand=number,
            box=0 if unpaid is None else unpaid.box,
            cents=0 if unpaid is None else unpaid.cents,
        ),
        "void": f.HandVoided(by="c1", second="j1", hand=number, why="exposed card"),
        "plays": f.ChipDecided(by="c1", hand=number, box=box, plays=True),
        "back": f.ChipDecided(by="c1", hand=number, box=box, plays=False),
    }[step]


def _next(state: TableState, step: str, cards: str) -> TableState:
    try:
        _, state = play(state, [_fact(state, step, cards)])
    except Refused:
        return state
    if state.phase is Phase.LOCKING:
        _, state = play(state, [f.LockReached(unknown_boxes=())])
    return state


@pytest.mark.parametrize(("base", "void"), list(product(BaseOfHand, VoidBets)))
@settings(max_examples=40, deadline=None)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(STEPS), st.sampled_from(CARDS)), min_size=5, max_size=60
    ),
    ceiling_cents=st.sampled_from([None, 10_000_100]),
    unit_cents=st.sampled_from([1, 50]),
)
def test_the_amount_shown_is_never_above_the_meter_nor_an_award_above_the_amount(
    base: BaseOfHand,
    void: VoidBets,
    steps: list[tuple[str, str]],
    ceiling_cents: int | None,
    unit_cents: int,
) -> None:
    policies = Policies(
        base_of_hand=base,
        void_bets=void,
        extra_chip=ExtraChip.NEXT_HAND,
        seed_source=SeedSource.RESERVE,
        payable_unit_cents=unit_cents,
    )
    terms = some_terms(policies=policies, ceiling_cents=ceiling_cents, reserve_ppm=100_000)
    opened = f.DayOpened(by="c1", second="j1", day="2026-11-30", displayed_cents=10_000_000)
    _, state = play(INITIAL, [*set_up(terms), opened])
    for step, cards in steps:
        state = _next(state, step, cards)
        shown = visor_state(state, READY)
        assert shown.amount_cents is not None
        assert shown.amount_cents * MICROCENTS_PER_CENT <= state.pools.jackpot_microcents
        for line in shown.awards:
            assert line.cents is not None
            assert line.cents <= shown.amount_cents
