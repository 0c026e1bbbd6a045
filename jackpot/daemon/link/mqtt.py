"""One line to an MQTT broker, kept up for ever: what comes in is acknowledged after the commit.

aiomqtt connects, subscribes and tells the end, inside our event loop; the messages go between paho,
which it is made of, and us: a task for each of them would cost more than all the rest. What both leave
to us: connecting again, giving up waiting soon, and acknowledging late. A message is acknowledged
(PUBACK) only once whoever took it says so; what was not is delivered again at the next connection, or
lost with the broker: the cores ask again either way, and nothing of money depends on it.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import random
import socket
import ssl
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import aiomqtt
import structlog
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from jackpot.config.broker import BrokerConfig, MqttVersion, TlsFiles

ANSWER_TIMEOUT_S = 2.0
"""A broker in the same building answers in milliseconds; waiting longer while it says nothing at all only
hides that it is gone."""

MOST_PATIENCE = 5
"""So many times as long while it says other things: after an outage an answer stands behind everything
that it has kept for us."""

KEEP_ALIVE_S = 4
"""A broker that hangs is found out within two of these, and the lease of the core is shorter still."""

FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 5.0
"""Between two attempts to connect; doubled each time, and with jitter, so that five hundred tables do
not knock together at a broker that comes back."""

SESSION_KEPT_S = 3_600
"""How long the broker keeps what we have not acknowledged; later we ask for everything anyway."""

WINDOW = 32
"""Messages under way without PUBACK: enough for a full line, little to say again."""

MAX_OUTGOING = 1_000
"""Messages that wait for the window; the cores say again whatever matters, so the oldest may go."""

MAX_TAKEN = 500
"""Messages handed over at once: one commit for all of them, as many as a broker has under way."""

MAX_TAKEN_BYTES = 1_000_000
"""The same for a backlog, whose messages are a hundred times as long: read all at once, they would take
more memory than everything else."""

AT_ONCE = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
"""A small message does not wait until the one before is acknowledged, which takes forty milliseconds
where the other side has nothing to say."""

REFUSED_SUBSCRIPTION = 0x80
"""Return codes from here on say no; no exception tells."""

AT_LEAST_ONCE = 1
"""QoS 2 would promise what only numbers in a ledger can keep, and with late acknowledgement it never
completes."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Incoming:
    """A message, not acknowledged yet. ``retained``: the broker had kept it."""

    topic: str
    payload: bytes
    retained: bool
    _message: MQTTMessage
    _paho: Client

    def acknowledge(self) -> None:
        """It is committed, or not worth keeping. Nothing on a line that is gone meanwhile."""
        with contextlib.suppress(OSError, ValueError):
            self._paho.ack(self._message.mid, self._message.qos)


