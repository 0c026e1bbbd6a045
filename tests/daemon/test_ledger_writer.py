"""The event loop's writer: nothing is answered before it is on the disk, and each gets its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jackpot.daemon import ledger_writer
from jackpot.daemon.ledger_writer import LedgerWriter
from jackpot.errors import Refused
from jackpot.ledger.errors import CommitUnknown, DuplicateCause
from jackpot.ledger.machine import Cause, Committed, Machine, NewBatch
from jackpot.ledger.store import Ledger
from jackpot.table.event import Event


class Ticked(Event, frozen=True, kw_only=True):
    """The only event of this test's machine."""

    kind: ClassVar[str] = "ticked"


class Ticks(msgspec.Struct, frozen=True):
    """How many there were."""

    count: int = 0


MACHINE: Machine[Ticks] = Machine(
    name="ticks",
    events={"ticked": Ticked},
    initial=Ticks(),
    evolve=lambda state, event: Ticks(state.count + 1),
    state_type=Ticks,
    rules_version="1",
    derive=lambda state: {},
)


class SlowLedger(Ledger[Ticks]):
    """Its commits wait until the test lets them go, and it notes how many batches each took."""

    def watch(self) -> None:
        self.gate = threading.Semaphore(0)
        self.sizes: list[int] = []
        self.threads: set[int] = set()
        self.failure: Exception | None = None

    def append(self, batches: Sequence[NewBatch]) -> Committed:
        self.gate.acquire()
        self.threads.add(threading.get_ident())
        if self.failure is not None:
            raise self.failure
        committed = super().append(batches)
        self.sizes.append(len(batches))
        return committed


@pytest.fixture
def ledger(tmp_path: Path) -> SlowLedger:
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    slow = SlowLedger.create(
        tmp_path / "t.ledger", MACHINE, key, origin="casino.example/t", at_ns=0
    )
    slow.watch()
    return slow


def tick(number: int, source: str = "clock") -> NewBatch:
    return NewBatch(0, None, Cause(source, number), (Ticked(),))


async def asked(writer: LedgerWriter[Ticks], *batches: NewBatch) -> asyncio.Task[Committed]:
    """A request that stands in the queue."""
    task = asyncio.create_task(writer.append(batches))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return task


async def test_what_gathers_during_a_commit_goes_into_the_next_one(ledger: SlowLedger) -> None:
    writer = LedgerWriter(ledger)
    writer.start()
    first = await asked(writer, tick(1))
    others = [await asked(writer, tick(2)), await asked(writer, tick(3), tick(4))]
    assert not first.done()
    ledger.gate.release(2)
    assert (await first)[:3] == (1, 1, 1)
    assert [(await other)[:2] for other in others] == [(2, 2), (3, 4)]
    assert ledger.sizes == [1, 3]
    assert threading.get_ident() not in ledger.threads
    assert len(ledger.threads) == 1
    await writer.close()
    ledger.close()


async def test_a_duplicate_in_a_group_is_told_to_its_own_request_only(ledger: SlowLedger) -> None:
    ledger.gate.release(100)
    writer = LedgerWriter(ledger)
    writer.start()
    await writer.append([tick(5)])
    requests = [await asked(writer, tick(n, s)) for n, s in ((1, "a"), (5, "clock"), (1, "b"))]
    results = await asyncio.gather(*requests, return_exceptions=True)
    assert isinstance(results[1], DuplicateCause)
    assert [r[:2] for r in (results[0], results[2]) if isinstance(r, Committed)] == [(2, 2), (3, 3)]
    await writer.close()
    ledger.close()


async def test_an_unknown_commit_is_unknown_to_everyone_in_it(ledger: SlowLedger) -> None:
    writer = LedgerWriter(ledger)
    writer.start()
    first = await asked(writer, tick(1))
    others = [await asked(writer, tick(2)), await asked(writer, tick(3))]
    ledger.failure = CommitUnknown("disk I/O error")
    ledger.gate.release(2)
    for request in (first, *others):
        with pytest.raises(CommitUnknown):
            await request
    await writer.close()
    ledger.close()


async def test_the_state_is_the_committed_one(ledger: SlowLedger) -> None:
    writer = LedgerWriter(ledger)
    writer.start()
    request = await asked(writer, tick(1))
    assert writer.ledger.state == Ticks(0)
    ledger.gate.release()
    await request
    assert writer.ledger.state == Ticks(1)
    await writer.close()
    ledger.close()


async def test_closing_commits_what_waits_and_refuses_what_comes_later(ledger: SlowLedger) -> None:
    writer = LedgerWriter(ledger)
    writer.start()
    waiting = [await asked(writer, tick(number)) for number in (1, 2, 3)]
    closing = asyncio.create_task(writer.close())
    await asyncio.sleep(0)
    with pytest.raises(Refused, match="ledger_writer_closed"):
        await writer.append([tick(4)])
    ledger.gate.release(10)
    await closing
    assert [(await request).last_batch for request in waiting] == [1, 2, 3]
    await writer.close()
    ledger.close()


async def test_a_writer_that_was_not_started_refuses(ledger: SlowLedger) -> None:
    writer = LedgerWriter(ledger)
    with pytest.raises(Refused, match="ledger_writer_closed"):
        await writer.append([tick(1)])
    await writer.close()
    ledger.close()


async def test_a_full_queue_makes_callers_wait_and_loses_none(
    ledger: SlowLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_writer, "MAX_WAITING", 2)
    monkeypatch.setattr(ledger_writer, "MAX_GROUP", 2)
    writer = LedgerWriter(ledger)
    writer.start()
    requests = [await asked(writer, tick(number)) for number in range(1, 11)]
    ledger.gate.release(20)
    assert [(await request).last_batch for request in requests] == list(range(1, 11))
    assert max(ledger.sizes) == 2
    await writer.close()
    ledger.close()


async def test_a_cancelled_caller_does_not_take_back_what_it_asked(ledger: SlowLedger) -> None:
    writer = LedgerWriter(ledger)
    writer.start()
    first, second = await asked(writer, tick(1)), await asked(writer, tick(2))
    first.cancel()
    ledger.gate.release(2)
    assert (await second).last_batch == 2
    assert ledger.last_number("clock") == 2
    await writer.close()
    ledger.close()


async def test_checkpoints_are_signed_between_commits(ledger: SlowLedger) -> None:
    ledger.gate.release(10)
    writer = LedgerWriter(ledger)
    writer.start()
    await writer.append([tick(1)])
    note = await writer.sign_checkpoint(0)
    assert note.startswith("casino.example/t\n1\n")
    await writer.close()
    with pytest.raises(Refused, match="ledger_writer_closed"):
        await writer.sign_checkpoint(0)
    ledger.close()
