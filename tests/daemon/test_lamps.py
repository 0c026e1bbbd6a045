"""Lamps and the lock button at a running table, on fake lines."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from daemon_process import TEXT, Console, installed
from desk_fakes import HAND_1, OPENING, FakeRecord, chip, opened, phase_of, running_desk, started
from support.linked_floor import until

from firmware_sim.process import SimulatedMechanism
from jackpot.config import LampsConfig
from jackpot.daemon.gpio import GpioLines
from jackpot.daemon.lamps import LampWriter
from jackpot.daemon.lock_button import LockButton, nobody
from jackpot.daemon.running import Surroundings, running_table
from jackpot.daemon.table_desk import TableDesk
from jackpot.errors import Refused
from jackpot.table import facts as f
from jackpot.table.state import Phase

DARK = (False,) * 7


class FakeLines:
    """Seven lamps and a button, in memory; a pipe stands for the button's line."""

    def __init__(self) -> None:
        self.shown: list[tuple[bool, ...]] = []
        self.is_gone = False
        self._read_end, self._write_end = os.pipe()

    def fileno(self) -> int:
        return self._read_end

    def light(self, lit: Sequence[bool]) -> None:
        if self.is_gone:
            raise OSError("no such device")
        self.shown.append(tuple(lit))

    def presses(self) -> int:
        data = os.read(self._read_end, 16)
        if self.is_gone:
            raise OSError("no such device")
        return len(data)

    def press(self) -> None:
        os.write(self._write_end, b"!")

    def close(self) -> None:
        self.shown.append(DARK)

    def cut(self) -> None:
        """Let go of the pipe."""
        os.close(self._read_end)
        os.close(self._write_end)


class FakeTime:
    """Stands still: no lamp changes by itself."""

    def __init__(self) -> None:
        self.ms = 0

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def lines() -> Iterator[FakeLines]:
    fake = FakeLines()
    yield fake
    fake.cut()


def everybody(_officer: str) -> bool:
    return True


@asynccontextmanager
async def table(
    lines: FakeLines, is_logged_in: Callable[[str], bool] = everybody
) -> AsyncIterator[TableDesk]:
    """An open table with lamps."""
    async with running_desk(FakeRecord()) as desk:
        await opened(desk)
        writer = LampWriter(desk, lines, LockButton(desk, is_logged_in), FakeTime())
        task = asyncio.create_task(writer.run())
        try:
            yield desk
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def test_a_bet_lights_the_lamp_of_its_box(lines: FakeLines) -> None:
    async with table(lines) as desk:
        await until(lambda: lines.shown[-1:] == [DARK])
        await desk.act(HAND_1, form="s.2")
        await desk.submit((chip(3),), "slot.3", 1)
        await until(lambda: lines.shown[-1] == (False, False, True, False, False, False, False))


async def test_the_lamp_of_a_silent_slot_blinks_and_is_not_dark(lines: FakeLines) -> None:
    async with running_desk(FakeRecord()) as desk:
        await started(desk)
        await opened_with_a_silent_slot(desk)
        writer = LampWriter(desk, lines, LockButton(desk, everybody), FakeTime())
        task = asyncio.create_task(writer.run())
        await until(lambda: lines.shown == [(False, True, False, False, False, False, False)])
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def opened_with_a_silent_slot(desk: TableDesk) -> None:
    """The day is open, and the slot of box 2 has gone silent."""
    await desk.act(OPENING, form="s.1")
    await desk.submit((f.SlotDown(box=2, why="silent"),), "slots")


async def test_the_button_locks_the_hand_for_the_croupier_who_began_it_can_7_1(
    lines: FakeLines,
) -> None:
    async with table(lines, lambda officer: officer == "C1") as desk:
        await desk.act(HAND_1, form="s.2")
        lines.press()
        await until(lambda: phase_of(desk) is Phase.LOCKING)
        newest = desk.history(1)[0]
        assert (newest.kind, newest.by, newest.hand) == ("lock_pressed", "C1", 1)


