"""What a table checks of a decision before it applies it: the arithmetic, again, from the entry alone.

A node holds no log. It knows its own terms, and that every member has the same where the prize is
concerned; so it decides the declared hands once more on the stated base and compares.
"""

from __future__ import annotations

from msgspec.structs import replace

from jackpot.errors import Refused
from jackpot.law.awards import decide_awards
from jackpot.law.cards import parse_hand
from jackpot.law.policies import BelowRoyal
from jackpot.law.pools import Pools
from jackpot.law.terms import Terms
from jackpot.law.winners import Winner
from jackpot.link.base import allocate
from jackpot.link.entries import AwardDecided
from jackpot.money import microcents_from_cents
from jackpot.table.state import BOXES_AT_MOST


def wrong_in(award: AwardDecided, terms: Terms) -> str:
    """What does not add up in a decision, in words; empty if all is right."""
    shares = award.shares
    if sum(share.base_microcents for share in shares) != award.base_microcents:
        return "the base is not the sum of the members' bases"
    if any(not 0 <= share.base_microcents <= max(0, share.view_microcents) for share in shares):
        return "a member's base is outside its view"
    taken = sum(share.deducted_microcents + share.from_seed_microcents for share in shares)
    if taken != microcents_from_cents(award.paid_cents):
        return "what is paid is not what is deducted"
    if award.paid_cents != sum(payment.cents for payment in award.payments):
        return "the payments do not add up"
    weights = [share.base_microcents for share in shares]
    house = [share.house_microcents for share in shares]
    if sum(house) > sum(weights) or house != allocate(sum(house), weights):
        return "the house's deduction is not in proportion"
    left = [weight - part for weight, part in zip(weights, house, strict=True)]
    deducted = [share.deducted_microcents for share in shares]
    if sum(deducted) > sum(left) or deducted != allocate(sum(deducted), left):
        return "the deductions are not in proportion"
    own = next((share for share in shares if share.table == terms.table), None)
    seed = microcents_from_cents(terms.seed_cents) if award.restart else 0
    if own is not None and own.seed_microcents != seed:
        return "this table's seed is another one"
    return _wrong_payments(award, terms)


def _wrong_payments(award: AwardDecided, terms: Terms) -> str:
    """The hands decided again on the stated base; the table that claims may have more boxes. What is
    paid from restarted meters depends on meters that only the log knows."""
    if award.restart and terms.policies.below_royal is BelowRoyal.FROM_SEED:
        return ""
    try:
        winners = [Winner(hand.box, parse_hand(hand.cards), hand.bet) for hand in award.hands]
        again = decide_awards(
            replace(terms, boxes=BOXES_AT_MOST),
            base_microcents=award.base_microcents,
            pools=Pools(award.base_microcents),
            winners=winners,
        )
    except Refused as refused:
        return str(refused)
    paid = [(p.box, p.bet, p.cents) for p in award.payments]
    if paid != [(p.box, p.bet, p.cents) for p in again.payments]:
        return "the payments are not those of the declared hands"
    house = sum(share.house_microcents for share in award.shares)
    if house != again.house_microcents or award.restart != (again.restart is not None):
        return "the house's deduction or the restart is not that of the declared hands"
    return ""
