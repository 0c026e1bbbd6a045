"""Which boxes are in service, and why not; what is counted about them."""

from __future__ import annotations

from collections.abc import Iterable

from jackpot.mechanism.fault_codes import SELF_CHECK_CLEAN, self_check_text
from jackpot.mechanism.states import State
from jackpot.mechanism.statistics import BoxStatistics
from jackpot.mechanism.wire_events import Diagnosis, Down, Up, WireEvent


class Service:
    """All boxes of one board. Each change is told once, each reason when it is a new one."""

    def __init__(self, boxes: Iterable[int]) -> None:
        self.statistics = {box: BoxStatistics() for box in boxes}
        self.faulty: frozenset[int] = frozenset()
        self._down: dict[int, Diagnosis | None] = dict.fromkeys(self.statistics)
        self._details: dict[int, str] = {}
        self._up: set[int] = set()
        self._tests: dict[int, int] = {}

    def show_faults(self, faulty: frozenset[int]) -> list[WireEvent]:
        """The board reports the slots with a standing fault."""
        self.faulty = faulty & self.statistics.keys()
        told: list[WireEvent] = []
        for box in sorted(self.faulty):
            told += self._report_down(box, Diagnosis.SELF_CHECK, self._text(box))
        return told

    def show_test(self, codes: bytes) -> list[WireEvent]:
        """The answer of the self-test, a code a slot."""
        self._tests = dict(enumerate(codes, 1))
        return self.show_faults(
            frozenset(box for box, code in self._tests.items() if code != SELF_CHECK_CLEAN)
        )

    def up(self) -> list[WireEvent]:
        """The board is in service: so is every slot without a fault."""
        rising = sorted(self.statistics.keys() - self.faulty - self._up)
        for box in rising:
            self._up.add(box)
            self._down[box] = None
            self._details.pop(box, None)
        return [Up(box) for box in rising]

    def down(self, why: Diagnosis, detail: str) -> list[WireEvent]:
        """The board is out of service, and every box with it."""
        told: list[WireEvent] = []
        for box in self.statistics:
            told += self._report_down(box, why, detail)
        return told

    def reason(self, box: int) -> Diagnosis | None:
        """Why a box is out of service; None while it works, and before anything is known of it."""
        return self._down[box]

    def detail(self, box: int) -> str:
        """The same for people."""
        return self._details.get(box, "")

    @property
    def tested(self) -> bool:
        """Whether the board has ever answered a self-test."""
        return bool(self._tests)

    def note(self, diagnosis: Diagnosis | None, round_trip_ns: int) -> None:
        """A question ended, for all boxes at once."""
        for statistics in self.statistics.values():
            statistics.note(diagnosis, round_trip_ns)

    def note_poll(self, now_ns: int) -> None:
        """A poll goes out."""
        for statistics in self.statistics.values():
            statistics.note_poll(now_ns)

    def show_state(self, state: State) -> None:
        """Where the board stands; a board that is not there has no polls to be late."""
        for statistics in self.statistics.values():
            statistics.state = state
            if state in (State.ABSENT, State.UNFIT):
                statistics.last_poll_ns = None

    def _text(self, box: int) -> str:
        code = self._tests.get(box, SELF_CHECK_CLEAN)
        known = code != SELF_CHECK_CLEAN
        return self_check_text(code)[0] if known else "its credit line says so"

    def _report_down(self, box: int, why: Diagnosis, detail: str) -> list[WireEvent]:
        if self._down[box] is why:
            return []
        self._down[box] = why
        self._details[box] = detail
        self._up.discard(box)
        return [Down(box, why, detail)]
