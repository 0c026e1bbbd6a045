"""What a running table looks at from time to time, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from desk_fakes import FakeClock, FakeRecord, alarms_of, running_desk, started

from jackpot.authority.roles import Role
from jackpot.daemon.clock import ClockWatch
from jackpot.daemon.live_book import LiveBook
from jackpot.daemon.officer_book import OfficerBook
from jackpot.daemon.watches import (
    keep_going,
    sign_regularly,
    watch_clock,
    watch_disk,
    watch_officers,
)
from jackpot.table import facts as f

MIB = 1_048_576
SECOND_NS = 1_000_000_000


class Ended(Exception):
    """The virtual sleeps are over."""


class Sleeps:
    """Virtual sleep: before each return one step is done, at the end ``Ended``."""

    def __init__(self, *steps: Callable[[], None]) -> None:
        self.steps = list(steps)
        self.slept: list[float] = []

    async def __call__(self, seconds: float) -> None:
        for _ in range(20):
            await asyncio.sleep(0)
        self.slept.append(seconds)
        if not self.steps:
            raise Ended
        self.steps.pop(0)()


def test_a_running_clock_is_no_step_and_a_small_drift_adds_up() -> None:
    clock = FakeClock()
    watch = ClockWatch(clock)
    clock.advance(3_600 * SECOND_NS)
    assert watch.step_ns() is None
    clock.wall += 600_000_000
    assert watch.step_ns() is None
    clock.wall += 600_000_000
    assert watch.step_ns() == 1_200_000_000
    assert watch.step_ns() is None


async def test_a_step_back_of_the_clock_is_recorded_once() -> None:
    record, clock = FakeRecord(), FakeClock()

    def back() -> None:
        clock.wall -= 3_600 * SECOND_NS

    async with running_desk(record) as desk:
        with pytest.raises(Ended):
            await watch_clock(desk, clock, Sleeps(back, lambda: None, lambda: None))
    steps = [e for b in record.batches for e in b.events]
    assert steps == [f.ClockStepped(step_ns=-3_600_000_000_000)]


async def test_the_disk_alarm_comes_in_time_and_does_not_flicker() -> None:
    record = FakeRecord()
    free = [600 * MIB]
    told: list[tuple[str, ...]] = []

    def now(mib: int) -> Callable[[], None]:
        def step() -> None:
            told.append(alarms_of(desk))
            free[0] = mib * MIB

        return step

    async with running_desk(record) as desk:
        sleep = Sleeps(now(511), now(520), now(563), now(564), lambda: told.append(alarms_of(desk)))
        with pytest.raises(Ended):
            await watch_disk(desk, Path("/"), 512 * MIB, lambda _: free[0], sleep)
    alarm = ("disk_nearly_full",)
    assert told == [(), alarm, alarm, alarm, ()]
    assert [e.kind for b in record.batches for e in b.events] == ["alarm_raised", "alarm_cleared"]


async def test_an_alarm_of_the_last_run_is_not_raised_again() -> None:
    record = FakeRecord()
    async with running_desk(record) as desk:
        await started(desk)
        await desk.submit((f.AlarmRaised(alarm="disk_nearly_full"),), "controller")
        count = len(record.batches)
        with pytest.raises(Ended):
            await watch_disk(desk, Path("/"), 512 * MIB, lambda _: MIB, Sleeps())
        assert len(record.batches) == count


async def test_a_changed_officer_book_is_told_to_the_ledger(tmp_path: Path) -> None:
    record = FakeRecord()
    file = tmp_path / "officers.json"
    OfficerBook(file).add("c1", (Role.CROUPIER,), "482915")
    book = LiveBook(file)

    def add() -> None:
        OfficerBook.open(file).add("j1", (Role.TABLE_CHIEF,), "572914")

    async with running_desk(record) as desk:
        with pytest.raises(Ended):
            await watch_officers(desk, book, Sleeps(lambda: None, add, lambda: None))
        assert desk.state.officers == {"c1": (Role.CROUPIER,), "j1": (Role.TABLE_CHIEF,)}
        assert await book.verify("j1", "572914") is True
    assert len(record.batches) == 1


async def test_checkpoints_are_signed_by_the_hour() -> None:
    record = FakeRecord()
    sleep = Sleeps(lambda: None, lambda: None)
    async with running_desk(record) as desk:
        with pytest.raises(Ended):
            await sign_regularly(desk, 3_600, sleep)
    assert len(record.signed) == 2
    assert sleep.slept == [3_600, 3_600, 3_600]


async def test_a_failing_watch_begins_again_later_and_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []

    async def broken() -> None:
        raise OSError("no such disk")

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 8:
            raise Ended

    monkeypatch.setattr(asyncio, "sleep", pause)
    with pytest.raises(Ended):
        await keep_going("disk", broken)
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]
