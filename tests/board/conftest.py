"""The firmware, compiled once with every check that the compiler has, and a fresh board each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_sim.board.build import CHECKED, build
from firmware_sim.board.workbench import Workbench


@pytest.fixture(scope="session")
def program() -> Path:
    return build(CHECKED)


@pytest.fixture
def bench(program: Path) -> Iterator[Workbench]:
    with Workbench(program, serial=4711) as bench:
        yield bench
        assert bench.close() == 0, "the sanitizers found something"
