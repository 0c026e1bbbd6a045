"""The host of one ccTalk bus: at most seven acceptors, one exchange at a time, no clock of its own.

Give it the bytes that arrive (``receive``) and the time (``advance``, by ``deadline_ns`` at the
latest); after every call write ``bytes_to_send`` and take ``take_events``. The next exchange starts
the moment the last one is over: the wire is never idle while anything is to be asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from jackpot.cctalk.acceptor import Acceptor
from jackpot.cctalk.bounds import COUNTERS_NS, DOUBT_NS, DRAIN_NS, LATE_REPLY_NS
from jackpot.cctalk.exchange import Exchange, Result
from jackpot.cctalk.headers import Header
from jackpot.cctalk.report import slot_report
from jackpot.cctalk.setup import Echo, LineSetup, SlotSetup, check_setup
from jackpot.cctalk.states import POLLED, Drain
from jackpot.invariant import invariant
from jackpot.mechanism.report import BusReport
from jackpot.mechanism.resume import Resume, check_resume
from jackpot.mechanism.statistics import BoxStatistics
from jackpot.mechanism.wire_events import (
    LINE_DIAGNOSES,
    CountersRead,
    Diagnosis,
    Down,
    Drained,
    LineFault,
    WireEvent,
)

_LINE_ADVICE = {
    Diagnosis.NO_ECHO: "our own bytes do not come back: look at adapter, wiring and bus supply, "
    "or set echo to off for an interface without one",
    Diagnosis.COLLISION: "other bytes than our own come back: two talkers on the bus, noise, or "
    "an interface without echo while echo is set to on",
}


class BusHost:
    """One bus. ``resume`` is what the ledger last committed, by box.

    Raises ``Refused`` on a setup that cannot work. A box that is named later and is not on this bus
    is our own fault (``InvariantBroken``).
    """

    def __init__(
        self,
        slots: Sequence[SlotSetup],
        line: LineSetup,
        resume: Mapping[int, Resume],
        now_ns: int,
    ) -> None:
        check_setup(tuple(slots), line)
        for record in resume.values():
            check_resume(record)
        self.unasked_bytes = 0
        self._line = line
        self._acceptors = [Acceptor(slot, resume.get(slot.box), now_ns) for slot in slots]
        self._by_box = {acceptor.slot.box: acceptor for acceptor in self._acceptors}
        self._echo = _configured_echo(line)
        self._exchange: Exchange | None = None
        self._asked: Acceptor | None = None
        self._turn = 0
        self._jumped = False
        self._out = bytearray()
        self._events: list[WireEvent] = []
        self._drain_deadline_ns: int | None = None
        self._counted: set[int] = set()
        self._counters_deadline_ns: int | None = None
        self._line_up = True
        self._line_in_trouble = False
        self._doubt_until_ns = now_ns
        self._not_before_ns = now_ns
        self._go_on(now_ns)

    def receive(self, data: bytes, now_ns: int) -> None:
        """Bytes came from the line."""
        if self._exchange is None:
            # Nobody was asked: noise, a late reply, a glitch's work. Never trusted.
            self.unasked_bytes += len(data)
            self._doubt_until_ns = now_ns + DOUBT_NS
            if self._line.crc16 and data:
                self._not_before_ns = now_ns + LATE_REPLY_NS
        else:
            self._exchange.receive(data, now_ns)
        self._go_on(now_ns)

    def advance(self, now_ns: int) -> None:
        """Time passed."""
        if self._exchange is not None:
            self._exchange.advance(now_ns)
        self._go_on(now_ns)

    def bytes_to_send(self) -> bytes:
        """What is to be written now; handed out once."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def deadline_ns(self) -> int | None:
        """When ``advance`` wants to be called; in the past: at once; None: not by time."""
        waits = (self._drain_deadline_ns, self._counters_deadline_ns)
        times = [deadline_ns for deadline_ns in waits if deadline_ns is not None]
        if self._exchange is not None:
            times.append(self._exchange.deadline_ns)
        elif self._line_up:
            due = [a.due_ns() for a in self._acceptors]
            times += [max(d, self._not_before_ns) for d in due if d is not None]
        return min(times, default=None)

    def take_events(self) -> list[WireEvent]:
        """What happened since the last call, in order; handed out once."""
        events, self._events = self._events, []
        return events

    def committed(self, box: int, epoch: int, count: int) -> None:
        """The ledger holds the news of ``box`` up to ``count``; it may be polled again."""
        self._acceptor(box).committed(epoch, count)

    def accept(self, box: int, on: bool, now_ns: int) -> None:
        """Open or close the slot of ``box`` (master inhibit); kept through every restart of it."""
        self._acceptor(box).accept(on, now_ns)
        self._go_on(now_ns)

    def drain(self, now_ns: int) -> None:
        """The lock: inhibit every acceptor, poll each after that, then say ``Drained``."""
        for acceptor in self._acceptors:
            acceptor.start_drain(now_ns)
        self._drain_deadline_ns = now_ns + DRAIN_NS
        self._go_on(now_ns)

    def read_counters(self, boxes: Iterable[int], now_ns: int) -> None:
        """Ask these acceptors' own counters (226, 225), then say ``CountersRead``."""
        for box in boxes:
            self._acceptor(box).read_counters()
            self._counted.add(box)
        self._counters_deadline_ns = now_ns + COUNTERS_NS
        self._go_on(now_ns)

    def line_lost(self, now_ns: int, detail: str = "the serial adapter is gone") -> None:
        """The adapter is gone; nothing is asked until ``line_restored``."""
        if not self._line_up:
            return
        self._line_up = False
        self._exchange = self._asked = None
        self._out.clear()
        self._echo = _configured_echo(self._line)
        self._events.append(LineFault(Diagnosis.LINE_LOST, detail))
        for acceptor in self._acceptors:
            self._events += acceptor.line_lost(now_ns)
        self._go_on(now_ns)

    def line_restored(self, now_ns: int) -> None:
        """The adapter is back: every acceptor is identified anew."""
        self._line_up = True
        self._line_in_trouble = False
        self._go_on(now_ns)

    def statistics(self) -> Mapping[int, BoxStatistics]:
        """What was counted, by box; live objects, to be read only."""
        return {box: acceptor.statistics for box, acceptor in self._by_box.items()}

    def inspect(self, now_ns: int) -> None:
        """A technician looks: ask every working acceptor for what only people want to know."""
        for acceptor in self._acceptors:
            acceptor.inspect(now_ns)
        self._go_on(now_ns)

    def report(self) -> BusReport:
        """The bus as it stands, for people."""
        return BusReport(
            line_up=self._line_up,
            echo=self._echo,
            unasked_bytes=self.unasked_bytes,
            slots=tuple(slot_report(acceptor) for acceptor in self._acceptors),
        )

    def _acceptor(self, box: int) -> Acceptor:
        invariant(box in self._by_box, f"box {box} is on this bus")
        return self._by_box[box]

    def _go_on(self, now_ns: int) -> None:
        """Conclude what is over, answer the lock, ask the next."""
        self._conclude(now_ns)
        self._answer_drain(now_ns)
        self._answer_counters(now_ns)
        if self._exchange is None and self._line_up and now_ns >= self._not_before_ns:
            self._start_next(now_ns)

    def _conclude(self, now_ns: int) -> None:
        exchange, asked = self._exchange, self._asked
        if exchange is None or asked is None or exchange.result is None:
            return
        result = exchange.result
        self._exchange = self._asked = None
        if self._line.echo is Echo.AUTO:
            self._echo = exchange.echo
        if result.diagnosis in LINE_DIAGNOSES:
            # Nobody's fault: the same acceptor is asked again at once.
            self._turn = self._acceptors.index(asked)
        else:
            self._line_in_trouble = False
        if self._owes_a_poll(asked, exchange, result):
            self._turn = self._acceptors.index(asked)
        if result.diagnosis is not None and self._line.crc16:
            self._not_before_ns = now_ns + LATE_REPLY_NS
        if exchange.spoilt or (result.diagnosis is not None and asked.state in POLLED):
            self._doubt_until_ns = now_ns + DOUBT_NS
        asked.tracker.in_doubt = now_ns < self._doubt_until_ns
        self._tell(asked.conclude(exchange.request, result, now_ns))
        if asked.tracker.unproven and result.diagnosis is None:
            # What it told must come twice: it is asked again at once, three times at most.
            self._turn = self._acceptors.index(asked)

    def _tell(self, events: list[WireEvent]) -> None:
        """Pass events on; a box that the line took down makes it the line's fault, once."""
        self._events += events
        for event in events:
            if isinstance(event, Down) and not self._line_in_trouble:
                advice = _LINE_ADVICE.get(event.reason)
                if advice is not None:
                    self._line_in_trouble = True
                    self._events.append(LineFault(event.reason, advice))

    def _owes_a_poll(self, asked: Acceptor, exchange: Exchange, result: Result) -> bool:
        """A confirmation or self-check in its turn does not cost an acceptor its poll."""
        header = exchange.request.header
        return (
            not self._jumped
            and result.diagnosis is None
            and asked.state in POLLED
            and header is not Header.READ_BUFFERED_CREDIT
        )

    def _answer_drain(self, now_ns: int) -> None:
        deadline_ns = self._drain_deadline_ns
        if deadline_ns is None:
            return
        open_boxes = [a for a in self._acceptors if a.drain in (Drain.INHIBIT, Drain.POLL)]
        if open_boxes and now_ns < deadline_ns:
            return
        self._drain_deadline_ns = None
        unknown = tuple(a.slot.box for a in self._acceptors if a.drain is not Drain.DONE)
        for acceptor in self._acceptors:
            acceptor.drain = Drain.NONE
        self._events.append(Drained(unknown))

    def _answer_counters(self, now_ns: int) -> None:
        deadline_ns = self._counters_deadline_ns
        if deadline_ns is None:
            return
        asked = [self._by_box[box].inspection for box in sorted(self._counted)]
        if now_ns < deadline_ns and any(inspection.counting for inspection in asked):
            return
        told = (self._by_box[box].inspection.counters(box) for box in sorted(self._counted))
        self._events.append(CountersRead(tuple(one for one in told if one is not None)))
        for inspection in asked:
            inspection.stop_counting()
        self._counters_deadline_ns = None
        self._counted.clear()

    def _start_next(self, now_ns: int) -> None:
        """Round robin among those who want the wire now; inhibits and the lock's polls go first."""
        size = len(self._acceptors)
        chosen: tuple[int, int] | None = None
        for step in range(size):
            acceptor = self._acceptors[(self._turn + step) % size]
            due_ns = acceptor.due_ns()
            if due_ns is not None and due_ns <= now_ns:
                rank = (acceptor.urgency(), step)
                chosen = rank if chosen is None else min(chosen, rank)
        if chosen is None:
            return
        urgency, step = chosen
        index = (self._turn + step) % size
        asked = self._acceptors[index]
        self._jumped = urgency < 2
        if not self._jumped:
            self._turn = (index + 1) % size
        exchange = Exchange(asked.next_request(now_ns), self._line, self._echo, now_ns)
        self._exchange, self._asked = exchange, asked
        self._out += exchange.sent


def _configured_echo(line: LineSetup) -> bool | None:
    return None if line.echo is Echo.AUTO else line.echo is Echo.ON


__all__ = ["BusHost", "Echo", "LineSetup", "Resume", "SlotSetup"]
