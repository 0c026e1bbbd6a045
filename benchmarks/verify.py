"""How fast the independent checker walks over ledgers, beside reading and hashing the same bytes.

Run: ``.venv/bin/python benchmarks/verify.py [--hands 95000] [--tables 1] [--keep FOLDER]``.

The ledger is made with the real table and the real store: hands of four bets (18 events in nine
batches), an award now and then, a checkpoint at each. 95,000 hands are 1.7 million events, 140,000 a
table-year. ``--tables 20`` checks so many copies of it, each a file of its own: a casino-year.
``--keep`` leaves the ledger in a folder, or uses the one that is there.

CPU seconds count, since other programs may be busy; by two processors, with processes that make the
pieces, half of all that is used, and never less than the judge's. Three things are measured beside the
checker, in the same run: SQLite's own look at the pages (``integrity_check``), fetching every row, and
making the bytes that are hashed by SQL and hashing them, no value looked at.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import apsw
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tools import report

from jackpot.audit.checker import Report, Summary, verify
from jackpot.authority.roles import Role
from jackpot.daemon.check_workers import made_by
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

ROUNDS = 3

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


def start(story: Story, table: str = "1") -> None:
    """A table that is open."""
    figures = Figures(
        table=table,
        layout=f"{table}A",
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


def hand(story: Story, number: int, boxes: Sequence[int] = (1, 2, 3, 4)) -> bool:
    """One hand with a bet in each of some boxes; whether it ended with an award, to the second."""
    at_ns = AT_NS + number * HAND_NS
    story.add("console", at_ns, f.HandStarted(by="c1", hand=number))
    for box in boxes:
        chip = f.ChipSeen(box=box, expected=True, a=1, b=1)
        story.add(f"slot:{box}:1001:0", at_ns + box, chip)
    story.add("console", at_ns + 8, f.LockPressed(by="c1", hand=number))
    story.add("lock", at_ns + 9, f.LockReached(unknown_boxes=()))
    if number % AWARD_EVERY:
        story.add("console", at_ns + 10, f.NoAwardsDeclared(by="c1", hand=number))
        return False
    winner = f.DeclaredHand(boxes[1], FOUR_SEVENS)
    story.add("console", at_ns + 10, f.AwardsDeclared(by="c1", hand=number, hands=(winner,)))
    story.add("console", at_ns + 11, f.AwardsConfirmed(by="j1", hand=number))
    running = story.state.hand
    if running is None:
        return False
    for payment in running.payments:
        cents = payment.cents
        paid = f.AwardPaid(by="c1", hand=number, box=payment.box, cents=cents)
        story.add("console", at_ns + 12, paid)
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


def cpu_s(work: Callable[[], object]) -> float:
    """What ``work`` takes of this process."""
    started = time.process_time()
    work()
    return time.process_time() - started


BATCHES = (
    "SELECT json_array(batch, at_ns, hand, rules, cause, first_seq, events), events FROM batch"
)
EVENTS = "SELECT json_array(seq, batch, kind, box, cents, microcents, info) FROM event"


def texts_of(path: Path) -> Iterator[bytes]:
    """What is hashed of each batch, as SQLite makes it; one and the same hash stands before each."""
    before = "0" * 64
    with reading(path) as database:
        events = database.execute(EVENTS)
        for line, count in database.execute(BATCHES):
            lines = [str(row[0]) for row in islice(events, count)]
            yield "\n".join([before, line, *lines, ""]).encode()


def hashed(texts: Iterable[bytes]) -> None:
    """One SHA-256 for each batch."""
    for text in texts:
        hashlib.sha256(text).hexdigest()


def reading(path: Path) -> apsw.Connection:
    """The file alone."""
    return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)


def fetched(path: Path) -> None:
    """Every row as a tuple of Python's values."""
    with reading(path) as database:
        for table in ("batch", "event"):
            deque(database.execute(f"SELECT * FROM {table}"), maxlen=0)  # noqa: S608  # our names


def checked_by_sqlite(path: Path) -> None:
    """``integrity_check``."""
    with reading(path) as database:
        deque(database.execute("PRAGMA integrity_check"), maxlen=0)


def by_two(path: Path) -> float:
    """CPU seconds that two processors take: the judge's, or half of all."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    judge_s = cpu_s(lambda: clean(verify(path, ahead=made_by(2))))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    others_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return max(judge_s, (judge_s + others_s) / 2)


def clean(report: Report) -> Summary:
    """The summary of a ledger without findings."""
    if report.summary is None or report.exit_status:
        raise SystemExit(report.as_text())
    return report.summary


def one_ledger(path: Path) -> None:
    """One table: the bound, both ways of the checker, and a thread ahead; the best of ``ROUNDS``."""
    gc.disable()  # as the checker does: the others make as many objects
    events = clean(verify(path)).events
    print(f"{events:,} events, {path.stat().st_size / events:.0f} bytes an event")
    texts = list(texts_of(path))
    works: dict[str, Callable[[], float]] = {
        "fetching every row": lambda: cpu_s(lambda: fetched(path)),
        "integrity_check": lambda: cpu_s(lambda: checked_by_sqlite(path)),
        "the bytes by SQL": lambda: cpu_s(lambda: deque(texts_of(path), maxlen=0)),
        "hashing alone": lambda: cpu_s(lambda: hashed(texts)),
        "verify": lambda: cpu_s(lambda: clean(verify(path))),
        "verify, two processors": lambda: by_two(path),
        "verify, batch by batch": lambda: cpu_s(lambda: clean(verify(path, swift=False))),
    }
    best_s = dict.fromkeys(works, float("inf"))
    for _ in range(ROUNDS):
        for what, work in works.items():
            best_s[what] = min(best_s[what], work())
    for what, seconds in best_s.items():
        print(f"{what:24} {seconds:6.2f} s of CPU   {events / seconds / 1e6:5.2f} million/s")
    bound_s = best_s["the bytes by SQL"] + best_s["hashing alone"]
    report(
        "verify",
        events=events,
        events_a_second=round(events / best_s["verify"]),
        events_a_second_by_two=round(events / best_s["verify, two processors"]),
        times_reading_and_hashing=round(best_s["verify"] / bound_s, 2),
    )


def casino(path: Path, tables: int, jobs: int) -> None:
    """Many tables by the command line: wall time, and the memory of the largest process."""
    copies = [path.with_name(f"table-{number}.ledger") for number in range(1, tables + 1)]
    for copy in copies:
        shutil.copyfile(path, copy)
    command = [
        sys.executable,
        "-m",
        "jackpot.cli",
        "verify",
        "--jobs",
        str(jobs),
        *map(str, copies),
    ]
    started = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)  # noqa: S603 - our own
    seconds = time.perf_counter() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    for copy in copies:
        copy.unlink()
    if done.returncode:
        raise SystemExit("findings")
    peak_mib = used.ru_maxrss // 1024
    print(
        f"{tables} tables, {jobs} jobs: {seconds:.1f} s on the clock, largest process {peak_mib} MiB"
    )
    report("verify casino", tables=tables, jobs=jobs, seconds=round(seconds, 1), peak_mib=peak_mib)


def main() -> None:
    """Make or find a ledger, then measure."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--hands", type=int, default=95_000)
    options.add_argument("--tables", type=int, default=1)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--keep", type=Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = (given.keep or Path(folder)) / f"{given.hands}-hands.ledger"
        if not path.exists():
            make(path, given.hands)
        casino(path, given.tables, given.jobs)  # first: a child has no more memory than it needs
        one_ledger(path)


if __name__ == "__main__":
    main()
