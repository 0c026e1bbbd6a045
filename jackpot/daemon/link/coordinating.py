"""A coordinator in a process: the core, its log, its line to the broker, its clock.

One loop does everything in turn: take what arrived, append what is due, publish what follows, and
only then acknowledge what was taken. A fault of the log that leaves its end unknown, and a log that
another program continued otherwise, end the process; its successor reads the log anew.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import structlog

from jackpot.config.coordinator import CoordinatorConfig
from jackpot.daemon.clock import Clock, SystemClock
from jackpot.daemon.link.certificates import Holder, check_holder, common_name
from jackpot.daemon.link.founded import check_founded
from jackpot.daemon.link.kept_log import KeptLog
from jackpot.daemon.link.mqtt import Incoming, MqttLine, ended
from jackpot.daemon.link.receiving import message_of
from jackpot.errors import Refused
from jackpot.ledger.errors import LedgerFull
from jackpot.ledger.keys import load_key
from jackpot.ledger.note import Signer, verifier_from_vkey
from jackpot.link import topics, wire
from jackpot.link.coordinator import Coordinator, CoordinatorSettings
from jackpot.link.entries import AwardDecided, AwardUndone
from jackpot.link.messages import Entry, Head, Message
from jackpot.link.port import LogUnavailable
from jackpot.link.signing import signer
from jackpot.table.carrusel_finding import SAID, SENTENCES, Finding, finding

CHECK_MS = 500
"""Half a beat: each sign of life tells of a log that has just answered."""

POLL_MS = 100
"""How soon a coordinator learns what another one appended; as often as a total is told."""

MOST_APPENDS = 64
"""Proposals in a row before what arrived meanwhile is looked at."""

MOST_FAULTS = 100
"""Topics whose last refused payload is remembered for the page."""

LOG_ID_BYTES = 16

_log = structlog.get_logger(__name__)


class RunningCoordinator:
    """A coordinator that runs. ``core`` has its state and its findings; ``faults`` are payloads that
    were refused, by topic; ``log_fault`` why the log did not answer last."""

    def __init__(self, config: CoordinatorConfig, core: Coordinator, log: KeptLog, clock: Clock):
        self.config = config
        self.core = core
        self.faults: dict[str, Finding] = {}
        self.log_fault = ""
        self.heard_ms: dict[str, int] = {}
        """When each table was heard last, on this machine's monotonic clock."""
        self.line = MqttLine(
            config.broker,
            f"coordinator-{config.carrusel}-{config.name}",
            topics.of_coordinator(config.carrusel),
            on_connected=self._said_nothing,
            on_disconnected=self._said_nothing,
        )
        self._log = log
        self._clock = clock
        self._checked_ms = 0
        self._polled_ms = 0
        self._must_read = False

    @property
    def decisions(self) -> Sequence[tuple[Entry, AwardDecided | AwardUndone]]:
        """The newest decisions, oldest first."""
        return self._log.decisions

    def now_ms(self) -> int:
        """The monotonic clock, in milliseconds."""
        return self._clock.monotonic_ns() // 1_000_000

    def wake(self) -> None:
        """An officer asked something of the core: do not wait for the next deadline."""
        self.line.wake()

    def _said_nothing(self) -> None:
        """The core of a coordinator does not care whether there is a broker; its page does."""
        self.wake()

    async def run(self) -> None:
        """Serve for ever. Raises ``LogBroken``, ``CommitUnknown`` or ``LedgerRefused`` (the disk is at
        fault): start anew, from the log."""
        connection = asyncio.create_task(self.line.run(), name="broker")
        try:
            while True:
                due_ms = min(
                    self.core.deadline_ms, self._checked_ms + CHECK_MS, self._poll_due_ms()
                )
                incoming = await self.line.take(max(0, due_ms - self.now_ms()))
                await self._round(incoming)
                if connection.done():
                    connection.result()
        finally:
            await ended(connection)

    def _poll_due_ms(self) -> int:
        return self._polled_ms + POLL_MS if self._log.is_shared else self._checked_ms + CHECK_MS

    async def _round(self, incoming: Sequence[Incoming]) -> None:
        for one in incoming:
            self._receive(one)
        try:
            await self._follow_the_log()
            await self._append_what_is_due()
            self.log_fault = ""
        except (LogUnavailable, LedgerFull) as error:
            self._log_failed(error)
        self.core.tick(self.now_ms())
        self._publish()
        for one in incoming:
            one.acknowledge()

    def _receive(self, one: Incoming) -> None:
        try:
            message = message_of(self.config.carrusel, one.topic, one.payload)
            self._check_head(message)
        except Refused as refused:
            self._refused(one.topic, refused)
            return
        table = getattr(message, "table", "")
        if table:
            self.heard_ms[table] = self.now_ms()
        self.core.received(message, self.now_ms())

    def _check_head(self, message: Message) -> None:
        """A witness counts only with the signature of the member's ledger. Raises ``NoteUnsigned``."""
        if isinstance(message, Head) and message.name in self.core.state.members:
            member = self.core.state.members[message.name]
            verifier_from_vkey(member.ledger).open(message.note)

    def _refused(self, topic: str, refused: Refused) -> None:
        if topic not in self.faults:
            _log.warning("payload refused", topic=topic, why=str(refused))
        if topic in self.faults or len(self.faults) < MOST_FAULTS:
            self.faults[topic] = _of_a_payload(refused)

    async def _follow_the_log(self) -> None:
        """What others appended; that it answers at all, twice a beat."""
        now_ms = self.now_ms()
        if self._must_read or (self._log.is_shared and now_ms >= self._polled_ms + POLL_MS):
            self._polled_ms = now_ms
            async for news in self._log.all_news():
                self.core.appended(news, self.now_ms())
            if self._must_read:
                self.core.settled()
                self._must_read = False
        if now_ms >= self._checked_ms + CHECK_MS:
            self._checked_ms = now_ms
            await self._log.check()
            self.core.log_checked(self.now_ms())

    async def _append_what_is_due(self) -> None:
        for _ in range(MOST_APPENDS):
            proposal = self.core.propose(self.now_ms(), self._clock.wall_ns())
            if proposal is None:
                return
            self._must_read = True  # unless the answer is a clear yes
            if await self._log.append(proposal.entries, proposal.after):
                self._must_read = False
                self._checked_ms = self.now_ms()  # an append tells as much as a check
                self.core.appended(proposal.entries, self.now_ms())
                self.core.settled()
                self._publish()  # a decision does not wait for what else is due
            else:
                await self._follow_the_log()

    def _log_failed(self, error: LogUnavailable | LedgerFull) -> None:
        if not self.log_fault:
            _log.error("the log does not answer: no award is decided here", why=str(error))
        self.log_fault = str(error)

    def _publish(self) -> None:
        for topic, message in self.core.take_messages():
            try:
                payload = wire.encode(message)
            except Refused as refused:
                self._refused(topic, refused)
                continue
            retain, qos = topics.is_retained(topic), topics.qos_of(topic)
            self.line.send(topic, payload, retain=retain, qos=qos)


