"""A table in memory for the tests of the screens: no ledger, no slots, the real rules."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from jackpot.authority.roles import Role
from jackpot.console.desk import DeskStatus, Done, HistoryLine
from jackpot.daemon.history import history_lines
from jackpot.law.profile import Figures, load_profile, make_terms
from jackpot.law.terms import Terms
from jackpot.ledger.machine import Cause, NewBatch
from jackpot.table import facts as f
from jackpot.table.decide import play
from jackpot.table.event import Fact, OfficerAct
from jackpot.table.state import INITIAL, Phase, TableState

OFFICERS: dict[str, tuple[Role, ...]] = {
    "c1": (Role.CROUPIER,),
    "j1": (Role.TABLE_CHIEF,),
    "d1": (Role.GAMES_DIRECTOR,),
    "j2": (Role.TABLE_CHIEF,),
}
PINS = {"c1": "271828", "j1": "314159", "d1": "161803", "j2": "141421", "t1": "173205"}
A_MOMENT_NS = 1_796_068_800_000_000_000
"""2026-11-30 20:00:00 UTC, which is also the time in the Canary Islands in winter."""


def some_terms(**changes: object) -> Terms:
    """Table 2, bet 2.00, 25 %, seed 100,000.00 euros, second signature above 3,000.00."""
    terms = make_terms(
        load_profile("canarias"),
        Figures(
            table="2",
            layout="A",
            bet_cents=200,
            table_minimum_cents=500,
            jackpot_ppm=250_000,
            seed_cents=10_000_000,
        ),
    )
    return replace(terms, **changes)


def set_up(terms: Terms) -> list[Fact]:
    """The facts of a controller that started, with seven slots up."""
    return [
        f.ControllerStarted(version="0", clean=True),
        f.ConfigurationLoaded(config_text="", profile_text="", terms=terms),
        f.OfficersListed(officers=OFFICERS),
        *(f.SlotUp(box=box) for box in range(1, 8)),
    ]


@dataclass
class FakeClock:
    """Time that stands still until it is told to go on."""

    now_ns: int = A_MOMENT_NS

    def monotonic_ns(self) -> int:
        """The same."""
        return self.now_ns

    def wall_ns(self) -> int:
        """The same."""
        return self.now_ns


class FakeDesk:
    """The port of ``jackpot.console.desk``, in memory. The lock is reached at once."""

    def __init__(self, terms: Terms | None = None, *, unknown_boxes: tuple[int, ...] = ()) -> None:
        self.unknown_boxes = unknown_boxes
        self.acts: list[OfficerAct] = []
        self.tokens_used: tuple[f.TokenUsed, ...] = ()
        self.taken_over = False
        self._terms = terms or some_terms()
        self._state = INITIAL
        self._status = DeskStatus(ready=True)
        self._version = 0
        self._forms: dict[str, int] = {}
        self._history: list[HistoryLine] = []
        self._news = asyncio.Event()
        self.reset()

    def reset(self, terms: Terms | None = None) -> None:
        """A new table: as if nothing had ever happened at this desk."""
        self.acts.clear()
        self._state = INITIAL
        self._status = DeskStatus(ready=True)
        self._history.clear()
        self.tell(*set_up(terms or self._terms))

    @property
    def state(self) -> TableState:
        return self._state

    @property
    def status(self) -> DeskStatus:
        return self._status

    @property
    def version(self) -> int:
        return self._version

    def set_status(self, status: DeskStatus) -> None:
        self._status = status
        self._changed()

    async def changed(self, after_version: int, timeout_s: float) -> bool:
        if self._version > after_version:
            return True
        try:
            await asyncio.wait_for(self._news.wait(), timeout_s)
        except TimeoutError:
            return False
        return True

    async def act(self, act: OfficerAct, *, form: str, token: f.TokenUsed | None = None) -> Done:
        session, _, number = form.rpartition(".")
        if int(number) <= self._forms.get(session, 0):
            return Done(already=True)
        self.tell(*((act,) if token is None else (act, token)))
        self.tokens_used += () if token is None else (token,)
        self._forms[session] = int(number)
        self.acts.append(act)
        if self._state.phase is Phase.LOCKING:
            self.tell(f.LockReached(unknown_boxes=self.unknown_boxes))
        return Done()

    def history(self, limit: int) -> Sequence[HistoryLine]:
        return self._history[::-1][:limit]

    def take_over(self) -> None:
        self.taken_over = True
        self.set_status(replace(self._status, automatic_croupier=False))

    def hand_back(self) -> None:
        self.set_status(replace(self._status, automatic_croupier=self._status.demonstration))

    def tell(self, *facts: Fact) -> None:
        """Facts from the machine, or an officer's act that went another way."""
        events, self._state = play(self._state, facts)
        at_ns = A_MOMENT_NS + len(self._history) * 1_000_000_000
        batch = NewBatch(at_ns, self._state.hand_number or None, Cause("test", 1), tuple(events))
        self._history.extend(history_lines([batch], len(self._history) + 1))
        self._changed()

    def chip(self, box: int, *, expected: bool = True) -> None:
        """A chip in a slot."""
        self.tell(f.ChipSeen(box=box, expected=expected, a=1, b=0))

    def _changed(self) -> None:
        self._version += 1
        self._news.set()
        self._news = asyncio.Event()

    # -- shortcuts into a situation -----------------------------------------------------------

    def open_day(self, cents: int = 10_000_000) -> None:
        """The first opening, at the seed."""
        self.tell(f.DayOpened(by="c1", second="j1", day="2026-11-30", displayed_cents=cents))

    def start_hand(self, *boxes: int) -> None:
        """The next hand with chips in ``boxes``."""
        self.tell(f.HandStarted(by="c1", hand=self._state.hand_number + 1))
        for box in boxes:
            self.chip(box)

    def lock(self) -> None:
        """«No va más», reached."""
        self.tell(f.LockPressed(by="c1", hand=self._state.hand_number))
        self.tell(f.LockReached(unknown_boxes=self.unknown_boxes))

    def declare(self, **hands: str) -> None:
        """Awards declared by c1: ``declare(box3="Kd Qd Jd Td 9d")``."""
        declared = tuple(f.DeclaredHand(int(box[3:]), cards) for box, cards in hands.items())
        self.tell(f.AwardsDeclared(by="c1", hand=self._state.hand_number, hands=declared))

    def confirm(self) -> None:
        """The chief confirms."""
        self.tell(f.AwardsConfirmed(by="j1", hand=self._state.hand_number))
