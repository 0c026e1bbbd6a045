"""The disk fails: full, gone bad, or read-only (docs/ledger.md, "Power and disks")."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from ledger_counter import fill, new_ledger, reopened
from ledger_failing_disk import FailingDisk

from jackpot.ledger.errors import LedgerFull, LedgerUnreadable

SMALL_BYTES = 512 * 1024


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of half a MiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SMALL_BYTES}", "small", str(folder)], check=True
    )
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill_until_full(path: Path) -> int:
    """How many batches were acknowledged before the disk was full."""
    with new_ledger(path) as ledger:
        for number in range(1, 10_000):
            try:
                ledger.append([fill(number)])
            except LedgerFull:
                assert ledger.head.batch == number - 1
                return number - 1
    raise AssertionError("the disk was never full")


def fill_the_rest(filler: Path) -> None:
    """Not a byte is left: the log's index cannot be made."""
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while file.write(bytes(512)):
            pass


def test_a_full_disk_refuses_new_batches_and_loses_none(disk: FailingDisk) -> None:
    assert disk.run("fill_disk") == [
        "full: ledger_full",
        "full: ledger_full",
        "full: ledger_full",
        "full: ledger_full",
        "batches 1",
        "batches after reopening 2",
    ]


if os.geteuid() == 0:  # only root mounts; everybody else has the test above

    def test_a_small_file_system_fills_up_and_is_used_again_when_it_has_room(
        small_disk: Path,
    ) -> None:
        path = small_disk / "table.ledger"
        ballast = small_disk / "ballast"
        ballast.write_bytes(bytes(SMALL_BYTES // 4))
        recorded = fill_until_full(path)
        assert recorded > 10
        fill_the_rest(small_disk / "filler")
        with pytest.raises(LedgerUnreadable, match="disk_failed"):
            reopened(path)
        (small_disk / "filler").unlink()
        ballast.unlink()
        with reopened(path) as ledger:
            assert ledger.head.batch == recorded
            ledger.append([fill(recorded + 1)])


def test_after_a_failed_sync_nothing_is_taken_and_the_cause_is_looked_up(
    disk: FailingDisk,
) -> None:
    lines = disk.run("fail_sync")
    assert lines[0].startswith("unknown: commit_unknown: ")
    assert lines[1] == "takes nothing more"
    assert lines[2] == "last number 1 of batches 1"


def test_a_disk_mounted_read_only_is_named_as_such(disk: FailingDisk) -> None:
    assert disk.run("read_only") == ["ledger_read_only"]