def _of_a_payload(refused: Refused) -> Finding:
    """Why a payload was refused; of what somebody else than ``wire`` refused, the whole sentence."""
    if refused.reason in SENTENCES:
        return finding(refused.reason, found=refused.found)
    return finding(SAID, text=str(refused))


@asynccontextmanager
async def running_coordinator(
    config: CoordinatorConfig, clock: Clock | None = None
) -> AsyncIterator[RunningCoordinator]:
    """A coordinator that has read its log; ``run`` it inside. Stops in good order.

    Raises ``JackpotError``: no log or key, another's certificate, a fork, no answer.
    """
    check_founded(config)
    if config.broker.tls is not None:
        name = common_name(Holder.COORDINATOR, config.name)
        check_holder(config.broker.tls.certificate, name)
    clock = SystemClock() if clock is None else clock
    async with AsyncExitStack() as stack:
        if config.embedded:
            from jackpot.daemon.link.embedded_broker import embedded_broker  # megabytes, too

            await stack.enter_async_context(embedded_broker(config.broker.host, config.broker.port))
        private = load_key(config.key_file)
        log = await KeptLog.open(config)
        stack.push_async_callback(log.close)
        own_key = Signer(config.name, private).verifier.vkey
        core = Coordinator(
            CoordinatorSettings(
                name=config.name,
                carrusel=config.carrusel,
                coordinators={**config.others, config.name: own_key},
                new_log_id=secrets.token_hex(LOG_ID_BYTES),
            ),
            signer(private),
            now_ms=clock.monotonic_ns() // 1_000_000,
            decision_entry=log.decision_entry,
            past_at=log.past_at,
        )
        coordinator = RunningCoordinator(config, core, log, clock)
        async for piece in log.whole():
            core.appended(piece, coordinator.now_ms())
            await asyncio.sleep(0)
        _log.info("log read", carrusel=config.carrusel, position=core.position)
        yield coordinator


@asynccontextmanager
async def serving(coordinator: RunningCoordinator) -> AsyncIterator[asyncio.Task[None]]:
    """Its loop in a task, ended at the end."""
    task = asyncio.create_task(coordinator.run(), name="coordinator")
    try:
        yield task
    finally:
        await ended(task)
        with suppress(asyncio.CancelledError):
            task.result()
