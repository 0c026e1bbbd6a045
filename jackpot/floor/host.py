"""A coordinator's process: the core, its way to the log, power and wires that fail."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from jackpot.floor.box import CARRUSEL
from jackpot.floor.disk import LogStore
from jackpot.floor.keys import key_of, sign_as, verify
from jackpot.floor.network import Network
from jackpot.floor.world import World
from jackpot.link import messages as m
from jackpot.link.coordinator import Coordinator, CoordinatorSettings, Proposal
from jackpot.link.fold import past_of
from jackpot.link.state import CarruselState, Past

READ_MS = 150
"""How often a coordinator looks what the others have appended."""

SNAPSHOT_ENTRIES = 500
"""After so many entries the state is kept on the coordinator's own disk, for the next start."""

_json = msgspec.json.Encoder()
_state = msgspec.json.Decoder(CarruselState)


class Host:
    """One coordinator. ``crash_per_thousand``: how often its power fails around an append."""

    is_coordinator = True

    def __init__(
        self, name: str, names: Sequence[str], world: World, network: Network, store: LogStore
    ) -> None:
        self.name, self._world, self._network, self.store = name, world, network, store
        self.is_connected = self.is_up = False
        self.reaches_log = True
        self.crash_per_thousand = 0
        self._settings = CoordinatorSettings(
            name=name,
            carrusel=CARRUSEL,
            coordinators={one: key_of(one) for one in names},
            new_log_id=f"log of seed {world.seed}",
        )
        self._core: Coordinator | None = None
        self._snapshot = _json.encode(CarruselState())
        self._snapshot_at = 0
        self._life = 0

    @property
    def core(self) -> Coordinator:
        """The running coordinator; only while it is up."""
        if self._core is None:
            raise LookupError(self.name)
        return self._core

    # ---- power and wires -----------------------------------------------------------------------

    def start(self) -> None:
        """Power on: the state from its own disk, the rest from the log."""
        self._life += 1
        self.is_up = True
        self._core = Coordinator(
            self._settings,
            sign_as(self.name),
            now_ms=self._world.now_ms,
            state=_state.decode(self._snapshot),
            decision_entry=self.store.decision,
            past_at=self._past_at,
            verify=verify,
        )
        self.connect()
        self._watch(self._life)

    def crash(self) -> None:
        """Power off; it comes back after a while."""
        self.is_up = self.is_connected = False
        self._core = None
        self._life += 1
        self._world.after(self._world.some_ms(200, 6_000), self._power_on)

    def _power_on(self) -> None:
        if not self.is_up:
            self.start()

    def connect(self) -> None:
        """The network is there."""
        if self.is_up and not self.is_connected:
            self.is_connected = True
            self._network.connected(self)

    def disconnect(self) -> None:
        """The network is gone."""
        self.is_connected = False

    def _past_at(self, position: int, until: int) -> Past | None:
        return past_of(self.store.read(0), position, until)

    # ---- the log -------------------------------------------------------------------------------

    def _watch(self, life: int) -> None:
        """Read what the others have appended, again and again; tell the time."""
        if life != self._life:
            return
        self._read()
        self.core.tick(self._world.now_ms)
        self._say()
        self._propose(life)
        self._world.after(READ_MS, lambda: self._watch(life))

    def _read(self) -> None:
        if not self.reaches_log:
            return
        self.core.appended(self.store.read(self.core.position), self._world.now_ms)
        if self.core.position >= self._snapshot_at + SNAPSHOT_ENTRIES:
            self._snapshot, self._snapshot_at = _json.encode(self.core.state), self.core.position

    def _propose(self, life: int) -> None:
        world = self._world
        proposal = self.core.propose(world.now_ms, world.now_ms * 1_000_000)
        if proposal is not None:
            world.after(world.some_ms(1, 5), lambda: self._append(life, proposal))

    def _append(self, life: int, proposal: Proposal) -> None:
        """The store answers yes, no, or nothing at all; the power may fail before and after."""
        if life != self._life or self._fails():
            return
        taken = self.reaches_log and self.store.append(proposal.entries, proposal.after)
        if self._fails():
            return
        now_ms = self._world.now_ms
        answers = self._world.dice.randrange(20) or not self.crash_per_thousand
        if taken and answers:
            self.core.appended(proposal.entries, now_ms)
        elif not self.reaches_log:
            self._world.after(READ_MS, lambda: self._append(life, proposal))
            return
        else:
            self._read()
        self.core.settled()
        self._say()
        self._propose(life)

    def _fails(self) -> bool:
        if self.crash_per_thousand and self._world.chance(self.crash_per_thousand):
            self.crash()
            return True
        return False

    # ---- the tables ----------------------------------------------------------------------------

    def heard(self, message: m.Message) -> None:
        """A message arrived."""
        if self.is_up:
            self.core.received(message, self._world.now_ms)
            self._say()
            self._propose(self._life)

    def _say(self) -> None:
        for topic, message in self.core.take_messages():
            if self.is_connected:
                self._network.publish(topic, message)
