"""Whether a board can serve a table at all."""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.board.messages import Identity
from jackpot.mechanism.wire_events import Diagnosis

HIGHEST_SERIAL = 2**53 - 1
"""So that every reader of the ledger's JSON shows the number as it is."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why not; ``detail`` is for people."""

    reason: Diagnosis
    detail: str


def misfit(board: Identity, boxes: tuple[int, ...]) -> Misfit | None:
    """What is wrong with the board, None if it fits."""
    if board.slots < len(boxes):
        return Misfit(
            Diagnosis.NO_CHIP_CHANNEL,
            f"expected a slot for each of {len(boxes)} boxes; the board has {board.slots}",
        )
    if not 1 <= board.serial <= HIGHEST_SERIAL:
        return Misfit(
            Diagnosis.WRONG_SHAPE,
            f"expected a serial number 1 to {HIGHEST_SERIAL}; found {board.serial}",
        )
    if board.boot == 0:
        return Misfit(
            Diagnosis.SELF_CHECK,
            "the board cannot count its starts: its memory has failed, replace it",
        )
    return None
