"""A table box: the real table, its ledger in memory, its node. Only what was committed survives."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from jackpot.errors import Refused
from jackpot.floor.keys import key_of, sign_as, verify
from jackpot.floor.network import Network
from jackpot.floor.world import World
from jackpot.link import messages as m
from jackpot.link.node import Node, NodeSettings
from jackpot.link.uplink import WINDOW_OPERATIONS
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.decide import play
from jackpot.table.event import Event, Fact
from jackpot.table.state import INITIAL, TableState

CARRUSEL = "floor"


class Batch(NamedTuple):
    """A committed batch."""

    events: tuple[Event, ...]
    hash: str


@dataclass
class Ledger:
    """What a disk holds: the batches, and where the present incarnation's operations stand in them."""

    batches: list[Batch] = field(default_factory=list)
    state: TableState = INITIAL
    join_at: int | None = None
    operation_at: list[int] = field(default_factory=list)
    applied_hash: str = ""

    def copy(self) -> Ledger:
        """A backup."""
        return Ledger(
            list(self.batches),
            self.state,
            self.join_at,
            list(self.operation_at),
            self.applied_hash,
        )

    def append(self, batch: Batch, state: TableState) -> None:
        """One transaction."""
        for event in batch.events:
            if isinstance(event, f.CarruselJoinAsked):
                self.join_at, self.operation_at = len(self.batches), []
            elif isinstance(event, f.CarruselDecided | f.CarruselUndone):
                self.applied_hash = event.entry_hash
            elif isinstance(event, f.CarruselJoined):
                self.applied_hash = ""
            elif isinstance(event, o.CarruselOperation):
                self.operation_at.append(len(self.batches))
        self.batches.append(batch)
        self.state = state

    def after(self, operation: int) -> list[Batch]:
        """The batch of an operation (of the join for 0), and those of the operations after it."""
        first = self.join_at if not operation else self.operation_at[operation - 1]
        following = self.operation_at[operation : operation + WINDOW_OPERATIONS]
        return [self.batches[at] for at in ([] if first is None else [first, *following])]


_json = msgspec.json.Encoder()

Committed = Callable[[str, Batch, TableState], None]


class Box:
    """One table. ``crash_per_thousand``: how often the power fails around a commit."""

    is_coordinator = False

    def __init__(
        self, name: str, world: World, network: Network, coordinators: Sequence[str]
    ) -> None:
        self.name, self._world, self._network = name, world, network
        self.ledger = Ledger()
        self.committed: Committed = lambda _name, _batch, _state: None
        """Hears every commit, for those who judge."""
        self.talked: Callable[[Box], None] = lambda _: None
        """Hears that the node has said or learned something."""
        self.tells_before_commit = False
        """A planted fault: the carrusel hears of operations that are not on the disk yet."""
        self.is_connected = self.is_up = False
        self.crash_per_thousand = 0
        self.down_ms = 0
        self._settings = NodeSettings(
            table=name,
            carrusel=CARRUSEL,
            ledger=key_of(name),
            coordinators={one: key_of(one) for one in coordinators},
        )
        self._node: Node | None = None
        self._life = 0
        self._wakes_ms = 0

    @property
    def state(self) -> TableState:
        """As the disk has it."""
        return self.ledger.state

    @property
    def node(self) -> Node:
        """The running node; only while the box is up."""
        if self._node is None:
            raise LookupError(self.name)
        return self._node

    # ---- power and wires -----------------------------------------------------------------------

    def start(self) -> None:
        """Power on: everything is as the disk has it."""
        ledger = self.ledger
        last = ledger.operation_at[-1] if ledger.operation_at else None
        self._life += 1
        self.is_up = True
        self._node = Node(
            self._settings,
            sign_as(self.name),
            ledger.state,
            now_ms=self._world.now_ms,
            join=None if ledger.join_at is None else ledger.batches[ledger.join_at],
            last=None if last is None else ledger.batches[last],
            applied_hash=ledger.applied_hash,
            verify=verify,
        )
        self.play(f.ControllerStarted(version="floor", clean=False))
        self.connect()

    def crash(self) -> None:
        """Power off: what was not committed never was; it comes back after a while."""
        self.is_up = self.is_connected = False
        self._node = None
        self._life += 1
        self._world.after(self.down_ms or self._world.some_ms(100, 3_000), self._power_on)

    def _power_on(self) -> None:
        if not self.is_up:
            self.start()

    def connect(self) -> None:
        """The network is there."""
        if self.is_up and not self.is_connected:
            self.is_connected = True
            self.node.connected(self._world.now_ms)
            self._network.connected(self)
            self.drain()

    def disconnect(self) -> None:
        """The network is gone."""
        if self.is_connected:
            self.is_connected = False
            self.node.disconnected(self._world.now_ms)

    def restore(self, backup: Ledger) -> None:
        """Somebody put an old copy of the disk in."""
        self.is_up = self.is_connected = False
        self._node = None
        self.ledger = backup
        self.start()

    # ---- the table -----------------------------------------------------------------------------

    def play(self, *facts: Fact) -> bool:
        """One batch: decided, committed, told. False if it was refused, or the power failed."""
        try:
            events, state = play(self.state, facts)
        except Refused:
            return False
        if self._fails():
            return False
        batch = Batch(events, self._hash(events))
        if self.tells_before_commit:
            self.node.committed(state, [batch], self._world.now_ms)
            self.drain()
            if self._fails():
                return False
        self.ledger.append(batch, state)
        self.committed(self.name, batch, state)
        if self._fails():
            return True
        if not self.tells_before_commit:
            self.node.committed(state, [batch], self._world.now_ms)
        self.drain()
        return True

    def _fails(self) -> bool:
        if self.crash_per_thousand and self._world.chance(self.crash_per_thousand):
            self.crash()
            return True
        return False

    def _hash(self, events: tuple[Event, ...]) -> str:
        previous = self.ledger.batches[-1].hash if self.ledger.batches else ""
        lines = [
            _json.encode([previous, self._world.now_ms, len(self.ledger.batches)]),
            *(event.kind.encode() + _json.encode(event) for event in events),
        ]
        return hashlib.sha256(b"\n".join(lines)).hexdigest()

    # ---- the node ------------------------------------------------------------------------------

    def heard(self, message: m.Message) -> None:
        """A message arrived."""
        if self.is_up:
            self.node.received(message, self._world.now_ms)
            self.drain()

    def drain(self) -> None:
        """Everything that the node wants to say and to have recorded."""
        node, world = self.node, self._world
        if self.is_connected:
            for topic, message in node.take_messages():
                self._network.publish(topic, message)
        life = self._life
        for fact in node.take_facts():
            world.after(world.some_ms(1, 15), lambda fact=fact: self._offer(fact, life))  # type: ignore[misc]
        wanted = node.wanted_after
        if wanted is not None:
            node.provided(self.ledger.after(wanted))
            for topic, message in node.take_messages() if self.is_connected else ():
                self._network.publish(topic, message)
        self.talked(self)
        deadline_ms = node.deadline_ms
        if not world.now_ms < self._wakes_ms <= deadline_ms:
            self._wakes_ms = deadline_ms
            world.after(max(1, deadline_ms - world.now_ms), lambda: self._wake(life, deadline_ms))

    def _offer(self, fact: Fact, life: int) -> None:
        """The desk plays what the link has told, unless the power failed meanwhile."""
        if life == self._life and self.is_up:
            self.play(fact)

    def _wake(self, life: int, deadline_ms: int) -> None:
        if life == self._life and self.is_up and deadline_ms == self._wakes_ms:
            self.node.tick(self._world.now_ms)
            self.drain()
