"""What the croupier's panel shows, as plain values: a pure function of the committed state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from datetime import date, timedelta

from jackpot.authority.roles import Role, may_act_as
from jackpot.console.desk import DeskStatus, HistoryLine
from jackpot.money import cents_rounded_down
from jackpot.table.day import opening_cents
from jackpot.table.hand import decision
from jackpot.table.outcomes import BetSource, ItemWhat
from jackpot.table.state import (
    Payment,
    Phase,
    TableState,
    bets_in_box,
    is_manual,
    slots_down,
    undecided_chips,
)
from jackpot.visor.state import Lamp, VisorState, visor_state

LAMP_SIGNS: Mapping[Lamp, str] = {
    Lamp.OFF: "○",
    Lamp.FLASHING: "◐",
    Lamp.STEADY: "●",
    Lamp.CLOSED: "✕",
    Lamp.UNKNOWN: "?",
}
"""Never by colour alone."""

HISTORY_KEPT = 500
"""All lines that a desk keeps: so far back it is known why an open chip goes back, and who is here."""

_MAY_VOID = (Phase.BETTING, Phase.LOCKED, Phase.DECLARED)
_MAY_ANNOUNCE = (Phase.BETWEEN_HANDS, Phase.BETTING)
_BOXES_CHANGE = (Phase.CLOSED, Phase.BETWEEN_HANDS)


@dataclass(frozen=True)
class BoxView:
    """One box on the panel."""

    box: int
    lamp: Lamp
    sign: str
    bets: int
    closed: bool
    slot_up: bool
    why_down: str


@dataclass(frozen=True)
class ToDo:
    """One thing for the croupier, at one box: ``what`` names the sentence and its keys.

    ``notices`` are those that one key settles: several chips of one box, for the same ``why``.
    """

    what: str
    box: int | None
    notices: tuple[int, ...] = ()
    may_play: bool = False
    why: str = ""


@dataclass(frozen=True)
class Signature:
    """Whether a form needs somebody's id and PIN, and who may sign it."""

    needed: bool
    officers: tuple[str, ...]


@dataclass(frozen=True)
class Panel:
    """Everything that the panel's template reads."""

    phase: str
    hand: int
    bets: int
    bets_cents: int
    boxes: tuple[BoxView, ...]
    todos: tuple[ToDo, ...]
    visor: VisorState
    may_void: bool
    may_announce: bool
    may_close: bool
    may_change_boxes: bool
    blocks_closing: bool
    total_cents: int


def panel(state: TableState, status: DeskStatus, whys: Mapping[int, str] | None = None) -> Panel:
    """The panel of a table; ``whys`` tells by its notice why a chip goes back."""
    hand, phase = state.hand, state.phase
    between = phase in _BOXES_CHANGE
    bets = () if hand is None or between else hand.bets
    total = None if hand is None or between else hand.total
    payments = () if hand is None or between else hand.payments
    return Panel(
        phase=phase.value,
        hand=state.hand_number,
        bets=len(bets) if total is None else total.chips,
        bets_cents=sum(bet.cents for bet in bets) if total is None else total.cents,
        boxes=box_views(state, status),
        todos=_todos(state, whys or {}),
        visor=visor_state(state, status),
        may_void=phase in _MAY_VOID or (phase is Phase.TOTAL and not (hand and hand.award)),
        may_announce=phase in _MAY_ANNOUNCE and state.hands_left is None,
        may_close=phase is Phase.BETWEEN_HANDS,
        may_change_boxes=between,
        blocks_closing=bool(state.items or state.waiting_chips),
        total_cents=sum(payment.cents for payment in payments),
    )


def box_views(state: TableState, status: DeskStatus) -> tuple[BoxView, ...]:
    """The boxes of the layout, in order."""
    count = 0 if state.terms is None else state.terms.boxes
    lamps = visor_state(state, status).lamps
    between = state.phase in _BOXES_CHANGE
    return tuple(
        BoxView(
            box=box,
            lamp=lamps[box - 1],
            sign=LAMP_SIGNS[lamps[box - 1]],
            bets=0 if between else bets_in_box(state, box),
            closed=box in state.closed_boxes,
            slot_up=state.slots[box - 1].up,
            why_down=state.slots[box - 1].why_down,
        )
        for box in range(1, count + 1)
    )


def _todos(state: TableState, whys: Mapping[int, str]) -> tuple[ToDo, ...]:
    """What is open: first what blocks the hand, then everything else by box."""
    unknown: tuple[int, ...] = ()
    if state.hand is not None and state.phase is Phase.LOCKED:
        unknown = state.hand.unknown_boxes
    questions = [ToDo("slot_unknown", box) for box in unknown]
    may_play = undecided_chips(state) if state.phase is Phase.BETTING else ()
    chips = [
        ToDo(
            "chip_carried" if chip.source is BetSource.CARRIED else "chip_held",
            chip.box,
            may_play=chip in may_play,
        )
        for chip in state.waiting_chips
    ]
    terms = state.terms
    by_slots = () if terms is None or is_manual(state) else slots_down(state, terms)
    down = [ToDo("slot_down", box) for box in by_slots]
    others = sorted((*chips, *_notices(state, whys), *down), key=lambda todo: todo.box or 0)
    return (*questions, *others)


