"""What is asked of a working acceptor besides: its own counters when the ledger wants them; optos,
counters, coin table, inhibits and what its maker wrote down while a technician looks.

An acceptor need not know any of it, and no answer, or none, ever puts it out of service.
"""

from __future__ import annotations

from collections import deque

from jackpot.cctalk.bounds import INSPECTION_NS, RETRIES
from jackpot.cctalk.exchange import Result
from jackpot.cctalk.headers import COIN_CHANNELS, Header
from jackpot.cctalk.identity import TEXT_BYTES, Question, printable
from jackpot.cctalk.setup import NS_PER_S
from jackpot.mechanism.wire_events import Counters, Diagnosis

OPEN_SPACING_NS = NS_PER_S
"""Between two questions of a look to an acceptor whose slot is open: chips go first."""

COUNTER_BYTES_AT_MOST = 4
"""Part 2, 3.30: 24 bits; one byte more for models that have it."""

_COUNTERS = (
    Question(Header.REQUEST_INSERTION_COUNTER, 1, COUNTER_BYTES_AT_MOST),
    Question(Header.REQUEST_ACCEPT_COUNTER, 1, COUNTER_BYTES_AT_MOST),
)
"""What the ledger holds the drop against."""

_FIGURES = (
    Question(Header.READ_OPTO_STATES, 1, 2),
    *_COUNTERS,
    Question(Header.REQUEST_REJECT_COUNTER, 1, COUNTER_BYTES_AT_MOST),
    Question(Header.REQUEST_FRAUD_COUNTER, 1, COUNTER_BYTES_AT_MOST),
    Question(Header.REQUEST_INHIBIT_STATUS, 1, 2),
    Question(Header.REQUEST_MASTER_INHIBIT, 1, 1),
    Question(Header.REQUEST_SORTER_PATHS, 1, 4, b"\x01"),
    Question(Header.CALCULATE_ROM_CHECKSUM, 3, 4),
    Question(Header.REQUEST_BASE_YEAR, 4, 4),
    Question(Header.REQUEST_CREATION_DATE, 2, 2),
    Question(Header.REQUEST_LAST_MODIFICATION_DATE, 2, 2),
    Question(Header.REQUEST_COMMS_REVISION, 3, 3),
    Question(Header.REQUEST_COMMS_STATISTICS, 3, 3),
)
"""Asked at every look. The path is the chip's (``Inspection.begin``)."""


