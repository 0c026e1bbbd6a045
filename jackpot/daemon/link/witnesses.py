"""Signed checkpoints of other ledgers, kept as a witness: who cuts or rewrites a ledger must find all
of them. ``jackpot verify --witness`` takes the files as they are.
"""

from __future__ import annotations

import re
from pathlib import Path

import structlog

from jackpot.ledger.note import notes_in

KEPT_NOTES = 64
"""Of each ledger: some days of checkpoints, in 30 KiB. Each vouches for everything before it."""

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")

_log = structlog.get_logger(__name__)


class HeadsSeen:
    """One file of notes for each ledger, in ``folder``, which is made when there is a first one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._newest: dict[str, str] = {}

    def saw(self, name: str, note: str) -> None:
        """Keep a note of ``name``, unless it is the newest that is kept. What is no note is not kept."""
        if self._newest.get(name) == note or _NAME.fullmatch(name) is None:
            return
        notes = notes_in(note)
        if len(notes) != 1:
            return
        self._newest[name] = note
        file = self._folder / f"{name}.notes"
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            kept = notes_in(file.read_text(encoding="utf-8")) if file.exists() else []
            if notes[0] not in kept:
                new = file.with_suffix(".new")
                new.write_text("\n".join([*kept, notes[0]][-KEPT_NOTES:]), encoding="utf-8")
                new.rename(file)
        except OSError as error:  # a witness more or less; the table goes on
            _log.error("checkpoint of another ledger not kept", name=name, error=str(error))
