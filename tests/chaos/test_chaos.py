"""A short run of the chaos script: real processes killed and frozen, and in the end all agree (CAN-9)."""

from __future__ import annotations

from pathlib import Path

from chaos import Chaos

SECONDS = 25


def test_killed_and_frozen_processes_agree_in_the_end(tmp_path: Path) -> None:
    outcome = Chaos(tmp_path, tables=2, seed=7).run(SECONDS)
    assert outcome.findings == [], outcome.text()
    assert outcome.played.hands > 0
    assert sum(outcome.misfortunes.values()) >= 5
