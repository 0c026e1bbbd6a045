"""The lines that are hashed, made again from columns: many batches of one form at once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from jackpot.audit.checker.columns.pages import Bytes, Numbers
from jackpot.audit.checker.findings import Untidy

FOUR = np.array([b"%04d" % number for number in range(10_000)], dtype="S4").view(np.uint32)
"""Four digits of each number below 10,000, as one value."""

POWERS = 10 ** np.arange(1, 19, dtype=np.int64)

HEXADECIMAL = np.full(1 << 16, -1, np.int16)
HEXADECIMAL[np.array([b"%02x" % value for value in range(256)], dtype="S2").view(np.uint16)] = (
    np.arange(256)
)
"""The byte that two hexadecimal digits are; -1 where they are none."""

_sha256 = hashlib.sha256


def digits(values: Numbers, count: int) -> Bytes:
    """The last ``count`` decimal digits of numbers that are not below 0, a row for each."""
    groups = -(-count // 4)
    text = np.empty((len(values), groups), np.uint32)
    rest = values
    for group in range(groups - 1, 0, -1):
        more = rest // 10_000
        text[:, group] = FOUR[rest - more * 10_000]
        rest = more
    text[:, 0] = FOUR[rest % 10_000]
    return text.view(np.uint8)[:, 4 * groups - count :]


def digit_counts(values: Numbers) -> Numbers:
    """How many decimal digits each number has; 0 has one."""
    if not len(values):
        return values
    low, high = (len(str(max(0, int(one)))) for one in (values.min(), values.max()))
    if low == high:
        return np.full(len(values), low, np.int64)
    return np.searchsorted(POWERS, values, side="right") + 1


def joined(parts: Sequence[bytes | Bytes], count: int) -> Bytes:
    """Rows of text: the same bytes for each row, or a row of bytes for each."""
    widths = [len(part) if isinstance(part, bytes) else part.shape[1] for part in parts]
    rows = np.empty((count, sum(widths)), np.uint8)
    rows[:] = np.frombuffer(
        b"".join(
            part if isinstance(part, bytes) else bytes(width)
            for part, width in zip(parts, widths, strict=True)
        ),
        np.uint8,
    )
    begin = 0
    for part, width in zip(parts, widths, strict=True):
        if not isinstance(part, bytes):
            rows[:, begin : begin + width] = part
        begin += width
    return rows


def hashed(rows: Bytes) -> Bytes:
    """SHA-256 of each row, 32 bytes; a row ends with a newline."""
    texts = rows.view(f"S{rows.shape[1]}").ravel().tolist()
    hashes = b"".join([one.digest() for one in map(_sha256, texts)])
    return np.frombuffer(hashes, np.uint8).reshape(-1, 32)


def from_hexadecimal(rows: Bytes) -> Bytes:
    """Rows of bytes from their hexadecimal digits; what is none gives no hash."""
    values = HEXADECIMAL[rows.view(np.uint16)]
    if bool((values < 0).any()):
        raise Untidy("a hash that is none")
    return values.astype(np.uint8)
