"""Arranged hands: ``--rig royal@12,sf-tie@20``."""

import pytest

from jackpot.daemon.demo.rigs import RIGS, parse_rigs
from jackpot.errors import Refused
from jackpot.law.cards import parse_hand


def test_nothing_is_arranged_unless_asked_for() -> None:
    assert parse_rigs("") == {}


def test_each_rig_names_its_hand() -> None:
    rigs = parse_rigs("royal@12, sf-tie@20")
    assert {number: rig.name for number, rig in rigs.items()} == {12: "royal", 20: "sf-tie"}


@pytest.mark.parametrize(
    ("text", "expected", "found"),
    [
        ("royale@12", "one of royal, royals, royals-three, royal+quads, sf,", "'royale'"),
        ("royal", "the number of a hand, as in royal@12", "'royal'"),
        ("royal@", "the number of a hand, as in royal@12", "'royal@'"),
        ("royal@0", "the number of a hand, as in royal@12", "'royal@0'"),
        ("quads@-3", "the number of a hand, as in quads@12", "'quads@-3'"),
        ("royal@7,sf@7", "each hand rigged once", "hand 7 twice"),
    ],
)
def test_a_wrong_rig_is_refused_with_what_would_be_right(
    text: str, expected: str, found: str
) -> None:
    with pytest.raises(Refused) as caught:
        parse_rigs(text)
    assert caught.value.reason == "bad_rig"
    assert caught.value.expected.startswith(expected)
    assert caught.value.found == found


@pytest.mark.parametrize("name", RIGS)
def test_no_card_lies_twice_in_a_rig(name: str) -> None:
    cards = [card for hand in RIGS[name].hands for card in parse_hand(hand)]
    assert len(set(cards)) == len(cards)
