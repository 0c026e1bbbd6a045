"""The record alone: numbers, hashes and causes, so that one process sees to it while another judges."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, Protocol

import apsw

from jackpot.audit.checker.chain import Chain, genesis
from jackpot.audit.checker.findings import UNREADABLE, Findings, Untidy
from jackpot.audit.checker.ledger_file import LedgerFile, Unreadable
from jackpot.audit.checker.pieces import numbered, parts

Sources = dict[str, int]
"""The last number of each source of causes."""


class Seen(NamedTuple):
    """What the rules want to know of the record: its sources at the end, and at each stored state."""

    at_end: Sources
    at_states: dict[int, Sources]


class Beside(Protocol):
    """Somebody who sees to the record of the same ledger meanwhile."""

    def start(self, last: int) -> None:
        """Go, to batch ``last``: a table that plays on has more by now."""

    def seen(self) -> Seen | None:
        """Wait for the end; None if the record is not as in an untouched ledger."""


def see(path: Path, last: int) -> Seen | None:
    """Walk along the record to batch ``last``; None if it is not as in an untouched ledger."""
    try:
        with LedgerFile(path) as file:
            return _see(file, last)
    except (Unreadable, Untidy, apsw.Error, *UNREADABLE):
        return None


def _see(file: LedgerFile, last: int) -> Seen:
    findings = Findings()
    chain = Chain(genesis(file.about(findings).items()), findings)
    states = set(file.states(findings))
    at_states: dict[int, Sources] = {0: {}}
    for batches, rows in file.pieces(findings, last):
        numbered(batches, rows, chain.batch, chain.seq)
        for part in parts(batches, rows, states):
            chain.add_all(*part)
            if chain.batch in states:
                at_states[chain.batch] = dict(chain.sources)
    return Seen(chain.sources, at_states)
