"""What the tests of the law build on: terms as a casino in Canarias would have them."""

from __future__ import annotations

from typing import Any

import msgspec

from jackpot.law.awards import AwardDecision, decide_awards
from jackpot.law.cards import parse_hand
from jackpot.law.pools import Pools
from jackpot.law.terms import AwardedHand, BetMode, JackpotKind, Terms
from jackpot.law.winners import Winner

MICROCENTS = 1_000_000
"""In one cent."""

BASE_CENTS = 10_000_000
"""100,000.00 €, the base of every worked example."""

CANARIAS = Terms(
    profile="canarias",
    table="1",
    layout="1",
    boxes=7,
    bets_per_box=1,
    ace_low_in_straights=False,
    closing_hands=3,
    kind=JackpotKind.PROGRESSIVE,
    mode=BetMode.AUTOMATIC,
    bet_cents=200,
    table_minimum_cents=400,
    jackpot_ppm=250_000,
    seed_cents=1_000_000,
    award_shares_ppm={
        AwardedHand.ROYAL_FLUSH: 1_000_000,
        AwardedHand.STRAIGHT_FLUSH: 100_000,
        AwardedHand.FOUR_OF_A_KIND: 50_000,
    },
)

ROYAL_SPADES = "As Ks Qs Js Ts"
ROYAL_HEARTS = "Ah Kh Qh Jh Th"
ROYAL_DIAMONDS = "Ad Kd Qd Jd Td"
KING_HIGH = "Kd Qd Jd Td 9d"
NINE_HIGH_HEARTS = "9h 8h 7h 6h 5h"
NINE_HIGH_SPADES = "9s 8s 7s 6s 5s"
NINE_HIGH_CLUBS = "9c 8c 7c 6c 5c"
FOUR_ACES = "Ac Ad Ah As 2c"
FOUR_SEVENS = "7c 7d 7h 7s 2h"
FOUR_TWOS = "2c 2d 2h 2s 3c"
SUITED_FIVE_HIGH = "Ac 2c 3c 4c 5c"


def with_policies(terms: Terms, **policies: Any) -> Terms:
    """The terms with some policies set."""
    changed = msgspec.structs.replace(terms.policies, **policies)
    return msgspec.structs.replace(terms, policies=changed)


def changed(terms: Terms, **fields: Any) -> Terms:
    """The terms with some fields set."""
    return msgspec.structs.replace(terms, **fields)


def winners(*hands: str) -> list[Winner]:
    """One winner a box, from box 1 on."""
    return [Winner(box, parse_hand(hand)) for box, hand in enumerate(hands, start=1)]


def decide(terms: Terms, *hands: str, base_cents: int = BASE_CENTS) -> AwardDecision:
    """The decision for hands in boxes 1, 2, … where the base is all that is in the meter."""
    base = base_cents * MICROCENTS
    return decide_awards(terms, base_microcents=base, pools=Pools(base), winners=winners(*hands))


def paid(decision: AwardDecision) -> list[tuple[int, int]]:
    """(box, cents) in paying order."""
    return [(payment.box, payment.cents) for payment in decision.payments]


def rules_of(decision: AwardDecision) -> list[str]:
    """The rule of each payment, in paying order."""
    return [payment.rule for payment in decision.payments]
