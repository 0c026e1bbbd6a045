"""The hash of a batch: SHA-256 over text that the ``sqlite3`` shell prints (see docs/ledger.md).

    previous hash in hex, newline,
    json_array of the batch's columns without ``hash``, newline,
    json_array of the columns of each event in order, each followed by a newline.

The JSON writer used here and SQLite's ``json_array`` print integers, nulls and text without NUL
byte for byte alike; a test compares them over every kind of character.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

Header = tuple[int, int, int | None, str, str, int, int]
"""The columns of a batch without its hash: batch, at_ns, hand, rules, cause, first_seq, events."""
BatchRow = tuple[int, int, int | None, str, str, int, int, str]
"""The columns of a batch with its hash."""
EventRow = tuple[int, int, str, int | None, int | None, int | None, str | None]
"""The columns of an event: seq, batch, kind, box, cents, microcents, info."""

_json = msgspec.json.Encoder()


def batch_hash(previous: str, header: Header, rows: Sequence[EventRow]) -> str:
    """The hash of one batch in hex, from the hash before it, its header and its event rows."""
    lines = _json.encode_lines([header, *rows])
    return hashlib.sha256(previous.encode() + b"\n" + lines).hexdigest()


def genesis_hash(about: Iterable[tuple[str, str]]) -> str:
    """What the first batch has for a previous hash: the hash of the ``about`` rows by key."""
    return hashlib.sha256(_json.encode_lines(sorted(about))).hexdigest()
