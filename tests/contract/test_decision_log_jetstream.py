"""The log in NATS JetStream keeps the contract on one real server and on three."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import nats
import pytest
from decision_log_contract import DecisionLogContract, Log, entry
from support.brokers import PATIENCE_S, Broker, nats_cluster, single_nats

from jackpot.daemon.link.jetstream_log import JetStreamLog, subject_of
from jackpot.errors import Refused
from jackpot.link.messages import Entry
from jackpot.link.port import LogUnavailable

RETRY_S = 0.2


def url(broker: Broker) -> str:
    return f"nats://127.0.0.1:{broker.port}"


async def new_log(servers: list[str], name: str, replicas: int) -> JetStreamLog:
    """The log of a new carrusel; a young cluster has no leader for some seconds."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                return await JetStreamLog.open(servers, name, replicas=replicas, create=True)
            except LogUnavailable:
                await asyncio.sleep(RETRY_S)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    broker = single_nats(tmp_path_factory.mktemp("nats"))
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Broker]]:
    brokers = nats_cluster(tmp_path_factory.mktemp("cluster"))
    for broker in brokers:
        broker.start(wait=False)
    for broker in brokers:
        broker.wait_until_open()
    yield brokers
    for broker in brokers:
        broker.stop()


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A carrusel of its own for each test, so that one server serves all."""
    return f"sala-{abs(hash(request.node.nodeid)) % 10**9}"


class TestOneServer(DecisionLogContract):
    @pytest.fixture
    async def log(self, server: Broker, name: str) -> AsyncIterator[Log]:
        log = await new_log([url(server)], name, 1)
        yield log
        await log.close()


class TestThreeServers(DecisionLogContract):
    @pytest.fixture
    async def log(self, cluster: list[Broker], name: str) -> AsyncIterator[Log]:
        log = await new_log([url(broker) for broker in cluster], name, 3)
        yield log
        await log.close()


async def test_a_rejected_append_reaches_subscribers_but_never_the_log(
    server: Broker, name: str
) -> None:
    """Why nobody subscribes to the log: the server tells them of appends that it refused."""
    log, late = await new_log([url(server)], name, 1), await joined(server, name)
    client = await nats.connect(url(server))
    heard = await client.subscribe(subject_of(name))
    await client.flush()
    await log.read(0, 1)
    await late.read(0, 1)
    assert await log.append([entry(1)], after=0)
    assert not await late._publish([entry(1, '{"late":1}')], 0)
    bodies = [(await heard.next_msg(5)).data.count(b"late") for _ in range(2)]
    assert bodies == [0, 1]
    assert await log.read(0, 10) == [entry(1)]
    await client.close()
    await log.close()
    await late.close()


async def joined(server: Broker, name: str) -> JetStreamLog:
    return await JetStreamLog.open([url(server)], name, replicas=1)


async def test_coordinators_that_race_for_each_position_win_one_each(
    cluster: list[Broker], name: str
) -> None:
    servers = [url(broker) for broker in cluster]
    logs = [await new_log(servers, name, 3)]
    logs += [await JetStreamLog.open(servers, name) for _ in range(2)]
    for position in range(1, 41):
        offers = [[entry(position, f'{{"by":{number}}}')] for number in range(3)]
        won = await asyncio.gather(
            *(log.append(offer, position - 1) for log, offer in zip(logs, offers, strict=True))
        )
        assert won.count(True) == 1
    expected = [e.position for e in await logs[0].read(0, 100)]
    assert expected == list(range(1, 41))
    assert await logs[1].read(0, 100) == await logs[2].read(0, 100)
    for log in logs:
        await log.close()


async def test_a_log_is_made_once_and_never_by_opening(server: Broker, name: str) -> None:
    with pytest.raises(Refused, match="no_log"):
        await joined(server, name)
    log = await new_log([url(server)], name, 1)
    with pytest.raises(Refused, match="log_exists"):
        await JetStreamLog.open([url(server)], name, replicas=1, create=True)
    await log.close()


async def test_nobody_can_delete_an_entry(server: Broker, name: str) -> None:
    log = await new_log([url(server)], name, 1)
    assert await log.append([entry(1)], after=0)
    client = await nats.connect(url(server))
    for call in (
        client.jetstream().delete_msg(f"carrusel-log-{name}", 1),
        client.jetstream().purge_stream(f"carrusel-log-{name}"),
    ):
        with pytest.raises(nats.js.errors.APIError):
            await call
    assert await log.read(0, 10) == [entry(1)]
    await client.close()
    await log.close()


async def test_nothing_acknowledged_is_lost_when_the_leader_is_killed(tmp_path: Path) -> None:
    brokers = nats_cluster(tmp_path)
    try:
        for broker in brokers:
            broker.start(wait=False)
        for broker in brokers:
            broker.wait_until_open()
        log = await new_log([url(broker) for broker in brokers], "sala", 3)
        written = await appended(log, [], 20)
        await kill_the_leader(log, brokers)
        written = await appended(log, written, 20)
        assert await log.read(0, 100) == written
        await log.close()
    finally:
        for broker in brokers:
            broker.stop()


async def test_without_a_majority_neither_append_nor_check_says_yes(tmp_path: Path) -> None:
    brokers = nats_cluster(tmp_path)
    try:
        for broker in brokers:
            broker.start(wait=False)
        for broker in brokers:
            broker.wait_until_open()
        log = await new_log([url(broker) for broker in brokers], "sala", 3)
        assert await log.append([entry(1)], after=0)
        for broker in brokers[:2]:
            broker.kill()
        with pytest.raises(LogUnavailable):
            await log.append([entry(2)], after=1)
        with pytest.raises(LogUnavailable):
            await log.check()
        await log.close()
    finally:
        for broker in brokers:
            broker.stop()


async def kill_the_leader(log: JetStreamLog, brokers: list[Broker]) -> None:
    """The server that leads the log's replicas goes without a word."""
    info = await log._js.stream_info("carrusel-log-sala")
    assert info.cluster is not None
    brokers["abc".index(info.cluster.leader or "a")].kill()


async def appended(log: JetStreamLog, before: list[Entry], count: int) -> list[Entry]:
    """So many more entries; one whose answer did not come is looked for in the log."""
    written = list(before)
    async with asyncio.timeout(3 * PATIENCE_S):
        while len(written) < len(before) + count:
            last = len(written)
            try:
                if await log.append([entry(last + 1)], after=last):
                    written.append(entry(last + 1))
                else:
                    written += await log.read(last, 100)
            except LogUnavailable:
                await asyncio.sleep(RETRY_S)
    return written
