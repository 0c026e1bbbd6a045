"""Cards and bets of one hand: from the seed alone, and as arranged."""

from hypothesis import given
from hypothesis import strategies as st
from support.table import CANARIAS

from jackpot.daemon.demo.deal import Deal, deal, winning_hands
from jackpot.daemon.demo.rigs import RIGS, Trouble
from jackpot.law.cards import parse_hand
from jackpot.table.facts import DeclaredHand

SEVEN = range(1, 8)


@given(seed=st.integers(0, 2**32), number=st.integers(1, 10**6), rig=st.sampled_from([*RIGS]))
def test_every_card_is_dealt_once_and_only_to_open_boxes(seed: int, number: int, rig: str) -> None:
    dealt = deal(seed, number, (1, 2, 4, 6), RIGS[rig])
    cards = [card for hand in dealt.hands.values() for card in parse_hand(hand)]
    assert len(set(cards)) == len(cards) == 5 * len(dealt.bets)
    assert set(dealt.bets) <= {1, 2, 4, 6}
    assert len(dealt.bets) >= max(1, len(RIGS[rig].hands))


def test_the_same_seed_deals_the_same_hand_whatever_came_before() -> None:
    assert deal(5, 77, SEVEN) == deal(5, 77, SEVEN)
    assert deal(5, 77, SEVEN) != deal(6, 77, SEVEN)
    assert deal(5, 77, SEVEN) != deal(5, 78, SEVEN)


def test_arranged_hands_go_to_the_first_betting_boxes() -> None:
    dealt = deal(1, 3, (2, 5), RIGS["sf-tie"])
    assert dict(dealt.hands) == {2: "9c 8c 7c 6c 5c", 5: "9h 8h 7h 6h 5h"}


def test_a_rig_brings_its_trouble_and_no_other() -> None:
    assert deal(1, 9, SEVEN, RIGS["lost"]).trouble is Trouble.LOST_EVENTS
    assert deal(1, 9, SEVEN, RIGS["royal"]).trouble is Trouble.NONE


def test_can_2_1_and_can_8_3_only_awarded_hands_with_a_bet_are_declared() -> None:
    dealt = Deal(
        1,
        {
            1: "As 5s 4s 3s 2s",
            2: "Kd Qd Jd Td 9d",
            3: "7h 7s 7d 7c 2h",
            4: "8h 8s 8d 3c 3h",
        },
        Trouble.NONE,
    )
    assert winning_hands(CANARIAS, dealt, (1, 2, 4)) == (DeclaredHand(2, "Kd Qd Jd Td 9d"),)
