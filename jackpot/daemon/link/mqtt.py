"""One line to an MQTT broker, kept up for ever: what comes in is acknowledged after the commit.

aiomqtt does the protocol inside our event loop. What it leaves to us: connecting again, giving up
waiting soon, and acknowledging late. A message is acknowledged (PUBACK) only once whoever took it says
so; what was not is delivered again at the next connection, or lost with the broker: the cores ask
again either way, and nothing of money depends on it.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import ssl
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import aiomqtt
import structlog
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from jackpot.config.broker import BrokerConfig, MqttVersion, TlsFiles

ANSWER_TIMEOUT_S = 2.0
"""A broker in the same building answers in milliseconds; waiting longer only hides that it is gone."""

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

MAX_TAKEN = 256
"""Messages handed over at once: one commit for all of them, and still a few milliseconds."""

REFUSED_SUBSCRIPTION = 0x80
"""Return codes from here on say no; no exception tells."""

_QOS = 1
"""At least once. QoS 2 would promise what only numbers in a ledger can keep, and with late
acknowledgement it never completes."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Incoming:
    """A message, not acknowledged yet. ``retained``: the broker had kept it."""

    topic: str
    payload: bytes
    retained: bool
    _message: aiomqtt.Message
    _client: aiomqtt.Client

    def acknowledge(self) -> None:
        """It is committed, or not worth keeping. Nothing on a line that is gone meanwhile."""
        # aiomqtt has no door to this; the pinned version has this one, and a test watches it.
        with contextlib.suppress(OSError, ValueError):
            self._client._client.ack(self._message.mid, self._message.qos)


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
        self._outgoing: deque[tuple[str, bytes, bool]] = deque(maxlen=MAX_OUTGOING)
        self._to_send = asyncio.Event()
        self.fault = "not connected yet"
        """Why there is no connection; empty while there is one."""

    @property
    def connected(self) -> bool:
        """Whether a broker has taken us and all our subscriptions."""
        return not self.fault

    def send(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Publish as soon as the window allows; without a connection it is dropped."""
        if self.connected:
            self._outgoing.append((topic, payload, retain))
            self._to_send.set()

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
        count = min(len(self._incoming), MAX_TAKEN)
        return [self._incoming.popleft() for _ in range(count)]

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
            max_queued_incoming_messages=0,
            tls_context=tls_context(self._broker.tls),
            **options,
        )
        client.pending_calls_threshold = 2 * WINDOW
        client._client.manual_ack_set(True)
        client._client.connect_timeout = ANSWER_TIMEOUT_S
        return client

    async def _subscribe(self, client: aiomqtt.Client) -> None:
        codes: Sequence[Any] = await client.subscribe([(topic, _QOS) for topic in self._topics])
        for topic, code in zip(self._topics, codes, strict=True):
            value = code if isinstance(code, int) else code.value  # 3.1.1 gives numbers, 5 reasons
            if value >= REFUSED_SUBSCRIPTION:
                raise aiomqtt.MqttError(f"the broker does not let us listen to {topic}")

    async def _serve(self, client: aiomqtt.Client) -> None:
        """Until the connection ends, one way or the other."""
        self.fault = ""
        _log.info("broker found", host=self._broker.host, port=self._broker.port)
        self._on_connected()
        sending = asyncio.create_task(self._keep_sending(client), name="mqtt send")
        receiving = asyncio.create_task(self._keep_receiving(client), name="mqtt receive")
        try:
            await asyncio.wait({sending, receiving}, return_when=asyncio.FIRST_COMPLETED)
            for task in (sending, receiving):
                if task.done():
                    task.result()
        finally:
            await ended(sending, receiving)

    async def _keep_receiving(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            payload = message.payload if isinstance(message.payload, bytes) else b""
            self._incoming.append(
                Incoming(str(message.topic), payload, message.retain, message, client)
            )
            self._arrived.set()

    async def _keep_sending(self, client: aiomqtt.Client) -> None:
        """In order, at most ``WINDOW`` without an answer. A message that gets none ends the line."""
        under_way: set[asyncio.Task[None]] = set()
        try:
            while True:
                while self._outgoing and len(under_way) < WINDOW:
                    topic, payload, retain = self._outgoing.popleft()
                    publishing = client.publish(topic, payload, qos=_QOS, retain=retain)
                    under_way.add(asyncio.create_task(publishing))
                if under_way and (len(under_way) >= WINDOW or not self._outgoing):
                    done, under_way = await self._some_done(under_way)
                    failed = [error for task in done if (error := task.exception()) is not None]
                    if failed:
                        raise failed[0]
                else:
                    self._to_send.clear()
                    await self._to_send.wait()
        finally:
            await ended(*under_way)

    async def _some_done(
        self, under_way: set[asyncio.Task[None]]
    ) -> tuple[set[asyncio.Task[None]], set[asyncio.Task[None]]]:
        """Wait for an answer or, while there is room, for something to send."""
        self._to_send.clear()
        more = asyncio.create_task(self._to_send.wait())
        waiting: set[asyncio.Task[Any]] = {*under_way, more}
        try:
            done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await ended(more)
        answered = under_way & done
        return answered, under_way - answered

    def _lost(self, why: str) -> None:
        was_there, self.fault = self.connected, why or "unknown"
        self._outgoing.clear()
        if was_there:
            _log.warning("broker lost", host=self._broker.host, port=self._broker.port, why=why)
            self._on_disconnected()


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
