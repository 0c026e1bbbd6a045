"""Real brokers, each on a free port of this machine: mosquitto of the system, nats-server of a package.

A broker that a test stops, freezes or kills is the real one, so what it loses is really lost.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sysconfig
import time
from collections.abc import Sequence
from pathlib import Path

PATIENCE_S = 20.0
"""A broker on a busy machine is up in two; a cluster has a leader in five."""


def free_port() -> int:
    """A port that nobody has right now."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def is_open(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as trial:
        trial.settimeout(0.5)
        return trial.connect_ex(("127.0.0.1", port)) == 0


class Broker:
    """One process that listens at ``port`` (a nats-server also at ``mqtt_port``); ``output`` is the
    file with what it said."""

    def __init__(self, command: Sequence[str], port: int, output: Path, mqtt_port: int = 0) -> None:
        self.port = port
        self.mqtt_port = mqtt_port
        self.output = output
        self._command = list(command)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process is not None
        return self._process.pid

    def start(self, *, wait: bool = True) -> None:
        """Start it; returns when it listens."""
        with self.output.open("ab") as output:
            self._process = subprocess.Popen(
                self._command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
            )
        if wait:
            self.wait_until_open()

    def wait_until_open(self) -> None:
        """Fails with its output when it ended or does not listen in time."""
        end_s = time.monotonic() + PATIENCE_S
        while not is_open(self.port):
            assert self._process is not None
            if self._process.poll() is not None or time.monotonic() > end_s:
                raise AssertionError(f"no broker: {self.output.read_text()[-2000:]}")
            time.sleep(0.02)

    def wait_until_said(self, word: str) -> list[str]:
        """All lines of its output, as soon as one of them has ``word``; it listens before it tells."""
        end_s = time.monotonic() + PATIENCE_S
        while word not in (said := self.output.read_text()):
            if time.monotonic() > end_s:
                raise AssertionError(f"it never said {word!r}: {said[-2000:]}")
            time.sleep(0.02)
        return said.splitlines()

    def kill(self) -> None:
        """As a power cut would end it."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """In good order; a frozen one is ended by force."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGCONT)
            self._end(signal.SIGTERM)

    def freeze(self) -> None:
        """It is there and answers nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """It goes on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def mosquitto(folder: Path, config: str = "", port: int | None = None) -> Broker:
    """Debian's mosquitto, not started yet; ``config`` replaces the open listener of a plain test."""
    program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
    port = free_port() if port is None else port
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "mosquitto.conf"
    # Started by root it would become another user, who cannot read a test's folder.
    user = "user root\n" if os.geteuid() == 0 else ""
    file.write_text(user + (config or f"listener {port} 127.0.0.1\nallow_anonymous true\n"))
    return Broker([program, "-c", str(file)], port, folder / "mosquitto.log")


def nats_server(folder: Path, config: str, port: int, mqtt_port: int = 0) -> Broker:
    """One nats-server with this configuration, not started yet."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "nats.conf"
    file.write_text(config)
    program = Path(sysconfig.get_path("scripts")) / "nats-server"
    return Broker([str(program), "-c", str(file)], port, folder / "nats.log", mqtt_port)


def single_nats(folder: Path) -> Broker:
    """One server with JetStream and nobody beside it."""
    port = free_port()
    config = f"""\
listen: "127.0.0.1:{port}"
server_name: alone
jetstream {{ store_dir: "{folder / "store"}", sync_interval: always }}
"""
    return nats_server(folder, config, port)


def nats_cluster(folder: Path, mqtt: bool = False) -> list[Broker]:
    """Three servers that replicate among them, not started yet; with ``mqtt`` as brokers, too."""
    ports = [free_port() for _ in range(3)]
    routes = [free_port() for _ in range(3)]
    others = ", ".join(f'"nats://127.0.0.1:{route}"' for route in routes)
    brokers = []
    for name, port, route in zip("abc", ports, routes, strict=True):
        config = f"""\
listen: "127.0.0.1:{port}"
server_name: {name}
jetstream {{ store_dir: "{folder / name / "store"}", sync_interval: always }}
cluster {{ name: floor, listen: "127.0.0.1:{route}", routes: [{others}] }}
"""
        at = free_port() if mqtt else 0
        if mqtt:
            config += (
                f'mqtt {{ listen: "127.0.0.1:{at}", stream_replicas: 3, consumer_replicas: 1 }}\n'
            )
        brokers.append(nats_server(folder / name, config, port, at))
    return brokers
