"""``python tests/chaos/chaos.py --seconds 600 --tables 4 --seed 1``: a carrusel of real processes in which
something is killed with −9 or frozen with SIGSTOP all the time, while bets come and awards are claimed.

At the end everything is let run, and all ledgers and the log must agree to the micro-cent. The seed
chooses victims and cards; what the machine does in between is its own.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from all_agree import Played, disagreements, played, still_open
from processes import HERE, Process
from support.brokers import Broker, free_port, mosquitto
from support.linked_floor import found_coordinator, install_table

START_S = 60.0
SETTLE_S = 90.0
FROZEN_S = (0.3, 4.0)
"""From less than a beat to longer than the lease."""

APART_S = (0.5, 3.0)
"""Between two misfortunes."""


@dataclass
class Outcome:
    """What a run came to."""

    misfortunes: Counter[str] = field(default_factory=Counter)
    played: Played = field(default_factory=Played)
    findings: list[str] = field(default_factory=list)

    def text(self) -> str:
        """For people."""
        hit = ", ".join(f"{count} x {what}" for what, count in sorted(self.misfortunes.items()))
        return (
            f"misfortunes  {hit}\nhands        {self.played.hands}\n"
            f"awards       {self.played.awards}, {self.played.paid_cents} cents\n"
            f"findings     {len(self.findings)}\n"
            + "".join(f"             {finding}\n" for finding in self.findings)
        )


class Chaos:
    """One run in ``folder``."""

    def __init__(self, folder: Path, tables: int, seed: int) -> None:
        self._folder = folder
        self._chance = random.Random(seed)
        self._broker = mosquitto(folder / "broker", port=free_port())
        self._numbers = [str(number) for number in range(1, tables + 1)]
        self._ledgers: list[Path] = []
        self._tables: list[Process] = []
        self._seed = seed
        self.outcome = Outcome()

    def run(self, seconds: float) -> Outcome:
        """Everything, from the first start to the last comparison."""
        coordinator = self._found()
        try:
            self._broker.start()
            for process in (coordinator, *self._tables):
                process.start()
            self._wait(self._ready, START_S)
            self._misfortunes([coordinator, *self._tables], seconds)
            self._let_all_run([coordinator, *self._tables])
            self._wait(self._ready, START_S)  # before that a signal would end them
            for table in self._tables:
                table.send(signal.SIGTERM)
            self._wait(lambda: not self._open(), SETTLE_S)
        finally:
            for process in (*self._tables, coordinator):
                process.send(signal.SIGCONT)
                process.close()
            self._broker.stop()
        self._count()
        return self.outcome

    def _ready(self) -> bool:
        return all(table.said("ready") for table in self._tables)

    def _found(self) -> Process:
        port = self._broker.port
        config = asyncio.run(found_coordinator(self._folder, port))
        self._log = config.log_file
        python = sys.executable
        for number in self._numbers:
            folder = self._folder / f"table-{number}"
            self._ledgers.append(install_table(folder, number, port).ledger.file)
            seed = str(self._seed * 1_000 + int(number))
            command = [python, str(HERE / "playing_table.py"), str(folder / "table.toml"), seed]
            self._tables.append(Process(f"table-{number}", command, self._folder))
        command = [python, "-m", "jackpot.cli", "coordinator", str(self._folder / "c1.toml")]
        return Process("coordinator", command, self._folder)

    def _misfortunes(self, processes: list[Process], seconds: float) -> None:
        end_s = time.monotonic() + seconds
        victims: list[Process | Broker] = [*processes, self._broker]
        while time.monotonic() < end_s:
            time.sleep(self._chance.uniform(*APART_S))
            victim = self._chance.choice(victims)
            name = victim.name if isinstance(victim, Process) else "broker"
            kind = name.partition("-")[0]
            if self._chance.random() < 0.5:
                victim.kill()
                victim.start()
                self.outcome.misfortunes[f"{kind} killed"] += 1
            else:
                self._freeze(victim)
                time.sleep(self._chance.uniform(*FROZEN_S))
                self._thaw(victim)
                self.outcome.misfortunes[f"{kind} frozen"] += 1

    def _freeze(self, victim: Process | Broker) -> None:
        victim.send(signal.SIGSTOP) if isinstance(victim, Process) else victim.freeze()

    def _thaw(self, victim: Process | Broker) -> None:
        victim.send(signal.SIGCONT) if isinstance(victim, Process) else victim.thaw()

    def _let_all_run(self, processes: list[Process]) -> None:
        for process in processes:
            process.send(signal.SIGCONT)
            if not process.runs:
                process.start()

    def _open(self) -> list[str]:
        missing = [
            f"{table.name} is not at rest" for table in self._tables if not table.said("at rest")
        ]
        return missing or still_open(self._log, self._ledgers)

    def _wait(self, holds: Callable[[], bool], patience_s: float) -> None:
        end_s = time.monotonic() + patience_s
        while not holds():
            if time.monotonic() > end_s:
                return  # what is wrong then, the comparison says
            time.sleep(0.5)

    def _count(self) -> None:
        findings = [*disagreements(self._log, self._ledgers)]
        findings += [f"open in the end: {missing}" for missing in self._open()]
        self.outcome.findings = findings
        self.outcome.played = played(self._ledgers)


def main() -> int:
    """Exit status 0 when everything agrees."""
    parser = argparse.ArgumentParser(description="A carrusel of real processes under misfortunes.")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a new folder for everything; else temporary")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jackpot-chaos-") as temporary:
        folder = asked.keep or Path(temporary)
        folder.mkdir(exist_ok=True, parents=True)
        outcome = Chaos(folder, asked.tables, asked.seed).run(asked.seconds)
    sys.stdout.write(f"seed         {asked.seed}\n{outcome.text()}")
    return 1 if outcome.findings else 0


if __name__ == "__main__":
    sys.exit(main())
