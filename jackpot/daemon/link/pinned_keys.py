"""The coordinators' keys as this table pinned them at its join, beside the ledger.

A configuration may pin them from the beginning; otherwise those that the carrusel names first are
kept, and from then on only what a known coordinator signed adds to them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from jackpot.errors import Refused

_MODE = 0o600


def kept_keys(path: Path) -> dict[str, str]:
    """Name to public key; empty when none were pinned yet. Raises ``Refused`` for a damaged file."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError) as error:
        raise Refused(
            reason="keys_unreadable",
            expected=f"the pinned keys of the coordinators in {path}",
            found=str(error),
            to_do="write the coordinators' keys into [carrusel.coordinators], then remove the file",
        ) from error


def keep_keys(path: Path, keys: Mapping[str, str]) -> None:
    """Keep ``keys`` in the place of what is kept, in one step."""
    new = path.with_name(path.name + ".new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _MODE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.encode(dict(keys)))
        file.flush()
        os.fsync(descriptor)
    new.rename(path)
