"""A small floor in this process: real tables in manual mode, a real coordinator, a real broker."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from jackpot.authority.roles import Role
from jackpot.config import Config, load_config_file
from jackpot.config.coordinator import CoordinatorConfig, load_coordinator
from jackpot.daemon.install import NewOfficer, install
from jackpot.daemon.link.coordinating import RunningCoordinator, running_coordinator, serving
from jackpot.daemon.link.founding import found
from jackpot.daemon.running import RunningTable, Surroundings, running_table
from jackpot.table import facts as f
from jackpot.table.carrusel_state import MemberStage
from jackpot.table.event import OfficerAct
from jackpot.table.facts import DeclaredHand
from jackpot.table.state import Phase, TableState, unpaid

PATIENCE_S = 20.0
DAY = "2026-11-30"
FOUR_ACES = "As Ah Ad Ac 3h"
ROYAL_FLUSH = "As Ks Qs Js Ts"

OFFICERS = (
    NewOfficer("c1", (Role.CROUPIER,), "482915"),
    NewOfficer("j1", (Role.TABLE_CHIEF,), "572914"),
    NewOfficer("d1", (Role.GAMES_DIRECTOR,), "773915"),
)

TABLE = """
profile = "canarias"

[casino]
name = "Casino de Ejemplo"
id = "casino.example"

[table]
number = "{number}"
minimum = "10.00"

[jackpot]
mode = "manual"
bet = "2.00"
percentage = "25"
seed = "10000.00"
authorisation = "2026/001"

[ledger]
dir = "record"
disk_alarm_mib = 1

[screens]
port = {screens}

[carrusel]
id = "sala"
broker_port = {port}
mqtt = "{mqtt}"
"""

COORDINATOR = """
[carrusel]
id = "sala"

[coordinator]
name = "{name}"
dir = "coordinator-{name}"

[broker]
embedded = {embedded}
broker_port = {port}
mqtt = "{mqtt}"

[screens]
port = 0
"""


def install_table(
    folder: Path, number: str, port: int, mqtt: str = "5", screens: int = 0, more: str = ""
) -> Config:
    """A table of the carrusel in its own folder, never run yet; ``more`` sections at the end."""
    folder.mkdir(parents=True)
    file = folder / "table.toml"
    file.write_text(TABLE.format(number=number, port=port, mqtt=mqtt, screens=screens) + more)
    config = load_config_file(file)
    install(config, OFFICERS, 1_764_500_000_000_000_000)
    return config


async def found_coordinator(
    folder: Path,
    port: int,
    *,
    mqtt: str = "5",
    name: str = "c1",
    embedded: bool = False,
    more: str = "",
    new_log: bool = True,
) -> CoordinatorConfig:
    """A coordinator in its own folder, never run yet."""
    text = COORDINATOR.format(
        name=name, port=port, mqtt=mqtt, embedded="true" if embedded else "false"
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.toml").write_text(text + more)
    config = load_coordinator(text + more, folder)
    await found(config, OFFICERS, new_log=new_log)
    return config


class FloorTable:
    """One table and the hands of its staff."""

    def __init__(self, running: RunningTable) -> None:
        self.running = running
        self._forms = itertools.count(1)
        self._session = f"s-{running.config.table.number}-{id(running)}"

    @property
    def state(self) -> TableState:
        """What is committed."""
        return self.running.desk.state

    @property
    def number(self) -> str:
        """As in the carrusel."""
        return self.running.config.table.number

    @property
    def meter_microcents(self) -> int:
        """This table's own jackpot."""
        return self.state.pools.jackpot_microcents

    @property
    def shown_microcents(self) -> int | None:
        """The prize, as far as this table knows it."""
        carrusel = self.running.desk.status.carrusel
        return None if carrusel is None else carrusel.total_microcents

    async def act(self, act: OfficerAct) -> None:
        """One form of an officer. Raises ``Refused``."""
        await self.running.desk.act(act, form=f"{self._session}.{next(self._forms)}")

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for the desk's news until it holds."""
        desk = self.running.desk
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                await desk.changed(desk.version, 0.05)

    async def join(self) -> None:
        """Open the day if need be, ask, and wait for the answer."""
        if self.state.phase is Phase.CLOSED:
            await self.open()
        asked = f.CarruselJoinAsked(by="j1", second="d1", carrusel="sala", authorisation="2026/9")
        await self.act(asked)
        await self.until(self.is_member)

    def is_member(self) -> bool:
        """Whether the carrusel has answered yes and is heard."""
        member = self.state.carrusel
        joined = member is not None and member.stage is MemberStage.MEMBER and member.position > 0
        return joined and member is not None and member.linked

    async def open(self) -> None:
        """A gaming day."""
        cents = 1_000_000 if not self.state.jackpot_started else self.meter_microcents // 1_000_000
        await self.act(f.DayOpened(by="c1", second="j1", day=DAY, displayed_cents=cents))

    async def lock_a_hand(self) -> int:
        """«No va más» of the next hand; returns its number."""
        number = self.state.hand_number + 1
        await self.until(self.is_member)
        await self.act(f.HandStarted(by="c1", hand=number))
        await self.until(lambda: self.shown_microcents is not None)
        await self.act(f.LockPressed(by="c1", hand=number))
        return number

    async def claim(self, cards: str) -> None:
        """The running hand won with these cards in box 1."""
        number = self.state.hand_number
        hands = (DeclaredHand(1, cards),)
        await self.act(f.AwardsDeclared(by="c1", hand=number, hands=hands))
        await self.act(f.AwardsConfirmed(by="j1", hand=number))

    async def pay(self) -> int:
        """Wait for the decision, sign, pay; returns what was paid, in cents."""
        number = self.state.hand_number
        await self.until(lambda: self.state.phase in (Phase.DECIDED, Phase.PAYABLE))
        owed = unpaid(self.state)
        total_cents = sum(payment.cents for payment in owed)
        if self.state.phase is Phase.DECIDED:
            await self.act(f.AwardsSigned(by="d1", hand=number, total_cents=total_cents))
        for payment in owed:
            await self.act(f.AwardPaid(by="c1", hand=number, box=payment.box, cents=payment.cents))
        return total_cents

    async def end_the_hand(self, chips: int) -> None:
        """Without awards unless they are paid already; so many chips were bet (CAN-8.b1)."""
        number = self.state.hand_number
        if self.state.phase is Phase.LOCKED:
            await self.act(f.NoAwardsDeclared(by="c1", hand=number))
        await self.act(f.TotalEntered(by="c1", hand=number, chips=chips, cents=200 * chips))
        await self.act(f.TotalFinal(by="c1", hand=number, chips=chips))

    async def play_a_hand(self, chips: int) -> None:
        """A hand without awards."""
        await self.lock_a_hand()
        await self.end_the_hand(chips)


