"""The power fails at every moment: whatever was acknowledged is there (docs/ledger.md, "Power").

Each check can fail: the same harness finds losses where SQLite or the disk does not sync.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from ledger_counter import MACHINE, fill, reopened
from ledger_failing_disk import FailingDisk
from powerloss_disk import Disk, Keep, steps, ways

from jackpot.ledger.errors import LedgerRefused, LedgerUnreadable
from jackpot.ledger.read import Reader

SEED = 234_1997
SOURCE = "slot:3:1001:0"

MEMORY = Path("/dev/shm") if Path("/dev/shm").is_dir() else None
"""Where images are looked at: syncs cost nothing there."""

LEAST_IMAGES = 20
"""Fewer would mean that the harness saw nothing of what the store does."""


class Found(NamedTuple):
    """What the controller finds when the power is back: the hash of each batch, or a refusal.

    The list begins with an empty text for "no batch yet".
    """

    hashes: list[str]
    refusal: str = ""


class Crashes:
    """Opens crash images with the real ``Ledger.open``; equal images are opened once."""

    def __init__(self) -> None:
        self._known: dict[bytes, Found] = {}

    def after(self, disk: Disk, keep: Keep) -> Found:
        """What is found if the power fails now."""
        image = disk.crash(keep)
        key = hashlib.sha256(repr(sorted(image.items())).encode()).digest()
        if key not in self._known:
            with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
                for name, content in image.items():
                    (Path(folder) / name).write_bytes(content)
                self._known[key] = open_image(Path(folder) / "table.ledger")
        return self._known[key]

    @property
    def images(self) -> int:
        """How many different images were opened."""
        return len(self._known)


def open_image(path: Path) -> Found:
    """Start the controller's store on an image, read every batch by the chain, and play on."""
    try:
        with reopened(path) as ledger, Reader(path, MACHINE.events) as reader:
            hashes = ["", *(recorded.hash for recorded in reader.checked())]
            assert len(hashes) == ledger.head.batch + 1
            ledger.append([fill((ledger.last_number(SOURCE) or 0) + 1)])
    except LedgerUnreadable as error:
        return Found([], "absent" if error.reason == "no_ledger" else error.reason)
    except LedgerRefused as error:
        return Found([], error.reason)
    return Found(hashes)


def losses(disk: FailingDisk, *, lies: bool = False) -> Iterator[str]:
    """Every broken promise, over all moments of the trace and all ways to fail there."""
    model = Disk(disk.folder)
    crashes = Crashes()
    for moment, step in enumerate(steps(disk.trace)):
        model.play(step)
        model.lies = lies and bool(model.marks)  # from the first acknowledgement on
        acked = [mark.split() for mark in model.marks if mark.startswith("acked ")]
        for way, keep in ways(SEED + moment):
            found = crashes.after(model, keep)
            if wrong := promise_broken(acked, found):
                yield f"moment {moment}, {way} kept: {wrong}"
    assert crashes.images > LEAST_IMAGES


def promise_broken(acked: list[list[str]], found: Found) -> str:
    """Nothing is acknowledged before the ledger exists; then all of it, to the last hash."""
    if not acked:
        return "" if found.refusal == "absent" else found.refusal
    if found.refusal:
        return found.refusal
    for _, batch, hash_ in acked:
        if int(batch) >= len(found.hashes):
            return f"batch {batch} was acknowledged, the last is {len(found.hashes) - 1}"
        if batch != "0" and found.hashes[int(batch)] != hash_:
            return f"batch {batch} has another hash"
    return ""


def test_no_acknowledged_batch_is_lost_whenever_the_power_fails(disk: FailingDisk) -> None:
    disk.run("play")
    assert list(losses(disk)) == []


@pytest.mark.parametrize("scenario", ["play_normal", "play_off"])
def test_without_a_sync_at_each_commit_acknowledged_batches_are_lost(
    disk: FailingDisk, scenario: str
) -> None:
    disk.run(scenario)
    assert any("was acknowledged" in loss for loss in losses(disk))


def test_on_a_disk_that_lies_about_syncing_acknowledged_batches_are_lost(disk: FailingDisk) -> None:
    disk.run("play")
    assert any("was acknowledged" in loss for loss in losses(disk, lies=True))


@pytest.mark.parametrize("death", ["die_in_commit", "die_after_a_failed_sync"])
def test_a_commit_found_after_a_kill_is_made_durable_before_it_is_told(
    disk: FailingDisk, death: str
) -> None:
    disk.run(death, status=99)
    disk.run("look_up")
    assert "found 2" in marks(disk)
    assert list(losses(disk)) == []


@pytest.mark.parametrize("death", ["die_in_commit", "die_after_a_failed_sync"])
def test_trusting_the_log_after_a_kill_would_lose_what_was_told(
    disk: FailingDisk, death: str
) -> None:
    disk.run(death, status=99)
    disk.run("look_up_trusting")
    assert any("was acknowledged" in loss for loss in losses(disk))


@pytest.mark.parametrize("scenario", ["fail_sync", "fill_disk"])
def test_nor_is_one_lost_around_a_failing_or_full_disk(disk: FailingDisk, scenario: str) -> None:
    disk.run(scenario)
    assert list(losses(disk)) == []


def test_a_restored_ledger_is_the_old_one_or_none_or_the_new_one(disk: FailingDisk) -> None:
    """Never one with the other's log: the moments of a restoration that the power cut short."""
    disk.run("leave_a_log")
    disk.run("put_back")
    model, crashes = Disk(disk.folder), Crashes()
    during: set[str] = set()
    after: set[str] = set()
    for moment, step in enumerate(steps(disk.trace)):
        model.play(step)
        if model.marks:
            for _, keep in ways(SEED + moment):
                found = crashes.after(model, keep)
                what = found.refusal or f"{len(found.hashes) - 1} batches"
                (after if "restored" in model.marks else during).add(what)
    assert during == {"5 batches", "absent", "3 batches"}
    assert after == {"3 batches"}


def marks(disk: FailingDisk) -> list[str]:
    """What the scenario told, in order."""
    model = Disk(disk.folder)
    for step in steps(disk.trace):
        model.play(step)
    return model.marks
