"""Shared by the tests of the ledger; it also puts their helpers on the import path."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from ledger_failing_disk import POWERLOSS, FailingDisk


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled shim."""
    built = tmp_path_factory.mktemp("shim") / "shim.so"
    source = str(POWERLOSS / "shim.c")
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", str(built), source, "-ldl"],
        check=True,
    )
    return built


@pytest.fixture
def disk(shim: Path, tmp_path: Path) -> FailingDisk:
    """An empty folder on a disk that can fail."""
    return FailingDisk(shim, tmp_path)