@asynccontextmanager
async def table_runs(
    config: Config, folder: Path, *, screens: bool = False
) -> AsyncIterator[FloorTable]:
    """The table, with screens where they are wanted."""
    around = Surroundings(lock_directory=folder / "locks", screens=screens)
    async with running_table(config, around) as running:
        yield FloorTable(running)


@asynccontextmanager
async def coordinator_runs(config: CoordinatorConfig) -> AsyncIterator[RunningCoordinator]:
    """The coordinator, serving."""
    async with running_coordinator(config) as coordinator, serving(coordinator):
        yield coordinator


@asynccontextmanager
async def floor(
    folder: Path, port: int, numbers: str = "78", *, mqtt: str = "5", embedded: bool = False
) -> AsyncIterator[tuple[RunningCoordinator, list[FloorTable]]]:
    """A new carrusel with new tables that have all joined."""
    async with AsyncExitStack() as stack:
        config = await found_coordinator(folder, port, mqtt=mqtt, embedded=embedded)
        coordinator = await stack.enter_async_context(coordinator_runs(config))
        tables = []
        for number in numbers:
            table_config = install_table(folder / f"table-{number}", number, port, mqtt)
            table = await stack.enter_async_context(
                table_runs(table_config, folder / f"table-{number}")
            )
            await table.join()
            tables.append(table)
        yield coordinator, tables


async def until(holds: Callable[[], bool]) -> None:
    """Wait for something that has no event."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.02)


async def agree(coordinator: RunningCoordinator, tables: list[FloorTable]) -> int:
    """Wait until every table shows the log's total and the log has every meter; returns the total."""

    def same() -> bool:
        state = coordinator.core.state
        meters = {t: member.meter_microcents for t, member in state.members.items()}
        total = state.total_microcents
        return all(
            table.shown_microcents == total and meters.get(table.number) == table.meter_microcents
            for table in tables
        )

    await until(same)
    return coordinator.core.state.total_microcents
