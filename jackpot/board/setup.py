"""What the board's host is told: its boxes and its line."""

from __future__ import annotations

import msgspec

from jackpot.errors import Refused

MOST_SLOTS = 7
"""CAN-2.2; the masks of the protocol have eight bits."""

BITS_PER_BYTE = 10
"""8N1: a start bit, eight data bits, a stop bit."""

LEAST_BAUD = 9600
MOST_BAUD = 115_200
"""Slower, a poll takes longer than the watchdog likes; faster, cheap adapters lose bytes."""

ANSWER_MS = 50
"""A board answers within a few milliseconds; a USB adapter may sit on bytes for 16, both ways."""

LONGEST_EXCHANGE_BYTES = 230
"""The longest request has 24 bytes on the line, the longest answer 164."""

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000


class BoardSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One slot board. ``boxes`` are its slots in their order: slot *n* is box *n*."""

    boxes: tuple[int, ...]
    baud: int = 115_200

    @property
    def reply_timeout_ns(self) -> int:
        """How long an answer may take, from the first byte of the request to its own last."""
        wire_ns = LONGEST_EXCHANGE_BYTES * BITS_PER_BYTE * NS_PER_S // self.baud
        return ANSWER_MS * NS_PER_MS + wire_ns


def check_setup(setup: BoardSetup) -> None:
    """Raise ``Refused`` on a setup that cannot work."""
    if not setup.boxes or setup.boxes != tuple(range(1, len(setup.boxes) + 1)):
        raise _refused("boxes", "1, 2, 3, … in their order", str(setup.boxes))
    if len(setup.boxes) > MOST_SLOTS:
        raise _refused("boxes", f"at most {MOST_SLOTS} boxes", str(len(setup.boxes)))
    if not LEAST_BAUD <= setup.baud <= MOST_BAUD:
        raise _refused("baud", f"{LEAST_BAUD} to {MOST_BAUD}", str(setup.baud))


def _refused(what: str, expected: str, found: str) -> Refused:
    return Refused(
        reason=f"bad_{what}",
        expected=f"{what}: {expected}",
        found=found,
        to_do="correct the table's slots in its configuration",
        rule="CAN-8.b2",
    )
