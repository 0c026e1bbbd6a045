"""Brokers, coordinators and tables that fail in the middle, and come back (CAN-9).

Whatever failed, in the end every table and the log agree, and nothing was paid twice.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from support.brokers import Broker, single_nats
from support.linked_floor import (
    FOUR_ACES,
    FloorTable,
    agree,
    coordinator_runs,
    floor,
    found_coordinator,
    install_table,
    table_runs,
    until,
)
from support.mqtt_line import Line, running

from jackpot.daemon.link.coordinating import RunningCoordinator
from jackpot.ledger.keys import load_key
from jackpot.ledger.note import Signer
from jackpot.link import messages as m
from jackpot.link import topics, wire
from jackpot.table import facts as f
from jackpot.table.carrusel_state import MemberStage
from jackpot.table.outcomes.carrusel import Stage
from jackpot.table.state import Phase

EURO = 100_000_000
CENT = 1_000_000
"""In micro-cents."""


async def test_a_broker_killed_in_the_middle_of_a_hand_loses_nothing(
    tmp_path: Path, broker: Broker
) -> None:
    """What the tables played meanwhile is told afterwards, once; a claim waits and is decided."""
    async with floor(tmp_path, broker.port) as (coordinator, tables):
        seven, eight = tables
        await seven.lock_a_hand()
        await eight.lock_a_hand()
        broker.kill()
        await seven.claim(FOUR_ACES)
        assert seven.state.phase is Phase.PENDING
        await eight.end_the_hand(chips=4)
        await until(lambda: not coordinator.line.connected)
        broker.start()
        # The base is the view of the lock: the four chips came later.
        assert await seven.pay() == 100_000
        await seven.end_the_hand(chips=1)
        assert await agree(coordinator, tables) == 19_002 * EURO + EURO // 2


async def test_without_a_sign_of_life_the_visors_say_so_and_no_hand_starts(
    tmp_path: Path, broker: Broker
) -> None:
    """`link_lost = stop_bets`."""
    async with floor(tmp_path, broker.port, "7") as (_, tables):
        (seven,) = tables
        broker.freeze()
        await seven.until(
            lambda: seven.state.carrusel is not None and not seven.state.carrusel.linked
        )
        with pytest.raises(Exception, match="carrusel_link_lost"):
            await seven.act(f.HandStarted(by="c1", hand=1))
        broker.thaw()
        await seven.until(seven.is_member)
        await seven.act(f.HandStarted(by="c1", hand=1))


async def test_a_coordinator_that_dies_with_a_claim_decides_it_when_it_is_back(
    tmp_path: Path, broker: Broker
) -> None:
    config = await found_coordinator(tmp_path, broker.port)
    async with AsyncExitStack() as stack:
        async with coordinator_runs(config) as coordinator:
            seven, eight = await seated(stack, tmp_path, broker.port, "78")
            await agree(coordinator, [seven, eight])
            await seven.lock_a_hand()
        await seven.claim(FOUR_ACES)
        await eight.until(
            lambda: eight.state.carrusel is not None and not eight.state.carrusel.linked
        )
        assert seven.state.phase is Phase.PENDING
        async with coordinator_runs(config) as coordinator:
            assert await seven.pay() == 100_000
            await seven.end_the_hand(chips=1)
            assert await agree(coordinator, [seven, eight]) == 19_000 * EURO + EURO // 2
            assert coordinator.core.state.decision == 1


async def seated(stack: AsyncExitStack, folder: Path, port: int, numbers: str) -> list[FloorTable]:
    """New tables that have joined."""
    tables = []
    for number in numbers:
        config = install_table(folder / f"table-{number}", number, port)
        table = await stack.enter_async_context(table_runs(config, folder / f"table-{number}"))
        await table.join()
        tables.append(table)
    return tables


async def test_a_table_that_was_off_applies_what_was_decided_meanwhile(
    tmp_path: Path, broker: Broker
) -> None:
    config = await found_coordinator(tmp_path, broker.port)
    eight_config = install_table(tmp_path / "table-8", "8", broker.port)
    async with AsyncExitStack() as stack:
        coordinator = await stack.enter_async_context(coordinator_runs(config))
        (seven,) = await seated(stack, tmp_path, broker.port, "7")
        async with table_runs(eight_config, tmp_path / "table-8") as eight:
            await eight.join()
            await agree(coordinator, [seven, eight])
        await seven.lock_a_hand()
        await seven.claim(FOUR_ACES)
        assert await seven.pay() == 100_000
        await seven.end_the_hand(chips=1)
        async with table_runs(eight_config, tmp_path / "table-8") as eight:
            assert await agree(coordinator, [seven, eight]) == 19_000 * EURO + EURO // 2
            assert eight.meter_microcents == 9_500 * EURO


@asynccontextmanager
async def older_copy(folder: Path) -> AsyncIterator[None]:
    """The table's record as it is now comes back at the end."""
    copy = folder.with_name("copy")
    shutil.copytree(folder / "record", copy)
    yield
    shutil.rmtree(folder / "record")
    shutil.copytree(copy, folder / "record")


