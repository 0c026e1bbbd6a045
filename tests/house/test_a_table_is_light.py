"""What a table's process does not carry: the number libraries of the auditor's tools."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "pandas", "pyarrow", "playwright")


@pytest.mark.parametrize("module", ["jackpot.daemon.run", "jackpot.commands.table"])
def test_a_table_loads_no_library_of_numbers(module: str) -> None:
    """Each would be 16 MiB and more of a box that has 60 for its controller."""
    code = f"import sys, {module}; print(*sorted({{*{HEAVY}}} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_library_is_there_for_who_asks_afterwards() -> None:
    code = "import jackpot.ledger.database, numpy; print(numpy.int64(7))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["7"]
