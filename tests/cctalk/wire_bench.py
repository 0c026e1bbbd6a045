"""A bus in virtual time: scripted acceptors, a wire that takes its time, and ways to disturb it.

It shares no code with ``jackpot.cctalk``: frames here are put together by hand.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from jackpot.cctalk import BusHost, Echo, LineSetup, Polled, Resume, SlotSetup, WireEvent

MS = 1_000_000
S = 1_000 * MS
BYTE_NS = 1_041_666
"""Ten bits at 9600 baud."""

SEVEN_ADDRESSES = (2, 11, 12, 13, 14, 15, 16)
CHIP = 5
"""Where the fake acceptors carry the jackpot chip."""


def summed(*body: int) -> bytes:
    """``body`` and the byte that makes the sum 0."""
    return bytes((*body, -sum(body) % 256))


@dataclass
class FakeAcceptor:
    """An acceptor as its manual describes it; ``answers`` overrides any header."""

    address: int = 2
    serial: int = 1000
    category: bytes = b"Coin Acceptor"
    coin_ids: dict[int, bytes] = field(default_factory=lambda: {CHIP: b"TK001A", 1: b"EU200A"})
    mask_bytes: int = 2
    counter: int = 0
    pairs: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)] * 5)
    mask: bytes = b"\x00\x00"
    accepting: bool = False
    self_check: int = 0
    delay_ns: int = 2 * MS
    dead: bool = False
    unknown_headers: frozenset[int] = frozenset()
    heard: list[tuple[int, bytes]] = field(default_factory=list)
    answers: dict[int, bytes] = field(default_factory=dict)
    clock: Callable[[], int] = lambda: 0
    polled_ns: int = 0

    def happens(self, a: int, b: int) -> None:
        """One event."""
        self.counter = self.counter % 255 + 1
        self.pairs = [(a, b), *self.pairs[:4]]

    def chip(self, coin: int = CHIP, path: int = 1) -> bool:
        """A chip falls in; an inhibited acceptor hands it back, and so does one that has had no
        229 for a second."""
        watched = self.clock() - self.polled_ns <= S
        bit = self.mask[(coin - 1) // 8] >> (coin - 1) % 8 & 1
        if self.accepting and bit and watched:
            self.happens(coin, path)
            return True
        self.happens(0, 2)
        return False

    def reset(self) -> None:
        self.counter, self.pairs = 0, [(0, 0)] * 5
        self.mask, self.accepting = b"\x00\x00", False

    def hears(self, frame: bytes) -> bytes | None:
        """The reply to a whole frame on the wire, or silence."""
        if self.dead or len(frame) != 5 + frame[1] or sum(frame) % 256:
            return None
        destination, n, source, header = frame[:4]
        if destination not in (0, self.address):
            return None
        data = frame[4 : 4 + n]
        self.heard.append((header, data))
        if header == 229:
            self.polled_ns = self.clock()
        if header in self.unknown_headers:
            return None
        answer = self.answers.get(header, self._answer(header, data))
        if answer is None:
            return None
        return summed(source, len(answer), self.address, 0, *answer)

    def _answer(self, header: int, data: bytes) -> bytes | None:
        texts = {246: b"Makers", 244: b"SR5i", 241: b"V1.0", 192: b"STD", 245: self.category}
        if header in texts:
            return texts[header]
        match header:
            case 1:
                self.reset()
                return b""
            case 254:
                return b""
            case 242:
                return bytes((self.serial & 255, self.serial >> 8 & 255, self.serial >> 16))
            case 213:
                return b"\x00"
            case 249:
                return b"\x02\x14"
            case 184:
                return self.coin_ids.get(data[0], b"......")
            case 232:
                return bytes((self.self_check,))
            case 231:
                if len(data) != self.mask_bytes:
                    return None
                self.mask = data.ljust(2, b"\x00")
                return b""
            case 228:
                self.accepting = bool(data[0] & 1)
                return b""
            case 229:
                return bytes((self.counter, *(v for pair in self.pairs for v in pair)))
        return None


Disturb = Callable[[bytes], bytes]


class Bench:
    """A host, its acceptors, and the wire between them. ``now_ns`` is virtual."""

    def __init__(
        self,
        fakes: Iterable[FakeAcceptor],
        *,
        line: LineSetup | None = None,
        echo: bool = True,
        transport: str = "bytewise",
        seed: int = 0,
        resume: dict[int, Resume] | None = None,
        coin_position: int | None = CHIP,
        commit: bool = True,
        swapped: bool = False,
        start_ns: int = 0,
    ) -> None:
        self.fakes = list(fakes)
        self.echo, self.transport, self.commit = echo, transport, commit
        self.random = random.Random(seed)
        self.now_ns = start_ns
        self.events: list[WireEvent] = []
        self.timed: list[tuple[int, WireEvent]] = []
        self.disturb_request: Disturb = bytes
        self.disturb_echo: Disturb = bytes
        self.disturb_reply: Disturb = bytes
        self.sent: list[tuple[int, bytes]] = []
        self._heap: list[tuple[int, int, Callable[[], None]]] = []
        self._order = 0
        for fake in self.fakes:
            fake.clock = lambda: self.now_ns
        slots = [
            SlotSetup(
                box=i, address=f.address, coin_position=coin_position, swapped_event_bytes=swapped
            )
            for i, f in enumerate(self.fakes, 1)
        ]
        self.host = BusHost(
            slots, line or LineSetup(echo=Echo.ON if echo else Echo.OFF), resume or {}, start_ns
        )
        self._pump()

    def at(self, when_ns: int, do: Callable[[], object]) -> None:
        """Something happens at ``when_ns``."""
        self._order += 1
        heapq.heappush(self._heap, (when_ns, self._order, lambda: (do(), None)[1]))

    def run(self, for_ns: int) -> list[WireEvent]:
        """Let time pass; the events of that time."""
        until_ns, before = self.now_ns + for_ns, len(self.events)
        self._pump()
        while True:
            deadline_ns = self.host.deadline_ns()
            next_ns = min(
                self._heap[0][0] if self._heap else until_ns,
                until_ns if deadline_ns is None else max(deadline_ns, self.now_ns),
            )
            if next_ns >= until_ns:
                break
            self.now_ns = next_ns
            if self._heap and self._heap[0][0] <= next_ns:
                heapq.heappop(self._heap)[2]()
            else:
                self.host.advance(self.now_ns)
            self._pump()
        self.now_ns = until_ns
        self.host.advance(until_ns)
        self._pump()
        return self.events[before:]

    def run_until_up(self, limit_ns: int = 20 * S) -> None:
        """Until every living acceptor is set up."""
        from jackpot.cctalk import Up

        while sum(isinstance(e, Up) for e in self.events) < sum(not f.dead for f in self.fakes):
            assert self.now_ns < limit_ns, self.events
            self.run(10 * MS)

    def of(self, kind: type) -> list[WireEvent]:
        return [e for e in self.events if isinstance(e, kind)]

    def inject(self, data: bytes) -> None:
        """Bytes that nobody sent reach the host now."""
        self.host.receive(data, self.now_ns)
        self._pump()

    def _pump(self) -> None:
        """What a shell does after each call."""
        for event in self.host.take_events():
            self.events.append(event)
            self.timed.append((self.now_ns, event))
            if self.commit and isinstance(event, Polled):
                self.host.committed(event.box, event.epoch, event.count)
                self.host.advance(self.now_ns)
        out = self.host.bytes_to_send()
        if out:
            self.sent.append((self.now_ns, out))
            self._transmit(out)

    def _transmit(self, out: bytes) -> None:
        sent_ns = self.now_ns + len(out) * BYTE_NS
        if self.echo:
            self._deliver(self.disturb_echo(out), self.now_ns)
        heard = self.disturb_request(out)
        self.at(sent_ns, lambda: self._reach(heard))

    def _reach(self, frame: bytes) -> None:
        for fake in self.fakes:
            reply = fake.hears(frame)
            if reply is not None:
                self._deliver(self.disturb_reply(reply), self.now_ns + fake.delay_ns)

    def _receive(self, data: bytes) -> None:
        self.host.receive(data, self.now_ns)

    def _deliver(self, data: bytes, from_ns: int) -> None:
        """Bytes travel to the host, in the manner of the transport."""
        if self.transport == "lossy" and data and self.random.random() < 0.1:
            i = self.random.randrange(len(data))
            bad = self.random.choice((b"", bytes((self.random.randrange(256),))))
            data = data[:i] + bad + data[i + 1 :]
        if self.transport in ("direct", "late"):
            late_ns = 16 * MS if self.transport == "late" else 0
            end_ns = from_ns + len(data) * BYTE_NS + late_ns
            self.at(end_ns, partial(self._receive, data))
            return
        for i, byte in enumerate(data, 1):
            chunk = bytes((byte,))
            self.at(from_ns + i * BYTE_NS, partial(self._receive, chunk))


def seven(**changes: object) -> list[FakeAcceptor]:
    """A table's worth of acceptors, serial numbers 1001 to 1007."""
    return [
        FakeAcceptor(address=a, serial=1000 + i, **changes)  # type: ignore[arg-type]
        for i, a in enumerate(SEVEN_ADDRESSES, 1)
    ]
