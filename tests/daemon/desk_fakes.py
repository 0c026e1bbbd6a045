"""A ledger, a clock and a bus in memory, for tests of the desk and of the slot keeper."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from support.table import CANARIAS, OFFICERS, identified

from jackpot.daemon.requests import CONTROLLER
from jackpot.daemon.table_desk import TableDesk
from jackpot.ledger.errors import LedgerFull
from jackpot.ledger.machine import Committed, NewBatch
from jackpot.table import facts as f
from jackpot.table.event import Fact
from jackpot.table.evolve import evolve
from jackpot.table.state import INITIAL, Phase, TableState


class FakeClock:
    """Stands still unless told."""

    def __init__(self) -> None:
        self.wall = 1_764_500_000_000_000_000
        self.monotonic = 5_000_000_000

    def wall_ns(self) -> int:
        return self.wall

    def monotonic_ns(self) -> int:
        return self.monotonic

    def advance(self, by_ns: int) -> None:
        """Both clocks run."""
        self.wall += by_ns
        self.monotonic += by_ns


class FakeRecord:
    """A ledger in memory. ``failures`` are raised by the next appends, in order; ``None`` passes.

    ``lands`` says whether an append that fails is on the disk all the same.
    """

    def __init__(self, state: TableState = INITIAL) -> None:
        self.state = state
        self.last_seq = 0
        self.commits: list[tuple[NewBatch, ...]] = []
        self.numbers: dict[str, int] = {}
        self.failures: list[Exception | None] = []
        self.lands = False
        self.reopened = 0
        self.signed: list[int] = []
        self.gate: asyncio.Event | None = None

    @property
    def batches(self) -> list[NewBatch]:
        return [batch for commit in self.commits for batch in commit]

    def last_number(self, source: str) -> int | None:
        return self.numbers.get(source)

    async def append(self, batches: Sequence[NewBatch]) -> Committed:
        if self.gate is not None:
            await self.gate.wait()
        failure = self.failures.pop(0) if self.failures else None
        if failure is None or self.lands:
            self._write(tuple(batches))
        if failure is not None:
            raise failure
        return Committed(len(self.batches) - len(batches) + 1, len(self.batches), self.last_seq, "")

    def _write(self, batches: tuple[NewBatch, ...]) -> None:
        for batch in batches:
            last = self.numbers.get(batch.cause.source, -1)
            assert batch.cause.number > last, f"{batch.cause} recorded twice"
            self.numbers[batch.cause.source] = batch.cause.number
            for event in batch.events:
                self.state = evolve(self.state, event)
                self.last_seq += 1
        self.commits.append(batches)

    async def sign_checkpoint(self, at_ns: int) -> str:
        self.signed.append(len(self.batches))
        return f"note of batch {len(self.batches)}"

    async def reopen(self) -> None:
        self.reopened += 1


@dataclass
class FakeBus:
    """Remembers what it was asked."""

    asked: list[tuple[object, ...]] = field(default_factory=list)

    def committed(self, box: int, epoch: int, count: int) -> None:
        self.asked.append(("committed", box, epoch, count))

    def accept(self, box: int, on: bool) -> None:
        self.asked.append(("accept", box, on))

    def drain(self) -> None:
        self.asked.append(("drain",))

    def read_counters(self, boxes: Iterable[int]) -> None:
        self.asked.append(("read_counters", *boxes))

    def take(self) -> list[tuple[object, ...]]:
        """What was asked since the last look."""
        asked, self.asked = self.asked, []
        return asked


def full() -> LedgerFull:
    """What a ledger says on a full disk."""
    return LedgerFull(reason="ledger_full", expected="room", found="none", to_do="make room")


@asynccontextmanager
async def running_desk(record: FakeRecord) -> AsyncIterator[TableDesk]:
    """A desk that serves, open for use."""
    desk = TableDesk(record, FakeClock())
    desk.open_for_use()
    task = asyncio.create_task(desk.run())
    try:
        yield desk
    finally:
        desk.stop()
        if record.gate is not None:
            record.gate.set()
        await asyncio.wait_for(task, 5)


async def started(desk: TableDesk) -> None:
    """Configuration, officers, seven slots that work."""
    facts: list[Fact] = [
        f.ControllerStarted(version="test", clean=True),
        f.ConfigurationLoaded(config_text="", profile_text="", terms=CANARIAS),
        f.OfficersListed(officers=OFFICERS),
    ]
    for box in range(1, 8):
        facts += [identified(box), f.SlotUp(box=box)]
    await desk.submit(facts, CONTROLLER)


async def opened(desk: TableDesk) -> None:
    """The day is open; form s.1 is spent."""
    await started(desk)
    await desk.act(OPENING, form="s.1")


OPENING = f.DayOpened(by="C1", second="J1", day="2026-11-30", displayed_cents=1_000_000)
HAND_1 = f.HandStarted(by="C1", hand=1)


def chip(box: int) -> f.ChipSeen:
    """The jackpot chip in a box."""
    return f.ChipSeen(box=box, expected=True, a=1, b=1)


# Functions, so that a type checker does not hold on to a property's last value.


def phase_of(desk: TableDesk) -> Phase:
    return desk.state.phase


def accepting(desk: TableDesk) -> tuple[int, ...]:
    return desk.accepting


def alarms_of(desk: TableDesk) -> tuple[str, ...]:
    return desk.state.alarms
