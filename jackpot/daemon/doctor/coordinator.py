"""A coordinator of a carrusel as the doctor sees it: disk, log, broker, certificates, page (CAN-9)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

from jackpot.config.broker import NatsConfig
from jackpot.config.coordinator import CoordinatorConfig
from jackpot.config.sections import ScreensConfig
from jackpot.daemon.doctor.certificates import certificate_lines
from jackpot.daemon.doctor.link import broker_line, certificate_line
from jackpot.daemon.doctor.machine import Machine
from jackpot.daemon.doctor.report import How, Line
from jackpot.daemon.doctor.system import (
    disk_lines,
    free_line,
    private_line,
    signing_key_line,
    sqlite_line,
)
from jackpot.daemon.link.certificates import Holder, common_name
from jackpot.daemon.link.jetstream_log import JetStreamLog
from jackpot.daemon.link.mqtt import tls_context
from jackpot.daemon.link.page.client import look
from jackpot.daemon.technician.client import NotRunning
from jackpot.errors import JackpotError, Refused
from jackpot.ledger.decision_log import read_log

LEAST_FREE_BYTES = 100 << 20
"""Some millions of entries, and the time to notice."""


def coordinator_lines(config: CoordinatorConfig, machine: Machine) -> Iterator[Line]:
    """Everything but the configuration and the clock, in the order in which a person would look."""
    set_up = "set the coordinator up with `jackpot carrusel new`"
    yield from disk_lines(config.folder, LEAST_FREE_BYTES, machine, set_up)
    yield sqlite_line()
    if config.folder.is_dir():
        yield _file_line(config.log_file, config.carrusel)
        yield signing_key_line(config.key_file)
        yield private_line("officer book", config.officers_file)
    name = common_name(Holder.COORDINATOR, config.name)
    if config.nats is not None:
        yield from certificate_line("log certificate", config.nats.tls, name)
        yield asyncio.run(_store_line(config.carrusel, config.nats))
    running = _is_running(config.screens)
    yield from certificate_line("broker certificate", config.broker.tls, name)
    if running or not config.embedded:
        yield broker_line(config.broker)
    else:
        where = f"{config.broker.host}:{config.broker.port} free for the embedded broker"
        yield free_line("broker", config.broker.host, config.broker.port, where)
    yield from _screen_lines(config.screens, running=running)


def _file_line(file: Path, carrusel: str) -> Line:
    expected, position = f"a log of carrusel {carrusel} at {file.name}", 0
    try:
        while piece := read_log(file, carrusel, position, 1_000):
            position = piece[-1].position
    except (JackpotError, OSError) as error:
        found = error.found if isinstance(error, Refused) else str(error)
        to_do = "restore it from another coordinator's copy, or from a backup"
        return Line("log file", How.FAULT, expected, found, to_do)
    return Line("log file", How.OK, expected, f"{position} entries")


async def _store_line(carrusel: str, nats: NatsConfig) -> Line:
    """A majority of the cluster answers, with the log in it."""
    name, expected = (
        "log store",
        f"a majority of {nats.replicas} servers with the log of {carrusel}",
    )
    to_do = "start the servers; look at log.servers, the network and the certificates"
    try:
        log = await JetStreamLog.open(
            nats.servers, carrusel, replicas=nats.replicas, tls=tls_context(nats.tls)
        )
        try:
            await log.check()
        finally:
            await log.close()
    except Refused as refused:
        return Line(name, How.FAULT, expected, refused.found, refused.to_do)
    except (JackpotError, OSError) as error:
        return Line(name, How.FAULT, expected, str(error), to_do)
    return Line(name, How.OK, expected, "it answers, and takes an append")


def _is_running(screens: ScreensConfig) -> bool:
    try:
        look(screens)
    except NotRunning:
        return False
    except Refused:
        return True  # somebody is there; the next lines say who is not
    return True


def _screen_lines(screens: ScreensConfig, *, running: bool) -> Iterator[Line]:
    expected = f"{screens.bind}:{screens.port} free, or the running coordinator on it"
    if running:
        yield Line("page", How.OK, expected, "the running coordinator")
    else:
        yield free_line("page", screens.bind, screens.port, expected)
    if screens.tls_cert is not None and screens.tls_key is not None:
        yield from certificate_lines("page", screens.tls_cert, screens.tls_key)
