"""Where the ledger stands with a box: what every mechanism's host goes on from."""

from __future__ import annotations

import msgspec

from jackpot.errors import Refused
from jackpot.mechanism.wire_events import Pair

READABLE_PAIRS = 5
"""Newest events that the ledger remembers of a box: as many as a ccTalk acceptor shows."""


class Resume(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the ledger stands with one box: what was last committed for it.

    ``count`` is the event counter unwrapped since the last restart, ``epoch`` the number of breaks
    of that count, ``pairs`` the readable events, newest first, at most five.
    """

    serial: int
    epoch: int
    count: int
    pairs: tuple[Pair, ...]


def check_resume(resume: Resume) -> None:
    """Raise ``Refused`` on a record that no mechanism can have left."""
    if resume.count < 0 or resume.epoch < 0 or len(resume.pairs) > READABLE_PAIRS:
        raise Refused(
            reason="bad_resume",
            expected="resume: count and epoch from 0, at most five pairs",
            found=repr(resume),
            to_do="correct the table's slots in its configuration",
            rule="CAN-8.b2",
        )
