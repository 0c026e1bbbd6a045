"""The audit room's work in the background: checker and replay, each a process of its own.

Neither slows the pages down, and a fault of theirs leaves the site standing and says so. A worker
(``python -m jackpot.daemon.audit_workers``) tells how far it is in lines of JSON.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from jackpot.audit.site.background import Work

NICENESS = 5
"""The pages come first."""

STOP_TIMEOUT_S = 2.0
"""A worker writes nothing that anybody needs: it is ended at once."""

PIECE_BYTES = 65_536
"""What is read at once; a line is short, and a report of a thousand findings some 300 KiB."""

CHECKED, REPORT, CHECK_FAILED = "checked", "report", "check_failed"
INDEXED, VERDICT, FAILED = "indexed", "verdict", "failed"
"""What a worker tells."""


def main(arguments: Sequence[str]) -> None:
    """The worker: ``check LEDGER [KEY]`` or ``replay LEDGER INDEX``."""
    os.nice(NICENESS)
    what, ledger, *rest = arguments
    if what == "check":
        _check(Path(ledger), rest[0] if rest else None)
    else:
        _replay(Path(ledger), Path(rest[0]))


def _check(path: Path, public_key: str | None) -> None:
    from jackpot.audit.checker import verify

    report = verify(path, public_key=public_key, progress=lambda done, _: _tell(CHECKED, done))
    _tell(REPORT, msgspec.to_builtins(report))


def _replay(path: Path, index: Path) -> None:
    from jackpot.audit.site.index import build_index
    from jackpot.audit.source import Source
    from jackpot.errors import Refused

    try:
        with Source(path) as source:
            verdict = build_index(source, index, lambda done, _: _tell(INDEXED, done))
        _tell(VERDICT, msgspec.to_builtins(verdict))
    except Refused as refused:
        _tell(FAILED, refused.text())


def _tell(what: str, value: Any) -> None:
    sys.stdout.buffer.write(msgspec.json.encode([what, value]) + b"\n")
    sys.stdout.buffer.flush()


class _Worker:
    """One process, and what it has told so far; ``failed`` is how its early end is told."""

    def __init__(self, failed: str, *arguments: str) -> None:
        self._failed = failed
        command = [sys.executable, "-m", __name__, *arguments]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE)  # noqa: S603  # our own
        self._out: IO[bytes] | None = self._process.stdout
        self._rest = b""
        if self._out is not None:
            os.set_blocking(self._out.fileno(), False)

    def heard(self) -> list[tuple[str, Any]]:
        """What it told since the last time; once that it ended in the middle."""
        told = []
        while self._out is not None:
            piece = self._out.read(PIECE_BYTES)
            if piece is None:
                break
            if not piece:
                self._out.close()
                self._out = None
                if self._process.wait() != 0:
                    told.append((self._failed, "a process of the audit room ended early"))
                break
            *lines, self._rest = (self._rest + piece).split(b"\n")
            told += [msgspec.json.decode(line, type=tuple[str, Any]) for line in lines]
        return told

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(STOP_TIMEOUT_S)
        if self._out is not None:
            self._out.close()


class Workers:
    """Both processes of one ledger. The index is there, empty, as soon as this is; see ``start``."""

    def __init__(self, path: Path, index: Path, batches: int, public_key: str | None) -> None:
        from jackpot.audit.site.background import Work
        from jackpot.audit.site.index import IndexWriter

        self.index = index
        self._work = Work(in_all=batches)
        IndexWriter(index).close()
        key = [] if public_key is None else [public_key]
        self._commands = (
            (CHECK_FAILED, "check", str(path), *key),
            (FAILED, "replay", str(path), str(index)),
        )
        self._workers: tuple[_Worker, ...] = ()

    def start(self) -> None:
        """Begin. Until then nothing is checked, and the pages say so."""
        self._workers = tuple(_Worker(*command) for command in self._commands)

    def work(self) -> Work:
        """How far both are, from what they have told."""
        for worker in self._workers:
            for what, value in worker.heard():
                self._work = replace(self._work, **{what: _read(what, value)})
        return self._work

    def stop(self) -> None:
        """End both."""
        for worker in self._workers:
            worker.stop()


def _read(what: str, value: Any) -> Any:
    """What a worker told, in our own types."""
    from jackpot.audit.checker.report import Report
    from jackpot.audit.site.index import ReplayVerdict

    types: dict[str, type[msgspec.Struct]] = {REPORT: Report, VERDICT: ReplayVerdict}
    return msgspec.convert(value, types[what]) if what in types else value


if __name__ == "__main__":
    main(sys.argv[1:])
