"""Which host belongs to which mechanism: the one place that knows them all."""

from __future__ import annotations

from collections.abc import Mapping

from jackpot.board import BoardHost
from jackpot.board.setup import BoardSetup
from jackpot.cctalk import BusHost
from jackpot.config.sections import CctalkSetup
from jackpot.mechanism.port import MechanismHost
from jackpot.mechanism.resume import Resume


def mechanism_host(
    setup: CctalkSetup | BoardSetup, resume: Mapping[int, Resume], now_ns: int
) -> MechanismHost:
    """The host of what is at the other end of the line, going on from ``resume``."""
    if isinstance(setup, BoardSetup):
        return BoardHost(setup, resume, now_ns)
    return BusHost(setup.slots, setup.line, resume, now_ns)
