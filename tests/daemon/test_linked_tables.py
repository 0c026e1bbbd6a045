"""Tables, coordinator and broker together, as in a casino, in one process (CAN-9)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiomqtt
import pytest
from support.brokers import Broker, free_port
from support.linked_floor import FOUR_ACES, ROYAL_FLUSH, agree, floor

from jackpot.link import messages as m
from jackpot.link import topics, wire

EURO = 100_000_000
"""In micro-cents."""


@pytest.mark.parametrize("mqtt", ["5", "3.1.1"])
async def test_CAN_9_the_prize_is_the_sum_and_an_award_is_borne_by_all(
    tmp_path: Path, broker: Broker, mqtt: str
) -> None:
    """Two tables with 10,000.00 each: four aces win 5 % of 20,000.00, half from each table."""
    async with floor(tmp_path, broker.port, mqtt=mqtt) as (coordinator, tables):
        seven, eight = tables
        assert await agree(coordinator, tables) == 20_000 * EURO
        await eight.play_a_hand(chips=3)
        assert await agree(coordinator, tables) == 20_001 * EURO + EURO // 2
        await seven.lock_a_hand()
        await seven.claim(FOUR_ACES)
        assert await seven.pay() == 100_007
        await seven.end_the_hand(chips=1)
        # 1,000.07 paid of 20,001.50; one chip of 2.00 brings 0.50.
        assert await agree(coordinator, tables) == 1_900_193 * (EURO // 100)
        assert seven.meter_microcents + eight.meter_microcents == 1_900_193 * (EURO // 100)


async def test_a_checkpoint_that_its_ledger_did_not_sign_is_no_witness(
    tmp_path: Path, broker: Broker
) -> None:
    """The true one is in the log; the same with another number of batches is refused and named."""
    async with floor(tmp_path, broker.port) as (coordinator, tables):
        seven, _ = tables
        await seven.play_a_hand(chips=1)
        true = await seven.running.desk.checkpoint()
        origin, batches, rest = true.split("\n", 2)
        forged = m.Head(name="7", note=f"{origin}\n{int(batches) + 1}\n{rest}")
        topic = topics.head("sala", "7")
        async with asyncio.timeout(20):
            while coordinator.core.state.heads.get("7") != true:
                await asyncio.sleep(0.02)
            async with aiomqtt.Client("127.0.0.1", broker.port) as stranger:
                await stranger.publish(topic, wire.encode(forged), qos=1)
            while topic not in coordinator.faults:
                await asyncio.sleep(0.02)
        assert "signature" in coordinator.faults[topic].text()
        await agree(coordinator, tables)
        assert coordinator.core.state.heads["7"] == true


async def test_a_royal_flush_restarts_every_table_at_its_own_seed(
    tmp_path: Path, broker: Broker
) -> None:
    async with floor(tmp_path, broker.port) as (coordinator, tables):
        seven, eight = tables
        await seven.lock_a_hand()
        await seven.claim(ROYAL_FLUSH)
        assert await seven.pay() == 2_000_000
        await seven.end_the_hand(chips=1)
        assert await agree(coordinator, tables) == 20_000 * EURO + EURO // 2
        assert seven.meter_microcents == 10_000 * EURO + EURO // 2
        assert eight.meter_microcents == 10_000 * EURO


async def test_with_the_embedded_broker_it_plays_the_same(tmp_path: Path) -> None:
    port = free_port()
    async with floor(tmp_path, port, mqtt="3.1.1", embedded=True) as (coordinator, tables):
        seven, eight = tables
        await eight.play_a_hand(chips=2)
        assert await agree(coordinator, tables) == 20_001 * EURO
        await seven.lock_a_hand()
        await seven.claim(FOUR_ACES)
        assert await seven.pay() == 100_005
        await seven.end_the_hand(chips=1)
        assert await agree(coordinator, tables) == 1_900_145 * (EURO // 100)
