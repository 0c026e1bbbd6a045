"""A late answer is on the line when a technician asks for bare addresses, which have no checksum."""

from __future__ import annotations

import asyncio
import os
import tty
from pathlib import Path

import pytest

from jackpot.cctalk.headers import Header
from jackpot.cctalk.setup import Echo, LineSetup
from jackpot.daemon.technician import probe as probe_module
from jackpot.daemon.technician.probe import Probe

LATE_ANSWER = bytes.fromhex("01 00 11 00 ee")
"""What address 17 says to a simple poll (part 1, 3.1): sixty milliseconds later, on a busy machine."""


async def test_CAN_8_b2_a_late_answer_is_no_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It once was told as eleven devices at one address."""
    monkeypatch.setattr(probe_module, "ADDRESSES_S", 0.3)
    far, near = os.openpty()
    tty.setraw(near)
    probe = Probe(os.ttyname(near), LineSetup(echo=Echo.OFF), lock_directory=tmp_path)
    probe.open()
    loop = asyncio.get_running_loop()
    asked = asyncio.Event()

    def question() -> None:
        os.read(far, 64)
        os.write(far, bytes([17]))
        loop.remove_reader(far)
        asked.set()

    loop.add_reader(far, question)
    loop.call_later(0.06, os.write, far, LATE_ANSWER)
    try:
        assert await probe.addresses(17, Header.ADDRESS_CLASH) == [17]
        assert asked.is_set()
    finally:
        probe.close()
        os.close(far)
        os.close(near)
