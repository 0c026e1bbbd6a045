"""What goes wrong on the floor, again and again, until it is told to stop."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from enum import StrEnum

from jackpot.floor.box import Box
from jackpot.floor.croupier import Croupier
from jackpot.floor.host import Host
from jackpot.floor.judge import Judge
from jackpot.floor.network import Network, Weather
from jackpot.floor.world import World


class Fault(StrEnum):
    """What may go wrong."""

    NETWORK = "network"
    """Messages are lost, doubled, delayed and overtaken."""
    PARTITION = "partition"
    """A table or a coordinator is cut off for a while."""
    BROKER = "broker"
    """The broker dies, and what it had retained is gone."""
    POWER = "power"
    """A box or a coordinator dies at any point, around its commits and appends above all."""
    LOG = "log"
    """A coordinator does not reach the log's store."""
    RESTORE = "restore"
    """Somebody puts an old copy of a box's disk in."""
    OFFICERS = "officers"
    """Tables leave and come back; a table that plays is stopped by mistake."""


STORM = Weather(lost=30, doubled=30, delayed=20)
BOX_CRASHES_PER_THOUSAND = 2
HOST_CRASHES_PER_THOUSAND = 4
LEAVES_PER_THOUSAND = 4


class Faults:
    """Lets things go wrong, each kind at its own pace; counts what it did."""

    def __init__(
        self,
        world: World,
        network: Network,
        boxes: Sequence[Box],
        hosts: Sequence[Host],
        croupiers: Sequence[Croupier],
        judge: Judge,
    ) -> None:
        self._world, self._network, self._judge = world, network, judge
        self._boxes, self._hosts, self._croupiers = boxes, hosts, croupiers
        self._all: list[Box | Host] = [*boxes, *hosts]
        self._goes_on = True
        self.count = 0

    def begin(self, faults: Sequence[Fault]) -> None:
        """Everything in ``faults`` goes wrong from now on."""
        if Fault.NETWORK in faults:
            self._network.weather = STORM
        if Fault.POWER in faults:
            for box in self._boxes:
                box.crash_per_thousand = BOX_CRASHES_PER_THOUSAND
            for host in self._hosts:
                host.crash_per_thousand = HOST_CRASHES_PER_THOUSAND
        if Fault.OFFICERS in faults:
            for croupier in self._croupiers:
                croupier.habits.leaves = LEAVES_PER_THOUSAND
        for fault in faults:
            if fault in PACE_MS:
                self._again(fault)

    def end(self) -> None:
        """From now on nothing goes wrong any more; what is down comes up."""
        self._goes_on = False
        self._network.weather = Weather()
        for croupier in self._croupiers:
            croupier.habits.leaves = 0
        for one in self._all:
            one.crash_per_thousand = 0
            one.connect()
        for host in self._hosts:
            host.reaches_log = True

    def _again(self, fault: Fault) -> None:
        pace_ms = PACE_MS[fault]
        delay_ms = self._world.some_ms(pace_ms, 3 * pace_ms)
        self._world.after(delay_ms, lambda: self._strike(fault))

    def _strike(self, fault: Fault) -> None:
        if self._goes_on:
            self.count += 1
            _STRIKES[fault](self)
            self._again(fault)

    def _partition(self) -> None:
        one = self._world.dice.choice(self._all)
        one.disconnect()
        self._world.after(self._world.some_ms(200, 9_000), one.connect)

    def _broker(self) -> None:
        self._network.forget()
        for one in self._all:
            one.disconnect()
            self._world.after(self._world.some_ms(300, 6_000), one.connect)

    def _power(self) -> None:
        one = self._world.dice.choice(self._all)
        if one.is_up:
            one.crash()

    def _log(self) -> None:
        host = self._world.dice.choice(self._hosts)
        host.reaches_log = False
        self._world.after(self._world.some_ms(500, 8_000), lambda: _reach(host))

    def _restore(self) -> None:
        """A backup now; it is put in later."""
        box = self._world.dice.choice(self._boxes)
        ledger, book = box.ledger.copy(), copy.copy(self._judge.tables[box.name])
        book.owed = dict(book.owed)

        def put_in() -> None:
            if self._goes_on:
                self._judge.tables[box.name] = book
                box.restore(ledger)

        self._world.after(self._world.some_ms(500, PACE_MS[Fault.RESTORE]), put_in)

    def _officers(self) -> None:
        box = self._world.dice.choice(self._boxes)
        for host in self._hosts:
            if host.is_up:
                host.core.stop_member(box.name, ("j1", "d1"), "taken for dead")
                break


def _reach(host: Host) -> None:
    host.reaches_log = True


PACE_MS = {
    Fault.PARTITION: 4_000,
    Fault.BROKER: 60_000,
    Fault.POWER: 10_000,
    Fault.LOG: 15_000,
    Fault.RESTORE: 60_000,
    Fault.OFFICERS: 90_000,
}
"""How long it is quiet between two faults of a kind, at least; at most three times that."""

_STRIKES: dict[Fault, Callable[[Faults], None]] = {
    Fault.PARTITION: Faults._partition,
    Fault.BROKER: Faults._broker,
    Fault.POWER: Faults._power,
    Fault.LOG: Faults._log,
    Fault.RESTORE: Faults._restore,
    Fault.OFFICERS: Faults._officers,
}
