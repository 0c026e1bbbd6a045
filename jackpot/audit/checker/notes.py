"""Signed notes (C2SP ``signed-note``, ``tlog-checkpoint``) read by their specification."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

_ED25519 = 1
"""The signature type (signed-note, "Signature types")."""

_TEXT = re.compile(
    r"(?P<origin>[^\n]+)\n(?P<batches>0|[1-9][0-9]{0,18})\n(?P<hash>[A-Za-z0-9+/]{43}=)\n"
    r"state (?P<state>[0-9a-f]{64})\nseq (?P<seq>0|[1-9][0-9]{0,18})\n"
    r"(?:at (?P<at>0|[1-9][0-9]{0,18})\n)?"
)
"""Origin, size, hash as ``tlog-checkpoint`` orders them, then our extension lines: the notes of
0.1.0 have no time."""


_NOTE = re.compile(r"^" + _TEXT.pattern + r"\n(?:— [^\n]*\n)+", re.MULTILINE)
"""A checkpoint's note anywhere in a text: its lines, an empty one, the lines of signatures."""


class Unsigned(ValueError):
    """Why a note proves nothing, in plain words."""


class Key(NamedTuple):
    """A public key with its name."""

    name: str
    id: bytes
    public: bytes


class Checkpoint(NamedTuple):
    """What a note says: after so many batches and events, the head was ``hash`` (hex).

    ``at_ns`` is when it was signed; None where the note does not say.
    """

    origin: str
    batches: int
    seq: int
    hash: str
    state_sha256: str
    at_ns: int | None


def key_of(vkey: str) -> Key:
    """A key from ``name+id+key``. Raises ``Unsigned``."""
    parts = vkey.strip().split("+", 2)
    try:
        name, id_hex, encoded = parts
        raw, key_id = _decoded(encoded), bytes.fromhex(id_hex)
    except ValueError:
        raise Unsigned(f"{vkey!r} is no key") from None
    digest = hashlib.sha256(name.encode() + b"\n" + raw).digest()
    if len(raw) != 33 or raw[0] != _ED25519 or digest[:4] != key_id:
        raise Unsigned(f"{vkey!r} is no Ed25519 key of that name")
    return Key(name, key_id, raw[1:])


def notes_in(text: str) -> list[str]:
    """Every note of a checkpoint in a text, whatever stands around them; none: an empty list.

    What people keep has blank lines at its end, or no last newline, or the words of
    ``jackpot checkpoint list --notes`` between the notes.
    """
    whole = text.replace("\r\n", "\n") + "\n"
    return [match.group() for match in _NOTE.finditer(whole)]


def read(note: str, key: Key) -> Checkpoint:
    """The checkpoint in a note that ``key`` signed. Raises ``Unsigned``."""
    text, gap, tail = note.rpartition("\n\n")
    if not gap or not tail.endswith("\n"):
        raise Unsigned("no signed note")
    text += "\n"
    _verify(text, tail[:-1].split("\n"), key)
    match = _TEXT.fullmatch(text)
    if match is None or match["origin"] != key.name:
        raise Unsigned("a signed text that is no checkpoint of this origin")
    return Checkpoint(
        match["origin"],
        int(match["batches"]),
        int(match["seq"]),
        base64.b64decode(match["hash"]).hex(),
        match["state"],
        None if match["at"] is None else int(match["at"]),
    )


def _verify(text: str, lines: list[str], key: Key) -> None:
    for line in lines:
        match = re.fullmatch(r"— (\S+) (\S+)", line)
        raw = _decoded(match[2]) if match else b""
        if match is None or len(raw) < 5:
            raise Unsigned("a malformed signature line")
        if match[1] == key.name and raw[:4] == key.id:
            try:
                Ed25519PublicKey.from_public_bytes(key.public).verify(raw[4:], text.encode())
            except InvalidSignature:
                raise Unsigned("the signature does not match") from None
            return
    raise Unsigned(f"no signature of {key.name}+{key.id.hex()}")


def _decoded(text: str) -> bytes:
    """The bytes of a base64 text; none if any other text would mean the same bytes."""
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError:
        return b""
    return raw if base64.b64encode(raw).decode() == text else b""
