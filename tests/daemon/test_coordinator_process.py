"""`jackpot coordinator`, `jackpot carrusel` and `jackpot certs` as people start them."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from support.brokers import Broker, free_port, mosquitto
from support.linked_floor import (
    COORDINATOR,
    coordinator_runs,
    found_coordinator,
    install_table,
    table_runs,
)

PATIENCE_S = 30
CLI = (sys.executable, "-m", "jackpot.cli")
PINS = "572914\n773915\n"


def jackpot(*arguments: str | Path, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*CLI, *map(str, arguments)],
        input=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


@contextmanager
def running(*arguments: str | Path) -> Iterator[str]:
    """A process until it said ``ready``; gives that line, ends it in good order."""
    process = subprocess.Popen([*CLI, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline()
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
        process.stdout.close()


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    broker = mosquitto(tmp_path_factory.mktemp("broker"))
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
def coordinator(tmp_path: Path, broker: Broker) -> Path:
    """The configuration of a founded coordinator with its page at a port of its own."""
    file = tmp_path / "coordinator.toml"
    text = COORDINATOR.format(name="c1", port=broker.port, mqtt="5", embedded="false")
    file.write_text(text.replace("port = 0", f"port = {free_port()}"))
    officers = ("--officer", "j1:table_chief", "--officer", "d1:games_director")
    done = jackpot("carrusel", "new", file, *officers, "--pin-stdin", given=PINS)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^public key: c1\+[0-9a-f]{8}\+\S+$", done.stdout, re.MULTILINE)
    return file


def url_of(line: str) -> str:
    found = re.search(r"(?:page|screens) (http\S+/)", line)
    assert found, line
    return found[1]


def test_a_coordinator_is_founded_once_and_says_where_it_is(coordinator: Path) -> None:
    again = jackpot(
        "carrusel", "new", coordinator, "--officer", "d1:games_director", "--officer", "j1:table_chief",
        "--pin-stdin", given="773915\n572914\n",
    )  # fmt: skip
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert "already_founded" in again.stderr
    with running("coordinator", coordinator) as line:
        assert line.startswith("ready: carrusel sala, coordinator c1, page http://127.0.0.1:")
        status = jackpot("carrusel", "status", coordinator)
        assert "carrusel    sala, coordinator c1" in status.stdout
        assert "tables      0" in status.stdout


def test_a_pin_that_is_guessed_leaves_nothing_behind_and_the_next_try_founds(
    tmp_path: Path,
) -> None:
    file = tmp_path / "coordinator.toml"
    file.write_text(COORDINATOR.format(name="c1", port=free_port(), mqtt="5", embedded="false"))
    new = ("carrusel", "new", file, "--officer", "j1:table_chief", "--officer", "d1:games_director")
    early = jackpot("coordinator", file)
    assert (early.returncode, "not_founded" in early.stderr) == (2, True)
    assert "set it up with `jackpot carrusel new`" in early.stderr
    weak = jackpot(*new, "--pin-stdin", given="572914\n123456\n")
    assert (weak.returncode, "pin_weak" in weak.stderr) == (2, True)
    assert not (tmp_path / "coordinator-c1").exists()
    assert jackpot(*new, "--pin-stdin", given=PINS).returncode == 0


def test_a_coordinator_with_the_certificate_of_another_does_not_start(tmp_path: Path) -> None:
    for step in (
        ("new-authority", "casino.example"),
        ("issue", "coordinator", "c2"),
    ):
        assert jackpot("certs", *step, "--folder", tmp_path / "certs").returncode == 0
    file = tmp_path / "coordinator.toml"
    text = COORDINATOR.format(name="c1", port=free_port(), mqtt="5", embedded="false")
    certs = (
        'tls_authority = "certs/authority.pem"\ntls_cert = "certs/coordinator-c2.pem"\n'
        'tls_key = "certs/coordinator-c2.key"\n'
    )
    file.write_text(text.replace("[screens]", certs + "\n[screens]"))
    officers = ("--officer", "j1:table_chief", "--officer", "d1:games_director")
    assert jackpot("carrusel", "new", file, *officers, "--pin-stdin", given=PINS).returncode == 0
    done = jackpot("coordinator", file)
    assert done.returncode == 2
    assert "expected the certificate of coordinator-c1; found coordinator-c2.pem" in done.stderr


async def test_two_officers_join_a_running_table_and_take_it_out_again(
    tmp_path: Path, broker: Broker
) -> None:
    """Both commands ask the table that runs, which knows the PINs; the carrusel answers."""
    signed = ("--by", "j1", "--second", "d1", "--pin-stdin")
    folder = tmp_path / "table-7"
    async with coordinator_runs(await found_coordinator(tmp_path, broker.port)):
        config = install_table(folder, "7", broker.port, screens=free_port())
        file = folder / "table.toml"
        async with table_runs(config, folder, screens=True) as table:
            join = ("carrusel", "join", file, *signed, "--authorisation", "2026/9")
            await table.open()
            wrong = await asyncio.to_thread(jackpot, *join, given="000000\n773915\n")
            assert (wrong.returncode, "wrong_pin" in wrong.stderr) == (2, True)
            done = await asyncio.to_thread(jackpot, *join, given=PINS)
            assert done.returncode == 0, done.stderr
            await table.until(table.is_member)
            leave = ("carrusel", "leave", file, *signed, "--why", "moves to another room")
            done = await asyncio.to_thread(jackpot, *leave, given=PINS)
            assert done.returncode == 0, done.stderr
            await table.until(lambda: table.state.carrusel is None)


def test_without_a_running_process_the_commands_say_so(coordinator: Path) -> None:
    done = jackpot("carrusel", "members", coordinator)
    assert done.returncode == 2
    assert "not_running: expected a running coordinator at 127.0.0.1 port" in done.stderr


def test_the_page_shows_everything_and_signs_only_for_two_officers(coordinator: Path) -> None:
    with running("coordinator", coordinator) as line:
        url = url_of(line)
        with httpx.Client(base_url=url, timeout=PATIENCE_S) as client:
            page = client.get("/")
            assert "Ninguna mesa se ha unido todavía" in page.text
            assert page.headers["content-security-policy"].startswith("default-src 'none'")
            assert client.get("/state").json()["coordinator"] == "c1"
            assert client.get("/visor").status_code == 200
            form = {
                "act": "stop", "subject": "7", "why": "box is lost", "officer": "j1", "pin": "572914",
                "second": "d1", "second_pin": "773915", "number": "", "key": "",
            }  # fmt: skip
            origin = {"origin": url.rstrip("/")}
            foreign = client.post(
                "/sign", data=form, headers={"origin": "http://elsewhere.example"}
            )
            assert (foreign.status_code, "no viene de una página" in foreign.text) == (422, True)
            nobody = client.post("/sign", data=form, headers=origin)
            assert "Ninguna mesa del carrusel se llama así" in nobody.text
            alone = client.post("/sign", data={**form, "second": "j1"}, headers=origin)
            assert "Hacen falta dos personas distintas" in alone.text
            wrong = client.post("/sign", data={**form, "pin": "000000"}, headers=origin)
            assert "Identificador o PIN incorrecto" in wrong.text
            with client.stream("GET", "/visor/events") as stream:
                data = next(text for text in stream.iter_lines() if text.startswith("data:"))
            assert json.loads(data[5:]) == {
                "carrusel": "sala",
                "total_cents": None,
                "pending": False,
            }


def test_certificates_are_issued_listed_and_withdrawn(tmp_path: Path) -> None:
    folder = ("--folder", tmp_path / "certs")
    assert jackpot("certs", "new-authority", "casino.example", *folder).returncode == 0
    assert jackpot("certs", "issue", "table", "7", *folder).returncode == 0
    assert jackpot("certs", "issue", "visitor", "7", *folder).returncode == 2
    host = ("--host", "mqtt.example")
    assert jackpot("certs", "issue", "broker", "mqtt", *host, *folder).returncode == 0
    assert jackpot("certs", "withdraw", "table-7", *folder).returncode == 0
    listed = [line.split("\t") for line in jackpot("certs", "list", *folder).stdout.splitlines()]
    assert [(name, state) for name, _, state in listed] == [
        ("broker-mqtt", "good"),
        ("table-7", "withdrawn"),
    ]
