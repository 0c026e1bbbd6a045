"""The demonstration's loop: look at the table, let players and croupier do what is due, wait for news.

Nothing here knows more than a person at the table: it reads the desk's committed state and acts by
the same forms, so whatever a person does at a console in between is safe.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from jackpot.daemon.demo.croupier import Sight, next_act, open_boxes
from jackpot.daemon.demo.deal import Deal, deal
from jackpot.daemon.demo.mechanism import Mechanism
from jackpot.daemon.demo.rigs import NOTHING, Rig
from jackpot.daemon.demo.seats import EmptySeats, Seats
from jackpot.daemon.demo.tempo import pause_s
from jackpot.daemon.table_desk import TableDesk
from jackpot.errors import Refused
from jackpot.table.event import OfficerAct
from jackpot.table.facts import AwardsDeclared
from jackpot.table.state import Phase, TableState

HANDS_A_DAY = 60
"""In a demonstration without end: then the last hands are announced, and a new day opens."""

PATIENCE_S = 30.0
"""Without any news for so long a headless run is stuck: a silent slot costs one second and a half."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Script:
    """What is to be played. ``hands`` None: for ever. ``speed`` 0: as fast as it goes.
    ``carrusel``: the table joins it."""

    seed: int
    rigs: Mapping[int, Rig]
    hands: int | None = None
    speed: float = 1.0
    quiet_s: float = 300.0
    carrusel: str = ""


class Game:
    """Plays ``script`` at ``desk`` with the players' chips going into ``mechanism``."""

    def __init__(
        self, desk: TableDesk, mechanism: Mechanism | None, script: Script, say: Say
    ) -> None:
        """Without a mechanism the table plays in manual mode.

        Raises ``Refused`` for a rigged hand that is over already."""
        self._desk = desk
        self._script = script
        self._say = say
        self._news = asyncio.Event()
        self._seats = (
            EmptySeats()
            if mechanism is None
            else Seats(mechanism, script.seed, script.speed, self._news.set)
        )
        self._session = f"automatic-{secrets.token_hex(8)}"
        self._forms = 0
        self._first_hand = desk.state.hand_number
        self._day_began = self._first_hand
        self._deal: Deal | None = None
        self._planned: OfficerAct | None = None
        self._due_s = 0.0
        self._refused_at = -1
        self._quiet = _Quiet(desk, script.quiet_s)
        _check_rigs(script.rigs, self._first_hand)
        desk.on_change(self._news.set)
        desk.start_demonstration()

    async def play(self) -> None:
        """Until the hands of the script are played and the day is closed. Raises ``Refused``."""
        while not self._is_over():
            self._news.clear()
            wait_s = await self._look()
            if wait_s is None or wait_s > 0:
                await self._wait_for_news(wait_s)

    def _is_over(self) -> bool:
        return self._all_played(self._desk.state) and self._desk.state.phase is Phase.CLOSED

    def _all_played(self, state: TableState) -> bool:
        wanted = self._script.hands
        return wanted is not None and state.hand_number - self._first_hand >= wanted

    async def _look(self) -> float | None:
        """Do what is due; the seconds until the next look, None for until there are news."""
        state, now_s = self._desk.state, asyncio.get_running_loop().time()
        if self._desk.status.halted:
            raise _stuck("a running table", self._desk.status.halted)
        if not self._desk.status.ready:
            return None
        dealt = self._dealt(state)
        move_s = self._seats.look(state, dealt, now_s)
        if self._seats.failure is not None:
            raise self._seats.failure
        if not self._desk.status.automatic_croupier:
            return _sooner(move_s, self._quiet.look(now_s), now_s)
        act = next_act(state, self._sight(state, dealt))
        if act != self._planned:
            self._planned = act
            self._due_s = now_s + (0 if act is None else pause_s(act, self._script.speed))
        if act is None or self._desk.version == self._refused_at:
            return _sooner(move_s, None, now_s)
        if now_s < self._due_s:
            return _sooner(move_s, self._due_s, now_s)
        await self._press(act)
        return 0

    async def _press(self, act: OfficerAct) -> None:
        """One key. A refusal means that somebody was quicker: look again when there are news."""
        version = self._desk.version
        if isinstance(act, AwardsDeclared):
            hands = ", ".join(f"box {hand.box}: {hand.cards}" for hand in act.hands)
            self._say(f"hand {act.hand}: {hands}")
        self._forms += 1
        try:
            await self._desk.act(act, form=f"{self._session}.{self._forms}")
        except Refused:
            self._refused_at = version
        self._planned = None

    async def _wait_for_news(self, wait_s: float | None) -> None:
        patience_s = PATIENCE_S if self._script.hands is not None else None
        try:
            async with asyncio.timeout(patience_s if wait_s is None else wait_s):
                await self._news.wait()
        except TimeoutError:
            if wait_s is None:
                state = self._desk.state
                found = f"hand {state.hand_number}, {state.phase.value}, {state.items}"
                raise _stuck(f"news within {PATIENCE_S:.0f} s", found) from None

    def _dealt(self, state: TableState) -> Deal | None:
        number = state.hand_number
        if number == 0:
            return None
        if self._deal is None or self._deal.number != number:
            rig = self._script.rigs.get(number, NOTHING)
            self._deal = deal(self._script.seed, number, open_boxes(state), rig)
        return self._deal

    def _sight(self, state: TableState, dealt: Deal | None) -> Sight:
        if state.phase is Phase.CLOSED:
            self._day_began = state.hand_number
        return Sight(
            dealt=dealt,
            chips_told=self._seats.told(state),
            day=_next_day(state),
            announce=self._announces(state),
            close=self._all_played(state),
            carrusel=self._script.carrusel,
        )

    def _announces(self, state: TableState) -> bool:
        """Time for «las últimas jugadas»: as many hands are left as are announced (CAN-7.3b)."""
        last = 0 if state.terms is None else state.terms.closing_hands
        wanted = self._script.hands
        if wanted is None:
            return state.hand_number - self._day_began >= HANDS_A_DAY - last
        return wanted >= last and self._first_hand + wanted - state.hand_number == last


