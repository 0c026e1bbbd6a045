"""The ledger for the event loop: one writer thread, group commit, and no answer before COMMIT.

While one commit is on its way to the disk, requests gather; the next commit takes them all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, TypeVar

from jackpot.errors import Refused
from jackpot.ledger.errors import CommitUnknown
from jackpot.ledger.machine import Committed, NewBatch
from jackpot.ledger.store import Ledger

S = TypeVar("S")

MAX_WAITING = 256
"""Requests in the queue. Seven slots, two consoles and the clock make ten at a time; two hundred
mean that the disk stands still, and then callers must wait rather than memory grow."""

MAX_GROUP = 64
"""Requests in one transaction: enough for every source at once, small enough for a few ms."""


@dataclass(frozen=True)
class _Request:
    batches: Sequence[NewBatch]
    done: asyncio.Future[Committed]


class LedgerWriter(Generic[S]):
    """Appends from any task. Create, ``start``, use, ``close``; the ledger itself stays open."""

    def __init__(self, ledger: Ledger[S]) -> None:
        self._ledger = ledger
        self._queue: asyncio.Queue[_Request | None] = asyncio.Queue(MAX_WAITING)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger")
        self._task: asyncio.Task[None] | None = None
        self._closing = False

    @property
    def ledger(self) -> Ledger[S]:
        """For ``state`` and ``head``, which are those of the last commit."""
        return self._ledger

    def start(self) -> None:
        """Begin to serve; within a running event loop."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._serve())

    async def append(self, batches: Sequence[NewBatch]) -> Committed:
        """Record ``batches`` together; returns when they are on the disk.

        Waits while the queue is full. Raises what ``Ledger.append`` raises for *this* request.
        Once asked, it is done: cancelling the caller does not take it back.
        """
        if self._closing or self._task is None:
            raise _closed()
        done: asyncio.Future[Committed] = asyncio.get_running_loop().create_future()
        await self._queue.put(_Request(tuple(batches), done))
        return await done

    async def sign_checkpoint(self, at_ns: int) -> str:
        """``Ledger.sign_checkpoint``, in the writer's thread, between two commits."""
        if self._closing:
            raise _closed()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._ledger.sign_checkpoint, at_ns)

    async def close(self) -> None:
        """Take no more, commit what waits, end the thread."""
        if self._task is not None and not self._closing:
            self._closing = True
            await self._queue.put(None)
            await self._task
        self._closing = True
        self._thread.shutdown()

    async def _serve(self) -> None:
        open_ = True
        while open_:
            first = await self._queue.get()
            group = [first] if first else []
            open_ = first is not None
            while open_ and len(group) < MAX_GROUP and not self._queue.empty():
                following = self._queue.get_nowait()
                open_ = following is not None
                group += [following] if following else []
            if group:
                await self._commit(group)
        self._refuse_the_late()

    async def _commit(self, group: list[_Request]) -> None:
        """One transaction for the group; if one request is refused, each for itself."""
        loop = asyncio.get_running_loop()
        together = [batch for request in group for batch in request.batches]
        try:
            committed = await loop.run_in_executor(self._thread, self._ledger.append, together)
        except Exception as error:
            if len(group) > 1 and not isinstance(error, CommitUnknown):
                for request in group:
                    await self._commit([request])
                return
            for request in group:
                _fail(request, error)
            return
        first_batch = committed.first_batch
        for request in group:
            last_batch = first_batch + len(request.batches) - 1
            _answer(request, Committed(first_batch, last_batch, *committed[2:]))
            first_batch = last_batch + 1

    def _refuse_the_late(self) -> None:
        """Whoever was waiting for room in the queue when it closed gets an answer too."""
        while not self._queue.empty():
            request = self._queue.get_nowait()
            if request is not None:
                _fail(request, _closed())


def _answer(request: _Request, committed: Committed) -> None:
    if not request.done.done():
        request.done.set_result(committed)


def _fail(request: _Request, error: Exception) -> None:
    if not request.done.done():
        request.done.set_exception(error)


def _closed() -> Refused:
    return Refused(
        reason="ledger_writer_closed",
        expected="a running ledger writer",
        found="one that is closed or was never started",
        to_do="start the controller again",
    )
