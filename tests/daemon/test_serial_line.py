"""The serial port in the event loop, on pseudo terminals."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jackpot.daemon import serial_line
from jackpot.daemon.serial_line import WRITE_QUEUE_BYTES, LineGone, SerialLine
from jackpot.errors import Refused

SOON_S = 5.0


class Cable:
    """A pseudo terminal behind a stable name, as udev makes one."""

    def __init__(self, name: Path) -> None:
        self.name = name
        self.master = -1
        self.plug()

    def plug(self) -> None:
        self.master, slave = os.openpty()
        self.name.unlink(missing_ok=True)
        self.name.symlink_to(os.ttyname(slave))
        os.close(slave)

    def unplug(self) -> None:
        if self.master >= 0:
            os.close(self.master)
            self.master = -1


class Heard:
    """What a line told; each can be awaited."""

    def __init__(self) -> None:
        self.bytes: asyncio.Queue[bytes] = asyncio.Queue()
        self.lost: asyncio.Queue[str] = asyncio.Queue()
        self.restored: asyncio.Queue[bool] = asyncio.Queue()


@pytest.fixture
def cable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cable]:
    monkeypatch.setattr(serial_line, "REOPEN_FIRST_S", 0.01)
    cable = Cable(tmp_path / "by-path-usb-0:1")
    yield cable
    cable.unplug()


def line_on(cable: Cable, heard: Heard) -> SerialLine:
    return SerialLine(
        str(cable.name),
        9600,
        heard.bytes.put_nowait,
        heard.lost.put_nowait,
        on_restored=lambda: heard.restored.put_nowait(True),
        lock_directory=cable.name.parent / "lock",
    )


async def test_bytes_go_both_ways_unchanged(cable: Cable) -> None:
    heard = Heard()
    line = line_on(cable, heard)
    line.open()
    every_byte = bytes(range(256))
    line.write(every_byte)
    assert os.read(cable.master, 512) == every_byte
    os.write(cable.master, every_byte)
    got = b""
    while len(got) < 256:
        got += await asyncio.wait_for(heard.bytes.get(), SOON_S)
    assert got == every_byte
    line.close()


async def test_a_second_daemon_on_the_port_is_refused_and_told_by_whom(cable: Cable) -> None:
    first, second = line_on(cable, Heard()), line_on(cable, Heard())
    first.open()
    with pytest.raises(Refused, match="port_taken") as refused:
        second.open()
    assert f"process {os.getpid()}, " in refused.value.found
    with pytest.raises(Refused):
        second.open_when_there()
    first.close()
    second.open()
    assert second.is_open
    second.close()


async def test_the_lock_follows_the_device_not_its_name(cable: Cable) -> None:
    other_name = cable.name.parent / "ttyUSB7"
    other_name.symlink_to(os.readlink(cable.name))
    first, second = line_on(cable, Heard()), line_on(cable, Heard())
    second.path = str(other_name)
    first.open()
    with pytest.raises(Refused, match="port_taken"):
        second.open()
    first.close()


async def test_a_port_locked_without_our_lock_file_is_refused_too(
    cable: Cable, tmp_path: Path
) -> None:
    first, second = line_on(cable, Heard()), line_on(cable, Heard())
    first.open()
    second._lock_directory = tmp_path / "another"
    with pytest.raises(Refused, match="port_taken"):
        second.open()
    first.close()


async def test_a_port_that_is_not_there_is_gone_not_taken(tmp_path: Path) -> None:
    line = SerialLine(
        str(tmp_path / "nothing"), 9600, print, print, lock_directory=tmp_path / "lock"
    )
    with pytest.raises(LineGone, match="nothing"):
        line.open()


async def test_a_lock_directory_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    line = SerialLine("/dev/null", 9600, print, print, lock_directory=tmp_path / "file")
    with pytest.raises(Refused, match="no_lock_file"):
        line.open()


async def test_a_vanished_adapter_is_told_once_and_found_again_under_the_same_name(
    cable: Cable,
) -> None:
    heard = Heard()
    line = line_on(cable, heard)
    line.open()
    before = os.readlink(cable.name)
    cable.unplug()
    reason = await asyncio.wait_for(heard.lost.get(), SOON_S)
    assert str(cable.name) in reason
    assert not line.is_open
    keeps_the_number_busy = os.openpty()
    cable.plug()
    assert os.readlink(cable.name) != before
    assert await asyncio.wait_for(heard.restored.get(), SOON_S)
    os.write(cable.master, b"\x01")
    assert await asyncio.wait_for(heard.bytes.get(), SOON_S) == b"\x01"
    assert heard.lost.empty()
    line.close()
    for fd in keeps_the_number_busy:
        os.close(fd)


async def test_a_port_that_is_not_there_yet_is_waited_for(cable: Cable) -> None:
    heard = Heard()
    target = os.readlink(cable.name)
    cable.name.unlink()
    line = line_on(cable, heard)
    line.open_when_there()
    assert not line.is_open
    line.write(b"into the void")
    cable.name.symlink_to(target)
    assert await asyncio.wait_for(heard.restored.get(), SOON_S)
    line.close()


async def test_the_wait_for_the_adapter_doubles_up_to_its_bound(tmp_path: Path) -> None:
    line = SerialLine(
        str(tmp_path / "nothing"), 9600, print, print, lock_directory=tmp_path / "lock"
    )
    waits = []
    for _ in range(4):
        waits.append(line._reopen_s)
        line._arm_reopen()
        assert line._reopen is not None
        line._reopen.cancel()
    assert waits == [0.25, 0.5, 0.5, 0.5]
    line.close()


async def test_a_port_that_takes_nothing_is_lost_and_closing_does_not_wait(cable: Cable) -> None:
    heard = Heard()
    line = line_on(cable, heard)
    line.open()
    # Nobody reads the other end: the kernel's buffer fills, then our queue.
    for _ in range(100):
        line.write(bytes(WRITE_QUEUE_BYTES // 4))
        if not heard.lost.empty():
            break
    assert "takes no bytes" in heard.lost.get_nowait()
    started = time.monotonic()
    line.close()
    assert time.monotonic() - started < 0.5


async def test_a_closed_line_stays_closed(cable: Cable) -> None:
    heard = Heard()
    line = line_on(cable, heard)
    line.open()
    line.close()
    line.close()
    assert heard.lost.empty()
    assert not line.is_open