class MqttLine:
    """The connection of one client. ``run`` keeps it up; ``take`` waits for messages; ``send`` queues.

    ``client_id`` is the same at each start, so that the broker knows the session again.
    """

    def __init__(
        self,
        broker: BrokerConfig,
        client_id: str,
        topics: Sequence[str],
        *,
        on_connected: Callable[[], None],
        on_disconnected: Callable[[], None],
    ) -> None:
        self._broker = broker
        self._client_id = client_id
        self._topics = tuple(topics)
        self._on_connected = on_connected
        self._on_disconnected = on_disconnected
        self._incoming: deque[Incoming] = deque()
        self._arrived = asyncio.Event()
        self._outgoing: deque[tuple[str, bytes, bool, int]] = deque(maxlen=MAX_OUTGOING)
        self._under_way: dict[int, None] = {}
        """The numbers of the messages without PUBACK, oldest first."""
        self._heard = 0
        """Messages and answers: that the broker is there."""
        self._paho: Client | None = None
        self.fault = "not connected yet"
        """Why there is no connection; empty while there is one."""

    @property
    def connected(self) -> bool:
        """Whether a broker has taken us and all our subscriptions."""
        return not self.fault

    def send(
        self, topic: str, payload: bytes, *, retain: bool = False, qos: int = AT_LEAST_ONCE
    ) -> None:
        """Publish as soon as the window allows; without a connection it is dropped."""
        if self.connected:
            self._outgoing.append((topic, payload, retain, qos))
            self._send_what_fits()

    def wake(self) -> None:
        """Let ``take`` return now."""
        self._arrived.set()

    async def take(self, timeout_ms: int | None = None) -> list[Incoming]:
        """What has arrived, oldest first; acknowledge each. Nothing after ``timeout_ms`` or ``wake``."""
        if not self._incoming:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(None if timeout_ms is None else timeout_ms / 1_000):
                    await self._arrived.wait()
        self._arrived.clear()
        taken: list[Incoming] = []
        room = MAX_TAKEN_BYTES
        while self._incoming and len(taken) < MAX_TAKEN and room > 0:
            taken.append(self._incoming.popleft())
            room -= len(taken[-1].payload)
        return taken

    async def run(self) -> None:
        """Connect, serve, connect again; ends only when it is cancelled."""
        pause_s = FIRST_PAUSE_S
        while True:
            try:
                async with self._client() as client:
                    await self._subscribe(client)
                    pause_s = FIRST_PAUSE_S
                    await self._serve(client)
            except (aiomqtt.MqttError, OSError, ValueError, TimeoutError) as error:
                self._lost(str(error) or type(error).__name__)
            # Half of the pause is jitter: nobody's money, so chance may be had here.
            await asyncio.sleep(pause_s * (0.5 + random.random() / 2))  # noqa: S311
            pause_s = min(LONGEST_PAUSE_S, 2 * pause_s)

    def _client(self) -> aiomqtt.Client:
        modern = self._broker.version is MqttVersion.V5
        options: dict[str, Any] = (
            {"clean_start": False, "properties": _session()} if modern else {"clean_session": False}
        )
        client = aiomqtt.Client(
            self._broker.host,
            self._broker.port,
            identifier=self._client_id,
            protocol=aiomqtt.ProtocolVersion.V5 if modern else aiomqtt.ProtocolVersion.V311,
            timeout=ANSWER_TIMEOUT_S,
            keepalive=KEEP_ALIVE_S,
            max_inflight_messages=WINDOW,
            socket_options=[AT_ONCE],
            tls_context=tls_context(self._broker.tls),
            **options,
        )
        # aiomqtt has no door to its paho; the pinned version has this one, and the tests watch it.
        paho = client._client
        paho.manual_ack_set(True)
        paho.connect_timeout = ANSWER_TIMEOUT_S
        paho.on_message = self._arrives
        paho.on_publish = self._is_answered
        self._paho = paho
        return client

    async def _subscribe(self, client: aiomqtt.Client) -> None:
        wanted = [(topic, AT_LEAST_ONCE) for topic in self._topics]
        asking = asyncio.create_task(client.subscribe(wanted, timeout=math.inf))
        try:
            for _ in range(MOST_PATIENCE):
                heard = self._heard
                await asyncio.wait({asking}, timeout=ANSWER_TIMEOUT_S)
                if asking.done() or heard == self._heard:
                    break
        finally:
            await ended(asking)
        if asking.cancelled():
            raise _silent()
        codes: Sequence[Any] = asking.result()
        for topic, code in zip(self._topics, codes, strict=True):
            value = code if isinstance(code, int) else code.value  # 3.1.1 gives numbers, 5 reasons
            if value >= REFUSED_SUBSCRIPTION:
                raise aiomqtt.MqttError(f"the broker does not let us listen to {topic}")

    async def _serve(self, client: aiomqtt.Client) -> None:
        """Until the connection ends, one way or the other."""
        self.fault = ""
        _log.info("broker found", host=self._broker.host, port=self._broker.port)
        self._on_connected()
        answers = asyncio.create_task(self._watch_answers(), name="mqtt answers")
        connection = asyncio.create_task(_until_it_ends(client), name="mqtt connection")
        try:
            await asyncio.wait({answers, connection}, return_when=asyncio.FIRST_COMPLETED)
            for task in (answers, connection):
                if task.done():
                    task.result()
        finally:
            await ended(answers, connection)

    def _arrives(self, paho: Client, _: object, message: MQTTMessage) -> None:
        self._heard += 1
        self._incoming.append(
            Incoming(message.topic, bytes(message.payload), message.retain, message, paho)
        )
        self._arrived.set()

    def _send_what_fits(self) -> None:
        """In order, at most ``WINDOW`` without an answer."""
        paho = self._paho
        while paho is not None and self._outgoing and len(self._under_way) < WINDOW:
            topic, payload, retain, qos = self._outgoing.popleft()
            sent = paho.publish(topic, payload, qos, retain)
            if qos:
                self._under_way[sent.mid] = None

    def _is_answered(self, paho: Client, _: object, mid: int, *_more: object) -> None:
        if paho is self._paho:
            self._heard += 1
            self._under_way.pop(mid, None)
            self._send_what_fits()

    async def _watch_answers(self) -> None:
        """A message that gets no answer ends the line."""
        while True:
            oldest = next(iter(self._under_way), None)
            for _ in range(MOST_PATIENCE):
                heard = self._heard
                await asyncio.sleep(ANSWER_TIMEOUT_S)
                if oldest not in self._under_way:
                    break
                if heard == self._heard:
                    raise _silent()
            else:
                raise _silent()

    def _lost(self, why: str) -> None:
        was_there, self.fault = self.connected, why or "unknown"
        self._outgoing.clear()
        self._under_way.clear()
        if was_there:
            _log.warning("broker lost", host=self._broker.host, port=self._broker.port, why=why)
            self._on_disconnected()


def _silent() -> aiomqtt.MqttError:
    return aiomqtt.MqttError("the broker does not answer")


async def _until_it_ends(client: aiomqtt.Client) -> None:
    """Raises ``MqttError`` when the connection is gone. No message comes this way."""
    async for _ in client.messages:
        pass


async def ended(*tasks: asyncio.Task[Any]) -> None:
    """Cancel and wait until they are over: Python 3.11's ``wait_for`` may swallow one cancellation,
    so it is said again."""
    while unfinished := [task for task in tasks if not task.done()]:
        for task in unfinished:
            task.cancel()
        await asyncio.wait(unfinished, timeout=0.1)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # looked at, so that asyncio does not complain


def _session() -> Properties:
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.SessionExpiryInterval = SESSION_KEPT_S
    return properties


def tls_context(files: TlsFiles | None) -> ssl.SSLContext | None:
    """The certificates of this box, or None for a line without encryption.

    Raises ``OSError`` or ``ssl.SSLError`` (which is one) for files that cannot be used.
    """
    if files is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=files.authority)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(files.certificate, files.key)
    return context
