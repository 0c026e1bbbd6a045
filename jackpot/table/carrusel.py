"""A table in a carrusel: joining, leaving, claims, and what its decisions move here (CAN-9).

What officers ask may be refused. What the link tells never is: a fact that does not fit (a decision
that is not the next one, an answer to another question) is recorded, and nothing follows.
"""

from __future__ import annotations

import re

from jackpot.authority.roles import Role
from jackpot.errors import Refused
from jackpot.invariant import invariant
from jackpot.law.policies import BaseOfHand
from jackpot.law.pools import Pool, Pools, Restart, restart
from jackpot.law.terms import Terms
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.carrusel_state import AppliedDecision, Membership, MemberStage
from jackpot.table.day import jackpot_started
from jackpot.table.entries import progressive, running_jackpot
from jackpot.table.event import Outcome
from jackpot.table.refusals import (
    RULE_OF_CARRUSEL,
    authorised,
    carrusel_goes_on,
    in_phase,
    reasoned,
    running_hand,
    signed,
    terms_in_force,
    this_hand,
)
from jackpot.table.state import OUTSIDE_A_HAND, Hand, Phase, TableState
from jackpot.table.totals import hand_closes

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_NOTHING = f.CarruselShare("", 0, 0, 0)

# ---- what officers ask ---------------------------------------------------------------------------


def join_asked(state: TableState, act: f.CarruselJoinAsked) -> tuple[Outcome, ...]:
    """Outside a hand, with a running progressive jackpot whose awards are based on the lock."""
    terms = terms_in_force(state)
    signed(state, act, Role.TABLE_CHIEF, Role.GAMES_DIRECTOR)
    in_phase(state, *OUTSIDE_A_HAND, rule=RULE_OF_CARRUSEL)
    authorised(act.authorisation, rule=RULE_OF_CARRUSEL)
    if not _NAME.fullmatch(act.carrusel):
        raise Refused(
            reason="not_a_carrusel",
            expected="a name of small letters, digits and hyphens, at most 32",
            found=repr(act.carrusel),
            to_do="use the name that the coordinator's configuration has",
            rule=RULE_OF_CARRUSEL,
        )
    member = state.carrusel
    if member is not None and member.stage is not MemberStage.STOPPED:
        raise Refused(
            reason="in_carrusel",
            expected="a table that is in no carrusel",
            found=f"{member.stage.value} in {member.carrusel}",
            to_do="leave that carrusel first",
            rule=RULE_OF_CARRUSEL,
        )
    progressive(terms)
    running_jackpot(state)
    _base_at_lock(terms)
    return ()


def _base_at_lock(terms: Terms) -> None:
    base = terms.policies.base_of_hand
    if base is not BaseOfHand.AT_LOCK:
        raise Refused(
            reason="base_not_at_lock",
            expected="base_of_hand = at_lock: tables share only what their visors showed then",
            found=base.value,
            to_do="have the policy changed, or leave this table alone",
            rule=RULE_OF_CARRUSEL,
        )


def leave_asked(state: TableState, act: f.CarruselLeaveAsked) -> tuple[Outcome, ...]:
    """Outside a hand; it ends when the carrusel's log holds the leave."""
    terms_in_force(state)
    signed(state, act, Role.TABLE_CHIEF, Role.GAMES_DIRECTOR)
    in_phase(state, *OUTSIDE_A_HAND, rule=RULE_OF_CARRUSEL)
    reasoned(act.why, rule=RULE_OF_CARRUSEL, to_do="write why the table leaves")
    member = _membership(state)
    carrusel_goes_on(member)
    if member.stage is MemberStage.LEAVING:
        raise Refused(
            reason="carrusel_leaving",
            expected="a table that stays in its carrusel",
            found=f"one that leaves {member.carrusel}",
            to_do="wait for the carrusel's answer",
            rule=RULE_OF_CARRUSEL,
        )
    return ()


def _membership(state: TableState) -> Membership:
    if state.carrusel is None:
        raise Refused(
            reason="not_in_carrusel",
            expected="a table in a carrusel",
            found="a table at its own jackpot",
            to_do="look at the present screen",
            rule=RULE_OF_CARRUSEL,
        )
    return state.carrusel


