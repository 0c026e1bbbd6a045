"""The line to a real mosquitto: late acknowledgement, lost brokers, both versions of MQTT."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import aiomqtt
import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion
from support.brokers import PATIENCE_S, Broker, free_port, mosquitto, nats_server
from support.mqtt_line import Line, running

from jackpot.config import MqttVersion
from jackpot.daemon.link import mqtt
from jackpot.daemon.link.mqtt import MAX_OUTGOING, MAX_TAKEN_BYTES, WINDOW, Incoming, ended

TOPIC = "carrusel/sala/node/t1/up"
VERSIONS = pytest.mark.parametrize("version", list(MqttVersion))


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = mosquitto(tmp_path)
    broker.start()
    yield broker
    broker.stop()


@VERSIONS
async def test_what_is_sent_arrives_in_order(broker: Broker, version: MqttVersion) -> None:
    sent = [b"%d" % number for number in range(500)]
    async with (
        running(Line(broker.port, "here", TOPIC, version=version)) as here,
        running(Line(broker.port, "there", "other", version=version)) as there,
    ):
        for payload in sent:
            there.send(TOPIC, payload)
        assert await here.payloads(500) == sent


@VERSIONS
async def test_what_was_not_acknowledged_comes_again_to_the_next_connection(
    broker: Broker, version: MqttVersion
) -> None:
    """A process that is killed after it took ten messages and committed five loses none."""
    async with running(Line(broker.port, "there", "other", version=version)) as there:
        async with running(Line(broker.port, "here", TOPIC, version=version)) as here:
            for number in range(10):
                there.send(TOPIC, b"%d" % number)
            taken: list[Incoming] = []
            async with asyncio.timeout(PATIENCE_S):
                while len(taken) < 10:
                    taken += await here.take()
            for incoming in taken[:5]:
                incoming.acknowledge()
            here.send("other", b"said after them")
            assert await there.payloads(1) == [b"said after them"]
        async with running(Line(broker.port, "here", TOPIC, version=version)) as here:
            assert await here.payloads(5) == [b"5", b"6", b"7", b"8", b"9"]
            here.send(
                "other", b"said after them"
            )  # a broker may drop what a quick successor overtakes
            assert await there.payloads(1) == [b"said after them"]
        async with running(Line(broker.port, "here", TOPIC, version=version)) as here:
            there.send(TOPIC, b"last")
            assert await here.payloads(1) == [b"last"]


async def test_a_retained_message_waits_for_those_who_come_later(broker: Broker) -> None:
    async with (
        running(Line(broker.port, "there", "other")) as there,
        running(Line(broker.port, "witness", "carrusel/sala/total")) as witness,
    ):
        there.send("carrusel/sala/total", b"12", retain=True)
        assert await witness.payloads(1) == [b"12"]
        async with running(Line(broker.port, "here", "carrusel/sala/total")) as here:
            assert await here.payloads(1) == [b"12"]


async def test_a_killed_broker_is_noticed_and_found_again(broker: Broker) -> None:
    async with running(Line(broker.port, "here", TOPIC)) as here:
        broker.kill()
        await here.has_been(1, downs=1)
        assert not here.connected
        here.send(TOPIC, b"dropped: whoever counts on it says it again")
        broker.start()
        await here.has_been(2)
        here.send(TOPIC, b"after")
        assert await here.payloads(1) == [b"after"]


async def test_a_broker_that_hangs_is_given_up_in_time_and_found_again(broker: Broker) -> None:
    async with running(Line(broker.port, "here", TOPIC)) as here:
        broker.freeze()
        here.send(TOPIC, b"nobody answers")
        began_s = asyncio.get_running_loop().time()
        await here.has_been(1, downs=1)
        assert asyncio.get_running_loop().time() - began_s < 8
        broker.thaw()
        await here.has_been(2)
        assert here.connected


async def test_a_line_ends_at_once_while_its_broker_hangs(broker: Broker) -> None:
    line = Line(broker.port, "here", TOPIC)
    async with running(line):
        broker.freeze()
        line.send(TOPIC, b"nobody answers")
        began_s = asyncio.get_running_loop().time()
    assert asyncio.get_running_loop().time() - began_s < 5
    broker.thaw()


async def test_a_sign_of_life_takes_no_room_in_the_window(broker: Broker) -> None:
    async with (
        running(Line(broker.port, "here", TOPIC)) as here,
        running(Line(broker.port, "there", "other")) as there,
    ):
        broker.freeze()
        for _ in range(2 * WINDOW):
            there.send(TOPIC, b"alive", qos=0)
        assert not there._outgoing
        broker.thaw()
        assert await here.payloads(2 * WINDOW) == [b"alive"] * (2 * WINDOW)


async def test_a_broker_that_says_other_things_is_given_more_time_for_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After an outage an answer stands behind everything that was kept for us; silence ends the line
    after one look, talk without this answer after five."""

    async def looks(heard: int) -> int:
        line, count = Line(1, "here", TOPIC), 0
        line._under_way[7] = None  # a message that nobody answers

        async def sleep(_seconds: float) -> None:
            nonlocal count
            count += 1
            line._heard += count <= heard

        with monkeypatch.context() as patched:
            patched.setattr(mqtt, "asyncio", SimpleNamespace(sleep=sleep))
            with pytest.raises(aiomqtt.MqttError, match="does not answer"):
                await line._watch_answers()
        return count

    assert [await looks(0), await looks(2), await looks(100)] == [1, 3, 5]


async def test_a_backlog_is_taken_in_pieces(broker: Broker) -> None:
    """A hundred thousand operations at once would be more memory than everything else."""
    line = Line(broker.port, "here", TOPIC)
    message, paho = MQTTMessage(1, TOPIC.encode()), Client(CallbackAPIVersion.VERSION2)
    line._incoming.extend(
        Incoming(TOPIC, bytes(size), False, message, paho) for size in (MAX_TAKEN_BYTES - 1, 1, 1)
    )
    assert [len(await line.take()) for _ in range(2)] == [2, 1]


async def test_without_a_broker_it_tries_on_and_says_why(tmp_path: Path) -> None:
    broker = mosquitto(tmp_path)
    line = Line(broker.port, "here", TOPIC)
    task = asyncio.create_task(line.run())
    await line.fails("refused")
    broker.start()
    await line.has_been(1)
    assert line.fault == ""
    await ended(task)
    broker.stop()


async def test_what_waits_for_the_window_is_bounded(broker: Broker) -> None:
    async with running(Line(broker.port, "here", TOPIC)) as here:
        broker.freeze()
        for number in range(3 * MAX_OUTGOING):
            here.send(TOPIC, b"%d" % number)
        assert len(here._outgoing) == MAX_OUTGOING
        broker.thaw()


async def test_a_forbidden_subscription_is_said(tmp_path: Path) -> None:
    """NATS says no with a return code alone; mosquitto would deliver nothing, without a word."""
    port = free_port()
    config = f"""\
listen: "127.0.0.1:{free_port()}"
server_name: alone
jetstream {{ store_dir: "{tmp_path}" }}
mqtt {{ listen: "127.0.0.1:{port}", no_auth_user: box }}
authorization {{ users: [
    {{ user: box, password: box, permissions: {{ subscribe: ["allowed", "$MQTT.>", "_INBOX.>"] }} }}
] }}
"""
    broker = nats_server(tmp_path, config, port)
    broker.start()
    line = Line(broker.port, "here", "allowed", "forbidden", version=MqttVersion.V311)
    task = asyncio.create_task(line.run())
    await line.fails("forbidden")
    assert line.ups == 0
    await ended(task)
    broker.stop()
