"""Linked tables: from a bet to another table's visor, and from a claim to its decision at every table.

Run: ``.venv/bin/python benchmarks/carrusel_award.py [--tables 10] [--rounds 100]``.

Real tables in manual mode in this process, a real coordinator and a real mosquitto in theirs. In each
round table 1 enters the total of a hand (the bet) and table 2's visor is watched from the commit on; then
table 1 claims four aces, and every table is watched until it has applied the decision. Between the rounds
the bare round trip of a message: from one client over the same broker to another one, and back. Targets:
twice the round trip; 250 ms for 99 of 100.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import tempfile
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

from carrusel_parts import broker_in, coordinator_on, echo_over, median, p99
from tools import report

from jackpot.config import BrokerConfig, CarruselConfig
from jackpot.daemon.demo.croupier import CHIEFS, CROUPIER
from jackpot.daemon.demo.house import demo_house
from jackpot.daemon.running import RunningTable, Surroundings, running_table
from jackpot.law.terms import BetMode
from jackpot.table import facts as f
from jackpot.table.event import OfficerAct
from jackpot.table.facts import DeclaredHand
from jackpot.table.state import Phase, unpaid

CARRUSEL = "sala-1"
TARGET_MS, TARGET_ROUND_TRIPS = 250, 2
PATIENCE_S = 60.0
QUIET_S = 0.3
"""What went before is over by then."""

TRIPS = 3
"""Bare round trips after each round."""


class Staff:
    """The officers of one table."""

    def __init__(self, running: RunningTable) -> None:
        self.desk = running.desk
        self._forms = itertools.count(1)
        self._session = f"benchmark-{running.config.table.number}"
        self.committed_s: dict[int, float] = {}
        """When each operation was on the disk."""
        self.desk.on_change(self._note)

    def _note(self) -> None:
        self.committed_s.setdefault(self.operation(), time.monotonic())

    async def act(self, act: OfficerAct) -> None:
        """One form."""
        await self.desk.act(act, form=f"{self._session}.{next(self._forms)}")

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for the desk's news until it holds."""
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                await self.desk.changed(self.desk.version, PATIENCE_S)

    def shown(self) -> int:
        """The prize on its visors, in micro-cents; -1 while there is none."""
        heard = self.desk.status.carrusel
        total = None if heard is None else heard.total_microcents
        return -1 if total is None else total

    def decision(self) -> int:
        """The last that it applied."""
        member = self.desk.state.carrusel
        return 0 if member is None else member.decision

    def operation(self) -> int:
        """The last that it committed."""
        member = self.desk.state.carrusel
        return 0 if member is None else member.operation

    async def join(self) -> None:
        """Open the day and join."""
        opened = f.DayOpened(
            by=CROUPIER, second=CHIEFS[0], day="2026-11-30", displayed_cents=1_000_000
        )
        await self.act(opened)
        asked = f.CarruselJoinAsked(
            by=CHIEFS[0], second=CHIEFS[2], carrusel=CARRUSEL, authorisation="benchmark"
        )
        await self.act(asked)
        await self.until(lambda: self.shown() >= 0)


async def round_(first: Staff, others: list[Staff]) -> tuple[float, float]:
    """Milliseconds of one claim and one bet."""
    number = first.desk.state.hand_number + 1
    await first.act(f.HandStarted(by=CROUPIER, hand=number))
    await first.act(f.LockPressed(by=CROUPIER, hand=number))
    hands = (DeclaredHand(1, "As Ah Ad Ac 3h"),)
    await first.act(f.AwardsDeclared(by=CROUPIER, hand=number, hands=hands))
    decision = first.decision() + 1
    began = time.monotonic()
    await first.act(f.AwardsConfirmed(by=CHIEFS[0], hand=number))
    await asyncio.gather(
        *(one.until(lambda one=one: one.decision() >= decision) for one in (first, *others))  # type: ignore[misc]
    )
    claim_ms = (time.monotonic() - began) * 1_000
    if first.desk.state.phase is Phase.DECIDED:
        owed_cents = sum(payment.cents for payment in unpaid(first.desk.state))
        signed = f.AwardsSigned(by=CHIEFS[1], hand=number, total_cents=owed_cents)
        await first.act(signed)
    for one in unpaid(first.desk.state):
        await first.act(f.AwardPaid(by=CROUPIER, hand=number, box=one.box, cents=one.cents))
    await asyncio.sleep(QUIET_S)  # the total of the decision is out
    await first.act(f.TotalEntered(by=CROUPIER, hand=number, chips=3, cents=600))
    before, watcher = others[0].shown(), others[0]
    seen = asyncio.create_task(watcher.until(lambda: watcher.shown() > before))
    await first.act(f.TotalFinal(by=CROUPIER, hand=number, chips=3))
    await seen
    return claim_ms, (time.monotonic() - first.committed_s[first.operation()]) * 1_000


async def measure(folder: Path, broker: BrokerConfig, tables: int, rounds: int) -> None:
    claims, bets, trips = list[float](), list[float](), list[float]()
    async with AsyncExitStack() as stack:
        floor = []
        for number in range(1, tables + 1):
            place = folder / f"table-{number}"
            link = CarruselConfig(CARRUSEL, broker)
            table = demo_house(place, 0, BetMode.MANUAL, str(number), link)
            around = Surroundings(lock_directory=place, screens=False)
            floor.append(Staff(await stack.enter_async_context(running_table(table, around))))
            await floor[-1].join()
        echo = await stack.enter_async_context(echo_over(broker))
        for _ in range(rounds):
            claim_ms, bet_ms = await round_(floor[0], floor[1:])
            claims.append(claim_ms)
            bets.append(bet_ms)
            await asyncio.sleep(QUIET_S)
            trips += [await echo.round_trip_ms() for _ in range(TRIPS)]
    figures = {"tables": tables, "rounds": rounds}
    report(
        "claim to all tables",
        **figures,
        median_ms=median(claims),
        p99_ms=p99(claims),
        target_ms=TARGET_MS,
    )
    report(
        "bet to another visor",
        **figures,
        median_ms=median(bets),
        p99_ms=p99(bets),
        round_trip_median_ms=median(trips),
        round_trip_p99_ms=p99(trips),
        round_trips=round(p99(bets) / p99(trips), 1),
        target_round_trips=TARGET_ROUND_TRIPS,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=100)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jackpot-award-") as name:
        folder = Path(name)
        with (
            broker_in(folder) as (broker, _),
            coordinator_on(folder, CARRUSEL, broker),
        ):
            asyncio.run(measure(folder, broker, asked.tables, asked.rounds))


if __name__ == "__main__":
    main()
