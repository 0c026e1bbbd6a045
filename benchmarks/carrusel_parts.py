"""What the benchmarks of the carrusel share: a real mosquitto, a real coordinator, the bare round trip.

No benchmark by itself: run, it does nothing.
"""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from jackpot.authority.roles import Role
from jackpot.config import BrokerConfig
from jackpot.config.coordinator import load_coordinator
from jackpot.daemon.install import NewOfficer
from jackpot.daemon.link.founding import found_at_once
from jackpot.daemon.link.mqtt import MqttLine, ended

BROKER = """\
listener {port} 127.0.0.1
allow_anonymous true
set_tcp_nodelay true
max_inflight_messages 500
max_queued_messages 10000
"""

COORDINATOR = """
[carrusel]
id = "{carrusel}"

[coordinator]
dir = "coordinator"

[broker]
broker_port = {port}

[screens]
port = 0
"""

OFFICERS = (
    NewOfficer("j1", (Role.TABLE_CHIEF,), "572914"),
    NewOfficer("d1", (Role.GAMES_DIRECTOR,), "773915"),
)

PAYLOAD = b"x" * 400
"""As long as one operation of a table."""

PAUSE_S = 0.02
"""Between two looks."""


@contextmanager
def broker_in(folder: Path) -> Iterator[tuple[BrokerConfig, int]]:
    """A mosquitto as ``config/carrusel/mosquitto.conf`` has it, without certificates; its process id."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    conf = folder / "mosquitto.conf"
    conf.write_text(BROKER.format(port=port))
    program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
    with subprocess.Popen([program, "-c", str(conf)]) as process:  # noqa: S603
        try:
            yield BrokerConfig("127.0.0.1", port), process.pid
        finally:
            process.terminate()


@contextmanager
def coordinator_on(folder: Path, carrusel: str, broker: BrokerConfig) -> Iterator[int]:
    """A coordinator as a process of its own, with its log in ``folder``; its process id."""
    text = COORDINATOR.format(carrusel=carrusel, port=broker.port)
    config = folder / "coordinator.toml"
    config.write_text(text)
    found_at_once(load_coordinator(text, folder), OFFICERS, new_log=True)
    command = [sys.executable, "-m", "jackpot.cli", "coordinator", str(config)]
    with subprocess.Popen(command) as process:  # noqa: S603 - our own program
        try:
            yield process.pid
        finally:
            process.terminate()


@asynccontextmanager
async def running(*lines: MqttLine) -> AsyncIterator[None]:
    """Kept up inside; all connected at the beginning."""
    tasks = [asyncio.create_task(line.run()) for line in lines]
    try:
        while not all(line.connected for line in lines):
            await asyncio.sleep(PAUSE_S)
        yield
    finally:
        await ended(*tasks)


def line(broker: BrokerConfig, name: str, *topics: str) -> MqttLine:
    """A line that listens to ``topics``."""
    return MqttLine(broker, name, topics, on_connected=_nothing, on_disconnected=_nothing)


def _nothing() -> None:
    """Nobody waits for it."""


class Echo:
    """The bare round trip: from one client to another and back, each with QoS 1 and nothing to do but
    answer. Inside ``running(echo.asking, echo.answering)``, with ``answer`` in a task."""

    def __init__(self, broker: BrokerConfig) -> None:
        self.asking, self.answering = (
            line(broker, "asking", "pong"),
            line(broker, "answering", "ping"),
        )

    async def answer(self) -> None:
        """Say everything back, for ever."""
        while True:
            for one in await self.answering.take():
                self.answering.send("pong", one.payload)
                one.acknowledge()

    async def round_trip_ms(self) -> float:
        """One there and back."""
        began_s = time.monotonic()
        self.asking.send("ping", PAYLOAD)
        while not (answers := await self.asking.take()):
            pass
        took_ms = (time.monotonic() - began_s) * 1_000
        for one in answers:
            one.acknowledge()
        return took_ms


@asynccontextmanager
async def echo_over(broker: BrokerConfig) -> AsyncIterator[Echo]:
    """Ready inside."""
    echo = Echo(broker)
    async with running(echo.asking, echo.answering):
        answering = asyncio.create_task(echo.answer())
        try:
            yield echo
        finally:
            await ended(answering)


def median(values: Sequence[float]) -> float:
    """Half of them are less."""
    return round(sorted(values)[len(values) // 2], 1)


def p99(values: Sequence[float]) -> float:
    """Of a hundred, 99 are not more."""
    return round(sorted(values)[len(values) * 99 // 100], 1)
