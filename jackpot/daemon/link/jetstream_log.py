"""The ``DecisionLog`` in NATS JetStream: replicated, for any number of coordinators.

One message is one append, so a batch of entries is there whole or not at all. The expected last
sequence of the stream makes exactly one of several coordinators win; the others read again. Positions
are the entries' own: a moved log begins anywhere, so a position is looked for, never computed.

A rejected append is still delivered to whoever subscribes to the subject. So nobody does: entries are
read out of the stream only, and the accounts of tables may not even see the subject.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import Awaitable, Sequence
from typing import Self, TypeVar

import msgspec
import nats.errors
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.api import Header, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import APIError, NoStreamResponseError, NotFoundError

from jackpot.errors import Refused
from jackpot.link.messages import Entry
from jackpot.link.port import READ_AT_MOST, LogUnavailable

T = TypeVar("T")

ANSWER_TIMEOUT_S = 2.0
"""An append takes a millisecond or two; after this the cluster is choosing a leader or gone, and the
coordinator's heartbeat must not wait for it."""

FIND_TIMEOUT_S = 10.0
"""The client asks one server after the other for ever; each of three had its turn by then."""

READS_AT_ONCE = 64
"""Messages asked for together: a backlog comes at some ten thousand a second, in little memory."""

WRONG_LAST_SEQUENCE = frozenset({10071, 10164})
"""The error codes of the server for an expected last sequence that is not the last."""

_UNANSWERED = (TimeoutError, nats.errors.Error, NoStreamResponseError, OSError)

_decoder = msgspec.json.Decoder(list[Entry])


def stream_name(carrusel: str) -> str:
    """The stream of a carrusel's log."""
    return f"carrusel-log-{carrusel}"


def subject_of(carrusel: str) -> str:
    """The subject of the log: not below ``carrusel.``, where the tables' MQTT topics are."""
    return f"carrusel-log.{carrusel}"


