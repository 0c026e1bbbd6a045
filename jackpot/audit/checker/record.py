"""The record alone, by a process of its own: numbers, hashes and causes, while another one judges."""

from __future__ import annotations

import gc
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import apsw

from jackpot.audit.checker.chain import Chain, genesis
from jackpot.audit.checker.findings import UNREADABLE, Findings, Untidy
from jackpot.audit.checker.ledger_file import LedgerFile, Unreadable
from jackpot.audit.checker.pieces import numbered, parts

Sources = dict[str, int]


class Seen(NamedTuple):
    """The last number of each source: at the end, and at each batch with a stored state."""

    at_end: Sources
    at_states: dict[int, Sources]


class RecordBeside:
    """Another process that walks along the same ledger; ``seen()`` waits for it.

    It is forked before this process opens the file: SQLite's locks must not be inherited.
    """

    def __init__(self, path: Path) -> None:
        context = get_context("fork")
        self._here, there = context.Pipe()
        self._process = context.Process(target=_beside, args=(path, there), daemon=True)
        self._process.start()
        there.close()
        self._seen: Seen | None = None

    def start(self, last: int) -> None:
        """Go, to batch ``last``: a table that plays on has more by now."""
        self._here.send(last)

    def seen(self) -> Seen:
        """Raises ``Untidy`` if something is not as in an untouched ledger."""
        if self._seen is None:
            with suppress(EOFError):
                self._seen = self._here.recv()
        if self._seen is None:
            raise Untidy("the record is not whole")
        return self._seen

    def close(self) -> None:
        """Whatever it still does is wanted no more."""
        self._process.terminate()
        self._process.join()
        self._here.close()


def _beside(path: Path, there: Connection) -> None:
    gc.disable()
    last = there.recv()
    try:
        there.send(_see(LedgerFile(path), last))
    except (Unreadable, Untidy, apsw.Error, *UNREADABLE):
        there.send(None)


def _see(file: LedgerFile, last: int) -> Seen:
    findings = Findings()
    chain = Chain(genesis(file.about(findings).items()), findings)
    states = set(file.states(findings))
    at_states = {0: dict(chain.sources)}
    for batches, rows in file.pieces(findings, last):
        numbered(batches, rows, chain.batch, chain.seq)
        for part in parts(batches, rows, states):
            chain.add_all(*part)
            if chain.batch in states:
                at_states[chain.batch] = dict(chain.sources)
    return Seen(chain.sources, at_states)
