"""A bounded run of the fuzzers at every test: guided by coverage where atheris is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from fuzz_wire import TARGETS, host, reader

RUNS = 10_000
SCRIPT = Path(__file__).with_name("fuzz_wire.py")


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_ten_thousand_runs_find_nothing(target: str, tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPT), target, "--runs", str(RUNS), "--seed", "1"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    assert f"{target}: {RUNS} runs by" in done.stdout


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_without_atheris_hypothesis_runs_the_same_targets(target: str, tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPT), target, "--runs", "200", "--by", "hypothesis"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "200 runs by hypothesis" in done.stdout


def test_the_fuzzer_stops_at_a_planted_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    import fuzz_wire

    monkeypatch.setattr(fuzz_wire, "_stands_in", lambda *_: False)
    with pytest.raises(RuntimeError, match="a frame is in the stream"):
        reader(b"\x00" + bytes.fromhex("01 00 02 00 fd"))
    host(b"")
