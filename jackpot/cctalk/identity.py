"""Who an acceptor is, and which of its channels is the jackpot chip's: questions and answers."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from jackpot.cctalk.headers import COIN_ACCEPTOR, COIN_CHANNELS, Header
from jackpot.cctalk.setup import SlotSetup
from jackpot.mechanism.wire_events import Diagnosis

TEXT_BYTES = 32
"""Room for any maker's text; the longest in the specification has 14 bytes."""

SERIALS_ASKED = 6
"""Answers to header 242 at most, on a line so noisy that no two agree; the last one is taken."""

CREDITS_BY_VALUE = 1
"""Header 213 (part 2, 3.43): with option flag 0 a credit tells a value, so no channel is the chip's."""

_MS_OF_UNIT = {1: 1, 2: 10, 3: 1_000, 4: 60_000}
"""Header 249 (part 2, 3.7): ms, x10 ms, s, min; longer ones say nothing about polling."""


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to ask. An optional one may go unanswered: an unknown header gets silence."""

    header: Header
    shortest: int
    longest: int
    data: bytes = b""
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Identity:
    """The answers. Optional ones that never came are empty; ``polling_ms`` is None if unknown."""

    serial: int
    maker: str
    product: str
    software: str
    coin_position: int
    coin_ids: tuple[tuple[int, str], ...]
    polling_ms: int | None

    @property
    def coin_ids_by(self) -> dict[int, str]:
        """The coin ids that it told, by channel."""
        return dict(self.coin_ids)


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why this device cannot serve the box."""

    reason: Diagnosis
    detail: str