async def test_at_a_whole_table_the_button_needs_the_croupier_at_the_console(
    lines: FakeLines, tmp_path: Path
) -> None:
    config = installed(tmp_path, TEXT + "\n[lamps]\nlines = [1, 2, 3, 4, 5, 6, 7]\nbutton = 8\n")
    around = Surroundings(lamp_lines=lambda _config: lines)
    with SimulatedMechanism(tmp_path / "line", "--no-pace"):
        async with running_table(config, around) as running:
            desk = running.desk
            await until(lambda: all(slot.up for slot in desk.state.slots))
            await asyncio.to_thread(start_hand_and_log_out, running.url)
            lines.press()
            await until(lambda: lines.shown[-1] == (True,) * 7)
            assert phase_of(desk) is Phase.BETTING
            console = await asyncio.to_thread(Console, running.url)
            lines.press()
            await until(lambda: phase_of(desk) is not Phase.BETTING)
            pressed = [line for line in desk.history(20) if line.kind == "lock_pressed"]
            assert [(line.by, line.hand) for line in pressed] == [("c1", 1)]
            console.close()
    assert lines.shown[-1] == DARK


def start_hand_and_log_out(url: str) -> None:
    """c1 opens the day, begins hand 1 and goes away."""
    console = Console(url)
    console.open_day()
    assert console.press("start", hand=1).status_code == 303
    assert console.client.post("/logout").status_code == 303
    console.close()


async def test_two_presses_lock_once(lines: FakeLines) -> None:
    async with table(lines) as desk:
        await desk.act(HAND_1, form="s.2")
        lines.press()
        lines.press()
        await until(lambda: phase_of(desk) is Phase.LOCKING)
        lines.press()
        await asyncio.sleep(0.02)
        assert [line.kind for line in desk.history(10)].count("lock_pressed") == 1


async def test_nobody_logged_in_means_no_lock_and_lamps_that_flicker(lines: FakeLines) -> None:
    async with table(lines, nobody) as desk:
        await desk.act(HAND_1, form="s.2")
        await until(lambda: lines.shown[-1:] == [DARK])
        lines.press()
        await until(lambda: lines.shown[-1] == (True,) * 7)
        assert phase_of(desk) is Phase.BETTING


async def test_the_button_does_nothing_while_no_bets_are_taken(lines: FakeLines) -> None:
    async with table(lines) as desk:
        assert await LockButton(desk, everybody).press() is False
        assert phase_of(desk) is Phase.BETWEEN_HANDS


async def test_hardware_that_vanishes_ends_the_task_and_not_the_table(lines: FakeLines) -> None:
    async with running_desk(FakeRecord()) as desk:
        await opened(desk)
        writer = LampWriter(desk, lines, LockButton(desk, everybody), FakeTime())
        task = asyncio.create_task(writer.run())
        await until(lambda: lines.shown == [DARK])
        lines.is_gone = True
        lines.press()
        with pytest.raises(OSError, match="no such device"):
            await task
        await desk.act(HAND_1, form="s.2")
        assert phase_of(desk) is Phase.BETTING


def test_a_chip_that_is_not_there_is_refused_with_what_to_do(tmp_path: Path) -> None:
    config = LampsConfig(
        chip=tmp_path / "gpiochip9",
        lines=(1, 2, 3, 4, 5, 6, 7),
        active_low=False,
        button=8,
        button_active_low=True,
    )
    with pytest.raises(Refused, match="gpioinfo") as caught:
        GpioLines(config)
    assert caught.value.reason == "no_gpio_lines"


class FakeRequest:
    """What libgpiod hands out for the lines."""

    fd = 7

    def __init__(self) -> None:
        self.values: list[dict[int, bool]] = []
        self.released = False

    def set_values(self, values: dict[int, object]) -> None:
        self.values.append({line: bool(getattr(on, "value", on)) for line, on in values.items()})

    def read_edge_events(self, most: int) -> list[str]:
        return ["rising", "rising"][:most]

    def release(self) -> None:
        self.released = True


def test_lines_are_asked_for_and_switched_as_libgpiod_wants_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request = FakeRequest()
    asked: dict[str, object] = {}

    def request_lines(path: str, **options: object) -> FakeRequest:
        asked.update(options, path=path)
        return request

    monkeypatch.setattr("jackpot.daemon.gpio.gpiod.request_lines", request_lines)
    config = LampsConfig(Path("/dev/gpiochip0"), (5, 6), active_low=True, button=9,
                         button_active_low=True)  # fmt: skip
    lines = GpioLines(config)
    settings = asked["config"]
    assert isinstance(settings, dict)
    assert set(settings) == {(5, 6), (9,)}
    assert settings[5, 6].active_low is True
    assert "RISING" in str(settings[9,])
    assert asked["path"] == "/dev/gpiochip0"
    lines.light((True, False, False, False, False, False, False))
    assert (lines.fileno(), lines.presses()) == (7, 2)
    lines.close()
    assert request.values == [{5: True, 6: False}, {5: False, 6: False}]
    assert request.released
