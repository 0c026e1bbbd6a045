"""The daemon's side of `jackpot slots test`: open one slot between hands, wait for a real chip, sign."""

from __future__ import annotations

import asyncio
import secrets
from typing import Protocol

import msgspec

from jackpot.daemon.officer_book import TooSoon
from jackpot.daemon.table_desk import TableDesk
from jackpot.errors import Refused
from jackpot.table import facts as f

LONGEST_TEST_S = 60
"""No hand starts during a test, so it ends by itself."""


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the command sends."""

    box: int
    by: str
    pin: str
    seconds: int = 30


class Told(msgspec.Struct, frozen=True):
    """What it gets back; ``fault`` is why the slot was out of service, if it was."""

    box: int
    by: str
    chips: int
    result: str
    fault: str = ""


class Book(Protocol):
    """Who knows PINs."""

    async def verify(self, officer: str, pin: str) -> bool | TooSoon:
        """Whether the PIN is right."""


async def run_test(desk: TableDesk, book: Book, asked: Asked) -> Told:
    """Wait for one chip in ``asked.box``; the end is signed into the ledger whatever happens.

    Raises ``Refused``: wrong PIN, no technician, a hand is running, another test.
    """
    await _check_pin(book, asked)
    session = f"technician-{secrets.token_hex(8)}"
    await desk.act(f.SlotTestStarted(by=asked.by, box=asked.box), form=f"{session}.1")
    try:
        await _wait(desk, min(max(1, asked.seconds), LONGEST_TEST_S))
    finally:
        test = desk.state.test
        chips = test.chips if test is not None else 0
        result = f.TestResult.PASSED if chips else f.TestResult.FAILED
        end = f.SlotTested(by=asked.by, box=asked.box, chips=chips, result=result)
        await asyncio.shield(desk.act(end, form=f"{session}.2"))
    slot = desk.state.slots[asked.box - 1]
    return Told(asked.box, asked.by, chips, result.value, "" if slot.up else slot.why_down)


async def _wait(desk: TableDesk, seconds: int) -> None:
    """Until a chip is told, or the time is over."""
    loop = asyncio.get_running_loop()
    ends_s = loop.time() + seconds
    while (left_s := ends_s - loop.time()) > 0:
        test = desk.state.test
        if test is None or test.chips:
            break
        await desk.changed(desk.version, left_s)


async def _check_pin(book: Book, asked: Asked) -> None:
    right = await book.verify(asked.by, asked.pin)
    if right is True:
        return
    found = f"{right.wait_s} s to wait" if isinstance(right, TooSoon) else "another PIN"
    raise Refused(
        reason="wrong_pin",
        expected=f"the PIN of {asked.by}",
        found=found,
        to_do="type it again; `jackpot officers list` shows the ids",
    )