class Inspection:
    """The questions of one acceptor, and the newest answers. A look has one between two polls; the
    counters are asked at once."""

    def __init__(self) -> None:
        self._counting: deque[Question] = deque()
        self._counted: dict[Header, int] = {}
        self._heard_once: dict[Header, int] = {}
        self._failures = 0
        self._knows_counters = True
        self._pending: deque[Question] = deque()
        self._asked: Question | None = None
        self._figures: dict[Header, bytes] = {}
        self._coins: dict[int, str] = {}
        self._silent: set[Header] = set()
        self._begun_ns: int | None = None
        self._polled_since = True
        self._not_before_ns = 0

    def begin(self, position: int, known: dict[int, str], now_ns: int) -> None:
        """Somebody looks; within ``INSPECTION_NS`` of the last look nothing is asked again."""
        recent = self._begun_ns is not None and now_ns - self._begun_ns < INSPECTION_NS
        if self._pending or recent:
            return
        self._begun_ns = now_ns
        self._coins |= known
        for question in _FIGURES:
            data = bytes((position,)) if question.data else b""
            self._add(Question(question.header, question.shortest, question.longest, data))
        for channel in range(1, COIN_CHANNELS + 1):
            if channel not in self._coins:
                asked = bytes((channel,))
                self._add(Question(Header.REQUEST_COIN_ID, 1, TEXT_BYTES, asked))

    def _add(self, question: Question) -> None:
        if question.header not in self._silent:
            self._pending.append(question)

    def count(self, *, able: bool) -> None:
        """The ledger wants the counters, if the acceptor is ``able`` to tell; one that does not have
        both is not asked again."""
        self._counted.clear()
        self._heard_once.clear()
        self._failures = 0
        self._counting = deque(_COUNTERS if able and self._knows_counters else ())

    def stop_counting(self) -> None:
        """It has taken too long."""
        self._counting.clear()

    @property
    def counting(self) -> bool:
        """Whether a counter is still to be told."""
        return bool(self._counting)

    def counters(self, box: int) -> Counters | None:
        """What ``count`` brought; None unless it was all of it."""
        told = [self._counted.get(question.header) for question in _COUNTERS]
        insertions, accepts = told
        if insertions is None or accepts is None:
            return None
        return Counters(box, insertions, accepts)

    def forget(self) -> None:
        """It is another acceptor now."""
        self.interrupt()
        self._counted.clear()
        self._figures.clear()
        self._coins.clear()
        self._silent.clear()
        self._knows_counters = True

    def polled(self) -> None:
        """A poll went out: a question may go before the next one."""
        self._polled_since = True

    @property
    def due_ns(self) -> int | None:
        """When a question may go out; None: not before the next poll, or never."""
        if self._counting:
            return 0
        return self._not_before_ns if self._pending and self._polled_since else None

    def next_question(self, now_ns: int, *, slot_open: bool) -> Question:
        """The one that goes out; only when ``due_ns`` is not in the future."""
        if self._counting:
            self._asked = self._counting[0]
        else:
            self._asked = self._pending[0]
            self._polled_since = False
            self._not_before_ns = now_ns + (OPEN_SPACING_NS if slot_open else 0)
        return self._asked

    def interrupt(self) -> None:
        """The acceptor has other worries."""
        self._counting.clear()
        self._pending.clear()
        self._polled_since, self._begun_ns = True, None

    def answered(self, result: Result) -> None:
        """How the question ended."""
        asked, self._asked = self._asked, None
        if asked is None:
            return
        if self._counting and asked is self._counting[0]:
            self._note_counter(asked, result)
        elif self._pending and asked is self._pending[0]:
            self._note_figure(asked, result)

    def _note_counter(self, asked: Question, result: Result) -> None:
        """Believed when it comes twice in a row: a broken answer passes its checksum now and then, and
        the drop is held against this. Three attempts; whoever stays silent does not know the header."""
        if result.diagnosis is None:
            self._failures = 0
            count = int.from_bytes(result.data, "little")
            if self._heard_once.get(asked.header) == count:
                self._counting.popleft()
                self._counted[asked.header] = count
                self._figures[asked.header] = result.data
            self._heard_once[asked.header] = count
            return
        self._failures += 1
        if self._failures >= RETRIES:
            self._counting.clear()
            self._knows_counters = result.diagnosis not in (Diagnosis.NO_REPLY, Diagnosis.REFUSED)

    def _note_figure(self, asked: Question, result: Result) -> None:
        """Silence and refusals are an answer too, and not asked again."""
        self._pending.popleft()
        if result.diagnosis is not None:
            self._silent.add(asked.header)
            self._pending = deque(q for q in self._pending if q.header is not asked.header)
        elif asked.header is Header.REQUEST_COIN_ID:
            self._coins[asked.data[0]] = printable(result.data)
        else:
            self._figures[asked.header] = result.data

    @property
    def done(self) -> bool:
        """Whether somebody has looked, and every question has its answer."""
        return self._begun_ns is not None and not self._pending

    def figure(self, header: Header) -> int | None:
        """The newest answer to ``header`` as a number, lowest byte first; None: never told."""
        data = self._figures.get(header)
        return None if data is None else int.from_bytes(data, "little")

    def told(self, header: Header) -> bytes:
        """The newest answer to ``header`` as it came; empty: never told."""
        return self._figures.get(header, b"")

    @property
    def coins(self) -> dict[int, str]:
        """The coin ids told so far, by channel."""
        return dict(sorted(self._coins.items()))
