"""The host against the simulator, which knows the specification and not the host.

Everything here runs in real time on a pseudo terminal; sharp figures of time are in
``test_bus_host.py``, in virtual time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import pytest

from firmware_sim.process import AsyncMechanism
from jackpot.cctalk import (
    BusHost,
    Continuity,
    Credit,
    Diagnosis,
    Down,
    Drained,
    Echo,
    Fault,
    Identified,
    LineFault,
    LineSetup,
    Lost,
    Polled,
    Restarted,
    Resume,
    SlotSetup,
    Up,
    WireEvent,
)
from jackpot.daemon.bus import SlotBus

SOON_S = 20.0
FIRST_SERIAL = 700_001


class Floor:
    """A simulator and a bus on it; commits as a ledger does, keeps all events."""

    def __init__(self, tmp: Path, *arguments: str, **setup: Any) -> None:
        self.boxes = setup.pop("boxes", 7)
        self.resume: dict[int, Resume] = setup.pop("resume", {})
        self.first = setup.pop("first_address", 11)
        self.swapped = setup.pop("swapped", False)
        self.line = LineSetup(**setup)
        self.tmp, self.events = tmp, list[WireEvent]()
        self.sim = AsyncMechanism(
            tmp / "line", "--slots", str(self.boxes), "--first-address", str(self.first), *arguments
        )
        self._news = asyncio.Event()

    async def __aenter__(self) -> Self:
        await self.sim.__aenter__()
        slots = [
            SlotSetup(
                box=i,
                address=self.first + i - 1,
                coin_position=None,
                swapped_event_bytes=self.swapped,
            )
            for i in range(1, self.boxes + 1)
        ]
        self.bus = SlotBus(
            str(self.sim.link),
            self.line.baud,
            BusHost(slots, self.line, self.resume, time.monotonic_ns()),
            self._take,
            lock_directory=self.tmp / "lock",
        )
        self.bus.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.bus.close()
        await self.sim.__aexit__(None, None, None)

    def _take(self, events: list[WireEvent]) -> None:
        for event in events:
            self.events.append(event)
            if isinstance(event, Polled):
                self.bus.committed(event.box, event.epoch, event.count)
        self._news.set()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Until the events make ``holds`` true."""
        async with asyncio.timeout(SOON_S):
            while not holds():
                self._news.clear()
                await self._news.wait()

    async def until_credits(self, number: int) -> None:
        """Until so many chips were credited."""
        await self.until(lambda: len(self.inner(Credit)) >= number)

    def of(self, kind: type) -> list[Any]:
        return [e for e in self.events if isinstance(e, kind)]

    def inner(self, kind: type) -> list[Any]:
        return [e for p in self.of(Polled) for e in p.events if isinstance(e, kind)]

    async def open(self) -> None:
        """All up, all open, all willing."""
        await self.until(lambda: len(self.of(Up)) >= self.boxes)
        for box in range(1, self.boxes + 1):
            self.bus.accept(box, True)
        for box in range(1, self.boxes + 1):
            assert (await self.sim.command(f"await {box}"))["open"]


async def test_seven_slots_at_the_pace_of_the_wire(tmp_path: Path) -> None:
    async with Floor(tmp_path, "--reply-ms", "2") as floor:
        await floor.open()
        serials = {e.box: e.serial for e in floor.of(Identified)}
        assert serials == {box: FIRST_SERIAL + box - 1 for box in range(1, 8)}
        for box in range(1, 8):
            assert (await floor.sim.chip(box))["accepted"]
        await floor.until(lambda: len(floor.inner(Credit)) == 7)
        assert sorted(floor.inner(Credit), key=lambda c: c.box) == [
            Credit(box, 0, 1, 1, floor.inner(Credit)[0].path, True) for box in range(1, 8)
        ]
        assert not floor.of(Down)
        assert not floor.of(LineFault)
        floor.bus.drain()
        await floor.until(lambda: bool(floor.of(Drained)))
        assert floor.of(Drained) == [Drained(())]
        state = await floor.sim.command("state")
        assert not any(slot["master_on"] for slot in state["slots"])


