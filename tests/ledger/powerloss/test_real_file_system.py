"""A real ext4, shut down under the writing ledger as a power cut would (``FS_IOC_SHUTDOWN``).

The crash images of ``test_power_loss`` are more thorough; this checks their model against Linux.
Only root may mount, so for everybody else there is nothing in this file.
"""

from __future__ import annotations

import fcntl
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from ledger_counter import new_ledger, reopened

HERE = Path(__file__).parents[1]
CUTS = 4
DISK_BYTES = 16 * 1024 * 1024

SHUTDOWN = 0x8004587D
"""``_IOR('X', 125, __u32)`` of Linux; with 2 nothing more is written, not even the journal."""
WITHOUT_FLUSH = (2).to_bytes(4, sys.byteorder)

WRITER = """
import pathlib, sys
from jackpot.ledger import connection
from ledger_counter import fill, reopened
connection._SETTINGS = tuple(
    ("synchronous", *sys.argv[2:3], int(sys.argv[3])) if setting[0] == "synchronous" else setting
    for setting in connection._SETTINGS
)
ledger = reopened(pathlib.Path(sys.argv[1]))
while True:
    committed = ledger.append([fill(ledger.head.batch + 1)])
    print(committed.last_batch, flush=True)
"""


class Ext4:
    """A file system in a file."""

    def __init__(self, folder: Path) -> None:
        self._image = folder / "ext4.img"
        self.folder = folder / "mounted"
        self.folder.mkdir()
        self._image.write_bytes(bytes(DISK_BYTES))
        subprocess.run(["mkfs.ext4", "-q", str(self._image)], check=True)

    def __enter__(self) -> Path:
        subprocess.run(["mount", "-o", "loop", str(self._image), str(self.folder)], check=True)
        return self.folder

    def __exit__(self, *_: object) -> None:
        subprocess.run(["umount", str(self.folder)], check=True)

    def cut(self) -> None:
        """The power fails."""
        descriptor = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.ioctl(descriptor, SHUTDOWN, WITHOUT_FLUSH)
        finally:
            os.close(descriptor)


def acknowledged_until_the_cut(disk: Ext4, path: Path, commits: int, *synchronous: str) -> int:
    """Let a writer run for so many commits, cut the power, return the last acknowledgement before.

    Later ones do not count: while the file system shuts down, a sync may still succeed by name
    only, which no disk without power does.
    """
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), *synchronous],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(HERE)},
        text=True,
    )
    assert writer.stdout is not None
    last = 0
    for _ in range(commits):
        last = int(writer.stdout.readline())
    disk.cut()
    writer.communicate()
    return last


def batches_after_cuts(folder: Path, *synchronous: str) -> list[tuple[int, int]]:
    """For every cut: how many batches were acknowledged, and how many were there afterwards."""
    chance = random.Random(234)
    disk = Ext4(folder)
    path = disk.folder / "table.ledger"
    with disk:
        new_ledger(path).close()
    found = []
    for _ in range(CUTS):
        with disk:
            acked = acknowledged_until_the_cut(disk, path, chance.randrange(20, 400), *synchronous)
        with disk, reopened(path) as ledger:
            found.append((acked, ledger.head.batch))
    return found


if os.geteuid() == 0 and Path("/dev/loop-control").exists():

    def test_every_acknowledged_batch_survives_the_cuts(tmp_path: Path) -> None:
        found = batches_after_cuts(tmp_path, "FULL", "2")
        assert all(acked <= there for acked, there in found), found

    @pytest.mark.parametrize("synchronous", [("NORMAL", "1"), ("OFF", "0")])
    def test_without_syncs_the_cuts_lose_acknowledged_batches(
        tmp_path: Path, synchronous: tuple[str, str]
    ) -> None:
        found = batches_after_cuts(tmp_path, *synchronous)
        assert any(there < acked for acked, there in found), found
