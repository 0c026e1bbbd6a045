"""The audit room's work in the background: checker and replay, each a process of its own.

Neither slows the pages down, and a fault of theirs leaves the site standing and says so.
"""

from __future__ import annotations

import os
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec

from jackpot.audit.checker import Report, verify
from jackpot.audit.site.background import Work
from jackpot.audit.site.index import IndexWriter, ReplayVerdict, build_index
from jackpot.audit.source import Source
from jackpot.errors import Refused

NICENESS = 5
"""The pages come first."""

STOP_TIMEOUT_S = 2.0
"""A worker writes nothing that anybody needs: it is ended at once."""

TOLD_AT_ONCE = 1_000
"""Messages read in one go; a worker sends some ten a second."""


def _check(path: Path, public_key: str | None, tell: Connection) -> None:
    """The checker's process."""
    os.nice(NICENESS)
    report = verify(
        path, public_key=public_key, progress=lambda done, _: tell.send(("checked", done))
    )
    tell.send(("report", msgspec.json.encode(report)))


def _replay(path: Path, index: Path, tell: Connection) -> None:
    """The replay's process."""
    os.nice(NICENESS)
    try:
        with Source(path) as source:
            verdict = build_index(source, index, lambda done, _: tell.send(("indexed", done)))
        tell.send(("verdict", msgspec.json.encode(verdict)))
    except Refused as refused:
        tell.send(("failed", refused.text()))


class Workers:
    """Both processes of one ledger. The index is there, empty, as soon as this is."""

    def __init__(self, path: Path, index: Path, batches: int, public_key: str | None) -> None:
        self.index = index
        self._work = Work(in_all=batches)
        IndexWriter(index).close()
        context = get_context("spawn")
        self._heard, tell = context.Pipe(duplex=False)
        self._heard_index, tell_index = context.Pipe(duplex=False)
        self._processes = [
            context.Process(target=_check, args=(path, public_key, tell), daemon=True),
            context.Process(target=_replay, args=(path, index, tell_index), daemon=True),
        ]
        for process in self._processes:
            process.start()
        tell.close()
        tell_index.close()

    def work(self) -> Work:
        """How far both are, from what they have told."""
        for heard in (self._heard, self._heard_index):
            self._hear(heard)
        return self._work

    def _hear(self, heard: Connection) -> None:
        try:
            for _ in range(TOLD_AT_ONCE):
                if heard.closed or not heard.poll():
                    return
                self._told(*heard.recv())
        except EOFError:
            heard.close()
            lost = self._work.report is None if heard is self._heard else self._work.verdict is None
            if lost and not self._work.failed:
                self._work = replace(self._work, failed="a process of the audit room ended early")

    def _told(self, what: str, value: Any) -> None:
        if what == "report":
            value = msgspec.json.decode(value, type=Report)
        elif what == "verdict":
            value = msgspec.json.decode(value, type=ReplayVerdict)
        self._work = replace(self._work, **{what: value})

    def stop(self) -> None:
        """End both."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join(STOP_TIMEOUT_S)
            process.close()
