"""One acceptor on the bus: asked who it is, set up, polled, checked, given up, found again.

Sans-IO. The host asks for the ``next_request`` in this acceptor's turn and hands back how it ended
(``conclude``); facts come out as wire events. The ways between states: ``jackpot.cctalk.states``.
"""

from __future__ import annotations

from jackpot.cctalk.attempts import Attempts
from jackpot.cctalk.bounds import (
    BACKOFF_FIRST_NS,
    CLOSED_POLL_INTERVAL_NS,
    POLL_INTERVAL_NS,
    RETRIES,
    SELF_CHECK_INTERVAL_NS,
    SELF_CHECK_TIMEOUT_NS,
    UNFIT_RETRY_NS,
)
from jackpot.cctalk.continuity import Break, Tracker, identified
from jackpot.cctalk.events import REPLY_BYTES, Buffer, decode
from jackpot.cctalk.exchange import Request, Result
from jackpot.cctalk.headers import Header
from jackpot.cctalk.identity import Identification, Identity, Misfit, Question
from jackpot.cctalk.inhibits import INHIBIT_HEADERS, Inhibits
from jackpot.cctalk.inspection import Inspection
from jackpot.cctalk.service import Service
from jackpot.cctalk.setup import SlotSetup
from jackpot.cctalk.sorter import SORTER_HEADERS
from jackpot.cctalk.states import LIVING, POLLED, Drain, Signal, next_state
from jackpot.invariant import invariant
from jackpot.mechanism import fault_codes as codes
from jackpot.mechanism.resume import Resume
from jackpot.mechanism.states import State
from jackpot.mechanism.statistics import BoxStatistics
from jackpot.mechanism.wire_events import Credit, Diagnosis, Fault, Lost, Restarted, WireEvent

_SILENCE = frozenset({Diagnosis.NO_REPLY, Diagnosis.REFUSED, Diagnosis.WRONG_SHAPE})
"""How an acceptor shows that it does not know a header, or not in this form."""


