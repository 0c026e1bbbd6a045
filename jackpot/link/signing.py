"""Ed25519 signatures over messages and entries, and the keys that check them.

A key is written as signed notes write it (``name+id+base64``), so that the same text stands in the
ledger's checkpoints, in the log and in the configuration.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from functools import lru_cache

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from jackpot.link import messages as m
from jackpot.link.wire import canonical

Sign = Callable[[bytes], str]
"""A signature over bytes, as text."""

Verify = Callable[[str, bytes, str], bool]
"""Whether a signature over bytes is that of a key: key, bytes, signature."""

_ED25519 = 1
"""The signature type of plain Ed25519 in a signed note's key."""

KEYS_KEPT = 1_024
"""Five hundred tables and a few coordinators, unpacked once."""


def signer(private: Ed25519PrivateKey) -> Sign:
    """Signs with ``private``; the signature is base64."""
    return lambda data: base64.b64encode(private.sign(data)).decode()


def verify(key: str, data: bytes, signature: str) -> bool:
    """Whether ``signature`` over ``data`` was made with the private half of ``key``."""
    public = _public(key)
    if public is None:
        return False
    try:
        public.verify(base64.b64decode(signature, validate=True), data)
    except (InvalidSignature, binascii.Error, ValueError):
        return False
    return True


def is_key(key: str) -> bool:
    """Whether ``key`` is a verifier key of the right form."""
    return _public(key) is not None


@lru_cache(KEYS_KEPT)
def _public(key: str) -> Ed25519PublicKey | None:
    try:
        raw = base64.b64decode(key.split("+", 2)[2], validate=True)
    except (binascii.Error, ValueError, IndexError):
        return None
    if len(raw) != 33 or raw[0] != _ED25519:
        return None
    return Ed25519PublicKey.from_public_bytes(raw[1:])


def signed(message: m.Up | m.Birth, sign: Sign) -> m.Up | m.Birth:
    """The message with its signature over everything else."""
    return msgspec.structs.replace(message, signature=sign(canonical(_bare(message))))


def is_signed(message: m.Up | m.Birth, key: str, verified: Verify = verify) -> bool:
    """Whether ``key`` signed the message as it is."""
    return verified(key, canonical(_bare(message)), message.signature)


def _bare(message: m.Up | m.Birth) -> m.Up | m.Birth:
    return msgspec.structs.replace(message, signature="")
