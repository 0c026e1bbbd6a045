"""A carrusel's log moves from its file to JetStream and back; tables go on as if nothing was (CAN-9)."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from nats import connect
from support.brokers import Broker
from support.linked_floor import (
    COORDINATOR,
    agree,
    coordinator_runs,
    found_coordinator,
    install_table,
    table_runs,
)

from jackpot.config.coordinator import CoordinatorConfig, load_coordinator
from jackpot.daemon.link.jetstream_log import stream_name
from jackpot.daemon.link.moving import move
from jackpot.errors import Refused
from jackpot.ledger.decision_log import read_log
from jackpot.link.entries import LogContinuedIn, LogOpened
from jackpot.link.log import entry_of

EURO = 100_000_000
AT_NS = 1_764_600_000_000_000_000


def in_cluster(folder: Path, broker: Broker, nats: Broker) -> CoordinatorConfig:
    """The same coordinator with its log in the cluster."""
    text = COORDINATOR.format(name="c1", port=broker.port, mqtt="5", embedded="false")
    servers = f'["nats://127.0.0.1:{nats.port}"]'
    more = f'\n[log]\nstore = "jetstream"\nservers = {servers}\nreplicas = 1\n'
    return load_coordinator(text + more, folder)


async def test_it_moves_to_a_cluster_and_back_and_the_tables_go_on(
    tmp_path: Path, broker: Broker, nats: Broker
) -> None:
    in_file = await found_coordinator(tmp_path, broker.port)
    shared = in_cluster(tmp_path, broker, nats)
    folder = tmp_path / "table-7"
    config = install_table(folder, "7", broker.port)
    async with AsyncExitStack() as stack:
        async with coordinator_runs(in_file) as coordinator:
            seven = await stack.enter_async_context(table_runs(config, folder))
            await seven.join()
            await seven.play_a_hand(chips=2)
            assert await agree(coordinator, [seven]) == 10_001 * EURO
            before = coordinator.core.position
        last = await move(in_file, shared, AT_NS)
        assert last == before + 1
        old = entry_of(
            read_log(in_file.log_file.with_name("carrusel.log.moved-1"), "sala", before, 1)[0]
        )
        new = entry_of(read_log(shared.log_file, "sala", before, 1)[0])
        assert isinstance(old, LogContinuedIn)
        assert isinstance(new, LogOpened)
        assert old.log_id == new.log_id
        async with coordinator_runs(shared) as coordinator:
            await seven.play_a_hand(chips=2)
            assert await agree(coordinator, [seven]) == 10_002 * EURO
        await move(shared, in_file, AT_NS)
        async with coordinator_runs(in_file) as coordinator:
            await seven.play_a_hand(chips=2)
            assert await agree(coordinator, [seven]) == 10_003 * EURO


async def test_a_stream_that_the_log_moved_away_from_is_named_and_the_log_goes_on_where_it_was(
    tmp_path: Path, broker: Broker, nats: Broker
) -> None:
    """To the cluster, back, and into the same stream once more: its old end stands in the way. Once the
    stream is gone, the very same move is done."""
    in_file = await found_coordinator(tmp_path, broker.port)
    shared = in_cluster(tmp_path, broker, nats)
    folder = tmp_path / "table-7"
    config = install_table(folder, "7", broker.port)
    async with AsyncExitStack() as stack:
        async with coordinator_runs(in_file) as coordinator:
            seven = await stack.enter_async_context(table_runs(config, folder))
            await seven.join()
        await move(in_file, shared, AT_NS)
        back = await move(shared, in_file, AT_NS)
        before = in_file.log_file.read_bytes()
        with pytest.raises(Refused, match=r"log_exists.*other entries after position") as refused:
            await move(in_file, shared, AT_NS)
        assert "nothing has moved" in refused.value.to_do
        assert in_file.log_file.read_bytes() == before
        async with coordinator_runs(in_file) as coordinator:
            await seven.play_a_hand(chips=2)
            assert await agree(coordinator, [seven]) == 10_001 * EURO
            assert coordinator.core.position > back
        client = await connect(f"nats://127.0.0.1:{nats.port}")
        await client.jetstream().delete_stream(stream_name("sala"))
        await client.close()
        await move(in_file, shared, AT_NS)
        async with coordinator_runs(shared) as coordinator:
            await seven.play_a_hand(chips=2)
            assert await agree(coordinator, [seven]) == 10_002 * EURO


async def test_a_move_to_the_same_store_or_another_carrusel_is_refused(
    tmp_path: Path, broker: Broker
) -> None:
    config = await found_coordinator(tmp_path, broker.port)
    with pytest.raises(Refused, match="not_a_move"):
        await move(config, config, AT_NS)


async def test_an_empty_log_has_nothing_to_move(
    tmp_path: Path, broker: Broker, nats: Broker
) -> None:
    config = await found_coordinator(tmp_path, broker.port)
    with pytest.raises(Refused, match="an empty one"):
        await move(config, in_cluster(tmp_path, broker, nats), AT_NS)
