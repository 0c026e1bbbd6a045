"""The broker files of config/carrusel do what they promise: real brokers run with those very files.

Only places are put in: ports, folders, host names.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.brokers import Broker, free_port, mosquitto, nats_server
from support.mqtt_line import Line, running

from jackpot.config import MqttVersion, TlsFiles
from jackpot.daemon.link.access_list import access_list
from jackpot.daemon.link.certificates import Holder, issue, new_authority, withdraw
from jackpot.daemon.link.jetstream_log import JetStreamLog
from jackpot.daemon.link.mqtt import ended, tls_context
from jackpot.errors import Refused
from jackpot.link.port import LogUnavailable

FILES = Path(__file__).parents[2] / "config" / "carrusel"
UP_7, UP_8 = "carrusel/sala/node/7/up", "carrusel/sala/node/8/up"


class Certificates:
    """An authority with a broker, a coordinator and two tables."""

    def __init__(self, folder: Path, brokers: tuple[str, ...]) -> None:
        self.folder = folder
        self._now = datetime.now(UTC)
        new_authority(folder, "casino.example", self._now)
        for broker in brokers:
            issue(folder, Holder.BROKER, broker, ["127.0.0.1"], self._now)
        issue(folder, Holder.COORDINATOR, "c1", [], self._now)
        for table in "78":
            issue(folder, Holder.TABLE, table, [], self._now)

    def of(self, stem: str) -> TlsFiles:
        """The files of one box."""
        return TlsFiles(
            self.folder / "authority.pem", self.folder / f"{stem}.pem", self.folder / f"{stem}.key"
        )

    def withdraw(self, stem: str) -> TlsFiles:
        """Withdrawn; the thief still has the files."""
        withdraw(self.folder, stem, self._now)
        kept = {file.suffix: file for file in self.folder.glob(f"{stem}.*.withdrawn.*")}
        return TlsFiles(self.folder / "authority.pem", kept[".pem"], kept[".key"])


@pytest.fixture
def certificates(tmp_path: Path) -> Certificates:
    return Certificates(tmp_path / "certs", ("mqtt",))


@pytest.fixture
def broker(tmp_path: Path, certificates: Certificates) -> Iterator[Broker]:
    port = free_port()
    acl = tmp_path / "carrusel.acl"
    acl.write_text((FILES / "carrusel.acl").read_text())
    config = (FILES / "mosquitto.conf").read_text()
    for place, here in (
        ("listener 8883", f"listener {port} 127.0.0.1"),
        ("/etc/mosquitto/certs", str(certificates.folder)),
        ("/etc/mosquitto/carrusel.acl", str(acl)),
        ("/var/lib/mosquitto/", f"{tmp_path}/"),
    ):
        assert place in config
        config = config.replace(place, here)
    broker = mosquitto(tmp_path / "broker", config, port)
    broker.start()
    yield broker
    broker.stop()


def test_mosquitto_has_nothing_to_warn_of(broker: Broker) -> None:
    said = broker.wait_until_said("running")
    of_root = "Mosquitto should not be run as root"  # tests may be; the service is not
    warnings = [line for line in said if "Warning" in line and of_root not in line]
    assert warnings == []
    assert [line for line in said if "recommended" in line] == []


def test_the_access_list_is_the_one_that_the_certificates_give(certificates: Certificates) -> None:
    assert access_list(certificates.folder) == (FILES / "carrusel.acl").read_text()


def test_without_a_good_certificate_there_is_no_access_list(tmp_path: Path) -> None:
    """mosquitto would admit nobody."""
    new_authority(tmp_path / "certs", "casino.example", datetime.now(UTC))
    with pytest.raises(Refused, match="no_certificates"):
        access_list(tmp_path / "certs")


def test_a_withdrawn_certificate_is_on_no_access_list(certificates: Certificates) -> None:
    certificates.withdraw("table-8")
    users = [
        line for line in access_list(certificates.folder).splitlines() if line.startswith("user")
    ]
    assert users == ["user coordinator-c1", "user 7"]


async def test_mosquitto_lets_a_box_write_under_its_own_name_only(
    broker: Broker, certificates: Certificates
) -> None:
    async with (
        running(
            Line(broker.port, "c", UP_7, UP_8, tls=certificates.of("coordinator-c1"))
        ) as coordinator,
        running(Line(broker.port, "t7", "none", tls=certificates.of("table-7"))) as table,
    ):
        table.send(UP_8, b"in the name of another")
        table.send("carrusel/sala/total", b"in the name of the carrusel")
        table.send("carrusel/sala/node/7/ack", b"an acknowledgement of its own")
        table.send(UP_7, b"in its own name")
        assert await coordinator.payloads(1) == [b"in its own name"]


async def test_mosquitto_tells_a_table_its_own_and_what_is_for_all(
    broker: Broker, certificates: Certificates
) -> None:
    everything = Line(broker.port, "t7", "#", tls=certificates.of("table-7"))
    async with (
        running(everything) as table,
        running(Line(broker.port, "c", "none", tls=certificates.of("coordinator-c1"))) as coord,
    ):
        coord.send("carrusel/sala/node/8/ack", b"for another")
        coord.send("carrusel/sala/node/7/ack", b"for it")
        coord.send("carrusel/sala/total", b"for all")
        assert await table.payloads(2) == [b"for it", b"for all"]


async def test_mosquitto_refuses_whoever_has_no_good_certificate(
    broker: Broker, certificates: Certificates, tmp_path: Path
) -> None:
    stolen = certificates.withdraw("table-8")
    broker.stop()
    broker.start()  # it reads the list of withdrawn certificates anew
    strangers = Certificates(tmp_path / "strangers", ("mqtt",)).of("table-7")
    forged = TlsFiles(certificates.of("table-7").authority, strangers.certificate, strangers.key)
    for line in (
        Line(broker.port, "open", "none"),
        Line(broker.port, "stolen", "none", tls=stolen),
        Line(broker.port, "forged", "none", tls=forged),
    ):
        await never_connects(line)
    async with running(Line(broker.port, "t7", "none", tls=certificates.of("table-7"))) as good:
        assert good.connected


async def never_connects(line: Line) -> None:
    """Two attempts fail."""
    attempts = 0
    make = line._client

    def counted() -> object:
        nonlocal attempts
        attempts += 1
        return make()

    line._client = counted  # type: ignore[method-assign,assignment]
    task = asyncio.create_task(line.run())
    while attempts < 3:
        await asyncio.sleep(0.02)
    await ended(task)
    assert line.ups == 0


class Cluster:
    """Three nats-servers with the file of config/carrusel, each with its own name and certificate."""

    def __init__(self, folder: Path, certificates: Certificates) -> None:
        ports = [[free_port() for _ in range(3)] for _ in range(3)]
        self.client_ports = [port for port, _, _ in ports]
        self.mqtt_ports = [port for _, _, port in ports]
        self.brokers = []
        text = (FILES / "nats.conf").read_text()
        for name, (client, route, mqtt) in zip("abc", ports, strict=True):
            config = text.replace("nats-a.pem", f"nats-{name}.pem").replace(
                "nats-a.key", f"nats-{name}.key"
            )
            config = config.replace("server_name: nats-a", f"server_name: nats-{name}")
            for other, (_, other_route, _) in zip("abc", ports, strict=True):
                config = config.replace(
                    f"nats://nats-{other}.casino.example:6222", f"nats://127.0.0.1:{other_route}"
                )
            for place, here in (
                ('"0.0.0.0:4222"', f'"127.0.0.1:{client}"'),
                ('"0.0.0.0:6222"', f'"127.0.0.1:{route}"'),
                ('"0.0.0.0:8883"', f'"127.0.0.1:{mqtt}"'),
                ("/etc/nats/certs", str(certificates.folder)),
                ("/var/lib/nats", str(folder / name / "store")),
            ):
                assert place in config
                config = config.replace(place, here)
            assert re.search(r"0\.0\.0\.0|casino\.example", config) is None
            self.brokers.append(nats_server(folder / name, config, mqtt))
        for broker in self.brokers:
            broker.start(wait=False)
        for broker in self.brokers:
            broker.wait_until_open()

    def stop(self) -> None:
        """All three."""
        for broker in self.brokers:
            broker.stop()


@pytest.fixture(scope="module")
def nats_certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    folder = tmp_path_factory.mktemp("nats") / "certs"
    return Certificates(folder, ("nats-a", "nats-b", "nats-c"))


@pytest.fixture(scope="module")
def cluster(
    tmp_path_factory: pytest.TempPathFactory, nats_certificates: Certificates
) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), nats_certificates)
    yield cluster
    cluster.stop()


def nats_line(port: int, name: str, *topics: str, tls: TlsFiles) -> Line:
    return Line(port, name, *topics, version=MqttVersion.V311, tls=tls)


async def _told_again(line: Line, topic: str, payload: bytes) -> None:
    """As a coordinator tells what has no second delivery: another server may not know yet who listens."""
    while True:
        line.send(topic, payload)
        await asyncio.sleep(0.1)


async def test_nats_lets_a_box_write_under_its_own_name_only(
    cluster: Cluster, nats_certificates: Certificates
) -> None:
    at, other = cluster.mqtt_ports[0], cluster.mqtt_ports[1]
    own = "carrusel/sala/node/7/ack"
    async with (
        running(
            nats_line(at, "c", UP_7, UP_8, tls=nats_certificates.of("coordinator-c1"))
        ) as coordinator,
        running(nats_line(other, "t7", own, tls=nats_certificates.of("table-7"))) as table,
    ):
        table.send(UP_8, b"in the name of another")
        table.send("carrusel-log/sala", b"straight into the log")
        table.send(UP_7, b"in its own name")
        assert await coordinator.payloads(1) == [b"in its own name"]
        again = asyncio.create_task(_told_again(coordinator, own, b"for it"))
        assert set(await table.payloads(1)) == {b"for it"}
        await ended(again)


@pytest.mark.parametrize(
    "topic", ["carrusel/sala/node/8/ack", "carrusel/sala/node/+/up", "carrusel-log/sala", "#"]
)
async def test_nats_refuses_to_tell_a_box_what_is_not_for_it(
    cluster: Cluster, nats_certificates: Certificates, topic: str
) -> None:
    line = nats_line(
        cluster.mqtt_ports[0], "t7-curious", topic, tls=nats_certificates.of("table-7")
    )
    task = asyncio.create_task(line.run())
    await line.fails("does not let us listen")
    await ended(task)


async def test_the_log_is_for_coordinators_and_nobody_else(
    cluster: Cluster, nats_certificates: Certificates
) -> None:
    servers = [f"tls://127.0.0.1:{port}" for port in cluster.client_ports]
    log = await JetStreamLog.open(
        servers, "sala", create=True, tls=tls_context(nats_certificates.of("coordinator-c1"))
    )
    await log.check()
    assert await log.read(0) == []
    await log.close()
    with pytest.raises(LogUnavailable):
        await JetStreamLog.open(servers, "sala", tls=tls_context(nats_certificates.of("table-7")))
