"""Compiles the firmware for this machine: ``board.c`` and ``frame.c`` on the workbench ``bench.c``."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).parent
SOURCES = ("board.c", "frame.c", "bench.c")
HEADERS = ("board.h", "frame.h", "hal.h")

STRICT = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-O1")
"""A port's compiler may be another one: nothing that any of them could mind."""

CHECKED = (*STRICT, "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
"""Every read and write outside its array, every overflow, ends the program at once."""

COMPILE_TIMEOUT_S = 120


class BuildError(Exception):
    """There is no compiler, or it minds something."""


def build(flags: Sequence[str] = STRICT, folder: Path | None = None) -> Path:
    """The program, compiled once for each state of the sources; ``folder`` keeps it."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise BuildError("expected a C compiler (cc), found none; install gcc and libc6-dev")
    state = hashlib.sha256(" ".join((compiler, *flags)).encode())
    for name in (*SOURCES, *HEADERS):
        state.update((FOLDER / name).read_bytes())
    if folder is None:
        folder = Path(tempfile.gettempdir()) / f"slot-board-{os.getuid()}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise BuildError(f"expected {folder} to be this user's own")
    program = folder / f"board-{state.hexdigest()[:16]}"
    if not program.exists():
        new = program.with_name(f".{program.name}.{os.getpid()}")
        _compile([compiler, *flags, *SOURCES, "-o", str(new)])
        new.replace(program)
    return program


def _compile(command: list[str]) -> None:
    done = subprocess.run(  # noqa: S603 - the compiler of this machine, on our own files
        command, cwd=FOLDER, capture_output=True, text=True, timeout=COMPILE_TIMEOUT_S, check=False
    )
    if done.returncode != 0:
        raise BuildError(f"{' '.join(command)}:\n{done.stderr}")
