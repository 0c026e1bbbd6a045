"""The key that signs checkpoints: made once at installation, kept beside the ledger, never in it.

The public half is printed at installation; whoever keeps it can check every later checkpoint.
"""

from __future__ import annotations

import os
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jackpot.ledger.errors import LedgerRefused
from jackpot.ledger.files import sync_folder

_OWNER_ONLY = 0o600


class KeyUnusable(LedgerRefused):
    """The key file is missing, readable by others, or no Ed25519 key."""


def create_key(path: Path) -> Ed25519PrivateKey:
    """A new private key in a new PEM file that only its owner can read. Never overwrites one."""
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    except FileExistsError:
        raise KeyUnusable(
            reason="key_exists",
            expected="no key file yet",
            found=str(path),
            to_do="keep the old key: without it, its checkpoints cannot be continued",
        ) from None
    with os.fdopen(descriptor, "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(descriptor)
    sync_folder(path.parent)
    return key


def load_key(path: Path) -> Ed25519PrivateKey:
    """The private key in a PEM file. Raises ``KeyUnusable``."""
    try:
        mode = path.stat().st_mode & 0o777
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:
        raise KeyUnusable(
            reason="key_unreadable",
            expected=f"an Ed25519 private key (PEM) at {path}",
            found=str(error),
            to_do="restore the key file from the installation's backup",
        ) from error
    if mode & ~_OWNER_ONLY:
        raise KeyUnusable(
            reason="key_open_to_others",
            expected="a key file with mode 600",
            found=f"mode {mode:o} at {path}",
            to_do="run chmod 600 on it, and ask who has read it",
        )
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyUnusable(
            reason="key_of_another_kind",
            expected="an Ed25519 private key",
            found=type(key).__name__,
            to_do="check the path of the key in the configuration",
        )
    return key
