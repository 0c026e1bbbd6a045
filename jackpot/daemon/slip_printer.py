"""Payment slips from a running table: `jackpot slip` on the ledger, as a process of its own.

It reads the committed ledger and checks its chain on the way, which takes a while on an old one; in a
process of its own it holds up neither the table nor the screens.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import structlog

from jackpot.errors import Refused

LONGEST_S = 60.0
"""Years of a ledger; whoever waits longer looks at the history instead."""

_log = structlog.get_logger(__name__)


class SlipPrinter:
    """Makes the slips of one table."""

    def __init__(self, ledger: Path, zone: str) -> None:
        self._ledger = ledger
        self._zone = zone

    async def slip(self, award: int, box: int, bet: int, *, a4: bool, copy: bool) -> bytes:
        """The slip of a payment as PDF, for the roll of a small printer or a sheet.

        Refuses ``slip_failed``; then nothing was printed, and a copy can be asked for."""
        command = ["-m", "jackpot.cli", "slip", str(self._ledger), "--format", "pdf"]
        command += ["--award", str(award), "--box", str(box), "--bet", str(bet)]
        command += ["--paper", "a4" if a4 else "80mm", "--zone", self._zone]
        command += [] if copy else ["--original"]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(LONGEST_S):
                page, said = await process.communicate()
        except TimeoutError:
            process.kill()
            await process.wait()
            raise _failed("no answer") from None
        if process.returncode or not page:
            raise _failed(said.decode(errors="replace")[-200:])
        return page


def _failed(why: str) -> Refused:
    _log.error("no slip", why=why)
    return Refused(
        reason="slip_failed",
        expected="the slip from the ledger",
        found=why,
        to_do="print a copy, or call the technician",
        rule="CAN-8.7",
    )
