"""Makes the golden ledgers of a release: ``python tests/golden/make_golden.py 0.1.0``.

Run once for each released version, by that version; what it made is never made again, because the
point of a golden ledger is that it is old. Therefore it refuses to touch a folder that is there.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

HERE = Path(__file__).parent
for folder in (HERE.parents[1], HERE.parent, HERE.parent / "audit"):
    sys.path.insert(0, str(folder))

from anything import Anything  # noqa: E402
from pit_story import pit_story  # noqa: E402
from scripted import opened  # noqa: E402
from stories import carried_story, long_story  # noqa: E402
from support.table import FOUR_ACES, canarias, identified  # noqa: E402

from jackpot.audit.checker import verify  # noqa: E402
from jackpot.law.policies import (  # noqa: E402
    BaseOfHand,
    ExtraChip,
    Policies,
    SeedSource,
    VoidBets,
)
from jackpot.law.terms import AwardedHand, JackpotKind, Terms  # noqa: E402
from jackpot.table import facts as f  # noqa: E402

RIGS = (
    "royal royals royals-three royal+quads sf sf-tie sf-high-and-tie sf+quads quads quads-two "
    "wheel void late second wrong silent reset lost"
)
"""Every rig of the demonstration at the time of 0.1.0, hand by hand."""

STEPS = 160
"""Acts at random: some fifteen hands, a hundred kilobytes."""

LAYOUTS: Mapping[str, Terms] = {
    "next-hand": canarias(Policies(extra_chip=ExtraChip.NEXT_HAND, void_bets=VoidBets.CARRY)),
    "reserve": canarias(
        Policies(seed_source=SeedSource.RESERVE), ceiling_cents=1_000_175, reserve_ppm=50_000
    ),
    "fixed": canarias(kind=JackpotKind.FIXED, jackpot_ppm=0, seed_cents=2_000_000),
    "three-bets-a-box": canarias(
        Policies(base_of_hand=BaseOfHand.AT_PAYMENT),
        bets_per_box=3,
        ace_low_in_straights=True,
        house_deduction_ppm=100_000,
        award_shares_ppm={AwardedHand.ROYAL_FLUSH: 1_000_000, AwardedHand.STRAIGHT_FLUSH: 100_000},
    ),
}
"""Tables of other terms, on which anything happens."""


def faults(path: Path) -> Path:
    """Every fault of a slot, an alarm, a clock set back, a controller that died; and an award."""
    table = opened(path)
    table.play(f.SlotDown(box=4, why="silent"))
    table.play(f.AlarmRaised(alarm="disk_nearly_full", detail="3 % left"))
    table.play(f.BoxClosed(by="J1", box=4, why="silent"))
    table.hand(1, 2)
    table.play(f.SlotRestarted(box=3, epoch=1))
    table.play(f.SlotEventsLost(box=5, lost=2))
    table.play(f.SlotEvent(box=6, a=0, b=20, name="string", fraud=True))
    table.lock(3, 7)
    table.play(f.SlotDecided(by="C1", hand=table.number, box=3, bet=True))
    table.play(f.SlotDecided(by="C1", hand=table.number, box=7, bet=False))
    table.declare(box1=FOUR_ACES).confirm().pay(1, 50_005)
    table.settle()
    table.play(f.ControllerStarted(version="test", clean=False))
    table.play(identified(1, f.Continuity.DOUBTFUL, count=9))
    table.settle()
    for box in range(1, 8):
        table.play(f.SlotUp(box=box))
    table.play(f.AlarmCleared(alarm="disk_nearly_full"), f.ClockStepped(step_ns=-7_000_000_000))
    table.play(f.BoxOpened(by="J1", box=4))
    table.hand(4).lock().no_awards()
    table.close_day()
    return table.close()


def demo(path: Path) -> Path:
    """The demonstration, headless, through its serial line: one hand for each rig."""
    from jackpot.daemon.demo.game import Script
    from jackpot.daemon.demo.headless import play_headless
    from jackpot.daemon.demo.house import demo_house
    from jackpot.daemon.demo.rigs import parse_rigs

    names = RIGS.split()
    rigs = ",".join(f"{name}@{number}" for number, name in enumerate(names, start=2))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "table"
        script = Script(seed=1, rigs=parse_rigs(rigs), hands=len(names) + 6, speed=0)
        asyncio.run(play_headless(demo_house(folder, port=0), folder, script, print))
        shutil.copy(folder / "ledger" / "table.ledger", path)
    return path


def anything(terms: Terms) -> Callable[[Path], Path]:
    """A table of these terms, and whatever happens on it."""

    def made(path: Path) -> Path:
        table = opened(path, terms, group=16)
        Anything(table, 1).run(STEPS)
        return table.close()

    return made


LEDGERS: Mapping[str, Callable[[Path], Path]] = {
    "two-days": long_story,
    "carried": carried_story,
    "faults": faults,
    "every-rig": demo,
    "pit": pit_story,
    **{name: anything(terms) for name, terms in LAYOUTS.items()},
}


def make(version: str, into: Path = HERE) -> Path:
    """All ledgers of one version, with what they came to. Raises ``FileExistsError``."""
    folder = into / version
    if folder.exists():
        raise FileExistsError(0, "", str(folder))
    with tempfile.TemporaryDirectory() as temporary:
        whole = Path(temporary) / version
        whole.mkdir()
        expected = {}
        for name, made in LEDGERS.items():
            path = made(Path(temporary) / f"{name}.ledger")
            (whole / path.name).write_bytes(path.read_bytes())
            expected[path.name] = _expected(path)
        text = json.dumps(expected, indent=1, sort_keys=True) + "\n"
        (whole / "expected.json").write_text(text, encoding="utf-8")
        shutil.copytree(whole, folder)
    return folder


def _expected(path: Path) -> dict[str, object]:
    """What a clean ledger came to. Asks the checker, which shares no code with the table."""
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    report = verify(path)
    summary = report.summary
    if report.findings or summary is None:
        raise SystemExit(f"{path} is not clean:\n{report.as_text()}")
    return {
        "sha256": sha256,
        "head": summary.head_hash,
        "batches": summary.batches,
        "events": summary.events,
        "hands": summary.hands,
        "awards": summary.awards,
        "days": summary.days,
        "paid_cents": summary.paid_cents,
        "pools_microcents": summary.pools_microcents,
        "public_key": summary.public_key,
    }


if __name__ == "__main__":
    try:
        print(make(sys.argv[1]))
    except FileExistsError as error:
        raise SystemExit(
            f"{error.filename} is there: golden ledgers are never made again"
        ) from None
    except IndexError:
        raise SystemExit("usage: python tests/golden/make_golden.py VERSION") from None
