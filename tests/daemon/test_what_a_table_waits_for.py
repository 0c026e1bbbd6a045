"""CAN-9: a table that leaves, and a coordinator that may not append, say what they wait for."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

from support.brokers import Broker, single_nats
from support.linked_floor import (
    coordinator_runs,
    floor,
    found_coordinator,
    install_table,
    table_runs,
    until,
)

from jackpot.config.coordinator import load_coordinator_file
from jackpot.daemon.link.coordinating import RunningCoordinator
from jackpot.daemon.link.page.picture import Wait, picture_of
from jackpot.table import facts as f
from jackpot.table.carrusel_finding import finding


def waits(coordinator: RunningCoordinator, table: str) -> tuple[Wait, ...]:
    """As the page shows it."""
    found = {one.table: one.waits_for for one in picture_of(coordinator).members}
    return found.get(table, ())


async def test_a_leave_names_the_hand_that_still_counts_on_the_table(
    tmp_path: Path, broker: Broker
) -> None:
    async with floor(tmp_path, broker.port) as (coordinator, (seven, eight)):
        await eight.lock_a_hand()
        await until(lambda: coordinator.core.state.members["8"].locked is not None)
        await seven.act(f.CarruselLeaveAsked(by="j1", second="d1", why="another room"))
        await until(lambda: waits(coordinator, "7") == (Wait("8", "hand", 1),))
        heard = seven.running.desk.status.carrusel
        assert heard is not None
        assert heard.waits_for == "hands"
        await eight.end_the_hand(chips=1)
        await until(lambda: seven.state.carrusel is None)
        assert waits(coordinator, "7") == ()


async def test_a_leave_names_the_table_that_is_not_heard(tmp_path: Path, broker: Broker) -> None:
    async with AsyncExitStack() as stack:
        config = await found_coordinator(tmp_path, broker.port)
        coordinator = await stack.enter_async_context(coordinator_runs(config))
        seven_config = install_table(tmp_path / "table-7", "7", broker.port)
        seven = await stack.enter_async_context(table_runs(seven_config, tmp_path / "table-7"))
        await seven.join()
        eight_config = install_table(tmp_path / "table-8", "8", broker.port)
        async with table_runs(eight_config, tmp_path / "table-8") as eight:
            await eight.join()
            await until(lambda: "8" in coordinator.core.state.members)
        await seven.act(f.CarruselLeaveAsked(by="j1", second="d1", why="another room"))
        await until(lambda: waits(coordinator, "7") == (Wait("8", "silent"),))
        coordinator.core.stop_member("8", ("j1", "d1"), "box is lost")
        coordinator.wake()
        await until(lambda: seven.state.carrusel is None)


async def test_a_coordinator_that_the_log_does_not_know_says_who_must_sign(
    tmp_path: Path, broker: Broker
) -> None:
    nats = single_nats(tmp_path / "nats")
    nats.start()
    more = (
        f'\n[log]\nstore = "jetstream"\nservers = ["nats://127.0.0.1:{nats.port}"]\nreplicas = 1\n'
    )
    first = await found_coordinator(tmp_path, broker.port, more=more)
    await found_coordinator(tmp_path, broker.port, name="c2", more=more, new_log=False)
    text = (tmp_path / "c2.toml").read_text()
    try:
        async with coordinator_runs(first) as one:
            await until(lambda: one.core.position > 0)
            keys = dict(one.core.state.coordinators)
            known = f'\n[carrusel.coordinators]\nc1 = "{keys["c1"]}"\n'
            (tmp_path / "c2.toml").write_text(text + known)
            async with coordinator_runs(load_coordinator_file(tmp_path / "c2.toml")) as two:
                not_admitted = finding("not_admitted", coordinator="c2")
                assert picture_of(two).findings["log"] == not_admitted
                one.core.admit("c2", two.core.settings.coordinators["c2"], ("j1", "d1"))
                one.wake()
                await until(lambda: "log" not in picture_of(two).findings)
    finally:
        nats.stop()