def _notices(state: TableState, whys: Mapping[int, str]) -> list[ToDo]:
    """The open notices; those of one box that say the same are one thing to do."""
    grouped: dict[tuple[str, int | None, str], list[int]] = {}
    for item in state.items:
        of_a_chip = item.what is ItemWhat.HAND_BACK_CHIP
        why = whys.get(item.item, "") if of_a_chip else ""
        grouped.setdefault((item.what.value, item.box, why), []).append(item.item)
    return [
        ToDo(what, box, notices=tuple(items), why=why)
        for (what, box, why), items in grouped.items()
    ]


def one_signature(
    state: TableState,
    me: str,
    role: Role = Role.TABLE_CHIEF,
    *,
    not_by: tuple[str | None, ...] = (),
    seen: Set[str] = frozenset(),
) -> Signature:
    """Who signs an act of one person with ``role``: nobody else, if the logged-in officer may. Those
    who were ``seen`` at this table lately come first."""
    able = [
        officer
        for officer in state.officers
        if may_act_as(state.officers, officer, role) and officer not in not_by
    ]
    others = [officer for officer in able if officer != me]
    return Signature(me not in able, likeliest_first(state, others, {role}, seen))


def two_signatures(state: TableState, me: str, seen: Set[str] = frozenset()) -> Signature:
    """Who can be the second officer of croupier and table chief, beside the one logged in."""
    needed = Role.CROUPIER if may_act_as(state.officers, me, Role.TABLE_CHIEF) else Role.TABLE_CHIEF
    others = [
        officer
        for officer in state.officers
        if officer != me and may_act_as(state.officers, officer, needed)
    ]
    return Signature(True, likeliest_first(state, others, {needed}, seen))


def seen_lately(lines: Iterable[HistoryLine]) -> frozenset[str]:
    """Everybody who acted or signed in the history."""
    return frozenset(officer for line in lines for officer in (line.by, line.second) if officer)


def likeliest_first(
    state: TableState, able: Iterable[str], roles: Set[Role], seen: Set[str]
) -> tuple[str, ...]:
    """Those ``seen`` at this table lately, then who holds one of the very ``roles`` before who only
    stands in, then by id."""

    def order(officer: str) -> tuple[bool, bool, str]:
        return officer not in seen, roles.isdisjoint(state.officers[officer]), officer

    return tuple(sorted(able, key=order))


def day_cents(state: TableState) -> int | None:
    """The amount that both officers sign at opening or closing; None without a configuration."""
    if state.terms is None:
        return None
    if state.phase is Phase.CLOSED:
        return opening_cents(state)
    return cents_rounded_down(state.pools.jackpot_microcents)


def needs_another(state: TableState) -> bool:
    """Whether one more officer must sign once the declared hands are confirmed."""
    total_cents = sum(cents for _, _, _, cents in to_confirm(state))
    return state.terms is not None and total_cents > state.terms.second_signature_over_cents


def to_confirm(state: TableState) -> tuple[tuple[int, int, str, int], ...]:
    """What the declared hands would be paid: box, bet, hand and cents, in paying order."""
    if state.terms is None or state.phase is not Phase.DECLARED:
        return ()
    return tuple(
        (p.box, p.bet, p.hand.value, p.cents) for p in decision(state, state.terms).payments
    )


@dataclass(frozen=True)
class Payable:
    """One payment as a key. ``key`` is its box, while it is the next one there that is not paid."""

    payment: Payment
    key: str


def payments(state: TableState) -> tuple[Payable, ...]:
    """Every payment of the hand in the order of the boxes: a paid one keeps its place."""
    hand = state.hand
    ordered = () if hand is None else sorted(hand.payments, key=lambda p: (p.box, p.bet))
    keys: set[int] = set()
    listed: list[Payable] = []
    for payment in ordered:
        if payment.paid and not payment.cents:
            continue
        first = not payment.paid and payment.box not in keys
        if first:
            keys.add(payment.box)
        listed.append(Payable(payment, str(payment.box) if first else ""))
    return tuple(listed)


def opening_days(state: TableState, today: date) -> tuple[str, ...]:
    """The gaming days that may be opened, the likeliest first: today, or the day after the last
    one; yesterday for a table that opens after midnight. Never one that is over (CAN-2.2)."""
    last = None if state.day is None else state.day.name
    yesterday, tomorrow = today - timedelta(days=1), today + timedelta(days=1)
    days = [day.isoformat() for day in (today, yesterday)]
    allowed = [day for day in days if last is None or day > last]
    if not allowed and last is not None and tomorrow.isoformat() > last:
        allowed = [tomorrow.isoformat()]
    return tuple(allowed)
