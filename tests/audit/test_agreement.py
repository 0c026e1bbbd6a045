"""Checker and replay agree on generated evenings."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement import Disagreement, agree

SEEDS = range(1, 61)


@pytest.mark.parametrize("seed", SEEDS)
def test_checker_and_replay_agree_on_an_evening(seed: int, tmp_path: Path) -> None:
    agree(tmp_path, seed)


def test_a_replay_that_sees_nothing_is_a_disagreement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jackpot.audit.replay.Replay._other", lambda *_: None)
    with pytest.raises(Disagreement):
        agree(tmp_path, 1)
