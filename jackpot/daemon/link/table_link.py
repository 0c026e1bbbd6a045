"""A table's end of its carrusel: the node between the desk, the ledger and the broker.

What the node tells, it reads in the ledger, where it is committed; what it learns goes to the desk as
facts, and a message is acknowledged to the broker when whatever followed from it is recorded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import structlog

from jackpot.config import CarruselConfig, Config
from jackpot.console.desk import CarruselStatus, Done
from jackpot.daemon.clock import Clock
from jackpot.daemon.link.mqtt import Incoming, MqttLine, ended
from jackpot.daemon.link.pinned_keys import keep_keys, kept_keys
from jackpot.daemon.link.receiving import message_of
from jackpot.daemon.link.witnesses import HeadsSeen
from jackpot.daemon.requests import CARRUSEL
from jackpot.daemon.table_desk import TableDesk
from jackpot.errors import Refused
from jackpot.ledger.keys import load_key
from jackpot.ledger.machine import Recorded
from jackpot.ledger.read import Reader
from jackpot.ledger.table_ledger import TABLE
from jackpot.link import messages as m
from jackpot.link import topics, wire
from jackpot.link.node import Node, NodeSettings
from jackpot.link.signing import signer
from jackpot.link.uplink import WINDOW_OPERATIONS
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.carrusel_finding import Finding
from jackpot.table.carrusel_state import MemberStage

_log = structlog.get_logger(__name__)


class TableLink:
    """The link of one table. ``run`` within the event loop; ``close`` at the end."""

    def __init__(
        self,
        desk: TableDesk,
        carrusel: CarruselConfig,
        config: Config,
        ledger_key: str,
        clock: Clock,
    ) -> None:
        """``ledger_key`` is the public one. Raises ``Refused``: a damaged file of pinned keys."""
        self._desk = desk
        self._clock = clock
        self._carrusel = carrusel.id
        self._reader = Reader(config.ledger.file, TABLE.events)
        self._seen = desk.last_batch
        self._keys_file = config.ledger.folder / f"carrusel-{carrusel.id}.keys"
        self._kept_keys = kept_keys(self._keys_file)
        self._heads = HeadsSeen(config.ledger.folder / "heads-seen")
        self._head_told = ""
        self._told: Finding | None = None
        self._refused: set[str] = set()
        self.node = self._new_node(carrusel, config, ledger_key)
        self.line = MqttLine(
            carrusel.broker,
            f"table-{carrusel.id}-{config.terms.table}",
            topics.of_node(carrusel.id, config.terms.table),
            on_connected=self._connected,
            on_disconnected=lambda: self.node.disconnected(self._now_ms()),
        )

    def _new_node(self, carrusel: CarruselConfig, config: Config, ledger_key: str) -> Node:
        state, until = self._desk.state, self._seen
        join = _newest(self._reader.with_last(f.CarruselJoinAsked.kind, until=until))
        last = _newest(self._reader.with_last(o.CarruselOperation.kind, until=until))
        if last is not None and (join is None or last.batch < join.batch):
            last = None
        return Node(
            NodeSettings(
                table=config.terms.table,
                carrusel=self._carrusel,
                ledger=ledger_key,
                coordinators=carrusel.coordinators or self._kept_keys,
                utc_ms_at_zero=self._clock.wall_ns() // 1_000_000 - self._now_ms(),
            ),
            signer(load_key(config.ledger.key_file)),
            state,
            now_ms=self._now_ms(),
            join=join,
            last=last,
            applied_hash=self._applied_hash(until),
        )

    def _applied_hash(self, until: int) -> str:
        """The hash of the log's entry that holds the decision which was applied last."""
        kinds = (f.CarruselDecided.kind, f.CarruselUndone.kind)
        found = [batch for kind in kinds for batch in self._reader.with_last(kind, until=until)]
        decisions = [
            event
            for batch in found
            for event in batch.events
            if isinstance(event, f.CarruselDecided | f.CarruselUndone)
        ]
        newest = max(decisions, key=lambda decision: decision.position, default=None)
        return "" if newest is None else newest.entry_hash

    def _now_ms(self) -> int:
        return self._clock.monotonic_ns() // 1_000_000

    def _connected(self) -> None:
        self.node.connected(self._now_ms())
        self._head_told = ""
        self.line.wake()

    def start(self) -> asyncio.Task[None]:
        """``run`` in a task; a fault of ours halts the table, which would else play on unlinked."""
        task = asyncio.create_task(self.run(), name="carrusel")

        def ended_by_itself(done: asyncio.Task[None]) -> None:
            error = None if done.cancelled() else done.exception()
            if error is not None:
                self._desk.halt(f"carrusel: {type(error).__name__}: {error}")

        task.add_done_callback(ended_by_itself)
        return task

    async def run(self) -> None:
        """Serve for ever."""
        self._desk.on_change(self.line.wake)
        self._desk.show_view(self.node.view)
        connection = asyncio.create_task(self.line.run(), name="broker")
        try:
            while True:
                self._round(await self.line.take(max(0, self.node.deadline_ms - self._now_ms())))
                if connection.done():
                    connection.result()
        finally:
            await ended(connection)

    def close(self) -> None:
        """Give the ledger's file back."""
        self._reader.close()

    def _round(self, incoming: Sequence[Incoming]) -> None:
        self._catch_up()
        for one in incoming:
            self._receive(one)
        self.node.tick(self._now_ms())
        self._provide()
        recorded = [self._desk.submit((fact,), CARRUSEL) for fact in self.node.take_facts()]
        self._publish()
        self._show()
        self._say_what_is_wrong()
        self._pin_keys()
        _acknowledge_after(recorded, incoming)

    def _show(self) -> None:
        shown, found, desk = self.node.shown, self.node.finding, self._desk
        if found is not None or desk.state.carrusel is not None or desk.status.carrusel is not None:
            desk.set_carrusel(
                CarruselStatus(
                    shown.total_microcents,
                    shown.pending,
                    shown.linked,
                    shown.decision,
                    found,
                    self._waits_for(shown.linked),
                )
            )
        desk.view_changed()

    def _waits_for(self, linked: bool) -> str:
        """What a join or a leave still waits for."""
        member = self._desk.state.carrusel
        if member is None or member.stage not in (MemberStage.JOINING, MemberStage.LEAVING):
            return ""
        if not self.line.connected:
            return "broker"
        if not linked:
            return "coordinator"
        return "answer" if member.stage is MemberStage.JOINING else "hands"

    def _catch_up(self) -> None:
        """What was committed since the last look, as the ledger has it."""
        until = self._desk.last_batch
        if until > self._seen:
            batches = list(self._reader.batches(self._seen + 1, until))
            self._seen = until
            self.node.committed(self._desk.state, batches, self._now_ms())

    def _provide(self) -> None:
        """Operations that the node no longer holds, from the ledger: they are never deleted there."""
        after, member = self.node.wanted_after, self._desk.state.carrusel
        if after is None or member is None:
            return
        newest = member.operation - after + (1 if after else 0)
        found = self._reader.with_last(
            o.CarruselOperation.kind,
            until=self._seen,
            newest=newest,
            count=WINDOW_OPERATIONS + (1 if after else 0),
        )
        if not after:
            found = [*self._reader.with_last(f.CarruselJoinAsked.kind, until=self._seen), *found]
        self.node.provided(found)

    def _receive(self, one: Incoming) -> None:
        try:
            message = message_of(self._carrusel, one.topic, one.payload)
        except Refused as refused:
            if one.topic not in self._refused:
                self._refused.add(one.topic)  # as many as there are topics that we listen to
                _log.warning("payload refused", topic=one.topic, why=str(refused))
            return
        if isinstance(message, m.Head):
            self._heads.saw(message.name, message.note)
        self.node.received(message, self._now_ms())

    def _publish(self) -> None:
        for topic, message in self.node.take_messages():
            self._send(topic, message)
        note = self._desk.last_checkpoint
        if self.line.connected and note and note != self._head_told:
            self._head_told = note
            table = self.node.settings.table
            self._send(topics.head(self._carrusel, table), m.Head(name=table, note=note))

    def _send(self, topic: str, message: m.Message) -> None:
        retain, qos = topics.is_retained(topic), topics.qos_of(topic)
        self.line.send(topic, wire.encode(message), retain=retain, qos=qos)

    def _pin_keys(self) -> None:
        """From the join on, whoever else calls itself a coordinator is not believed."""
        member, keys = self._desk.state.carrusel, dict(self.node.coordinators)
        if member is not None and member.position and keys != self._kept_keys:
            keep_keys(self._keys_file, keys)
            self._kept_keys = keys

    def _say_what_is_wrong(self) -> None:
        found = self.node.finding
        if found is not None and found != self._told:
            _log.error("carrusel", carrusel=self._carrusel, finding=found.text())
        self._told = found


def _newest(batches: Sequence[Recorded]) -> Recorded | None:
    return batches[-1] if batches else None


def _acknowledge_after(
    recorded: Sequence[asyncio.Future[Done]], incoming: Sequence[Incoming]
) -> None:
    """Acknowledge once everything that followed is recorded; nothing if it is not."""
    if not recorded:
        for one in incoming:
            one.acknowledge()
        return

    def done(together: asyncio.Future[list[Done]]) -> None:
        if not together.cancelled() and together.exception() is None:
            for one in incoming:
                one.acknowledge()

    asyncio.gather(*recorded).add_done_callback(done)
