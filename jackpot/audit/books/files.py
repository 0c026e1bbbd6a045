"""A new file, or a refusal."""

from __future__ import annotations

import os
from pathlib import Path

from jackpot.errors import Refused


def write_new(content: bytes, path: Path) -> None:
    """Put ``content`` at ``path``, on the disk. Never overwrites: what is there may be evidence itself."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    except OSError as error:
        raise Refused(
            reason="cannot_write",
            expected=f"to make a new file {path}",
            found=str(error.strerror),
            to_do="choose a name that is free, in a folder that takes files",
        ) from error
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(descriptor)