class _Quiet:
    """How long no person has pressed a key since the automatic croupier stepped back."""

    def __init__(self, desk: TableDesk, quiet_s: float) -> None:
        self._desk = desk
        self._quiet_s = quiet_s
        self._last: tuple[int, float] | None = None

    def look(self, now_s: float) -> float:
        """When it takes over again, in loop seconds; it does so itself when that has come."""
        acts = [line.seq for line in self._desk.history(LOOK_BACK_LINES) if line.by]
        newest = acts[0] if acts else 0
        if self._last is None or self._last[0] != newest:
            self._last = (newest, now_s)
        due_s = self._last[1] + self._quiet_s
        if now_s >= due_s:
            self._last = None
            self._desk.hand_back()
        return due_s


LOOK_BACK_LINES = 100
"""Where the newest act of an officer is looked for; chips and their outcomes stand in between."""


def _sooner(first_s: float | None, second_s: float | None, now_s: float) -> float | None:
    """Seconds from now to the sooner of two moments, at least a little; None if there is none."""
    moments = [moment for moment in (first_s, second_s) if moment is not None]
    return max(min(moments) - now_s, MIN_WAIT_S) if moments else None


MIN_WAIT_S = 0.001
"""Timers of the event loop are no finer."""


def _next_day(state: TableState) -> str:
    """Today, or the day after the last gaming day if that was today."""
    today = datetime.now(UTC).date()
    if state.day is None:
        return today.isoformat()
    return max(today, date.fromisoformat(state.day.name) + timedelta(days=1)).isoformat()


def _check_rigs(rigs: Mapping[int, Rig], played: int) -> None:
    over = sorted(number for number in rigs if number <= played)
    if over:
        raise Refused(
            reason="hand_is_over",
            expected=f"rigs for hand {played + 1} and later",
            found=f"{rigs[over[0]].name}@{over[0]}",
            to_do="name hands that are still to be played",
        )


def _stuck(expected: str, found: str) -> Refused:
    return Refused(
        reason="demonstration_stuck",
        expected=expected,
        found=found,
        to_do="keep the folder and report this; the ledger in it holds what happened",
    )
