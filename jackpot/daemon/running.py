"""A whole table in one process: ledger, desk, slots, screens, watches. ``jackpot run``, the
demonstration and the tests all embed this one.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

import structlog
from msgspec.structs import replace

from jackpot.config import Config, LampsConfig, table_minimums_cents
from jackpot.console.neighbour import Neighbour, neighbour_of
from jackpot.console.settings import ScreenSettings
from jackpot.daemon.bus import SlotBus
from jackpot.daemon.clock import Clock, SystemClock
from jackpot.daemon.history import read_history
from jackpot.daemon.keep_going import keep_going
from jackpot.daemon.lamps import LampLines, LampWriter
from jackpot.daemon.live_book import LiveBook
from jackpot.daemon.lock_button import LockButton, nobody
from jackpot.daemon.record import LedgerRecord
from jackpot.daemon.requests import CONTROLLER
from jackpot.daemon.screen_server import ScreenServer
from jackpot.daemon.serial_line import LOCK_DIRECTORY
from jackpot.daemon.sign_feed import SignFeed
from jackpot.daemon.slip_printer import SlipPrinter
from jackpot.daemon.slot_keeper import SlotKeeper
from jackpot.daemon.slots_running import start_slots
from jackpot.daemon.starting import doubt_facts
from jackpot.daemon.stray_faults import halt_on_stray_faults
from jackpot.daemon.table_desk import TableDesk
from jackpot.daemon.total_timer import TotalTimer
from jackpot.daemon.watches import (
    FreeBytes,
    free_bytes,
    sign_regularly,
    watch_clock,
    watch_disk,
    watch_officers,
)
from jackpot.errors import JackpotError, Refused
from jackpot.law.limits import check_terms
from jackpot.law.profile import load_profile
from jackpot.law.terms import Terms
from jackpot.ledger.keys import load_key
from jackpot.mechanism.statistics import BoxStatistics
from jackpot.table import facts as f
from jackpot.table.event import Fact
from jackpot.table.state import TableState

STOP_TIMEOUT_S = 20.0
"""A stop that takes longer hangs on a dead disk; what was acknowledged is safe all the same."""

_log = structlog.get_logger(__name__)


@dataclass
class RunningTable:
    """A table that runs. ``url`` is empty without screens, ``bus`` None without slots."""

    config: Config
    desk: TableDesk
    record: LedgerRecord
    book: LiveBook
    keeper: SlotKeeper | None = None
    bus: SlotBus | None = None
    url: str = ""

    def statistics(self) -> Mapping[int, BoxStatistics]:
        """What was counted about each box."""
        return self.bus.statistics() if self.bus is not None else {}


def gpio_lines(config: LampsConfig) -> LampLines:
    """Real lines. The package is imported only here: most tables have no GPIO chip."""
    from jackpot.daemon.gpio import GpioLines

    return GpioLines(config)


@dataclass(frozen=True)
class Surroundings:
    """What a table takes from the machine; tests and demonstrations give it other things."""

    clock: Clock = field(default_factory=SystemClock)
    free_bytes: FreeBytes = free_bytes
    lock_directory: Path = LOCK_DIRECTORY
    screens: bool = True
    lamp_lines: Callable[[LampsConfig], LampLines] = gpio_lines


@asynccontextmanager
async def running_table(
    config: Config, around: Surroundings | None = None
) -> AsyncIterator[RunningTable]:
    """Start everything, yield it, and stop it in good order (``ControllerStopped``, checkpoint).

    Raises ``JackpotError`` when it cannot start: no or another ledger, two daemons on one ledger or
    port, an address that is taken.
    """
    around = Surroundings() if around is None else around
    async with AsyncExitStack() as stack:
        server = _take_address(stack, config) if around.screens else None
        record = await _open_record(stack, config, screens=around.screens)
        book = LiveBook(config.ledger.officers_file)
        desk = TableDesk(record, around.clock, read_history(config.ledger.file))
        actor = asyncio.create_task(desk.run(), name="desk")
        stack.push_async_callback(_stop_desk, desk, actor)
        stack.callback(halt_on_stray_faults(desk))
        table = RunningTable(config, desk, record, book)
        is_logged_in: Callable[[str], bool] = nobody
        if server is not None:
            # Before anything is recorded: a full disk must not leave people without a word.
            is_logged_in = await _start_screens(server, table, around.clock)
            table.url = server.url
        await desk.submit(_first_facts(table, around.clock), CONTROLLER)
        desk.open_for_use()
        stack.callback(TotalTimer(desk, config.table.undo_s).stop)
        button = LockButton(desk, is_logged_in)
        slots = start_slots(stack, desk, config, around.lock_directory, button)
        if slots is not None:
            table.keeper, table.bus = slots
        _start_link(stack, table, around.clock)
        _start_watches(stack, table, around)
        _start_signs(stack, table)
        _start_lamps(stack, table, around.lamp_lines, button)
        yield table


def start_facts(state: TableState, config: Config, book: LiveBook) -> tuple[Fact, ...]:
    """What a start tells the ledger: itself, and whatever changed while nobody ran."""
    version = metadata.version("jackpot-controller")
    facts: list[Fact] = [f.ControllerStarted(version=version, clean=not state.running)]
    layouts = [(config.terms, config.profile_text)]
    if config.other is not None:
        layouts.append((config.other.terms, config.other.profile_text))
    for terms, profile in layouts:
        told = _with_minimum_in_force(state, terms, profile)
        if state.config_text != config.text or told != _recorded(state, terms.layout):
            facts.append(
                f.ConfigurationLoaded(config_text=config.text, profile_text=profile, terms=told)
            )
    officers = dict(book.roles())
    if state.officers != officers:
        facts.append(f.OfficersListed(officers=officers))
    return tuple(facts)


def _recorded(state: TableState, layout: str) -> Terms | None:
    """The newest terms of a layout that the ledger has."""
    at = state if state.terms is None or state.terms.layout == layout else state.parked
    return None if at is None else at.pending_terms or at.terms


def _with_minimum_in_force(state: TableState, terms: Terms, profile_text: str) -> Terms:
    """The minimum is the director's, who may have set another one since the file was read (CAN-6.1):
    it stays until the file itself names another, or until other changed terms forbid it."""
    recorded = _recorded(state, terms.layout)
    before = table_minimums_cents(state.config_text).get(terms.layout)
    if recorded is None or before != terms.table_minimum_cents:
        return terms
    kept = replace(terms, table_minimum_cents=recorded.table_minimum_cents)
    return terms if check_terms(kept, load_profile(profile_text)) else kept


def _first_facts(table: RunningTable, clock: Clock) -> tuple[Fact, ...]:
    state, config = table.desk.state, table.config
    doubts = doubt_facts(
        state,
        older=config.ledger.older_mark.exists(),
        behind_ns=table.record.found_at_ns - clock.wall_ns(),
    )
    return (*start_facts(state, config, table.book), *doubts)


def _take_address(stack: AsyncExitStack, config: Config) -> ScreenServer:
    server = ScreenServer(config.screens)
    stack.push_async_callback(server.stop)
    return server


async def _open_record(stack: AsyncExitStack, config: Config, *, screens: bool) -> LedgerRecord:
    place = config.ledger
    if not place.file.exists():
        raise Refused(
            reason="not_installed",
            expected=f"a ledger at {place.file}",
            found="none",
            to_do="set the table up with `jackpot init`, or restore its ledger from a snapshot",
        )
    key = load_key(place.key_file)
    # Most of the opening is SQLite's own check of the file, which leaves Python free for a while.
    opening = asyncio.get_running_loop().run_in_executor(
        None, LedgerRecord, place.file, key, place.witness_file
    )
    if screens:
        importlib.import_module("jackpot.console.app")
    record = await opening
    stack.push_async_callback(record.close)
    if record.origin != config.origin:
        raise Refused(
            reason="ledger_of_another_table",
            expected=f"the ledger of {config.origin}",
            found=record.origin,
            to_do="check casino.id, table.number, table.layout and ledger.dir: each layout has "
            "its own ledger",
            rule="CAN-2.2",
        )
    record.start()
    return record


async def _stop_desk(desk: TableDesk, actor: asyncio.Task[None]) -> None:
    """Say goodbye in the ledger, sign it, and let the last commits through."""
    with contextlib.suppress(
        JackpotError, TimeoutError
    ):  # a halted table has nothing more to record
        async with asyncio.timeout(STOP_TIMEOUT_S):
            await _goodbye(desk)
    desk.stop()
    try:
        async with asyncio.timeout(STOP_TIMEOUT_S):
            await actor
    except TimeoutError:
        _log.error("the disk did not answer at the stop")


async def _goodbye(desk: TableDesk) -> None:
    if not desk.disk_is_full:
        await desk.submit((f.ControllerStopped(),), CONTROLLER)
        await desk.checkpoint()


def _start_link(stack: AsyncExitStack, table: RunningTable, clock: Clock) -> None:
    """The link to the carrusel, if the configuration names one (CAN-9)."""
    carrusel = table.config.carrusel
    if carrusel is None:
        return
    from jackpot.daemon.link.table_link import TableLink

    link = TableLink(table.desk, carrusel, table.config, table.record.public_key, clock)
    stack.callback(link.close)
    stack.push_async_callback(_cancelled, link.start())


async def _start_screens(
    server: ScreenServer, table: RunningTable, clock: Clock
) -> Callable[[str], bool]:
    """Returns who tells whether an officer is logged in."""
    from jackpot.console.app import build_app
    from jackpot.daemon.link.officers_ask import LinkPages
    from jackpot.daemon.metrics import WithMetrics
    from jackpot.daemon.technician.pages import TechnicianPages

    screens = table.config.screens
    settings = ScreenSettings(
        secret_key=secrets.token_hex(32),
        clock=clock,
        session_timeout_s=screens.session_timeout_s,
        secure_cookie=screens.tls_cert is not None,
        language=screens.language,
        time_zone=screens.time_zone,
        casino=table.config.casino.name,
        neighbour=_neighbour(table.config),
        slips=SlipPrinter(table.config.ledger.file, screens.time_zone),
        carrusel="" if table.config.carrusel is None else table.config.carrusel.id,
    )
    app = build_app(table.desk, table.book, settings)
    with_slots = TechnicianPages(
        LinkPages(app, table.desk, table.book), table.desk, table.book, lambda: table.bus
    )
    await server.start(
        WithMetrics(with_slots, table.desk, table.statistics), before_stop=app.state.streams.stop
    )
    is_logged_in: Callable[[str], bool] = app.state.is_logged_in
    return is_logged_in


def _neighbour(config: Config) -> Neighbour | None:
    """The adjacent table on the same screen (CAN-3.1), where the configuration names one."""
    screens = config.screens
    if screens.neighbour is None or screens.neighbour_table is None:
        return None
    return neighbour_of(config.table.number, screens.neighbour, screens.neighbour_table)


def _start_watches(stack: AsyncExitStack, table: RunningTable, around: Surroundings) -> None:
    desk, place = table.desk, table.config.ledger
    watches: dict[str, Callable[[], Awaitable[None]]] = {
        "clock": lambda: watch_clock(desk, around.clock, found_at_ns=table.record.found_at_ns),
        "disk": lambda: watch_disk(desk, place.folder, place.disk_alarm_bytes, around.free_bytes),
        "officers": lambda: watch_officers(desk, table.book),
        "checkpoints": lambda: sign_regularly(desk, place.checkpoint_interval_s),
    }
    for name, watch in watches.items():
        task = asyncio.create_task(keep_going(name, watch), name=f"watch {name}")
        stack.push_async_callback(_cancelled, task)


def _start_signs(stack: AsyncExitStack, table: RunningTable) -> None:
    """Feed the signs, if there are any; when that ends they show dashes."""
    if not table.config.signs:
        return
    feed = SignFeed(table.desk, table.config.ledger.signs_socket)
    stack.callback(feed.close)
    task = asyncio.create_task(keep_going("signs", feed.run), name="signs")
    stack.push_async_callback(_cancelled, task)


def _start_lamps(
    stack: AsyncExitStack,
    table: RunningTable,
    open_lines: Callable[[LampsConfig], LampLines],
    button: LockButton,
) -> None:
    """Lamps and lock button, if there are any. Raises ``Refused``: the chip has no such lines."""
    if table.config.lamps is None:
        return
    lines = open_lines(table.config.lamps)
    stack.callback(_close_lamps, lines)
    writer = LampWriter(table.desk, lines, button)
    task = asyncio.create_task(keep_going("lamps", writer.run), name="lamps")
    stack.push_async_callback(_cancelled, task)


def _close_lamps(lines: LampLines) -> None:
    with contextlib.suppress(OSError):  # it was pulled out: dark already
        lines.close()


async def _cancelled(task: asyncio.Task[None]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
