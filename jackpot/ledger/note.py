"""Signed notes and checkpoints (C2SP ``signed-note`` and ``tlog-checkpoint``), with Ed25519.

A checkpoint says: this ledger had so many batches, and the hash of the last one was this. Its
text is the origin, the number of batches, the hash in base64, and three extension lines of ours:
``state`` with the SHA-256 of the stored state, ``seq`` with the number of events and ``at`` with the
time of signing. Notes of 0.1.0 have no ``at`` and stay good.

The third line is the head of our hash chain, not the root of a Merkle tree as in RFC 6962: the
*format* is that of transparency logs, consistency is shown by walking the chain.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from jackpot.ledger.errors import LedgerAltered

_ED25519 = b"\x01"
"""The signature type of plain Ed25519 (signed-note, "Signature types")."""

_NAME = re.compile(r"[^\s+\x00-\x1f]{1,200}")
"""A key name: no spaces, no plus (signed-note, "Format"); 200 fit every line we print."""

_SIGNATURE = re.compile(r"— (\S+) (\S+)")

MAX_SIGNATURES = 16
"""What every verifier must at least accept (signed-note, "Format"); we write one."""


class NoteUnsigned(LedgerAltered):
    """The note does not carry a valid signature of the key."""

    def __init__(self, name: str, found: str) -> None:
        super().__init__(
            reason="note_unsigned",
            expected=f"a note signed by {name}",
            found=found,
            to_do="compare the key with the one printed at installation, and keep the file",
        )


@dataclass(frozen=True)
class Verifier:
    """A named public key; ``vkey`` is the text that is printed and given to witnesses."""

    name: str
    public: bytes

    @property
    def key_id(self) -> bytes:
        """The first four bytes of SHA-256(name, newline, 0x01, public key)."""
        return hashlib.sha256(self.name.encode() + b"\n" + _ED25519 + self.public).digest()[:4]

    @property
    def vkey(self) -> str:
        """``name+id+key``, as other note tools take it."""
        key = base64.b64encode(_ED25519 + self.public).decode()
        return f"{self.name}+{self.key_id.hex()}+{key}"

    def open(self, note: str) -> str:
        """The text of a note that this key signed. Raises ``NoteUnsigned``."""
        text, signatures = _parts(self.name, note)
        found = "no signature of this key"
        for name, raw in signatures:
            if name == self.name and raw[:4] == self.key_id:
                try:
                    Ed25519PublicKey.from_public_bytes(self.public).verify(raw[4:], text.encode())
                except InvalidSignature:
                    raise NoteUnsigned(self.name, "a signature that does not match") from None
                return text
        raise NoteUnsigned(self.name, found)


def _parts(wanted: str, note: str) -> tuple[str, list[tuple[str, bytes]]]:
    """The text (with its last newline) and the signatures; split at the last empty line."""
    text, gap, tail = note.rpartition("\n\n")
    lines = tail.split("\n")
    if not gap or lines[-1] != "" or not 2 <= len(lines) <= MAX_SIGNATURES + 1:
        raise NoteUnsigned(wanted, "no text followed by an empty line and signatures")
    signatures = []
    for line in lines[:-1]:
        match = _SIGNATURE.fullmatch(line)
        try:
            raw = base64.b64decode(match[2], validate=True) if match else b""
        except binascii.Error:
            raw = b""
        if match is None or len(raw) <= 4:
            raise NoteUnsigned(wanted, f"a malformed signature line {line!r}")
        signatures.append((match[1], raw))
    return text + "\n", signatures


def verifier_from_vkey(vkey: str) -> Verifier:
    """A verifier from its text. Raises ``NoteUnsigned`` if the parts do not fit together."""
    name, _, rest = vkey.partition("+")
    key_id, _, key = rest.partition("+")
    try:
        raw = base64.b64decode(key, validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    verifier = Verifier(name, raw[1:])
    if len(raw) != 33 or raw[:1] != _ED25519 or verifier.key_id.hex() != key_id:
        raise NoteUnsigned(name, f"{vkey!r}, which is no Ed25519 verifier key")
    return verifier


@dataclass(frozen=True)
class Signer:
    """A named private key."""

    name: str
    private: Ed25519PrivateKey

    @property
    def verifier(self) -> Verifier:
        """The public half, under the same name."""
        return Verifier(self.name, self.private.public_key().public_bytes_raw())

    def sign(self, text: str) -> str:
        """A note: ``text`` (ending in a newline), an empty line, one signature line."""
        raw = self.verifier.key_id + self.private.sign(text.encode())
        return f"{text}\n— {self.name} {base64.b64encode(raw).decode()}\n"


def is_key_name(name: str) -> bool:
    """Whether ``name`` may name a key and an origin."""
    return _NAME.fullmatch(name) is not None


class Checkpoint(NamedTuple):
    """What a checkpoint says. ``hash`` and ``state_sha256`` are hex; ``batches`` and ``seq`` count.

    ``at_ns`` is None where 0.1.0 signed it.
    """

    origin: str
    batches: int
    hash: str
    state_sha256: str
    seq: int
    at_ns: int | None = None

    def text(self) -> str:
        """The text to sign (tlog-checkpoint, "Note text")."""
        head = base64.b64encode(bytes.fromhex(self.hash)).decode()
        at = "" if self.at_ns is None else f"at {self.at_ns}\n"
        state, seq = f"state {self.state_sha256}", f"seq {self.seq}"
        return f"{self.origin}\n{self.batches}\n{head}\n{state}\n{seq}\n{at}"


_CHECKPOINT = re.compile(
    r"(?P<origin>[^\n]+)\n(?P<batches>0|[1-9][0-9]{0,18})\n(?P<hash>[A-Za-z0-9+/]{43}=)\n"
    r"state (?P<state>[0-9a-f]{64})\nseq (?P<seq>0|[1-9][0-9]{0,18})\n"
    r"(?:at (?P<at>0|[1-9][0-9]{0,18})\n)?"
)


_NOTE = re.compile(r"^" + _CHECKPOINT.pattern + r"\n(?:— [^\n]*\n)+", re.MULTILINE)


def notes_in(text: str) -> list[str]:
    """Every note of a checkpoint in a text, whatever stands around them, even blank lines at the
    end or no last newline; none: an empty list."""
    whole = text.replace("\r\n", "\n") + "\n"
    return [match.group() for match in _NOTE.finditer(whole)]


def checkpoint_from_note(note: str, verifier: Verifier) -> Checkpoint:
    """The checkpoint in a note that ``verifier`` signed. Raises ``NoteUnsigned``."""
    match = _CHECKPOINT.fullmatch(verifier.open(note))
    if match is None or match["origin"] != verifier.name:
        raise NoteUnsigned(verifier.name, "a signed text that is no checkpoint of this ledger")
    return Checkpoint(
        origin=match["origin"],
        batches=int(match["batches"]),
        hash=base64.b64decode(match["hash"]).hex(),
        state_sha256=match["state"],
        seq=int(match["seq"]),
        at_ns=None if match["at"] is None else int(match["at"]),
    )
