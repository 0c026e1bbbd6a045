"""From the checked ``[slots]`` to the setup of whatever detects the chips."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jackpot.board.setup import BoardSetup
from jackpot.cctalk.setup import LineSetup, SlotSetup
from jackpot.config import sections as s

FIRST_ADDRESS = 11
"""Of box 1 unless ``addresses`` says otherwise; the other boxes follow, up to 17."""

CCTALK_BAUD = 9600
"""Part 1 of the specification: the speed of every acceptor."""

BOARD_BAUD = 115_200
"""As fast as any adapter and microcontroller can; see ``docs/board.md``."""


def slots_config(read: dict[str, Any], base: Path, boxes: int) -> s.SlotsConfig:
    """The checked section."""
    numbers = tuple(range(1, boxes + 1))
    port = base / read["port"]
    if read["mechanism"] is s.Mechanism.BOARD:
        board = BoardSetup(boxes=numbers, baud=read["baud"] or BOARD_BAUD)
        return s.SlotsConfig(port=port, baud=board.baud, boxes=numbers, mechanism=board)
    cctalk = _cctalk(read, boxes)
    return s.SlotsConfig(port=port, baud=cctalk.line.baud, boxes=numbers, mechanism=cctalk)


def _cctalk(read: dict[str, Any], boxes: int) -> s.CctalkSetup:
    addresses = read["addresses"] or range(FIRST_ADDRESS, FIRST_ADDRESS + boxes)
    return s.CctalkSetup(
        line=LineSetup(
            echo=read["echo"],
            crc16=read["crc16"],
            reply_timeout_ms=read["reply_timeout_ms"],
            baud=read["baud"] or CCTALK_BAUD,
        ),
        slots=tuple(
            SlotSetup(
                box=box,
                address=address,
                coin_position=read["coin_position"] or None,
                coin_id_prefix=read["coin_id_prefix"],
                swapped_event_bytes=read["swapped_event_bytes"],
                sorter_path=read["sorter_path"] or None,
            )
            for box, address in enumerate(addresses, 1)
        ),
    )