def claim_withdrawn(state: TableState, act: f.ClaimWithdrawn) -> tuple[Outcome, ...]:
    """The claim of the running hand; whether in time, the carrusel's log says.

    At a box that the carrusel has stopped there is no answer to wait for: the hand is free at once.
    """
    terms_in_force(state)
    signed(state, act, Role.TABLE_CHIEF, Role.GAMES_DIRECTOR)
    this_hand(state, act)
    in_phase(state, Phase.PENDING, rule=RULE_OF_CARRUSEL)
    member, hand = _membership(state), running_hand(state)
    asked = hand.claim_withdrawn or hand.reversal_asked
    if asked and member.stage is not MemberStage.STOPPED:
        raise Refused(
            reason="already_asked",
            expected="a claim that waits for its decision",
            found="one that is taken back already",
            to_do="wait for the carrusel's answer",
            rule=RULE_OF_CARRUSEL,
        )
    return ()


def claimed(state: TableState, member: Membership, hand: Hand) -> tuple[Outcome, ...]:
    """The confirmed hands wait for the carrusel: PENDIENTE, and nothing is paid on a guess."""
    carrusel_goes_on(member)
    view = hand.view
    invariant(view is not None, "a hand of a member was locked on a view")
    position = 0 if view is None else view.position
    return (
        o.AwardsClaimed(
            award=state.awards + 1,
            hand=hand.number,
            view_position=position,
            hands=hand.declared,
        ),
    )


# ---- what the link tells -------------------------------------------------------------------------


def answers_join(state: TableState, fact: f.CarruselJoined | f.CarruselJoinRefused) -> bool:
    """Whether ``fact`` answers what the officers of this table asked."""
    member = state.carrusel
    return (
        member is not None
        and member.stage in (MemberStage.JOINING, MemberStage.LEAVING)
        and member.position == 0
        and (member.carrusel, member.incarnation) == (fact.carrusel, fact.incarnation)
    )


def joined(state: TableState, fact: f.CarruselJoined) -> tuple[Outcome, ...]:
    """What the log has for this table stands; a box that was restored books the difference."""
    member = state.carrusel
    if member is None or not answers_join(state, fact):
        return ()
    difference = fact.meter_microcents - member.offered_microcents
    if not difference:
        return ()
    lacking = -difference - state.pools.jackpot_microcents
    return (
        *_borne(fact.decision, lacking),
        o.AmountAdjusted(pool=Pool.JACKPOT, microcents=difference),
    )


def is_next(state: TableState, fact: f.CarruselDecided | f.CarruselUndone) -> bool:
    """Whether ``fact`` is the decision after the last that this table applied. A box that was
    stopped still applies what the log decided; only its own word counts no more."""
    member = state.carrusel
    return (
        member is not None
        and member.position > 0
        and member.carrusel == fact.carrusel
        and fact.decision == member.decision + 1
    )


def is_claim_of(state: TableState, fact: f.CarruselDecided) -> bool:
    """Whether the decision answers the claim that waits at this table."""
    terms, hand = state.terms, state.hand
    if terms is None or hand is None or state.phase is not Phase.PENDING or hand.decision:
        return False
    return (fact.table, fact.hand) == (terms.table, hand.number)


def share_of(state: TableState, shares: tuple[f.CarruselShare, ...]) -> f.CarruselShare | None:
    """This table's line of a decision; None when it was not in the view."""
    table = "" if state.terms is None else state.terms.table
    return next((share for share in shares if share.table == table), None)


def decided(state: TableState, fact: f.CarruselDecided) -> tuple[Outcome, ...]:
    """An award of the carrusel: this table's share leaves its meter, and a royal flush restarts it.

    What the meter lacks, because bets were taken back here while the decision was on its way, the
    house bears.
    """
    terms = state.terms
    if terms is None or not is_next(state, fact):
        return ()
    share = share_of(state, fact.shares)
    if is_claim_of(state, fact):
        return _own_award(state, terms, fact, share or _NOTHING)
    if share is None:
        return ()
    lacking, start, lacking_of_seed = _moves(state, terms, fact, share)
    deducted = share.deducted_microcents + share.from_seed_microcents
    outcomes: list[Outcome] = [*_borne(fact.decision, lacking)]
    if deducted or share.house_microcents:
        outcomes.append(
            o.CarruselDeducted(
                decision=fact.decision,
                microcents=deducted,
                house_microcents=share.house_microcents,
            )
        )
    if start is not None:
        outcomes.append(jackpot_started(start))
    return (*outcomes, *_borne(fact.decision, lacking_of_seed))


