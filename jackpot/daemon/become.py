"""``jackpot run`` replaces itself by the bare daemon.

A table runs for months. The libraries of the command line would stay in its memory, some 10 MiB, and
glibc would keep what the hashing of one PIN took, 19 MiB more.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from jackpot.daemon.log_format import LogFormat

ALLOCATOR: Mapping[str, str] = {
    "MALLOC_MMAP_THRESHOLD_": "131072",
    "MALLOC_TRIM_THRESHOLD_": "131072",
    "MALLOC_ARENA_MAX": "2",
}
"""glibc's own defaults, written down so that they do not grow with the first large block."""


def become_daemon(config: Path, log_format: LogFormat) -> NoReturn:
    """Replace this process, keeping its number, by a table with ``config``."""
    sys.stdout.flush()
    arguments = [sys.executable, "-m", "jackpot.daemon", str(config), log_format.value]
    os.execve(sys.executable, arguments, {**ALLOCATOR, **os.environ})  # noqa: S606 - ourselves
