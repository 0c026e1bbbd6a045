"""The controller's bus host and the simulator's pure core on one wire in virtual time, with a judge.

Two programs that share no code: the host reads the acceptors, the judge knows what really went in.
Time is a number; nothing sleeps.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from firmware_sim.acceptor import Acceptor
from firmware_sim.bus import Bus, WireSetup
from firmware_sim.device import Model
from firmware_sim.identity import Identity
from jackpot.cctalk import (
    BusHost,
    Credit,
    Echo,
    Identified,
    LineSetup,
    Lost,
    Polled,
    Restarted,
    Resume,
    SlotSetup,
    Up,
    WireEvent,
)

MS = 1_000_000
S = 1_000 * MS
FIRST_ADDRESS = 11


@dataclass
class Truth:
    """What one acceptor really saw since its last restart, and what the host has told of it."""

    happened: list[tuple[int, int]] = field(default_factory=list)
    counted_from: int = 0
    told: int = 0
    accepted: int = 0
    credited: int = 0
    lost: int = 0
    gone: int = 0
    doubtful: int = 0
    asked: int = 0
    """Chips below a doubtful base line: nobody credits them, and a person is asked."""


class VirtualTable:
    """Acceptors, wire, host and judge. ``false_credits`` are what the judge could not find."""

    def __init__(
        self, boxes: int = 7, *, seed: int = 0, crc16: bool = False, paced: bool = False
    ) -> None:
        self.now_ns = 0
        self.exchanges = 0
        self.random = random.Random(seed)
        self.line = LineSetup(echo=Echo.AUTO, crc16=crc16)
        setup = WireSetup(echo=True, paced=paced, crc16=crc16, reply_ns=2 * MS, seed=seed)
        self.acceptors: list[Acceptor] = [
            _Watched(box, crc16, self._has_reset) for box in range(1, boxes + 1)
        ]
        self.bus = Bus(self.acceptors, setup)
        self.slots = [SlotSetup(box, FIRST_ADDRESS + box - 1, 1) for box in range(1, boxes + 1)]
        self.truth = {box: Truth() for box in range(1, boxes + 1)}
        self.records: dict[int, Resume] = {}
        self.false_credits: list[str] = []
        self.up: set[int] = set()
        self.plugged = True
        self.host = BusHost(self.slots, self.line, {}, 0)
        self._open_all()

    # ---- what happens to the mechanism -------------------------------------------------------

    def chip(self, box: int) -> bool:
        """A jackpot chip goes in; whether the acceptor kept it."""
        insertion = self.acceptors[box - 1].insert(1, self.now_ns)
        truth = self.truth[box]
        truth.happened.append(insertion.event)
        truth.accepted += insertion.accepted
        return insertion.accepted

    def fault(self, box: int, code: int) -> None:
        """An error event that leaves nothing standing."""
        self.acceptors[box - 1].fault(code, 0)
        self.truth[box].happened.append((0, code))

    def reset(self, box: int) -> None:
        """Power lost and back."""
        self.acceptors[box - 1].reset(self.now_ns)

    def _has_reset(self, box: int) -> None:
        """Also by a request that noise turned into header 1: what was not read is gone, and nobody
        can know it."""
        truth = self.truth[box]
        truth.gone += sum(a > 0 for a, _ in truth.happened[truth.told :])
        truth.happened, truth.told, truth.counted_from = [], 0, 0

    def unread(self, box: int) -> int:
        """Events that the host has not told yet."""
        truth = self.truth[box]
        return len(truth.happened) - truth.told

    def restart_host(self) -> None:
        """The daemon dies and comes back with what the ledger holds."""
        self.host = BusHost(self.slots, self.line, dict(self.records), self.now_ns)
        self.up.clear()
        if not self.plugged:
            self.host.line_lost(self.now_ns)
        self._open_all()

    def unplug(self) -> None:
        """The adapter is pulled."""
        self.plugged = False
        self.bus.advance(self.now_ns + S)
        self.host.line_lost(self.now_ns)
        self.up.clear()

    def plug(self) -> None:
        """It is back."""
        self.plugged = True
        self.host.line_restored(self.now_ns)

    # ---- time --------------------------------------------------------------------------------

    def run(self, for_ns: int) -> None:
        """Let time pass."""
        until_ns = self.now_ns + for_ns
        self._pump()
        while True:
            times = (self.host.deadline_ns(), self.bus.deadline_ns() if self.plugged else None)
            next_ns = max(self.now_ns, min((t for t in times if t is not None), default=until_ns))
            if next_ns >= until_ns:
                break
            self._step(next_ns)
        self._step(until_ns)

    def _step(self, now_ns: int) -> None:
        self.now_ns = now_ns
        heard = self.bus.advance(now_ns)
        if heard and self.plugged:
            self.host.receive(heard, now_ns)
        self.host.advance(now_ns)
        self._pump()

    def _pump(self) -> None:
        while True:
            events = self.host.take_events()
            for event in events:
                self._judge(event)
            out = self.host.bytes_to_send()
            if out:
                self.exchanges += 1
                if self.plugged:
                    self.bus.receive(out, self.now_ns)
            if not events and not out:
                return

    def _open_all(self) -> None:
        for slot in self.slots:
            self.host.accept(slot.box, True, self.now_ns)

    # ---- the judge ---------------------------------------------------------------------------

    def _judge(self, event: WireEvent) -> None:
        match event:
            case Identified():
                self._identified(event)
            case Polled():
                self._polled(event)
            case Restarted():
                record = self.records[event.box]
                self.records[event.box] = Resume(record.serial, event.epoch, 0, ())
                self._new_base(event.box, 0)
            case Up():
                self.up.add(event.box)

    def _identified(self, told: Identified) -> None:
        record = Resume(told.serial, told.epoch, told.count, told.pairs)
        if told.continuity.value != "continued":
            truth = self.truth[told.box]
            told_before = truth.told
            self._new_base(told.box, told.count)
            if told.continuity.value == "doubtful":
                truth.doubtful += 1
                skipped = truth.happened[told_before : truth.told]
                truth.asked += sum(a > 0 for a, _ in skipped)
        self.records[told.box] = record

    def _new_base(self, box: int, count: int) -> None:
        """Counting begins anew at ``count`` on the wire, whatever happened before."""
        truth = self.truth[box]
        shown = self.acceptors[box - 1].buffer.counter
        behind = (shown - count) % 255 if shown and count else shown
        truth.told = max(0, len(truth.happened) - behind)
        truth.counted_from = count - truth.told

    def _polled(self, told: Polled) -> None:
        truth = self.truth[told.box]
        for event in told.events:
            at = event.count - truth.counted_from
            if isinstance(event, Lost):
                truth.lost += event.lost
                truth.told = at
                continue
            right = truth.happened[at - 1] if 0 < at <= len(truth.happened) else None
            said = (event.coin, event.path) if isinstance(event, Credit) else (0, event.code)
            if said != right or at != truth.told + 1:
                self.false_credits.append(
                    f"box {told.box} at {self.now_ns / S:.3f} s: {event} where {right} happened"
                )
            truth.told = at
            truth.credited += isinstance(event, Credit)
        self.records[told.box] = Resume(
            self.records[told.box].serial, told.epoch, told.count, told.pairs
        )
        self.host.committed(told.box, told.epoch, told.count)
        self.host.advance(self.now_ns)


class _Watched(Acceptor):
    """An acceptor that says when it has restarted."""

    def __init__(self, box: int, crc16: bool, has_reset: Callable[[int], None]) -> None:
        identity = Identity(serial=700_000 + box, coin_ids=("TK200A", "EU200A"))
        self._box, self._has_reset = box, has_reset
        super().__init__(FIRST_ADDRESS + box - 1, identity, Model(crc16=crc16))

    @property
    def address(self) -> int:
        """Set by switches: noise that makes a header 251 would else take all seven to one address,
        which no host can mend."""
        return FIRST_ADDRESS + self._box - 1

    @address.setter
    def address(self, value: int) -> None:
        """Nothing."""

    def reset(self, now_ns: int, deaf_ns: int | None = None) -> None:
        """Power gone, or header 1."""
        super().reset(now_ns, deaf_ns)
        self._has_reset(self._box)


def sums(truths: Sequence[Truth]) -> dict[str, int]:
    """All boxes together."""
    return {
        "accepted": sum(t.accepted for t in truths),
        "credited": sum(t.credited for t in truths),
        "gone": sum(t.gone for t in truths),
        "lost": sum(t.lost for t in truths),
        "doubtful": sum(t.doubtful for t in truths),
        "asked": sum(t.asked for t in truths),
    }


UNREAD_AT_MOST = 4
"""Five events are readable, and one of them must be an old one for the others to be proven."""


def play_under_noise(
    seed: int, exchanges: int, *, crc16: bool = False, noise: float = 0.02, drop: float = 0.002
) -> VirtualTable:
    """Chips at all seven boxes over a line that spoils ``noise`` of its bytes, then 20 s of quiet."""
    table = VirtualTable(seed=seed, crc16=crc16)
    table.run(8 * S)
    table.bus.noise, table.bus.drop = noise, drop
    while table.exchanges < exchanges:
        table.run(table.random.randrange(1, 60) * MS)
        box = table.random.randrange(1, 8)
        if table.unread(box) < UNREAD_AT_MOST:
            table.chip(box)
    table.bus.noise = table.bus.drop = 0.0
    table.run(20 * S)
    return table
