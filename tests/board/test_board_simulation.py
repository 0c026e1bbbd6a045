"""What the simulator answers to a chip is what happens to it. Time is an argument here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from board_bench import MS, SERIAL, address, framed, unframed

from firmware_sim.board.commands import Simulation
from firmware_sim.board.wire import Wire
from firmware_sim.board.workbench import Workbench
from firmware_sim.pty_line import PtyLine

SLOTS, POLL = 0x03, 0x02


@pytest.fixture
def sim(bench: Workbench, tmp_path: Path) -> Iterator[Simulation]:
    line = PtyLine(tmp_path / "line")
    yield Simulation(bench, Wire(0), line, 0)
    line.close()


def hear_slots(sim: Simulation, mask: int, now_ns: int) -> None:
    sim.hear(framed(bytes((1, SLOTS, 1)) + address() + bytes((mask,))), now_ns)
    assert sim.bench.gates == mask


def counted(sim: Simulation, box: int, now_ns: int) -> int:
    sim.catch_up(now_ns)
    (answer,) = unframed(sim.bench.receive(framed(bytes((1, POLL, 1)) + address() + bytes(4))))
    at = 3 + 12 + 4 * box
    return int.from_bytes(answer[at : at + 4], "little")


@pytest.mark.parametrize("later_ns", [0, 1, MS - 1, MS, 30 * MS])
def test_an_accepted_chip_is_counted_however_soon_the_slot_shuts(
    sim: Simulation, later_ns: int
) -> None:
    hear_slots(sim, 0x7F, 0)
    assert sim.execute("chip 2", MS)["accepted"] is True
    hear_slots(sim, 0, MS + later_ns)
    assert counted(sim, 2, 200 * MS) == 1


@pytest.mark.parametrize("later_ns", [0, 1, MS - 1, MS, 30 * MS])
def test_a_returned_chip_is_not_counted_however_soon_the_slot_opens(
    sim: Simulation, later_ns: int
) -> None:
    assert sim.execute("chip 2", MS)["accepted"] is False
    hear_slots(sim, 0x7F, MS + later_ns)
    assert counted(sim, 2, 200 * MS) == 0


def test_without_power_a_chip_is_returned(sim: Simulation) -> None:
    hear_slots(sim, 0x7F, 0)
    sim.execute("reset 100", MS)
    assert sim.execute("chip 2", 2 * MS)["accepted"] is False
    assert sim.execute("chip 2", 200 * MS)["accepted"] is False, "back, and not opened yet"
    assert sim.bench.serial == SERIAL


def test_stacked_chips_are_only_announced(sim: Simulation) -> None:
    hear_slots(sim, 0x7F, 0)
    assert sim.execute("chips 2 5", MS) == {"ok": True, "box": 2, "queued": 5}
    hear_slots(sim, 0, 97 * MS)
    assert counted(sim, 2, 1_000 * MS) == 2, "the second was in, the other three went back"