@pytest.mark.parametrize("crc16", [False, True], ids=["checksum", "crc"])
@pytest.mark.parametrize("echo", [True, False], ids=["echo", "no echo"])
@pytest.mark.parametrize("told", [True, False], ids=["told", "found out"])
async def test_every_kind_of_line(tmp_path: Path, echo: bool, crc16: bool, told: bool) -> None:
    arguments = ["--no-pace", "--echo" if echo else "--no-echo", *(["--crc16"] if crc16 else [])]
    setup = (Echo.ON if echo else Echo.OFF) if told else Echo.AUTO
    async with Floor(tmp_path, *arguments, echo=setup, crc16=crc16) as floor:
        await floor.open()
        for box in (1, 4, 7):
            await floor.sim.chip(box)
        await floor.until(lambda: len(floor.inner(Credit)) == 3)
        assert {(c.box, c.count, c.expected) for c in floor.inner(Credit)} == {
            (1, 1, True),
            (4, 1, True),
            (7, 1, True),
        }
        assert not floor.of(Down)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--mask-bytes", "1"),
        ("--mask-bytes", "2", "--token-position", "16"),
        ("--mask-bytes", "2", "--token-position", "9"),
        ("--serial-bytes", "4", "--inhibit-code", "plain"),
    ],
    ids=" ".join,
)
async def test_every_kind_of_acceptor(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    async with Floor(tmp_path, "--no-pace", *arguments, boxes=2) as floor:
        await floor.open()
        assert (await floor.sim.chip(2))["accepted"]
        await floor.until(lambda: len(floor.inner(Credit)) == 1)
        assert floor.inner(Credit)[0].expected


async def test_only_the_jackpot_chip_is_taken(tmp_path: Path) -> None:
    async with Floor(tmp_path, "--no-pace", boxes=1) as floor:
        await floor.open()
        assert not (await floor.sim.chip(1, 2))["accepted"]
        await floor.until(lambda: bool(floor.inner(Fault)))
        assert floor.inner(Fault) == [Fault(1, 0, 1, 129)]
        assert not floor.inner(Credit)


async def test_models_with_swapped_event_bytes(tmp_path: Path) -> None:
    async with Floor(tmp_path, "--no-pace", boxes=1, swapped=True) as floor:
        await floor.sim.command("swap 1 on")
        await floor.open()
        await floor.sim.chip(1)
        await floor.until(lambda: bool(floor.inner(Credit)))
        assert floor.inner(Credit)[0].expected


async def test_a_hand_faster_than_the_poll(tmp_path: Path) -> None:
    async with Floor(tmp_path, "--no-pace", boxes=1) as floor:
        await floor.open()
        await floor.sim.command("events 1 8")
        await floor.until(lambda: len(floor.inner(Credit)) == 5)
        assert floor.inner(Lost) == [Lost(1, 0, 3, 3)]
        assert [c.count for c in floor.inner(Credit)] == [4, 5, 6, 7, 8]


async def test_more_than_once_round_the_counter(tmp_path: Path) -> None:
    async with Floor(tmp_path, "--no-pace", boxes=1) as floor:
        await floor.open()
        for n in range(1, 87):
            await floor.sim.command("events 1 3")
            await floor.until_credits(3 * n)
        assert [c.count for c in floor.inner(Credit)] == [*range(1, 259)]
        assert (await floor.sim.command("counter 1"))["counter"] == 3


async def test_a_reset_is_told_and_the_slot_opens_again(tmp_path: Path) -> None:
    async with Floor(tmp_path, "--no-pace", boxes=2) as floor:
        await floor.open()
        await floor.sim.chip(1)
        await floor.until(lambda: len(floor.inner(Credit)) == 1)
        await floor.sim.command("reset 1")
        await floor.until(lambda: floor.of(Restarted) == [Restarted(1, 1)])
        assert (await floor.sim.command("await 1"))["open"]
        await floor.sim.chip(1)
        await floor.until(lambda: len(floor.inner(Credit)) == 2)
        assert [(c.epoch, c.count) for c in floor.inner(Credit)] == [(0, 1), (1, 1)]


async def test_a_cut_wire_takes_one_box_out_and_the_rest_plays_on(tmp_path: Path) -> None:
    async with Floor(tmp_path, "--no-pace", boxes=3) as floor:
        await floor.open()
        await floor.sim.chip(2)
        await floor.until(lambda: len(floor.inner(Credit)) == 1)
        await floor.sim.command("silent 2")
        await floor.until(lambda: bool(floor.of(Down)))
        assert floor.of(Down)[0] == Down(2, Diagnosis.NO_REPLY, "header 229")
        await floor.sim.chip(3)
        await floor.until(lambda: len(floor.inner(Credit)) == 2)
        await floor.sim.command("speak 2")
        await floor.until(lambda: len(floor.of(Up)) == 4)
        assert floor.of(Identified)[-1].continuity is Continuity.CONTINUED


async def test_chips_taken_by_an_unheard_acceptor_are_credited_when_it_is_heard_again(
    tmp_path: Path,
) -> None:
    async with Floor(tmp_path, "--no-pace", boxes=1) as floor:
        await floor.open()
        await floor.sim.command("mute 1")
        taken = [(await floor.sim.chip(1))["accepted"] for _ in range(3)]
        assert taken == [True, True, True]
        await floor.until(lambda: bool(floor.of(Down)))
        await floor.sim.command("speak 1")
        await floor.until(lambda: len(floor.inner(Credit)) == 3)
        assert [c.count for c in floor.inner(Credit)] == [1, 2, 3]


async def test_another_unit_in_the_slot_is_doubtful_and_credits_nothing(tmp_path: Path) -> None:
    async with Floor(tmp_path, "--no-pace", boxes=1) as floor:
        await floor.open()
        await floor.sim.chip(1)
        await floor.until(lambda: len(floor.inner(Credit)) == 1)
        await floor.sim.command("silent 1")
        await floor.until(lambda: bool(floor.of(Down)))
        await floor.sim.command("replace 1")
        await floor.sim.command("speak 1")
        await floor.until(lambda: len(floor.of(Identified)) == 2)
        again = floor.of(Identified)[-1]
        assert (again.serial, again.continuity) == (FIRST_SERIAL + 1000, Continuity.DOUBTFUL)
        assert len(floor.inner(Credit)) == 1


async def test_a_jam_and_its_clearing(tmp_path: Path) -> None:
    async with Floor(tmp_path, "--no-pace", boxes=1) as floor:
        await floor.open()
        await floor.sim.command("jam 1")
        await floor.until(lambda: bool(floor.of(Down)))
        assert floor.inner(Fault)[0].code == 14
        assert floor.of(Down) == [Down(1, Diagnosis.SELF_CHECK, "fault on credit sensor")]
        await floor.sim.command("clear 1")
        await floor.until(lambda: len(floor.of(Up)) == 2)
        assert (await floor.sim.command("await 1"))["open"]


@pytest.mark.parametrize("code", [16, 17, 18, 19, 20, 22, 23, 24, 25, 29, 34, 36, 38, 40])
async def test_every_fraud_sign_arrives_as_itself(tmp_path: Path, code: int) -> None:
    async with Floor(tmp_path, "--no-pace", boxes=1) as floor:
        await floor.open()
        await floor.sim.command(f"fault 1 {code} 0")
        await floor.until(lambda: bool(floor.inner(Fault)))
        assert floor.inner(Fault) == [Fault(1, 0, 1, code)]
        assert not floor.inner(Credit)


async def test_a_glitch_that_resets_everybody(tmp_path: Path) -> None:
    async with Floor(tmp_path, "--no-pace", boxes=3) as floor:
        await floor.open()
        for box in (1, 2, 3):
            await floor.sim.chip(box)
        await floor.until(lambda: len(floor.inner(Credit)) == 3)
        await floor.sim.command("glitch")
        await floor.until(lambda: len(floor.of(Restarted)) == 3)
        for box in (1, 2, 3):
            assert (await floor.sim.command(f"await {box}"))["open"]
        assert len(floor.inner(Credit)) == 3


async def test_a_glitch_in_a_real_request_at_address_2(tmp_path: Path) -> None:
    async with Floor(tmp_path, "--no-pace", boxes=1, first_address=2) as floor:
        await floor.open()
        await floor.sim.chip(1)
        await floor.until(lambda: len(floor.inner(Credit)) == 1)
        await floor.sim.command("glitch")
        floor.bus.accept(1, False)
        floor.bus.accept(1, True)
        await floor.until(lambda: len(floor.of(Restarted)) == 1)
        assert (await floor.sim.command("await 1"))["open"]


@pytest.mark.parametrize("trouble", ["badsum 1 2", "busy 1 2", "nak 1 2"])
async def test_two_spoilt_answers_do_no_harm(tmp_path: Path, trouble: str) -> None:
    async with Floor(tmp_path, "--no-pace", boxes=1) as floor:
        await floor.open()
        await floor.sim.command(trouble)
        await floor.sim.chip(1)
        await floor.until(lambda: len(floor.inner(Credit)) == 1)
        assert not floor.of(Down)


async def test_over_noise_and_losses_every_chip_counts_once(tmp_path: Path) -> None:
    async with Floor(tmp_path, "--no-pace", "--seed", "3", boxes=4) as floor:
        await floor.open()
        await floor.sim.command("noise 0.003")
        await floor.sim.command("drop 0.003")
        accepted = 0
        for n in range(60):
            box = n % 4 + 1
            if (await floor.sim.command(f"await {box}"))["open"]:
                accepted += (await floor.sim.chip(box))["accepted"]
            await floor.until_credits(accepted)
        assert accepted >= 40
        keys = [(c.box, c.epoch, c.count) for c in floor.inner(Credit)]
        assert len(keys) == len(set(keys)) == accepted


async def test_the_adapter_is_pulled_out_and_comes_back_as_another_device(tmp_path: Path) -> None:
    async with Floor(tmp_path, "--no-pace", boxes=2) as floor:
        await floor.open()
        await floor.sim.chip(1)
        await floor.until(lambda: len(floor.inner(Credit)) == 1)
        await floor.sim.command("unplug")
        await floor.until(lambda: len(floor.of(Down)) == 2)
        assert floor.of(LineFault)[0].reason is Diagnosis.LINE_LOST
        await floor.sim.command("plug")
        await floor.until(lambda: len(floor.of(Up)) == 4)
        assert [e.continuity for e in floor.of(Identified)[2:]] == [Continuity.CONTINUED] * 2
        assert (await floor.sim.command("await 1"))["open"]


async def test_a_daemon_that_starts_again_credits_the_difference_once(tmp_path: Path) -> None:
    async with Floor(tmp_path, "--no-pace", boxes=1) as floor:
        await floor.open()
        await floor.sim.chip(1)
        await floor.until(lambda: len(floor.inner(Credit)) == 1)
        last = floor.of(Polled)[-1]
        floor.bus.close()
        await floor.sim.chip(1)
        floor.events.clear()
        resume = {1: Resume(FIRST_SERIAL, last.epoch, last.count, last.pairs)}
        floor.bus = SlotBus(
            str(floor.sim.link),
            floor.line.baud,
            BusHost([SlotSetup(1, 11, None)], floor.line, resume, time.monotonic_ns()),
            floor._take,
            lock_directory=tmp_path / "lock",
        )
        floor.bus.start()
        await floor.until(lambda: len(floor.inner(Credit)) == 1)
        assert floor.of(Identified)[0].continuity is Continuity.CONTINUED
        assert floor.inner(Credit)[0].count == 2
