"""Signatures that cost nothing: whoever knows the name can make them, and nobody on this floor does."""

from __future__ import annotations

import hashlib

from jackpot.link.signing import Sign


def key_of(name: str) -> str:
    """The public key of a box or coordinator of the simulation."""
    return f"{name}+simulated"


def sign_as(name: str) -> Sign:
    """Signs as ``name``."""
    prefix = key_of(name).encode()
    return lambda data: hashlib.blake2b(prefix + data, digest_size=16).hexdigest()


def verify(key: str, data: bytes, signature: str) -> bool:
    """Whether the owner of ``key`` signed."""
    return hashlib.blake2b(key.encode() + data, digest_size=16).hexdigest() == signature
