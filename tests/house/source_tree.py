"""What the house rules look at: the files of this project, read and parsed once."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

MADE_BY_TOOLS = {
    ".git",
    ".hypothesis",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".venv",
    "__pycache__",
    "build",
    "demo-data",
    "dist",
}
"""Folders that are in ``.gitignore``: nobody wrote what is in them."""

VENDORED = ("vendor", "vendored")
"""Folders of other people's files, carried along unchanged with their licence."""


@dataclass(frozen=True)
class Source:
    """One Python file: its path under the root, its module name, its text and syntax tree."""

    path: str
    module: str
    text: str
    tree: ast.Module


def parsed(path: str, text: str) -> Source:
    """A source from its text, whether it is on the disk or made up by a test."""
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return Source(path, module, text, ast.parse(text))


@cache
def sources(*folders: str) -> tuple[Source, ...]:
    """Every Python file below the given folders of the project."""
    paths = (path for path in files() if path.suffix == ".py" and path.parts[0] in folders)
    return tuple(parsed(path.as_posix(), (ROOT / path).read_text("utf-8")) for path in paths)


@cache
def files() -> tuple[Path, ...]:
    """Every file of the project, relative to its root."""
    return tuple(sorted(_walk()))


def texts() -> Iterator[tuple[str, str]]:
    """Path and content of every text file of the project."""
    for path in files():
        raw = (ROOT / path).read_bytes()
        if b"\0" not in raw:
            yield path.as_posix(), raw.decode("utf-8")


def expect_none(findings: Iterable[str]) -> None:
    """Fail with every finding on a line of its own."""
    lines = list(findings)
    assert not lines, "\n" + "\n".join(lines)


def is_vendored(path: str) -> bool:
    """Whether a file is another project's, carried along unchanged."""
    return any(part in VENDORED for part in Path(path).parts)


def _walk() -> Iterator[Path]:
    for folder, below, names in os.walk(ROOT):
        below[:] = [
            name for name in below if name not in MADE_BY_TOOLS and not name.endswith(".egg-info")
        ]
        yield from ((Path(folder) / name).relative_to(ROOT) for name in names if name != ".git")
