"""The host of one slot board: one question at a time, no clock of its own.

Give it the bytes that arrive (``receive``) and the time (``advance``, by ``deadline_ns`` at the
latest); after every call write ``bytes_to_send`` and take ``take_events``. What is asked next
follows from what the board last showed and what is wanted now, so nothing is ever repeated blindly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jackpot.board.asking import Asking, Reply
from jackpot.board.bounds import (
    ATTEMPTS,
    BACKOFF_FIRST_NS,
    BACKOFF_LAST_NS,
    CLOSED_POLL_INTERVAL_NS,
    POLL_INTERVAL_NS,
    SELF_TEST_INTERVAL_NS,
    UNFIT_RETRY_NS,
)
from jackpot.board.fitness import misfit
from jackpot.board.key import Key
from jackpot.board.lock import Lock
from jackpot.board.messages import (
    Events,
    Identity,
    Refusal,
    Type,
    address,
    events,
    identity,
    mask,
)
from jackpot.board.report import slot_reports
from jackpot.board.service import Service
from jackpot.board.setup import BoardSetup, check_setup
from jackpot.board.tracker import Tracker, acknowledged, identified
from jackpot.invariant import invariant
from jackpot.mechanism.report import BusReport
from jackpot.mechanism.resume import Resume, check_resume
from jackpot.mechanism.states import State
from jackpot.mechanism.statistics import BoxStatistics
from jackpot.mechanism.wire_events import (
    CountersRead,
    Diagnosis,
    LineFault,
    Lost,
    Restarted,
    WireEvent,
)


class BoardHost:
    """One board. ``resume`` is what the ledger last committed, by box.

    Raises ``Refused`` on a setup that cannot work. A box that is named later and is not on this
    board is our own fault (``InvariantBroken``).
    """

    def __init__(self, setup: BoardSetup, resume: Mapping[int, Resume], now_ns: int) -> None:
        check_setup(setup)
        for record in resume.values():
            check_resume(record)
        self._boxes = setup.boxes
        self._trackers = {box: Tracker(box, resume.get(box)) for box in setup.boxes}
        self._service = Service(setup.boxes)
        self._asking = Asking(setup.reply_timeout_ns)
        self._lock = Lock()
        self._state = State.ABSENT
        self._line_up = True
        self._board: Identity | None = None
        self._was: Identity | None = None
        self._found: Events | None = None
        self._wanted: frozenset[int] = frozenset()
        self._key = Key()
        self._failures = 0
        self._backoff_ns = BACKOFF_FIRST_NS
        self._probe_ns = self._poll_ns = self._test_ns = now_ns
        self._slots_due = self._lamps_due = self._test_due = True
        self._out = bytearray()
        self._events: list[WireEvent] = []
        self._go_on(now_ns)

    def receive(self, data: bytes, now_ns: int) -> None:
        """Bytes came from the line."""
        self._conclude(self._asking.receive(data, now_ns), now_ns)
        self._go_on(now_ns)

    def advance(self, now_ns: int) -> None:
        """Time passed."""
        self._conclude(self._asking.advance(now_ns), now_ns)
        self._go_on(now_ns)

    def bytes_to_send(self) -> bytes:
        """What is to be written now; handed out once."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def deadline_ns(self) -> int | None:
        """When ``advance`` wants to be called; in the past: at once; None: not by time."""
        times = [] if self._lock.deadline_ns is None else [self._lock.deadline_ns]
        if self._asking.busy:
            times.append(self._asking.deadline_ns)
        elif self._line_up:
            times.append(self._next_ns())
        return min(times, default=None)

    def take_events(self) -> list[WireEvent]:
        """What happened since the last call, in order; handed out once."""
        told, self._events = self._events, []
        return told

    def committed(self, box: int, epoch: int, count: int) -> None:
        """The ledger holds the news of ``box`` up to ``count``: it may be acknowledged."""
        self._tracker(box).committed(epoch, count)

    def accept(self, box: int, on: bool, now_ns: int) -> None:
        """Open or close the slot of ``box``; kept through every restart of the board."""
        self._tracker(box)
        wanted = self._wanted | {box} if on else self._wanted - {box}
        if wanted != self._wanted:
            self._wanted = wanted
            self._slots_due = True
            self._poll_ns = min(self._poll_ns, now_ns)
        if on:
            self._lock.give_up([box])
        self._go_on(now_ns)

    def drain(self, now_ns: int) -> None:
        """The lock: close every slot, hear each once more, then say ``Drained``."""
        self._wanted = frozenset()
        self._slots_due = True
        self._lock.start(self._boxes, self._state in (State.SETTING, State.READY), now_ns)
        self._go_on(now_ns)

    def read_counters(self, boxes: Iterable[int], now_ns: int) -> None:
        """A board counts from its start on: it has no counters that outlive it."""
        for box in boxes:
            self._tracker(box)
        self._events.append(CountersRead(()))
        self._go_on(now_ns)

    def line_lost(self, now_ns: int, detail: str = "the serial adapter is gone") -> None:
        """The adapter is gone; nothing is asked until ``line_restored``."""
        if not self._line_up:
            return
        self._line_up = False
        self._asking.start_over()
        self._out.clear()
        self._events.append(LineFault(Diagnosis.LINE_LOST, detail))
        self._give_up(Diagnosis.LINE_LOST, "")
        self._go_on(now_ns)

    def line_restored(self, now_ns: int) -> None:
        """The adapter is back: the board presents itself anew."""
        self._line_up = True
        self._backoff_ns = BACKOFF_FIRST_NS
        self._probe_ns = now_ns
        self._go_on(now_ns)

    def statistics(self) -> Mapping[int, BoxStatistics]:
        """What was counted, by box; live objects, to be read only."""
        return self._service.statistics

    def inspect(self, now_ns: int) -> None:
        """A technician looks: the polls and the self-test have told all there is."""

    def report(self) -> BusReport:
        """The board as it stands, for people. A line of its own has no echo."""
        slots = slot_reports(self._service, self._board, self._trackers, self._wanted)
        return BusReport(line_up=self._line_up, echo=False, unasked_bytes=0, slots=slots)

    # ---- asking --------------------------------------------------------------------------------

    def _tracker(self, box: int) -> Tracker:
        invariant(box in self._trackers, f"box {box} is on this board")
        return self._trackers[box]

    @property
    def _known(self) -> Identity:
        board = self._board
        invariant(board is not None, "only a board that presented itself is asked")
        return board or Identity(0, 0, "", 0, "", "", ())

    def _go_on(self, now_ns: int) -> None:
        """Answer the lock, ask the next."""
        drained = self._lock.answer(now_ns)
        if drained is not None:
            self._events.append(drained)
        if not self._asking.busy and self._line_up and now_ns >= self._next_ns():
            kind, argument = self._next_question(now_ns)
            if kind is not Type.HELLO:
                argument = address(self._known.serial, self._known.boot) + argument
            self._out += self._asking.ask(kind, argument, now_ns)

    def _next_ns(self) -> int:
        """When the next question is due."""
        if self._state in (State.ABSENT, State.UNFIT):
            return self._probe_ns
        if self._state is State.IDENTIFYING or self._slots_due or self._lamps_due or self._test_due:
            return self._poll_ns if self._failures else 0
        times = [self._poll_ns]
        if self._service.faulty:
            times.append(self._test_ns)
        return min(times)

    def _next_question(self, now_ns: int) -> tuple[Type, bytes]:
        """Closing comes first; a poll that is due before whatever can wait."""
        if self._state in (State.ABSENT, State.UNFIT):
            return Type.HELLO, b""
        if self._state is State.IDENTIFYING:
            return self._poll(now_ns)
        if self._slots_due:
            return Type.SLOTS, bytes((mask(self._wanted),))
        if now_ns >= self._poll_ns:
            return self._poll(now_ns)
        if self._test_due or (self._service.faulty and now_ns >= self._test_ns):
            self._test_ns = now_ns + SELF_TEST_INTERVAL_NS
            return Type.SELF_TEST, b""
        return Type.LAMPS, self._lamps()

    def _lamps(self) -> bytes:
        """A lit slot takes a chip."""
        return mask(self._wanted).to_bytes(2, "little")

    def _poll(self, now_ns: int) -> tuple[Type, bytes]:
        listening = bool(self._wanted) or self._lock.deadline_ns is not None
        self._poll_ns = now_ns + (POLL_INTERVAL_NS if listening else CLOSED_POLL_INTERVAL_NS)
        self._service.note_poll(now_ns)
        return Type.POLL, self._acknowledged().to_bytes(4, "little")

    def _acknowledged(self) -> int:
        return 0 if self._found is None else acknowledged(self._found, self._trackers)

    # ---- answers -------------------------------------------------------------------------------

    def _conclude(self, reply: Reply | None, now_ns: int) -> None:
        if reply is None:
            return
        self._service.note(reply.diagnosis, reply.round_trip_ns)
        if reply.refusal == Refusal.STRANGER and self._state not in (State.ABSENT, State.UNFIT):
            # Another board, or this one restarted: it presents itself at once.
            self._go(State.ABSENT)
            self._probe_ns = now_ns
        elif reply.refusal == Refusal.VERSION:
            self._unfit(Diagnosis.REFUSED, reply.detail, now_ns)
        elif reply.diagnosis is not None:
            self._failed(reply.diagnosis, reply.detail, now_ns)
        elif self._understood(reply, now_ns):
            self._failures = 0
        else:
            self._failed(Diagnosis.WRONG_SHAPE, reply.detail, now_ns)

    def _understood(self, reply: Reply, now_ns: int) -> bool:
        """Act on an answer; False if it has another shape than it should, or contradicts itself."""
        payload = reply.payload
        match reply.type:
            case Type.HELLO:
                return self._greeted(identity(payload), now_ns)
            case Type.POLL:
                found = events(payload, self._known.slots)
                return self._polled(found, now_ns - reply.round_trip_ns, now_ns)
            case Type.SLOTS:
                return len(payload) == 1 and self._slots_set(reply.asked[-1], payload[0], now_ns)
            case Type.LAMPS:
                self._lamps_due = reply.asked[-2:] != self._lamps()
                return len(payload) == 2
            case Type.SELF_TEST:
                return len(payload) == self._known.slots and self._tested(payload)

    def _greeted(self, board: Identity | None, now_ns: int) -> bool:
        if board is None:
            return False
        why = misfit(board, self._boxes)
        if why is not None:
            self._unfit(why.reason, why.detail, now_ns)
            return True
        self._board, self._found = board, None
        self._slots_due = self._lamps_due = self._test_due = True
        self._go(State.IDENTIFYING)
        return True

    def _polled(self, found: Events | None, asked_ns: int, now_ns: int) -> bool:
        if found is None or not self._plausible(found):
            return False
        if self._state is State.IDENTIFYING:
            self._present(found)
        self._found = found
        for box, tracker in self._trackers.items():
            news = tracker.read(found)
            if news is not None:
                lost = sum(event.lost for event in news.events if isinstance(event, Lost))
                self._service.statistics[box].lost_events += lost
                self._events.append(news)
        self._events += self._key.heard(found)
        self._lock.heard(found, self._trackers.values(), asked_ns)
        self._compare(found)
        self._settle()
        self._listen_on(found, now_ns)
        return True

    def _plausible(self, found: Events) -> bool:
        """Whether the board has counted at least what it has told."""
        return self._state is State.IDENTIFYING or all(
            tracker.record.count <= found.counts[box] for box, tracker in self._trackers.items()
        )

    def _present(self, found: Events) -> None:
        """The base lines of a board that has just presented itself."""
        board, was = self._known, self._was
        self._was = board
        self._key.begin(found)
        again = was is not None and was.serial == board.serial and was.boot < board.boot
        for box, tracker in self._trackers.items():
            if again and board.acked_counts[box] == 0:
                # Watched all the time: whatever it counted since its restart is new.
                self._tell_restart(box, tracker.restart(board.boot))
                continue
            line = tracker.present(board, found.counts[box])
            if line.restarted:
                self._tell_restart(box, line.record.epoch)
            self._events.append(identified(box, board, line))
        self._go(State.SETTING)

    def _tell_restart(self, box: int, epoch: int) -> None:
        self._service.statistics[box].restarts += 1
        self._events.append(Restarted(box, epoch))

    def _compare(self, found: Events) -> None:
        """What the board does must be what is wanted; a full ring closes it for good reason."""
        self._events += self._service.show_faults(found.faulty)
        expected = self._wanted - found.faulty
        if found.watchdog or (found.open != expected and not found.full):
            self._slots_due = True

    def _listen_on(self, found: Events, now_ns: int) -> None:
        """Ask on at once while events are left or wait for an acknowledgement."""
        if not found.complete or (found.records and self._acknowledged() > found.acked):
            self._poll_ns = min(self._poll_ns, now_ns + POLL_INTERVAL_NS)

    def _slots_set(self, asked: int, shown: int, now_ns: int) -> bool:
        if shown & ~asked:
            return False
        if asked == mask(self._wanted):
            self._slots_due = False
            self._lamps_due = True
        if asked == 0:
            self._lock.closed(now_ns)
            self._poll_ns = 0
        self._settle()
        return True

    def _tested(self, codes: bytes) -> bool:
        self._test_due = False
        self._events += self._service.show_test(codes)
        self._settle()
        return True

    def _settle(self) -> None:
        """In service once it is tested and its slots are as they should be."""
        if self._state is State.SETTING and not self._test_due and not self._slots_due:
            self._go(State.READY)
        if self._state is State.READY:
            self._events += self._service.up()

    # ---- failures ------------------------------------------------------------------------------

    def _failed(self, why: Diagnosis, detail: str, now_ns: int) -> None:
        self._failures += 1
        if self._state in (State.ABSENT, State.UNFIT):
            self._probe_ns = now_ns + self._backoff_ns
            self._backoff_ns = min(2 * self._backoff_ns, BACKOFF_LAST_NS)
            if self._failures >= ATTEMPTS:
                self._give_up(why, detail)
            return
        self._poll_ns = now_ns
        if self._failures >= ATTEMPTS:
            self._backoff_ns = BACKOFF_FIRST_NS
            self._probe_ns = now_ns + BACKOFF_FIRST_NS
            self._give_up(why, detail)

    def _unfit(self, why: Diagnosis, detail: str, now_ns: int) -> None:
        self._give_up(why, detail)
        self._go(State.UNFIT)
        self._probe_ns = now_ns + UNFIT_RETRY_NS

    def _give_up(self, why: Diagnosis, detail: str) -> None:
        """Out of service; what it was before is no proof any more that nothing was missed."""
        self._failures = 0
        self._was = None
        self._lock.give_up(self._boxes)
        self._events += self._service.down(why, detail)
        self._go(State.ABSENT)

    def _go(self, state: State) -> None:
        self._state = state
        self._service.show_state(state)
