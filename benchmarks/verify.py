"""How fast the independent checker walks over a ledger, and what each part of it costs.

Run: ``.venv/bin/python benchmarks/verify.py [--hands 95000] [--keep PATH]``.

The ledger is made with the real table and the real store: hands of four bets (18 events in nine
batches), an award now and then, a checkpoint at each. 95,000 hands are 1.7 million events.
``--keep`` leaves the ledger at a path, or uses the one that is there.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jackpot.authority.roles import Role
from jackpot.law.profile import Figures, load_profile, make_terms
from jackpot.ledger.machine import Cause, NewBatch
from jackpot.ledger.store import Ledger
from jackpot.ledger.table_ledger import TABLE
from jackpot.table import facts as f
from jackpot.table.decide import play
from jackpot.table.event import Fact
from jackpot.table.state import INITIAL, TableState

AT_NS = 1_800_000_000_000_000_000
HAND_NS = 60_000_000_000
BATCHES_PER_COMMIT = 1_024
"""Only to generate quickly."""

AWARD_EVERY = 50
"""More than at a real table, so that awards weigh in."""

FOUR_SEVENS = "7h 7s 7d 7c 2h"


class Story:
    """Facts through the real table into batches."""

    def __init__(self) -> None:
        self.state: TableState = INITIAL
        self.waiting: list[NewBatch] = []
        self.numbers: dict[str, int] = {}

    def add(self, source: str, at_ns: int, *facts: Fact) -> None:
        """One batch."""
        events, self.state = play(self.state, facts)
        number = self.numbers[source] = self.numbers.get(source, 0) + 1
        hand = self.state.hand_number or None
        self.waiting.append(NewBatch(at_ns, hand, Cause(source, number), events))


def start(story: Story) -> None:
    """A table that is open."""
    figures = Figures(
        table="1",
        layout="1A",
        bet_cents=200,
        table_minimum_cents=1_000,
        jackpot_ppm=250_000,
        seed_cents=1_000_000,
    )
    terms = make_terms(load_profile("canarias"), figures)
    officers: dict[str, tuple[Role, ...]] = {
        "c1": (Role.CROUPIER,),
        "j1": (Role.TABLE_CHIEF,),
        "d1": (Role.GAMES_DIRECTOR,),
    }
    story.add("controller", AT_NS, f.ControllerStarted(version="benchmark", clean=True))
    loaded = f.ConfigurationLoaded(config_text="", profile_text="", terms=terms)
    story.add("controller", AT_NS, loaded, f.OfficersListed(officers=officers))
    story.add("controller", AT_NS, *(f.SlotUp(box=box) for box in range(1, 8)))
    opened = f.DayOpened(by="c1", second="j1", day="2026-11-30", displayed_cents=1_000_000)
    story.add("console", AT_NS, opened)


def hand(story: Story, number: int) -> bool:
    """One hand of four bets; whether it ended with an award."""
    at_ns = AT_NS + number * HAND_NS
    story.add("console", at_ns, f.HandStarted(by="c1", hand=number))
    for box in range(1, 5):
        chip = f.ChipSeen(box=box, expected=True, a=1, b=1)
        story.add(f"slot:{box}:1001:0", at_ns + box, chip)
    story.add("console", at_ns + 8, f.LockPressed(by="c1", hand=number))
    story.add("lock", at_ns + 9, f.LockReached(unknown_boxes=()))
    if number % AWARD_EVERY:
        story.add("console", at_ns + 10, f.NoAwardsDeclared(by="c1", hand=number))
        return False
    winner = f.DeclaredHand(2, FOUR_SEVENS)
    story.add("console", at_ns + 10, f.AwardsDeclared(by="c1", hand=number, hands=(winner,)))
    story.add("console", at_ns + 11, f.AwardsConfirmed(by="j1", hand=number))
    running = story.state.hand
    if running is None:
        return False
    for payment in running.payments:
        cents = payment.cents
        story.add("console", at_ns + 12, f.AwardPaid(by="c1", hand=number, box=2, cents=cents))
    return True


def make(path: Path, hands: int) -> None:
    """The ledger."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    ledger = Ledger.create(path, TABLE, key, origin="benchmark.example/table", at_ns=AT_NS)
    ledger._connection.execute("PRAGMA synchronous = OFF")  # only to generate quickly
    story = Story()
    start(story)
    for number in range(1, hands + 1):
        award = hand(story, number)
        if award or number == hands or len(story.waiting) >= BATCHES_PER_COMMIT:
            ledger.append(story.waiting)
            story.waiting = []
        if award or number == hands:
            ledger.sign_checkpoint(AT_NS + number * HAND_NS)
    ledger.close()


def timed(what: str, events: int, work: Callable[[], object]) -> None:
    """Print how long ``work`` takes, for each event."""
    started = time.process_time()
    work()
    seconds = time.process_time() - started
    print(
        f"{what:24} {seconds:6.2f} s of CPU   {events / seconds / 1e6:5.2f} million events a second"
    )


def parts(path: Path, events: int) -> None:
    """What reading, hashing and judging cost, one on top of the other."""
    from jackpot.audit.checker import verify
    from jackpot.audit.checker.chain import Chain, genesis
    from jackpot.audit.checker.findings import Findings
    from jackpot.audit.checker.ledger_file import LedgerFile

    def batches() -> Iterator[object]:
        return LedgerFile(path).batches(Findings())

    def chained() -> None:
        file, findings = LedgerFile(path), Findings()
        chain = Chain(genesis(file.about(findings).items()), findings)
        for header, stored, rows in file.batches(findings):
            chain.add(header, stored, rows)

    timed("reading", events, lambda: [None for _ in batches()])
    timed("reading, hashing", events, chained)
    timed("verify, everything", events, lambda: print(verify(path).as_text(), end=""))


def main() -> None:
    """Make or find a ledger, then measure."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--hands", type=int, default=95_000)
    options.add_argument("--keep", type=Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = given.keep or Path(folder) / "verify.ledger"
        if not path.exists():
            make(path, given.hands)
        from jackpot.audit.checker import verify

        summary = verify(path).summary
        events = 0 if summary is None else summary.events
        print(f"{events:,} events, {path.stat().st_size / events:.0f} bytes an event")
        parts(path, events)
        peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"peak memory {peak_mib:.0f} MiB, the generator's included unless --keep was there")


if __name__ == "__main__":
    main()
