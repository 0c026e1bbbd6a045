"""A short run of the failover script: on three nats-servers the deciding coordinator dies (CAN-9)."""

from __future__ import annotations

from pathlib import Path

from failover import Failover, Misfortune

KILLS = 2


def test_awards_are_decided_again_after_a_coordinator_and_after_a_whole_machine(
    tmp_path: Path,
) -> None:
    outcome = Failover(tmp_path, seed=3).run(KILLS)
    assert outcome.findings == [], outcome.text()
    assert [kind for kind, _ in outcome.took] == [Misfortune.KILLED, Misfortune.MACHINE]
    assert outcome.played.awards > KILLS