async def test_a_restored_box_is_stopped_and_joins_anew_with_the_logs_meter(
    tmp_path: Path, broker: Broker
) -> None:
    """Its numbers would pass for duplicates, and two chips of 2.00 would vanish from the prize."""
    config = await found_coordinator(tmp_path, broker.port)
    folder = tmp_path / "table-8"
    eight_config = install_table(folder, "8", broker.port)
    async with AsyncExitStack() as stack:
        coordinator = await stack.enter_async_context(coordinator_runs(config))
        (seven,) = await seated(stack, tmp_path, broker.port, "7")
        async with table_runs(eight_config, folder) as eight:
            await eight.join()
        async with older_copy(folder), table_runs(eight_config, folder) as eight:
            await eight.play_a_hand(chips=2)
            assert await agree(coordinator, [seven, eight]) == 20_001 * EURO
        async with table_runs(eight_config, folder) as eight:
            assert eight.meter_microcents == 10_000 * EURO
            await eight.until(lambda: stage(eight) is MemberStage.STOPPED)
            await eight.join()
            assert await agree(coordinator, [seven, eight]) == 20_001 * EURO
            assert eight.meter_microcents == 10_001 * EURO


def stage(table: FloorTable) -> MemberStage | None:
    member = table.state.carrusel
    return None if member is None else member.stage


async def test_forged_and_malformed_payloads_change_nothing_and_are_named(
    tmp_path: Path, broker: Broker
) -> None:
    async with floor(tmp_path, broker.port, "7") as (coordinator, tables):
        total = await agree(coordinator, tables)
        forged = m.Up(
            table="7",
            incarnation=1,
            operations=(
                m.Operation(
                    number=1, previous="00", hash="11", stage=Stage.MOVED, delta_microcents=EURO
                ),
            ),
            signature="Zm9yZ2Vk",
        )
        async with running(Line(broker.port, "stranger", "none")) as stranger:
            stranger.send(topics.up("sala", "7"), wire.encode(forged))
            stranger.send(topics.up("sala", "8"), b"\x00\xff")
            stranger.send(topics.birth("sala", "7"), wire.encode(forged))
            stranger.send(topics.node_beat("sala", "7"), b"{" * 300_000)
            await until(lambda: len(coordinator.faults) >= 3 and "7" in coordinator.core.findings)
        assert coordinator.core.findings["7"].reason == "operations_unsigned"
        reasons = {found.reason for found in coordinator.faults.values()}
        assert reasons == {"payload_malformed", "payload_out_of_place", "payload_too_long"}
        assert await agree(coordinator, tables) == total


JETSTREAM = """
[log]
store = "jetstream"
servers = ["nats://127.0.0.1:{port}"]
replicas = 1
"""


async def test_of_two_coordinators_one_may_die_and_the_other_goes_on(
    tmp_path: Path, broker: Broker
) -> None:
    nats = single_nats(tmp_path / "nats")
    nats.start()
    more = JETSTREAM.format(port=nats.port)
    first = await found_coordinator(tmp_path, broker.port, name="c1", more=more)
    key = Signer("c1", load_key(first.key_file)).verifier.vkey
    more += f'\n[carrusel.coordinators]\nc1 = "{key}"\n'
    second = await found_coordinator(tmp_path, broker.port, name="c2", more=more, new_log=False)
    try:
        async with AsyncExitStack() as stack:
            async with coordinator_runs(first) as one:
                (seven, eight) = await seated(stack, tmp_path, broker.port, "78")
                two = await stack.enter_async_context(coordinator_runs(second))
                one.core.admit("c2", two.core.settings.coordinators["c2"], ("j1", "d1"))
                one.wake()
                await until(lambda: "c2" in two.core.state.coordinators)
                await agree(one, [seven, eight])
                await seven.lock_a_hand()
            await seven.claim(FOUR_ACES)
            assert await seven.pay() == 100_000
            await seven.end_the_hand(chips=1)
            assert await agree(two, [seven, eight]) == 19_000 * EURO + EURO // 2
            assert authors(two) >= {"c1", "c2"}
    finally:
        nats.stop()


def authors(coordinator: RunningCoordinator) -> set[str]:
    entries = coordinator._log._from_the_file()
    return {entry.author for entry in entries}
