"""A misdeal voids the whole hand (CAN-10.1): nothing is lost, and nothing counts twice."""

from __future__ import annotations

from jackpot.authority.roles import Role
from jackpot.law.policies import VoidBets
from jackpot.law.pools import Movement, reverse
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.day import hand_ends
from jackpot.table.event import Outcome
from jackpot.table.refusals import in_phase, running_hand, signed, terms_in_force, this_hand
from jackpot.table.slots import item
from jackpot.table.state import Hand, Phase, TableState, WaitingChip

_BEFORE_THE_DECISION = (Phase.BETTING, Phase.LOCKED, Phase.DECLARED)


def _may_be_voided(state: TableState) -> tuple[Phase, ...]:
    """Until an award is decided; in manual mode the total may come before that."""
    decided = state.hand is not None and state.hand.award
    return _BEFORE_THE_DECISION if decided else (*_BEFORE_THE_DECISION, Phase.TOTAL)


def hand_voided(state: TableState, act: f.HandVoided) -> tuple[Outcome, ...]:
    """«Anular jugada», asked by one officer and signed by the table chief, before an award is decided.

    ``refund``: each contribution is reversed and its chip handed back. ``carry``: the bet waits in
    its box for the replayed hand; its contribution stays and is not made again. A total is taken
    back under both: the replayed hand has its own.
    """
    terms = terms_in_force(state)
    signed(state, act, Role.CROUPIER, Role.TABLE_CHIEF)
    this_hand(state, act)
    in_phase(state, *_may_be_voided(state), rule="CAN-10.1")
    hand = running_hand(state)
    outcomes: list[Outcome] = []
    if hand.manual:
        outcomes += _total_back(state, hand)
    elif terms.policies.void_bets is VoidBets.CARRY:
        outcomes += [
            o.BetCarried(box=bet.box, bet_cents=bet.cents, bet=bet.bet) for bet in hand.bets
        ]
    else:
        pools = state.pools
        for opened, bet in enumerate(reversed(hand.bets)):
            taken = reverse(pools, bet.movements)
            pools = pools.plus(taken)
            outcomes += _reversals(bet.box, taken)
            outcomes.append(o.BetReturned(box=bet.box, bet_cents=bet.cents))
            outcomes.append(item(state, bet.box, o.ItemWhat.HAND_BACK_CHIP, ahead=opened))
    return (*outcomes, *hand_ends(state, o.HandOutcome.VOIDED))


def _total_back(state: TableState, hand: Hand) -> list[Outcome]:
    total = hand.total
    if total is None or not hand.total_is_final:
        return []
    taken = reverse(state.pools, hand.total_movements)
    return [
        *(o.TotalReversed(pool=m.pool, microcents=-m.microcents) for m in taken),
        o.TotalReturned(chips=total.chips, cents=total.cents),
    ]


def chip_goes_back(state: TableState, chip: WaitingChip) -> tuple[Outcome, ...]:
    """A waiting chip that does not play: what it moved is taken back, and it is handed back."""
    taken = reverse(state.pools, chip.movements, _later_movements(state, chip))
    return (
        *_reversals(chip.box, taken),
        *(
            (o.BetReturned(box=chip.box, bet_cents=chip.cents),)
            if chip.source is o.BetSource.CARRIED
            else ()
        ),
        item(state, chip.box, o.ItemWhat.HAND_BACK_CHIP),
    )


def _reversals(box: int, taken: tuple[Movement, ...]) -> list[Outcome]:
    return [o.ContributionReversed(box=box, pool=m.pool, microcents=-m.microcents) for m in taken]


def _later_movements(state: TableState, chip: WaitingChip) -> tuple[Movement, ...]:
    """What other bets that still stand have moved: they may have spilled over a ceiling because of this one."""
    waiting = (other.movements for other in state.waiting_chips if other is not chip)
    hand = None if state.phase is Phase.BETWEEN_HANDS else state.hand  # a voided hand's bets wait
    playing = () if hand is None else (bet.movements for bet in hand.bets)
    return tuple(movement for movements in (*waiting, *playing) for movement in movements)
