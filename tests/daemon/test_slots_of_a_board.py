"""A technician at a table with a slot board: the running table tells of it, nobody else does."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from jackpot.board import BoardHost, BoardSetup
from jackpot.commands.slots_view import plain_lines
from jackpot.config.sections import SlotsConfig
from jackpot.daemon.technician.own_bus import own_bus
from jackpot.errors import Refused


def test_a_board_is_reported_slot_by_slot_without_addresses() -> None:
    host = BoardHost(BoardSetup((1, 2)), {}, 0)
    host.inspect(0)
    report = host.report()
    assert [(slot.box, slot.address, slot.state) for slot in report.slots] == [
        (1, None, "absent"),
        (2, None, "absent"),
    ]
    assert "box 2: absent, closed" in plain_lines(report, "daemon")


def test_a_board_that_no_table_runs_is_left_alone(tmp_path: Path) -> None:
    """Whatever it told here it would take for recorded; the table would never hear of it."""
    board = BoardSetup((1, 2))
    setup = SlotsConfig(port=tmp_path / "line", baud=board.baud, boxes=(1, 2), mechanism=board)

    async def look() -> None:
        async with own_bus(setup, tmp_path):
            raise AssertionError("opened")

    with pytest.raises(Refused, match="board_of_a_stopped_table"):
        asyncio.run(look())
