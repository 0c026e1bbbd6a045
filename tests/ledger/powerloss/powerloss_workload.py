"""What is done to the disk while its power fails: the real ledger, in a process of its own.

Run under ``shim.c`` with the folder and the name of a scenario. Whatever is acknowledged is marked
in the trace: ``acked <batches> <head hash>``.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Callable
from pathlib import Path

from ledger_counter import AT_NS, KEY, MACHINE, ORIGIN, Counter, fill, new_ledger, reopened

from jackpot.ledger import connection, store
from jackpot.ledger.errors import CommitUnknown, LedgerFull, LedgerReadOnly
from jackpot.ledger.note import Signer
from jackpot.ledger.snapshot import restore, take_snapshot
from jackpot.ledger.store import Ledger

SHIM = ctypes.CDLL(None)
for _name in ("loss_fail_syncs_after", "loss_die_at_sync_after", "loss_room"):
    getattr(SHIM, _name).argtypes = [ctypes.c_long]

SOURCE = "slot:3:1001:0"

FEW_PAGES = 12
"""So that the log is copied and begun anew every few commits, within a short trace."""


def settings(**changed: tuple[str, int | str]) -> None:
    """Other PRAGMAs than the product's."""
    changed = {"wal_autocheckpoint": (str(FEW_PAGES), FEW_PAGES), **changed}
    connection._SETTINGS = tuple(
        (name, *changed.get(name, (value, expected)))
        for name, value, expected in connection._SETTINGS
    )


def mark(text: str) -> None:
    """Into the trace, at this very place in the order of things."""
    SHIM.loss_mark(text.encode())


def acked(ledger: Ledger[Counter]) -> None:
    """From now on, this must survive."""
    mark(f"acked {ledger.head.batch} {ledger.head.hash}")


def play(path: Path) -> None:
    """A day: single commits, group commits, checkpoints, a closing and a new start."""
    ledger = new_ledger(path)
    acked(ledger)
    for number in range(1, 9):
        ledger.append([fill(number)])
        acked(ledger)
    ledger.append([fill(number) for number in range(9, 60)])
    acked(ledger)
    ledger.sign_checkpoint(AT_NS)
    ledger.append([fill(60)])
    acked(ledger)
    ledger.close()
    ledger = reopened(path)
    acked(ledger)
    for number in range(61, 66):
        ledger.append([fill(number)])
        acked(ledger)
    os._exit(0)


def play_normal(path: Path) -> None:
    """Not synced at each commit."""
    settings(synchronous=("NORMAL", 1))
    play(path)


def play_off(path: Path) -> None:
    """Not synced at all."""
    settings(synchronous=("OFF", 0))
    play(path)


def die_in_commit(path: Path) -> None:
    """Killed after the commit was written and before it was synced."""
    ledger = new_ledger(path)
    ledger.append([fill(1)])
    acked(ledger)
    SHIM.loss_die_at_sync_after(0)
    ledger.append([fill(2)])


def die_after_a_failed_sync(path: Path) -> None:
    """Killed before anybody could close the ledger in good order."""
    ledger = new_ledger(path)
    ledger.append([fill(1)])
    acked(ledger)
    SHIM.loss_fail_syncs_after(0)
    with contextlib.suppress(CommitUnknown):
        ledger.append([fill(2)])
    os._exit(99)


def look_up(path: Path) -> None:
    """The restart: a cause that is found is told to be recorded."""
    ledger = reopened(path)
    mark(f"found {ledger.last_number(SOURCE)}")
    acked(ledger)
    os._exit(0)


def look_up_trusting(path: Path) -> None:
    """The restart, without writing the log again."""
    vars(store)["rewrite_log"] = lambda path: None
    look_up(path)


def fail_sync(path: Path) -> None:
    """The disk fails in a COMMIT; the cause is looked up after reopening."""
    ledger = new_ledger(path)
    ledger.append([fill(1)])
    acked(ledger)
    SHIM.loss_fail_syncs_after(0)
    try:
        ledger.append([fill(2)])
    except CommitUnknown as error:
        print(f"unknown: {error}")
    try:
        ledger.append([fill(3)])
    except CommitUnknown:
        print("takes nothing more")
    SHIM.loss_fail_syncs_after(-1)
    ledger.close()
    ledger = reopened(path)
    acked(ledger)
    last = ledger.last_number(SOURCE)
    print(f"last number {last} of batches {ledger.head.batch}")
    ledger.append([fill((last or 0) + 1)])
    acked(ledger)


def leave_a_log(path: Path) -> None:
    """A ledger of five batches and its snapshot of three; killed, so that its log is still there."""
    ledger = new_ledger(path)
    ledger.append([fill(number) for number in (1, 2, 3)])
    take_snapshot(path, path.with_name("snapshot.ledger"), MACHINE, ledger.verifier)
    ledger.append([fill(number) for number in (4, 5)])
    os._exit(0)


def put_back(path: Path) -> None:
    """The snapshot takes the ledger's place."""
    mark("restoring")
    verifier = Signer(ORIGIN, KEY).verifier
    restore(path.with_name("snapshot.ledger"), path, MACHINE, verifier, replace=True)
    mark("restored")


def fill_disk(path: Path) -> None:
    """No room in a COMMIT; then there is room again."""
    ledger = new_ledger(path)
    ledger.append([fill(1)])
    acked(ledger)
    for room in (0, 100, 5_000, 9_000):
        SHIM.loss_room(room)
        try:
            ledger.append([fill(number) for number in range(2, 80)])
        except LedgerFull as error:
            print(f"full: {error.reason}")
    SHIM.loss_room(-1)
    print(f"batches {ledger.head.batch}")
    ledger.append([fill(2)])
    acked(ledger)
    ledger.close()
    print(f"batches after reopening {reopened(path).head.batch}")


def read_only(path: Path) -> None:
    """A disk that was mounted read-only meanwhile."""
    new_ledger(path).close()
    SHIM.loss_read_only(1)
    try:
        reopened(path)
    except LedgerReadOnly as error:
        print(error.reason)


SCENARIOS: dict[str, Callable[[Path], None]] = {
    scenario.__name__: scenario
    for scenario in (
        play,
        play_normal,
        play_off,
        die_in_commit,
        die_after_a_failed_sync,
        look_up,
        look_up_trusting,
        fail_sync,
        leave_a_log,
        put_back,
        fill_disk,
        read_only,
    )
}

if __name__ == "__main__":
    settings()
    SCENARIOS[sys.argv[2]](Path(sys.argv[1]) / "table.ledger")