class Identification:
    """One round of questions, asked in order; ``question`` is None when all is known.

    An acceptor that bears the serial number of the one ``known`` here before is only asked whether
    its chip is still where it was: it is back in a sixth of the time.
    """

    def __init__(
        self, slot: SlotSetup, known: Identity | None = None, expected_serial: int | None = None
    ) -> None:
        self._slot = slot
        self._expected_serial = expected_serial
        self._serials: list[int] = []
        self._known = known
        self._same = False
        self._answers: dict[tuple[Header, bytes], bytes] = {}
        positions = (
            range(1, COIN_CHANNELS + 1) if slot.coin_position is None else (slot.coin_position,)
        )
        self._whole: deque[Question] = deque()
        self._questions: deque[Question] = deque(
            (
                Question(Header.REQUEST_EQUIPMENT_CATEGORY, 1, TEXT_BYTES),
                Question(Header.REQUEST_SERIAL_NUMBER, 3, 4),
                Question(Header.REQUEST_MANUFACTURER_ID, 1, TEXT_BYTES, optional=True),
                Question(Header.REQUEST_PRODUCT_CODE, 1, TEXT_BYTES, optional=True),
                Question(Header.REQUEST_SOFTWARE_REVISION, 1, TEXT_BYTES, optional=True),
                Question(Header.REQUEST_BUILD_CODE, 1, TEXT_BYTES, optional=True),
                Question(Header.REQUEST_POLLING_PRIORITY, 2, 2, optional=True),
                Question(Header.REQUEST_OPTION_FLAGS, 1, 1, optional=True),
                *(
                    Question(Header.REQUEST_COIN_ID, 1, TEXT_BYTES, bytes((p,)), optional=True)
                    for p in positions
                ),
            )
        )

    @property
    def question(self) -> Question | None:
        """What to ask next."""
        return self._questions[0] if self._questions else None

    def answer(self, data: bytes) -> Misfit | None:
        """The answer to ``question``; a misfit ends the round."""
        asked = self._questions.popleft()
        self._answers[asked.header, asked.data] = data
        if asked.header is Header.REQUEST_EQUIPMENT_CATEGORY and data != COIN_ACCEPTOR:
            return Misfit(
                Diagnosis.NOT_A_COIN_ACCEPTOR,
                f"expected {printable(COIN_ACCEPTOR)!r} at address {self._slot.address}; "
                f"found {printable(data)!r}",
            )
        if asked.header is Header.REQUEST_OPTION_FLAGS and data[0] & CREDITS_BY_VALUE:
            return Misfit(
                Diagnosis.CREDITS_BY_VALUE,
                "expected credits by channel (option flag 0 clear); found credits by value (CVF)",
            )
        if asked.header is Header.REQUEST_SERIAL_NUMBER:
            if self._serial_in_doubt(_serial(data)):
                self._questions.appendleft(asked)
            else:
                self._recognise(_serial(data))
        elif self._same and asked.header is Header.REQUEST_COIN_ID:
            self._compare(data)
        return None

    def _serial_in_doubt(self, serial: int) -> bool:
        """Another serial number than the ledger's breaks the count, and one broken answer in some
        hundreds passes its checksum: it must come twice in a row."""
        before, self._serials = self._serials[-1:], [*self._serials, serial]
        right = self._expected_serial in (None, serial)
        return not right and before != [serial] and len(self._serials) < SERIALS_ASKED

    def _recognise(self, serial: int) -> None:
        """The acceptor that was here before need not tell everything again."""
        known = self._known
        if known is None or known.serial != serial or known.coin_position not in known.coin_ids_by:
            return
        self._same, self._whole = True, self._questions
        position = bytes((known.coin_position,))
        ask = Question(Header.REQUEST_COIN_ID, 1, TEXT_BYTES, position, optional=True)
        self._questions = deque((ask,))

    def _compare(self, data: bytes) -> None:
        """Another coin id where the chip was: it was programmed anew, so everything is asked."""
        known = self._known
        if known is None or known.coin_ids_by[known.coin_position] != printable(data):
            self._same, self._questions = False, self._whole

    def unanswered(self) -> None:
        """The optional ``question`` got no answer; the like of it is not asked again."""
        asked = self._questions.popleft()
        if self._same:
            self._same, self._questions = False, self._whole
            return
        while self._questions and self._questions[0].header is asked.header:
            self._questions.popleft()

    def conclude(self) -> Identity | Misfit:
        """What the answers say, when ``question`` is None."""
        if self._same and self._known is not None:
            return self._known
        coin_ids = tuple(
            (data[0], printable(answer))
            for (header, data), answer in self._answers.items()
            if header is Header.REQUEST_COIN_ID
        )
        position = self._chip_position(dict(coin_ids))
        if isinstance(position, Misfit):
            return position
        software = f"{self._say(Header.REQUEST_SOFTWARE_REVISION)} "
        return Identity(
            serial=_serial(self._answers[Header.REQUEST_SERIAL_NUMBER, b""]),
            maker=self._say(Header.REQUEST_MANUFACTURER_ID),
            product=self._say(Header.REQUEST_PRODUCT_CODE),
            software=(software + self._say(Header.REQUEST_BUILD_CODE)).strip(),
            coin_position=position,
            coin_ids=coin_ids,
            polling_ms=_polling_ms(self._answers.get((Header.REQUEST_POLLING_PRIORITY, b""))),
        )

    def _chip_position(self, coin_ids: dict[int, str]) -> int | Misfit:
        prefix, configured = self._slot.coin_id_prefix, self._slot.coin_position
        if configured is not None:
            # An acceptor that does not know header 184 cannot contradict the configuration.
            found = coin_ids.get(configured, prefix)
            if found.startswith(prefix):
                return configured
            return Misfit(
                Diagnosis.NO_CHIP_CHANNEL,
                f"expected a coin id {prefix}... in position {configured}; found {found!r}",
            )
        matches = [position for position, name in coin_ids.items() if name.startswith(prefix)]
        if len(matches) == 1:
            return matches[0]
        return Misfit(
            Diagnosis.NO_CHIP_CHANNEL,
            f"expected one channel with a coin id {prefix}...; found {len(matches)} in {coin_ids}; "
            "program the chip or set coin_position",
        )

    def _say(self, header: Header) -> str:
        return printable(self._answers.get((header, b""), b""))


def _serial(data: bytes) -> int:
    """Three bytes, the lowest first (part 2, 3.14); some models send four."""
    return int.from_bytes(data, "little")


def printable(data: bytes) -> str:
    """Printable ASCII, without the padding that part 1, section 9 allows."""
    return "".join(chr(b) if 32 <= b < 127 else "?" for b in data.rstrip(b"\x00")).strip()


def _polling_ms(data: bytes | None) -> int | None:
    if data is None or data[0] not in _MS_OF_UNIT:
        return None
    return _MS_OF_UNIT[data[0]] * data[1]
