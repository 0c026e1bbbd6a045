"""``jackpot run`` becomes the bare daemon: same process number, none of the command line's libraries."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from jackpot.daemon.__main__ import UNWANTED
from jackpot.daemon.become import ALLOCATOR, become_daemon
from jackpot.daemon.log_format import LogFormat


def test_the_process_replaces_itself_with_a_thrifty_allocator(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[str, list[str], dict[str, str]]] = []

    def execve(program: str, arguments: list[str], environment: dict[str, str]) -> None:
        seen.append((program, arguments, environment))

    monkeypatch.setattr("os.execve", execve)
    monkeypatch.setenv("MALLOC_ARENA_MAX", "7")
    become_daemon(Path("table.toml"), LogFormat.JSON)
    ((program, arguments, environment),) = seen
    assert program == sys.executable
    assert arguments == [sys.executable, "-m", "jackpot.daemon", "table.toml", "json"]
    assert environment["MALLOC_TRIM_THRESHOLD_"] == ALLOCATOR["MALLOC_TRIM_THRESHOLD_"] == "131072"
    assert environment["MALLOC_ARENA_MAX"] == "7"  # whoever sets it knows better


def test_a_daemon_that_may_not_start_says_why_in_one_line(tmp_path: Path) -> None:
    missing = str(tmp_path / "none.toml")
    done = subprocess.run(
        [sys.executable, "-m", "jackpot.cli", "run", missing],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("jackpot: config_unreadable: expected a configuration")
    assert done.stderr.count("\n") == 1


def test_the_daemon_runs_without_what_only_the_command_line_needs() -> None:
    program = (
        "import sys; from jackpot.daemon.__main__ import main; main('/none.toml', 'json');"
        "import jackpot.daemon.run, jackpot.console.app;"
        f"print([name for name in ('typer', 'pydantic', '{UNWANTED}') if sys.modules.get(name)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
