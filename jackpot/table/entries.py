"""Signed entries: what a casino brings on the first day, moves, and corrections of the meter.

Two sign each one, the table chief and the games director, with a reason. The meter never falls for
any other reason than an award, a void, or one of these (see also ``reversals``).
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from jackpot.authority.roles import Role
from jackpot.errors import Refused
from jackpot.law.pools import Movement, Pool, contribute, reverse, spread
from jackpot.law.terms import JackpotKind, Terms
from jackpot.money import (
    MAX_CENTS,
    cents_rounded_down,
    contribution_microcents,
    euros_text,
    microcents_from_cents,
    microcents_text,
)
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Outcome
from jackpot.table.refusals import (
    alone,
    authorised,
    in_phase,
    reasoned,
    signed,
    signed_amount,
    terms_in_force,
)
from jackpot.table.state import OUTSIDE_A_HAND, HandTotal, Phase, TableState
from jackpot.table.totals import check_chips, covers_winners

_RULE = "CAN-8.b"
_HASH = re.compile(r"[0-9a-f]{64}")
_MAX_MICROCENTS = microcents_from_cents(MAX_CENTS)


def signed_entry(state: TableState, act: f.SignedEntry, *phases: Phase) -> Terms:
    """What every entry needs: terms, two officers, its moment, a reason (``no_reason``) and, where
    it has one, the number of its authorisation (``no_authorisation``)."""
    terms = terms_in_force(state)
    signed(state, act, Role.TABLE_CHIEF, Role.GAMES_DIRECTOR)
    in_phase(state, *phases, rule=_RULE)
    reasoned(act.why, rule=_RULE, to_do="write why the entry is made")
    authorised(getattr(act, "authorisation", "not needed"), rule=_RULE)
    return terms


def progressive(terms: Terms) -> None:
    """Refuse ``jackpot_is_fixed``: a fixed jackpot is always its full amount (CAN-8.a)."""
    if terms.kind is JackpotKind.FIXED:
        raise Refused(
            reason="jackpot_is_fixed",
            expected="a progressive jackpot",
            found="a fixed one, which is always its full amount",
            to_do="change the amount in the configuration, as authorised",
            rule=terms.citations.fixed,
        )


def running_jackpot(state: TableState) -> None:
    """Refuse ``no_jackpot`` at a layout whose jackpot has not started."""
    if not state.jackpot_started:
        raise Refused(
            reason="no_jackpot",
            expected="a running jackpot",
            found="none at this layout",
            to_do="open the table first, or take a jackpot over",
            rule=_RULE,
        )


def _more_than_nothing(microcents: int) -> None:
    if not 0 < microcents <= _MAX_MICROCENTS:
        raise Refused(
            reason="not_an_amount",
            expected="more than nothing",
            found=microcents_text(microcents),
            to_do="enter the authorised amount",
            rule=_RULE,
        )


def nothing_to_correct(difference: int) -> None:
    """Refuse ``nothing_to_correct`` for an entry that would change nothing."""
    if difference == 0:
        raise Refused(
            reason="nothing_to_correct",
            expected="a difference",
            found="none",
            to_do="nothing: it is right as it is",
            rule=_RULE,
        )


# ---- the first day, moves ------------------------------------------------------------------------


def jackpot_taken_over(state: TableState, act: f.JackpotTakenOver) -> tuple[Outcome, ...]:
    """The running amount of the earlier system instead of a seed, before the first opening."""
    terms = signed_entry(state, act, Phase.CLOSED)
    progressive(terms)
    _not_started(state)
    microcents = microcents_from_cents(act.cents)
    _more_than_nothing(microcents)
    moved = spread(terms, state.pools, microcents)
    return tuple(o.AmountIn(pool=m.pool, microcents=m.microcents) for m in moved)


def _not_started(state: TableState) -> None:
    if state.jackpot_started:
        raise Refused(
            reason="already_started",
            expected="a layout whose jackpot has not started",
            found="a running jackpot",
            to_do="sign a correction instead",
            rule=_RULE,
        )


def jackpot_received(state: TableState, act: f.JackpotReceived) -> tuple[Outcome, ...]:
    """Whole and to the micro-cent; the hidden pools stay hidden."""
    terms = signed_entry(state, act, Phase.CLOSED)
    progressive(terms)
    _another_place(terms, act.from_table, act.from_layout)
    _more_than_nothing(act.microcents)
    for hidden in (act.overflow_microcents, act.reserve_microcents):
        if hidden:
            _more_than_nothing(hidden)
    amounts = [(m.pool, m.microcents) for m in spread(terms, state.pools, act.microcents)]
    amounts += [(Pool.OVERFLOW, act.overflow_microcents), (Pool.RESERVE, act.reserve_microcents)]
    return tuple(
        o.AmountIn(pool=pool, microcents=microcents) for pool, microcents in amounts if microcents
    )


def _another_place(terms: Terms, table: str, layout: str) -> None:
    if (table, layout) == (terms.table, terms.layout):
        raise Refused(
            reason="same_layout",
            expected="another table or layout",
            found=f"table {table}, layout {layout}",
            to_do="name the other one",
            rule="CAN-2.2",
        )


def jackpot_moved(state: TableState, act: f.JackpotMoved) -> tuple[Outcome, ...]:
    """Out whole, the hidden pools included; what the visor shows is signed."""
    terms = signed_entry(state, act, Phase.CLOSED)
    running_jackpot(state)
    alone(state)
    _another_place(terms, act.to_table, act.to_layout)
    return _whole(state, act.cents)


def jackpot_ended(state: TableState, act: f.JackpotEnded) -> tuple[Outcome, ...]:
    """The jackpot ends; its whole amount goes where the authorisation says."""
    signed_entry(state, act, Phase.CLOSED)
    running_jackpot(state)
    alone(state)
    return _whole(state, act.cents)


def _whole(state: TableState, cents: int) -> tuple[Outcome, ...]:
    pools = state.pools
    signed_amount(cents_rounded_down(pools.jackpot_microcents), cents)
    amounts = (
        (Pool.JACKPOT, pools.jackpot_microcents),
        (Pool.OVERFLOW, pools.overflow_microcents),
        (Pool.RESERVE, pools.reserve_microcents),
    )
    return tuple(
        o.AmountOut(pool=pool, microcents=microcents) for pool, microcents in amounts if microcents
    )


def controller_replaced(state: TableState, act: f.ControllerReplaced) -> tuple[Outcome, ...]:
    """A new ledger names the old one and where that ended, before anything is played."""
    signed_entry(state, act, Phase.CLOSED)
    _not_started(state)
    if not _HASH.fullmatch(act.old_hash) or act.old_batch < 1 or not act.old_ledger.strip():
        raise Refused(
            reason="not_a_ledger_end",
            expected="the name of the old ledger, its last batch and that batch's 64 hex digits",
            found=f"{act.old_ledger!r}, {act.old_batch}, {act.old_hash!r}",
            to_do="copy the three from the old ledger's last checkpoint",
        )
    return ()


# ---- corrections ---------------------------------------------------------------------------------


def jackpot_corrected(state: TableState, act: f.JackpotCorrected) -> tuple[Outcome, ...]:
    """A signed amount. What a jackpot that has ended lacked, the house bears."""
    terms = signed_entry(state, act, *OUTSIDE_A_HAND)
    progressive(terms)
    running_jackpot(state)
    nothing_to_correct(act.microcents)
    if not 1 <= act.jackpot <= state.jackpots:
        raise Refused(
            reason="no_such_jackpot",
            expected=f"jackpot 1 to {state.jackpots} of this layout",
            found=str(act.jackpot),
            to_do="name the jackpot in which the error was made",
            rule=_RULE,
        )
    if act.microcents > 0:
        _more_than_nothing(act.microcents)
        if act.pool is not Pool.JACKPOT:
            return (o.AmountAdjusted(pool=act.pool, microcents=act.microcents),)
        moved = spread(terms, state.pools, act.microcents)
        return tuple(o.AmountAdjusted(pool=m.pool, microcents=m.microcents) for m in moved)
    if act.jackpot != state.jackpots:
        return (o.HouseSettled(microcents=-act.microcents),)
    held = {
        Pool.JACKPOT: state.pools.jackpot_microcents,
        Pool.OVERFLOW: state.pools.overflow_microcents,
        Pool.RESERVE: state.pools.reserve_microcents,
    }[act.pool]
    not_below_zero(held, act.microcents)
    return (o.AmountAdjusted(pool=act.pool, microcents=act.microcents),)


def not_below_zero(held_microcents: int, change_microcents: int) -> None:
    """Refuse ``below_zero`` when a pool does not hold what an entry would take."""
    if held_microcents + change_microcents < 0:
        raise Refused(
            reason="below_zero",
            expected=f"at most what the pool holds, {microcents_text(held_microcents)}",
            found=microcents_text(-change_microcents),
            to_do="enter no more than that; the house bears the rest",
            rule=_RULE,
        )


def seed_raised(state: TableState, act: f.SeedRaised) -> tuple[Outcome, ...]:
    """The house adds; under a ceiling the rest waits for the next jackpot."""
    terms = signed_entry(state, act, *OUTSIDE_A_HAND)
    progressive(terms)
    running_jackpot(state)
    microcents = microcents_from_cents(act.cents)
    _more_than_nothing(microcents)
    moved = spread(terms, state.pools, microcents)
    return tuple(o.SeedAdded(pool=m.pool, microcents=m.microcents) for m in moved)


def total_corrected(state: TableState, act: f.TotalCorrected) -> tuple[Outcome, ...]:
    """Only the difference moves, at the percentage of that hand (CAN-8.b1)."""
    terms = signed_entry(state, act, Phase.BETWEEN_HANDS)
    known = _known_total(state, act)
    check_chips(terms, act.chips_after)
    chips = act.chips_after - act.chips_before
    nothing_to_correct(chips)
    covers_winners(act.chips_after, known.winning_bets)
    cents = chips * known.bet_cents
    adjusted = o.TotalAdjusted(hand=act.hand, chips=act.chips_after, cents=cents)
    if cents > 0:
        return (adjusted, *_more_bets(state, terms, known, cents))
    return (adjusted, *_fewer_bets(state, known, -cents))


def _known_total(state: TableState, act: f.TotalCorrected) -> HandTotal:
    known = next((one for one in state.hand_totals if one.hand == act.hand), None)
    if known is None:
        raise Refused(
            reason="total_not_known",
            expected="a hand of this layout with a final total that is not too long ago",
            found=f"hand {act.hand}",
            to_do="sign a correction of the meter instead",
            rule="CAN-8.b1",
        )
    if act.chips_before != known.chips:
        raise Refused(
            reason="total_differs",
            expected=f"{known.chips} chips, as recorded for hand {act.hand}",
            found=f"{act.chips_before} ({euros_text(act.chips_before * known.bet_cents)})",
            to_do="look at the present screen",
            rule="CAN-8.b1",
        )
    return known


def _more_bets(
    state: TableState, terms: Terms, known: HandTotal, cents: int
) -> tuple[Outcome, ...]:
    rates = replace(terms, jackpot_ppm=known.jackpot_ppm, reserve_ppm=known.reserve_ppm)
    moved = contribute(rates, state.pools, cents)
    return tuple(o.TotalContributed(pool=m.pool, microcents=m.microcents) for m in moved)


def _fewer_bets(state: TableState, known: HandTotal, cents: int) -> tuple[Outcome, ...]:
    """The jackpot that they fed may be gone; then, or where a pool lacks it, the house bears it."""
    share = contribution_microcents(cents, known.jackpot_ppm)
    reserve = contribution_microcents(cents, known.reserve_ppm)
    taken = _taken_back(state, share, reserve) if known.jackpot == state.jackpots else ()
    lacking = share + reserve + sum(m.microcents for m in taken)
    return (
        *(o.TotalReversed(pool=m.pool, microcents=-m.microcents) for m in taken),
        *((o.HouseSettled(microcents=lacking),) if lacking else ()),
    )


def _taken_back(state: TableState, share: int, reserve: int) -> tuple[Movement, ...]:
    """What spilled over a ceiling comes back first, as if these bets had never been made."""
    made = (Movement(Pool.OVERFLOW, share), Movement(Pool.RESERVE, reserve))
    return reverse(state.pools, made)