def _moves(
    state: TableState, terms: Terms, fact: f.CarruselDecided, share: f.CarruselShare
) -> tuple[int, Restart | None, int]:
    """What the meter lacks, how it restarts, and what it lacks for the part of the seed."""
    pools = state.pools
    taken = share.deducted_microcents + share.house_microcents
    left = max(0, pools.jackpot_microcents - taken)
    lacking = taken - pools.jackpot_microcents
    if not fact.restart or share is _NOTHING:
        return lacking, None, share.from_seed_microcents - left
    before = Pools(left, pools.overflow_microcents, pools.reserve_microcents)
    start = restart(terms, before)
    after = before.plus(start.movements).jackpot_microcents
    return lacking, start, share.from_seed_microcents - after


def _borne(decision: int, lacking_microcents: int) -> tuple[Outcome, ...]:
    if lacking_microcents <= 0:
        return ()
    return (o.ShortfallBorne(decision=decision, microcents=lacking_microcents),)


def _own_award(
    state: TableState, terms: Terms, fact: f.CarruselDecided, share: f.CarruselShare
) -> tuple[Outcome, ...]:
    """The table where it was won pays; from here on the steps are those of a table alone."""
    lacking, start, lacking_of_seed = _moves(state, terms, fact, share)
    seeded = [] if start is None else [jackpot_started(start)]
    from_seed = share.from_seed_microcents
    return (
        *_borne(fact.decision, lacking),
        *(
            o.PaymentDecided(box=p.box, cents=p.cents, hand=p.hand, rule=p.rule, bet=p.bet)
            for p in fact.payments
        ),
        o.AwardsDecided(
            award=running_hand(state).award,
            total_cents=fact.paid_cents,
            deducted_microcents=share.deducted_microcents,
            house_microcents=share.house_microcents,
            restart=fact.restart,
            second_signature=fact.paid_cents > terms.second_signature_over_cents,
            derivation=fact.derivation,
        ),
        *seeded,
        *((o.PaidFromSeed(microcents=from_seed),) if from_seed else ()),
        *_borne(fact.decision, lacking_of_seed),
        *(hand_closes(state, o.HandOutcome.PAID) if fact.paid_cents == 0 else ()),
    )


def undone(state: TableState, fact: f.CarruselUndone) -> tuple[Outcome, ...]:
    """This table's share of an undone decision comes back, its seed goes back where it was from."""
    member = state.carrusel
    share = share_of(state, fact.shares)
    if member is None or share is None or not is_next(state, fact):
        return ()
    moved = member.applied_decision(fact.undoes) or _as_shared(fact, share)
    overflow = max(moved.seed_overflow_microcents, -state.pools.overflow_microcents)
    seed = moved.seed_house_microcents + moved.seed_reserve_microcents + overflow
    back = moved.deducted_microcents + moved.house_microcents - seed
    return (
        *_borne(fact.decision, -back - state.pools.jackpot_microcents),
        o.CarruselReturned(
            decision=fact.undoes,
            microcents=moved.deducted_microcents,
            house_microcents=moved.house_microcents,
            seed_house_microcents=moved.seed_house_microcents,
            seed_reserve_microcents=moved.seed_reserve_microcents,
            seed_overflow_microcents=overflow,
        ),
    )


def _as_shared(fact: f.CarruselUndone, share: f.CarruselShare) -> AppliedDecision:
    """What a decision moved that this table no longer remembers: as the log has it, the whole seed
    from the house."""
    return AppliedDecision(
        decision=fact.undoes,
        jackpot=0,
        deducted_microcents=share.deducted_microcents + share.from_seed_microcents,
        house_microcents=share.house_microcents,
        seed_house_microcents=share.seed_microcents,
    )
