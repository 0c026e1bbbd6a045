"""What a technician looks at, asked of a working acceptor only while somebody looks: optos, counters,
coin table, inhibits. Nothing here decides anything; an acceptor need not know any of it.
"""

from __future__ import annotations

from collections import deque

from jackpot.cctalk.bounds import INSPECTION_NS
from jackpot.cctalk.headers import COIN_CHANNELS, Header
from jackpot.cctalk.identity import TEXT_BYTES, Question, printable
from jackpot.cctalk.setup import NS_PER_S

OPEN_SPACING_NS = NS_PER_S
"""Between two questions to an acceptor whose slot is open: chips go first."""

COUNTER_BYTES_AT_MOST = 4
"""Part 2, 3.30: 24 bits; one byte more for models that have it."""

_FIGURES = (
    Question(Header.READ_OPTO_STATES, 1, 2),
    Question(Header.REQUEST_INSERTION_COUNTER, 1, COUNTER_BYTES_AT_MOST),
    Question(Header.REQUEST_ACCEPT_COUNTER, 1, COUNTER_BYTES_AT_MOST),
    Question(Header.REQUEST_REJECT_COUNTER, 1, COUNTER_BYTES_AT_MOST),
    Question(Header.REQUEST_FRAUD_COUNTER, 1, COUNTER_BYTES_AT_MOST),
    Question(Header.REQUEST_INHIBIT_STATUS, 1, 2),
    Question(Header.REQUEST_MASTER_INHIBIT, 1, 1),
    Question(Header.REQUEST_SORTER_PATHS, 1, 4, b"\x01"),
)
"""Asked at every look. The path is the chip's (``Inspection.begin``)."""


class Inspection:
    """The questions of one acceptor, one between two polls, and the newest answers."""

    def __init__(self) -> None:
        self._pending: deque[Question] = deque()
        self._figures: dict[Header, int] = {}
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

    def forget(self) -> None:
        """It is another acceptor now."""
        self.interrupt()
        self._figures.clear()
        self._coins.clear()
        self._silent.clear()

    def polled(self) -> None:
        """A poll went out: a question may go before the next one."""
        self._polled_since = True

    @property
    def due_ns(self) -> int | None:
        """When a question may go out; None: not before the next poll, or never."""
        return self._not_before_ns if self._pending and self._polled_since else None

    def next_question(self, now_ns: int, *, slot_open: bool) -> Question:
        """The one that goes out; only when ``due_ns`` is not in the future."""
        self._polled_since = False
        self._not_before_ns = now_ns + (OPEN_SPACING_NS if slot_open else 0)
        return self._pending[0]

    def interrupt(self) -> None:
        """The acceptor has other worries."""
        self._pending.clear()
        self._polled_since, self._begun_ns = True, None

    def answered(self, data: bytes | None) -> None:
        """The answer, or None: silence and refusals are an answer too, and not asked again."""
        question = self._pending.popleft()
        if data is None:
            self._silent.add(question.header)
            self._pending = deque(q for q in self._pending if q.header is not question.header)
        elif question.header is Header.REQUEST_COIN_ID:
            self._coins[question.data[0]] = printable(data)
        else:
            self._figures[question.header] = int.from_bytes(data, "little")

    @property
    def done(self) -> bool:
        """Whether somebody has looked, and every question has its answer."""
        return self._begun_ns is not None and not self._pending

    def figure(self, header: Header) -> int | None:
        """The newest answer to ``header`` as a number, lowest byte first; None: never told."""
        return self._figures.get(header)

    @property
    def coins(self) -> dict[int, str]:
        """The coin ids told so far, by channel."""
        return dict(sorted(self._coins.items()))