class JetStreamLog:
    """The log of one carrusel in a cluster. ``replicas`` is 3 in production, 1 in a test."""

    def __init__(self, client: Client, carrusel: str, replicas: int) -> None:
        """Use ``open``."""
        self._client = client
        self._js: JetStreamContext = client.jetstream(timeout=ANSWER_TIMEOUT_S)
        self._carrusel = carrusel
        self._replicas = replicas
        self._last = _Place(0, 0)
        """Where the log ended when we last looked: its last position, and the stream's sequence."""
        self._read = _Place(0, 0)
        """How far it was read last. Whoever follows the log goes on from there, without a search."""

    @classmethod
    async def open(
        cls,
        servers: Sequence[str],
        carrusel: str,
        *,
        replicas: int = 3,
        create: bool = False,
        tls: ssl.SSLContext | None = None,
    ) -> Self:
        """Connect, and find the stream; with ``create`` make it first.

        Raises ``LogUnavailable``: no server answers. ``Refused``: there is no such log, or (with
        ``create``) there is one.
        """
        client = Client()
        log = cls(client, carrusel, replicas)
        try:
            async with asyncio.timeout(FIND_TIMEOUT_S):
                await client.connect(
                    servers=list(servers),
                    name=f"coordinator of {carrusel}",
                    connect_timeout=2,
                    reconnect_time_wait=1,
                    max_reconnect_attempts=-1,
                    allow_reconnect=True,
                    ping_interval=2,
                    max_outstanding_pings=2,
                    error_cb=_ignored,
                    tls=tls,
                )
            await log._find(create=create)
        except _UNANSWERED as error:
            await log.close()
            why = str(error) or "no answer"
            raise LogUnavailable(f"no server takes us ({', '.join(servers)}): {why}") from error
        except BaseException:
            await log.close()
            raise
        return log

    async def _find(self, *, create: bool) -> None:
        try:
            await _answered(self._js.stream_info(stream_name(self._carrusel)))
            found = True
        except NotFoundError:
            found = False
        if create and not found:
            await self._create()
        elif create or not found:
            raise Refused(
                reason="log_exists" if create else "no_log",
                expected=f"{'no' if create else 'a'} log of carrusel {self._carrusel} in the cluster",
                found="one" if found else "none",
                to_do="start the coordinator on it"
                if create
                else "make it with `jackpot carrusel new`",
            )

    async def _create(self) -> None:
        for name, subject, kept in (
            (stream_name(self._carrusel), subject_of(self._carrusel), -1),
            (_check_stream(self._carrusel), _check_subject(self._carrusel), 1),
        ):
            await _answered(
                self._js.add_stream(
                    StreamConfig(
                        name=name,
                        subjects=[subject],
                        retention=RetentionPolicy.LIMITS,
                        storage=StorageType.FILE,
                        num_replicas=self._replicas,
                        max_msgs_per_subject=kept,
                        deny_delete=kept < 0,
                        deny_purge=kept < 0,
                        allow_direct=False,
                    )
                )
            )

    async def append(self, entries: Sequence[Entry], after: int) -> bool:
        """Append ``entries`` if ``after`` is the last position; False if it is not.

        Raises ``LogUnavailable`` when no answer came: then they may be there or not, and reading
        tells.
        """
        if self._last.position != after:
            await self._look_for_the_end()
        if self._last.position != after:
            return False
        return not entries or await self._publish(entries, self._last.sequence)

    async def _publish(self, entries: Sequence[Entry], last_sequence: int) -> bool:
        """One message; False if the stream's last one is another."""
        try:
            ack = await _answered(
                self._js.publish(
                    subject_of(self._carrusel),
                    msgspec.json.encode(list(entries)),
                    stream=stream_name(self._carrusel),
                    headers={Header.EXPECTED_LAST_SEQUENCE.value: str(last_sequence)},
                )
            )
        except APIError as error:
            if error.err_code in WRONG_LAST_SEQUENCE:
                return False
            raise _unavailable(error) from error
        self._last = self._read = _Place(entries[-1].position, ack.seq)
        return True

    async def read(self, after: int, at_most: int = READ_AT_MOST) -> list[Entry]:
        """The entries after position ``after``, oldest first, at most so many."""
        await self._look_for_the_end()
        if after >= self._last.position:
            return []
        if after == self._read.position:
            sequence = self._read.sequence + 1
        else:
            sequence = await self._sequence_of(after + 1)
        found: list[Entry] = []
        while sequence <= self._last.sequence and len(found) < at_most:
            until = min(sequence + READS_AT_ONCE, self._last.sequence + 1)
            pieces = await asyncio.gather(*(self._message(at) for at in range(sequence, until)))
            found += [entry for piece in pieces for entry in piece if entry.position > after]
            sequence = until
            if len(found) <= at_most:
                self._read = _Place(found[-1].position, until - 1)
        return found[:at_most]

    async def check(self) -> None:
        """A quorum answers: one small message, of which the last is kept, in a stream of the same
        replicas. Raises ``LogUnavailable``."""
        try:
            await _answered(
                self._js.publish(
                    _check_subject(self._carrusel), b"", stream=_check_stream(self._carrusel)
                )
            )
        except APIError as error:
            raise _unavailable(error) from error

    async def close(self) -> None:
        """Leave the cluster."""
        with contextlib.suppress(*_UNANSWERED):
            await self._client.close()

    async def _look_for_the_end(self) -> None:
        try:
            info = await _answered(self._js.stream_info(stream_name(self._carrusel)))
        except NotFoundError as error:
            raise _unavailable(error) from error
        sequence = info.state.last_seq
        if sequence != self._last.sequence:
            entries = await self._message(sequence)
            self._last = _Place(entries[-1].position, sequence)

    async def _sequence_of(self, position: int) -> int:
        """The stream's sequence of the message that holds ``position``, which exists: halving."""
        low, high = 1, self._last.sequence
        while low < high:
            middle = (low + high) // 2
            entries = await self._message(middle)
            if entries[-1].position < position:
                low = middle + 1
            else:
                high = middle
        return low

    async def _message(self, sequence: int) -> list[Entry]:
        """The entries of one message of the stream; the stream never loses one."""
        try:
            message = await _answered(self._js.get_msg(stream_name(self._carrusel), sequence))
        except APIError as error:
            raise _unavailable(error) from error
        return _decoder.decode(message.data or b"[]")


class _Place(msgspec.Struct, frozen=True):
    position: int
    sequence: int


def _check_stream(carrusel: str) -> str:
    return f"carrusel-check-{carrusel}"


def _check_subject(carrusel: str) -> str:
    return f"carrusel-check.{carrusel}"


async def _answered(asked: Awaitable[T]) -> T:
    """The answer; ``LogUnavailable`` when none comes. Refusals of the server stay what they are."""
    try:
        return await asked
    except APIError as error:
        if error.code == 503:
            raise _unavailable(error) from error
        raise
    except _UNANSWERED as error:
        raise _unavailable(error) from error


def _unavailable(error: BaseException) -> LogUnavailable:
    return LogUnavailable(f"{type(error).__name__}: {error}")


async def _ignored(_error: Exception) -> None:
    """The client reconnects by itself; what fails meanwhile is told to whoever asked."""
