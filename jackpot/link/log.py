"""The log's own chain: each entry is sealed onto the one before and signed by its author.

    hash = SHA-256(previous hash, position, author, at_ns, body), each followed by a newline

in text; the first entry's previous hash is empty. Positions count from 1 and are ours, whatever
sequence a store may use. The body is the entry's canonical JSON (see ``jackpot.link.wire``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from jackpot.errors import JackpotError
from jackpot.link import messages as m
from jackpot.link.entries import ENTRIES, LogEntry
from jackpot.link.signing import Sign, Verify
from jackpot.link.wire import canonical

NO_HASH = ""
"""What the first entry has for a previous hash."""


class LogBroken(JackpotError):
    """An entry that does not continue the log, was altered, or that nobody known has signed."""


class _Body(msgspec.Struct):
    kind: str


_kind_of = msgspec.json.Decoder(_Body)
_decoders: dict[str, msgspec.json.Decoder[Any]] = {
    kind: msgspec.json.Decoder(
        msgspec.defstruct(
            f"{cls.__name__}Body", [("entry", cls), ("kind", str)], forbid_unknown_fields=True
        ),
        strict=False,
    )
    for kind, cls in ENTRIES.items()
}


class _Written(msgspec.Struct, frozen=True):
    entry: LogEntry
    kind: str


def body_of(entry: LogEntry) -> str:
    """The canonical JSON of an entry: its kind and its fields."""
    return canonical(_Written(entry, entry.kind)).decode()


def entry_of(sealed: m.Entry) -> LogEntry:
    """The entry in a sealed one. Raises ``LogBroken`` for a body that no version of ours wrote."""
    try:
        decoder = _decoders[_kind_of.decode(sealed.body).kind]
        entry: LogEntry = decoder.decode(sealed.body).entry
    except (KeyError, ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise LogBroken(f"entry {sealed.position}: no entry of this version: {error}") from error
    return entry


def hash_of(previous: str, position: int, author: str, at_ns: int, body: str) -> str:
    """The hash of an entry, in hex."""
    text = f"{previous}\n{position}\n{author}\n{at_ns}\n{body}\n"
    return hashlib.sha256(text.encode()).hexdigest()


def seal(
    carrusel: str,
    entry: LogEntry,
    previous: str,
    position: int,
    author: str,
    at_ns: int,
    sign: Sign,
) -> m.Entry:
    """The entry as it stands in the log at ``position``."""
    body = body_of(entry)
    digest = hash_of(previous, position, author, at_ns, body)
    return m.Entry(
        carrusel=carrusel,
        position=position,
        previous=previous,
        author=author,
        at_ns=at_ns,
        body=body,
        hash=digest,
        signature=sign(digest.encode()),
    )


def seal_all(
    carrusel: str,
    entries: Sequence[LogEntry],
    previous: str,
    after: int,
    author: str,
    at_ns: int,
    sign: Sign,
) -> tuple[m.Entry, ...]:
    """Consecutive entries, the first at position ``after + 1``."""
    sealed: list[m.Entry] = []
    for position, entry in enumerate(entries, start=after + 1):
        one = seal(carrusel, entry, previous, position, author, at_ns, sign)
        previous = one.hash
        sealed.append(one)
    return tuple(sealed)


def check_hash(sealed: m.Entry) -> None:
    """Raise ``LogBroken`` unless the hash is that of the entry."""
    right = hash_of(sealed.previous, sealed.position, sealed.author, sealed.at_ns, sealed.body)
    if sealed.hash != right:
        raise LogBroken(f"entry {sealed.position}: altered, its hash does not match")


def check_signature(sealed: m.Entry, key: str | None, verify: Verify) -> None:
    """Raise ``LogBroken`` unless the author, whose key is ``key``, signed the entry."""
    if key is None:
        raise LogBroken(f"entry {sealed.position}: signed by {sealed.author!r}, whom nobody knows")
    if not verify(key, sealed.hash.encode(), sealed.signature):
        raise LogBroken(f"entry {sealed.position}: not signed by {sealed.author!r}")
