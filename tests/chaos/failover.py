"""``python tests/chaos/failover.py --kills 50``: the tier without a single point of failure, failing.

Three real nats-servers hold the log and are the broker, two coordinators decide, tables play and claim.
Again and again the coordinator that decided last is killed with −9; at times it is frozen first, at
times its machine goes with it (the nats-server that it listens to). It stays dead until an award is
decided by whoever is left: how long that took is the figure. In the end every ledger, both copies of
the log and the log in the cluster must say the same, to the micro-cent.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from all_agree import CARRUSEL, Played, disagreements, entries_of, played, still_open
from processes import HERE, Process
from support.brokers import nats_cluster
from support.linked_floor import found_coordinator, install_table

from jackpot.config.coordinator import CoordinatorConfig
from jackpot.daemon.link.jetstream_log import JetStreamLog
from jackpot.ledger.decision_log import read_log
from jackpot.ledger.keys import load_key
from jackpot.ledger.note import Signer
from jackpot.link.entries import AwardDecided
from jackpot.link.log import entry_of
from jackpot.link.messages import Entry
from jackpot.link.port import READ_AT_MOST, LogUnavailable

TABLES = 3
AWARD_PERCENT = 60
"""So many hands of a hundred claim: the next award must not wait for a lucky player."""

PAUSE_MS = 200
"""Between two acts at a table: a hand every few seconds."""

WITHIN_S = 15.0
"""From the kill to the next award, whatever died."""

PATIENCE_S = 60.0
START_S = 180.0
"""A coordinator that comes back reads the whole log, on a machine that does much else."""

LOOK_S = 0.02
FROZEN_S = 6.0
"""Twice the lease: the tables have lost it, and its half-made proposal comes too late."""

QUIET_S = (0.5, 2.0)
"""Between two misfortunes, everything running."""


class Misfortune(StrEnum):
    """What happens to the coordinator that decided last."""

    KILLED = "coordinator killed"
    FROZEN = "coordinator frozen"
    THAWED = "coordinator killed as it thaws"
    MACHINE = "coordinator and its nats-server killed"


ROUND = (
    Misfortune.KILLED,
    Misfortune.MACHINE,
    Misfortune.THAWED,
    Misfortune.KILLED,
    Misfortune.KILLED,
)
"""In turn, so that a short run meets each; one kill a line."""


@dataclass
class Outcome:
    """What a run came to; ``took`` are the misfortunes with the seconds to the next award."""

    took: list[tuple[Misfortune, float]] = field(default_factory=list)
    played: Played = field(default_factory=Played)
    findings: list[str] = field(default_factory=list)

    def text(self) -> str:
        """For people."""
        lines = []
        for kind in Misfortune:
            took = sorted(seconds for one, seconds in self.took if one is kind)
            if took:
                middle = took[len(took) // 2]
                lines.append(f"{len(took):3} x {kind}: {middle:.2f} s, at most {took[-1]:.2f} s")
        lines += [
            f"hands        {self.played.hands}",
            f"awards       {self.played.awards}, {self.played.paid_cents} cents",
            f"findings     {len(self.findings)}",
            *(f"             {finding}" for finding in self.findings),
        ]
        return "\n".join(lines)


class Coordinators:
    """Both processes, and what their copies of the log say."""

    def __init__(self, folder: Path, configs: list[CoordinatorConfig]) -> None:
        command = [sys.executable, "-m", "jackpot.cli", "coordinator"]
        self.configs = configs
        self.processes = {
            config.name: Process(
                config.name, [*command, str(folder / f"{config.name}.toml")], folder
            )
            for config in configs
        }
        self._read = 0
        self.last_award: Entry | None = None

    def look(self) -> int:
        """The last position in any copy; the newest award on the way is ``last_award``."""
        for config in self.configs:
            while piece := read_log(config.log_file, CARRUSEL, self._read, READ_AT_MOST):
                self._read = piece[-1].position
                for sealed in piece:
                    if isinstance(entry_of(sealed), AwardDecided):
                        self.last_award = sealed
        return self._read

    @property
    def ready(self) -> bool:
        """Both have read their log and serve."""
        return all(process.said("ready") for process in self.processes.values())


class Failover:
    """One run in ``folder``."""

    def __init__(
        self, folder: Path, seed: int, told: Callable[[str], object] = lambda _line: None
    ) -> None:
        """``told`` hears of each misfortune as it is over: fifty take a while."""
        self._folder = folder
        self._told = told
        self._seed = seed
        self._chance = random.Random(seed)
        self._servers = nats_cluster(folder / "nats", mqtt=True)
        self._urls = [f"nats://127.0.0.1:{server.port}" for server in self._servers]
        self._tables: list[Process] = []
        self._ledgers: list[Path] = []
        self.outcome = Outcome()

    def run(self, kills: int) -> Outcome:
        """Everything, from the first start to the last comparison."""
        for server in self._servers:
            server.start(wait=False)
        processes: list[Process] = []
        try:
            for server in self._servers:
                server.wait_until_open()
            self._coordinators = asyncio.run(self._found())
            processes = [*self._coordinators.processes.values(), *self._tables]
            for process in processes:
                process.start()
            self._must(lambda: all(one.said("ready") for one in processes), "all are ready")
            self._must(self._another_award(None), "a first award")
            for number in range(kills):
                self._misfortune(ROUND[number % len(ROUND)])
            for table in self._tables:
                table.send(signal.SIGTERM)
            self._until(lambda: not self._open(), START_S)
            self._compare()
        finally:
            for process in processes:
                process.send(signal.SIGCONT)
                process.close()
            for server in self._servers:
                server.stop()
        return self.outcome

    async def _found(self) -> Coordinators:
        """Both coordinators open the log together; each listens to a server of its own."""
        log = f'\n[log]\nstore = "jetstream"\nservers = {self._urls}\nreplicas = 3\n'.replace(
            "'", '"'
        )
        await self._young_cluster_has_a_leader()
        configs = [
            await found_coordinator(
                self._folder,
                server.mqtt_port,
                mqtt="3.1.1",
                name=name,
                more=log,
                new_log=name == "c1",
            )
            for name, server in zip(("c1", "c2"), self._servers, strict=False)
        ]
        keys = {c.name: Signer(c.name, load_key(c.key_file)).verifier.vkey for c in configs}
        for config, other in zip(configs, reversed(configs), strict=True):
            file = self._folder / f"{config.name}.toml"
            known = f'\n[carrusel.coordinators]\n{other.name} = "{keys[other.name]}"\n'
            file.write_text(file.read_text() + known)
        for number in range(1, TABLES + 1):
            folder = self._folder / f"table-{number}"
            at = self._servers[-number].mqtt_port
            self._ledgers.append(install_table(folder, str(number), at, mqtt="3.1.1").ledger.file)
            command = [sys.executable, str(HERE / "playing_table.py"), str(folder / "table.toml")]
            chance = [str(self._seed * 1_000 + number), str(AWARD_PERCENT), str(PAUSE_MS)]
            self._tables.append(Process(f"table-{number}", [*command, *chance], self._folder))
        return Coordinators(self._folder, configs)

    async def _young_cluster_has_a_leader(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    trial = await JetStreamLog.open(self._urls, "trial", create=True)
                except LogUnavailable:
                    await asyncio.sleep(0.2)
                else:
                    return await trial.close()

    # ---- misfortunes -----------------------------------------------------------------------------

    def _misfortune(self, kind: Misfortune) -> None:
        """It happens to whoever decided last; afterwards everything runs again."""
        time.sleep(self._chance.uniform(*QUIET_S))
        last = self._last_award()
        victim = self._coordinators.processes[last.author]
        server = self._servers[0 if last.author == "c1" else 1]
        if kind is Misfortune.THAWED:
            victim.send(signal.SIGSTOP)
            frozen_s = self._until(self._another_award(last), PATIENCE_S)
            self._took(Misfortune.FROZEN, frozen_s)
            time.sleep(max(0.0, FROZEN_S - frozen_s))
            victim.send(signal.SIGCONT)
            last = self._last_award()
        if kind is Misfortune.MACHINE:
            server.kill()
        victim.kill()
        took_s = self._until(self._another_award(last), PATIENCE_S)
        self._took(kind, took_s)
        if kind is Misfortune.MACHINE:
            server.start()
        victim.start()
        self._must(lambda: self._coordinators.ready, "both coordinators are back")

    def _took(self, kind: Misfortune, seconds: float) -> None:
        self.outcome.took.append((kind, seconds))
        self._told(f"{len(self.outcome.took):3} {kind}: {seconds:.2f} s\n")

    def _last_award(self) -> Entry:
        self._coordinators.look()
        last = self._coordinators.last_award
        assert last is not None
        return last

    def _another_award(self, last: Entry | None) -> Callable[[], bool]:
        """Decided after ``last``, as a copy of the log has it."""

        def decided() -> bool:
            self._coordinators.look()
            return self._coordinators.last_award != last

        return decided

    def _until(self, holds: Callable[[], bool], patience_s: float) -> float:
        """Wait; returns how long it took. What is still wrong then, the comparison says."""
        begin_s = time.monotonic()
        while not holds() and time.monotonic() < begin_s + patience_s:
            time.sleep(LOOK_S)
        return time.monotonic() - begin_s

    def _must(self, holds: Callable[[], bool], what: str) -> None:
        self._until(holds, START_S)
        if not holds():
            logs = {file.name: file.read_text()[-800:] for file in self._folder.glob("*.log")}
            raise AssertionError(f"not {what} in {START_S} s: {logs}")

    # ---- the end ---------------------------------------------------------------------------------

    def _open(self) -> list[str]:
        missing = [f"{one.name} is not at rest" for one in self._tables if not one.said("at rest")]
        if missing:
            return missing
        logs = [entries_of(config.log_file) for config in self._coordinators.configs]
        if logs[0] != logs[1]:
            return [f"copies of {len(logs[0])} and {len(logs[1])} entries"]
        return still_open(self._coordinators.configs[0].log_file, self._ledgers)

    def _compare(self) -> None:
        """While the cluster is still there."""
        findings = [f"open in the end: {missing}" for missing in self._open()]
        shared = asyncio.run(self._shared_log())
        for config in self._coordinators.configs:
            if entries_of(config.log_file) != shared:
                findings.append(f"the copy of {config.name} is not the cluster's log")
            findings += disagreements(config.log_file, self._ledgers)
        findings += [
            f"{kind}: no award within {WITHIN_S} s, but after {took_s:.1f} s"
            for kind, took_s in self.outcome.took
            if took_s >= WITHIN_S
        ]
        self.outcome.findings = findings
        self.outcome.played = played(self._ledgers)

    async def _shared_log(self) -> list[Entry]:
        log = await JetStreamLog.open(self._urls, CARRUSEL)
        entries: list[Entry] = []
        try:
            while piece := await log.read(len(entries), READ_AT_MOST):
                entries += piece
        finally:
            await log.close()
        return entries


def main() -> int:
    """Exit status 0 when every award came in time and everything agrees."""
    parser = argparse.ArgumentParser(description="Coordinators killed in the three-node tier.")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a new folder for everything; else temporary")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jackpot-failover-") as temporary:
        folder = asked.keep or Path(temporary)
        folder.mkdir(exist_ok=True, parents=True)
        outcome = Failover(folder, asked.seed, sys.stdout.write).run(asked.kills)
    sys.stdout.write(f"seed         {asked.seed}\n{outcome.text()}\n")
    return 1 if outcome.findings else 0


if __name__ == "__main__":
    sys.exit(main())