class Acceptor:
    """The state machine of one box."""

    def __init__(self, slot: SlotSetup, resume: Resume | None, now_ns: int) -> None:
        self.slot = slot
        self.state = State.ABSENT
        self.drain = Drain.NONE
        self.statistics = BoxStatistics()
        self.tracker = Tracker(slot.box, resume)
        self.inhibits = Inhibits(slot.box, now_ns, slot.sorter_path)
        self.inspection = Inspection()
        self._inspecting: Request | None = None
        self._identification: Identification | None = None
        self.identity: Identity | None = None  # the last that was known, kept while asked anew
        self._identity: Identity | None = None
        self._self_check_due = False
        self._attempts = Attempts(now_ns)
        self.service = Service(slot.box)
        self._poll_ns = self._check_ns = now_ns

    # -- what the host asks -----------------------------------------------------------------

    def due_ns(self) -> int | None:
        """When this acceptor wants the wire (the past means now); None while it may not."""
        if self.state in (State.ABSENT, State.UNFIT):
            return self._attempts.probe_ns
        if self.state is State.IDENTIFYING:
            waits = self._questions.question is None and self.tracker.awaits_commit
            return None if waits else self._attempts.retry_ns
        if self.state is State.SETTING or not self.inhibits.settled:
            return self._attempts.retry_ns
        times = [self.inhibits.reassert_ns]
        if self.inspection.due_ns is not None and self.drain is Drain.NONE:
            times.append(self.inspection.due_ns)
        if self.state is State.CHECKING:
            times.append(self._check_ns)
        if not self.tracker.awaits_commit:
            times.append(self._poll_ns)
        return max(self._attempts.retry_ns, min(times))

    def urgency(self) -> int:
        """0: an inhibit that people wait for; 1: the lock's last poll; 2: its turn will come."""
        if self.state not in POLLED or self._attempts.any:
            return 2
        if self.inhibits.urgent:
            return 0
        return 1 if self.drain is Drain.POLL and not self.tracker.awaits_commit else 2

    def next_request(self, now_ns: int) -> Request:
        """What to ask now; only when ``due_ns`` is not in the future."""
        if self.state in (State.ABSENT, State.UNFIT):
            return self._request(Header.SIMPLE_POLL)
        if self.state is State.IDENTIFYING:
            question = self._questions.question
            if question is None:
                return self._poll(now_ns)
            return self._ask(question)
        if self.state in POLLED:
            self.inhibits.refresh(now_ns)
        command = self.inhibits.next_command(self._known.coin_position)
        if self._self_check_due and not self.inhibits.closing_due:
            return self._self_check()
        if command is None and self.state is State.SETTING:
            # The box was closed while its opening was due: a confirmation ends the setting up.
            self.inhibits.confirm_again()
            command = self.inhibits.next_command(self._known.coin_position)
        if command is not None:
            return self._request(*command)
        if self.state is State.CHECKING and now_ns >= self._check_ns:
            return self._self_check()
        look_ns = self.inspection.due_ns
        if look_ns is not None and look_ns <= now_ns and self.drain is Drain.NONE:
            question = self.inspection.next_question(now_ns, slot_open=self.inhibits.accepting)
            self._inspecting = self._ask(question)
            return self._inspecting
        return self._poll(now_ns)

    def inspect(self, now_ns: int) -> None:
        """A technician looks: ask for what only people want to know."""
        if self.state in POLLED:
            known = self._known
            self.inspection.begin(known.coin_position, known.coin_ids_by, now_ns)

    def read_counters(self) -> None:
        """The ledger wants its own counters."""
        self.inspection.count(able=self.state in POLLED)

    def accept(self, on: bool, now_ns: int) -> None:
        """Open or close the box."""
        self.inhibits.want(on)
        self._poll_ns = now_ns
        if on and self.drain in (Drain.INHIBIT, Drain.POLL):
            self.drain = Drain.UNKNOWN

    def start_drain(self, now_ns: int) -> None:
        """The lock: inhibit, then poll, then say so."""
        self._poll_ns = now_ns
        self.inhibits.close_for_certain()
        self.drain = Drain.INHIBIT if self.state in LIVING else Drain.UNKNOWN

    def committed(self, epoch: int, count: int) -> None:
        """The ledger holds the news up to ``count`` of ``epoch``."""
        self.tracker.committed(epoch, count)

    def line_lost(self, now_ns: int) -> list[WireEvent]:
        """The adapter is gone; ask at once when it is back."""
        events: list[WireEvent] = []
        if self.state is not State.ABSENT:
            events = self._give_up(Signal.SILENT, Diagnosis.LINE_LOST, "", now_ns)
        self._attempts.look_after(0, now_ns)
        return events

    def conclude(self, request: Request, result: Result, now_ns: int) -> list[WireEvent]:
        """How the exchange for ``request`` ended."""
        if request is self._inspecting:
            self._inspecting = None
            self.inspection.answered(result)
            return []
        self.statistics.note(result.diagnosis, result.round_trip_ns)
        if result.diagnosis is not None:
            return self._failed(request, result.diagnosis, now_ns)
        self._attempts.clear()
        return self._succeeded(request, result.data, now_ns)

    # -- requests ---------------------------------------------------------------------------

    @property
    def _questions(self) -> Identification:
        invariant(self._identification is not None, "an acceptor being identified has questions")
        return self._identification or Identification(self.slot)

    @property
    def _known(self) -> Identity:
        invariant(self._identity is not None, "an acceptor is set up only once it is identified")
        return self._identity or Identity(0, "", "", "", 0, (), None)

    def _request(
        self, header: Header, data: bytes = b"", shortest: int = 0, longest: int = 0
    ) -> Request:
        return Request(self.slot.address, header, data, shortest, longest)

    def _ask(self, question: Question) -> Request:
        return self._request(question.header, question.data, question.shortest, question.longest)

    def _poll(self, now_ns: int) -> Request:
        open_ = self.inhibits.accepting
        self._poll_ns = now_ns + (POLL_INTERVAL_NS if open_ else CLOSED_POLL_INTERVAL_NS)
        self.statistics.note_poll(now_ns)
        self.inspection.polled()
        return self._request(Header.READ_BUFFERED_CREDIT, b"", REPLY_BYTES, REPLY_BYTES)

    def _self_check(self) -> Request:
        header = Header.PERFORM_SELF_CHECK
        return Request(self.slot.address, header, b"", 1, 2, SELF_CHECK_TIMEOUT_NS)

    # -- answers ----------------------------------------------------------------------------

    def _succeeded(self, request: Request, data: bytes, now_ns: int) -> list[WireEvent]:
        match request.header:
            case Header.SIMPLE_POLL:
                self._go(Signal.ANSWERED)
                return []
            case Header.READ_BUFFERED_CREDIT:
                buffer = decode(data, swapped=self.slot.swapped_event_bytes)
                if self.state is State.IDENTIFYING:
                    return self._present(buffer, now_ns)
                return self._read(buffer, now_ns)
            case header if header in INHIBIT_HEADERS:
                return self._inhibited(request, data, now_ns)
            case Header.PERFORM_SELF_CHECK:
                return self._self_checked(data[0], now_ns)
        return self._answered(data, now_ns)

    def _answered(self, data: bytes, now_ns: int) -> list[WireEvent]:
        misfit = self._questions.answer(data)
        return self._misfit(misfit, now_ns) if misfit else self._know(now_ns)

    def _know(self, now_ns: int) -> list[WireEvent]:
        if self._questions.question is not None:
            return []
        outcome = self._questions.conclude()
        if isinstance(outcome, Misfit):
            return self._misfit(outcome, now_ns)
        if self.identity is not None and self.identity.serial != outcome.serial:
            self.inspection.forget()
        self._identity = self.identity = outcome
        self.statistics.polling_ms = outcome.polling_ms
        return []

    def _misfit(self, misfit: Misfit, now_ns: int) -> list[WireEvent]:
        return self._give_up(Signal.MISFIT, misfit.reason, misfit.detail, now_ns)

    def _present(self, buffer: Buffer, now_ns: int) -> list[WireEvent]:
        """The counter after an identification: does it continue what the ledger holds?"""
        identity = self._known
        line = self.tracker.present(identity.serial, buffer)
        if line is None:
            return self._ask_again(now_ns)
        events: list[WireEvent] = []
        if line.restarted:
            self.statistics.restarts += 1
            events.append(Restarted(self.slot.box, line.record.epoch))
        events.append(identified(self.slot.box, identity, line))
        self.inhibits.use_two_bytes()
        self._go(Signal.IDENTIFIED)
        return events + self._read(buffer, now_ns)

    def _read(self, buffer: Buffer, now_ns: int) -> list[WireEvent]:
        """A reply to header 229."""
        news = self.tracker.read(self._known.coin_position, buffer)
        if news is Break.RESTARTED:
            self.statistics.restarts += 1
            self._go(Signal.RESTARTED)  # who it is, is asked again: another one begins at 0 too
            return [Restarted(self.slot.box, self.tracker.record.epoch)]
        if news is Break.UNPROVEN:
            return self._ask_again(now_ns)
        if self.drain is Drain.POLL and not self.tracker.behind:
            self.drain = Drain.DONE
        if news is None:
            return []
        for event in news.events:
            if isinstance(event, Fault):
                self._note_fault(event.code, now_ns)
            elif isinstance(event, Credit) and event.expected:
                self.inhibits.sorter.seen(event.path)
            elif isinstance(event, Lost):
                self.statistics.lost_events += event.lost
        return [news]

    def _note_fault(self, code: int, now_ns: int) -> None:
        if codes.says_inhibited(code, self._known.coin_position):
            self.inhibits.suspect()
        meaning = codes.fault_code(code)
        if meaning.jam:
            self.inhibits.blocked = True
        if meaning.self_check and self.state in POLLED:
            self._check_ns = now_ns
            self._go(Signal.FAULTED)

    def _ask_again(self, now_ns: int) -> list[WireEvent]:
        """A reply that nothing proves: broken in spite of its checksum, a restart, a hand faster
        than the poll, or another acceptor. If it stays so, it must present itself again."""
        self.statistics.unproven += 1
        self._poll_ns = now_ns
        if self.tracker.unproven < RETRIES:
            return []
        self.tracker.start_over()
        if self.state is State.IDENTIFYING:
            why = "its events change from reply to reply"
            return self._give_up(Signal.SILENT, Diagnosis.INCONSISTENT, why, now_ns)
        self._go(Signal.DOUBTED)
        return []

    def _inhibited(self, request: Request, data: bytes, now_ns: int) -> list[WireEvent]:
        misfit = self.inhibits.confirmed(request.header, request.data, data)
        if misfit is not None:
            return self._misfit(misfit, now_ns)
        closing = request.header is Header.MODIFY_MASTER_INHIBIT and request.data == b"\x00"
        if closing and self.drain is Drain.INHIBIT:
            self.drain = Drain.POLL
        return self._set_up(now_ns)

    def _set_up(self, now_ns: int) -> list[WireEvent]:
        """The last step of setting up, if all is confirmed."""
        if self.state is not State.SETTING or self._self_check_due or not self.inhibits.settled:
            return []
        self._go(Signal.SET)
        if self.inhibits.blocked:
            self._check_ns = now_ns + SELF_CHECK_INTERVAL_NS
            self._go(Signal.FAULTED)
            return []
        return self.service.up()

    def _self_checked(self, fault: int, now_ns: int) -> list[WireEvent]:
        self._self_check_due = False
        self._check_ns = now_ns + SELF_CHECK_INTERVAL_NS
        self.inhibits.blocked = fault != codes.SELF_CHECK_CLEAN
        if self.inhibits.blocked:
            return self.service.down(Diagnosis.SELF_CHECK, codes.self_check_text(fault)[0])
        if self.state is State.CHECKING:
            self._go(Signal.CLEAN)
            return self.service.up()
        return self._set_up(now_ns)

    # -- failures ---------------------------------------------------------------------------

    def _failed(self, request: Request, why: Diagnosis, now_ns: int) -> list[WireEvent]:
        spent = self._attempts.failed(why, now_ns)
        if self.state is State.ABSENT:
            self._attempts.look_later(now_ns)
            return self.service.down(why, "") if spent else []
        if not spent:
            return []
        self._attempts.clear()
        return self._attempts_spent(request, why, now_ns)

    def _attempts_spent(self, request: Request, why: Diagnosis, now_ns: int) -> list[WireEvent]:
        header = request.header
        if why in _SILENCE and self.state is State.IDENTIFYING:
            question = self._questions.question
            if question is not None and question.optional:
                self._questions.unanswered()
                return self._know(now_ns)
        if why in _SILENCE and self.state is State.SETTING:
            if header is Header.MODIFY_INHIBIT_STATUS:
                return self._mask_refused(why, now_ns)
            if header is Header.PERFORM_SELF_CHECK:
                self._self_check_due = False
                return self._set_up(now_ns)
        if why in _SILENCE and header in SORTER_HEADERS:
            misfit = self.inhibits.sorter.unanswered(header, why)
            return self._misfit(misfit, now_ns) if misfit else self._set_up(now_ns)
        if why in _SILENCE and header is Header.PERFORM_SELF_CHECK:
            return self._self_check_unanswered(now_ns)
        return self._give_up(Signal.SILENT, why, f"header {int(header)}", now_ns)

    def _mask_refused(self, why: Diagnosis, now_ns: int) -> list[WireEvent]:
        if self.inhibits.shorten_mask(self._known.coin_position):
            return []
        if self._known.coin_position > 8:
            detail = (
                f"chip in position {self._known.coin_position}, and the two-byte mask was not taken"
            )
            return self._misfit(Misfit(Diagnosis.MASK_TOO_SHORT, detail), now_ns)
        return self._give_up(Signal.SILENT, why, "header 231", now_ns)

    def _self_check_unanswered(self, now_ns: int) -> list[WireEvent]:
        """A jam stays a jam until a clean self-check; any other fault is let go."""
        self._check_ns = now_ns + SELF_CHECK_INTERVAL_NS
        if self.inhibits.blocked:
            return self.service.down(Diagnosis.SELF_CHECK, "no answer to the self-check")
        self._go(Signal.CLEAN)
        return []

    def _give_up(self, signal: Signal, why: Diagnosis, detail: str, now_ns: int) -> list[WireEvent]:
        self._go(signal)
        self._attempts.clear()
        wait_ns = UNFIT_RETRY_NS if self.state is State.UNFIT else BACKOFF_FIRST_NS
        self._attempts.look_after(wait_ns, now_ns)
        return self.service.down(why, detail)

    def _go(self, signal: Signal) -> None:
        before, self.state = self.state, next_state(self.state, signal)
        if self.state is before:
            return
        if self.state is State.IDENTIFYING:
            self._identification = Identification(self.slot, self.identity, self.tracker.serial)
            self._identity = None
        elif self.state is State.SETTING:
            self.inhibits.forget()
            self._self_check_due = True
        if self.state not in POLLED:
            self.inspection.interrupt()
        if self.state not in LIVING:
            self.statistics.last_poll_ns = None
            if self.drain in (Drain.INHIBIT, Drain.POLL):
                self.drain = Drain.UNKNOWN
        elif self.state is State.SETTING and self.drain is Drain.POLL:
            self.drain = Drain.INHIBIT
        self.statistics.state = self.state
