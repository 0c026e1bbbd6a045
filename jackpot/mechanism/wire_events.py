"""What a bus host tells: facts about boxes and about the line. All frozen, box first.

``Polled`` is the unit that the ledger commits in one batch. The key of one event, for ever, is
``(box, epoch, count)``: the epoch goes up at every break of an acceptor's count.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

Pair = tuple[int, int]
"""``(A, B)``: A > 0 is a credit for coin A by sorter path B; A = 0 is error code B."""


class Continuity(StrEnum):
    """How an identified acceptor's counter relates to what the ledger last committed."""

    FRESH = "fresh"
    """No record: the counter found is the base line; nothing is credited."""

    CONTINUED = "continued"
    """Same serial number and the overlapping events agree: the difference follows as news."""

    DOUBTFUL = "doubtful"
    """Another acceptor, a restart or a gap while nobody watched: new base line, nothing is
    credited, and a person must be asked."""


class Diagnosis(StrEnum):
    """Why an exchange failed, a box is out of service, or a line is in trouble."""

    NO_REPLY = "no_reply"
    """The request went out; the acceptor said nothing."""

    NO_ECHO = "no_echo"
    """Not even our own bytes came back: adapter, wiring or bus supply, not the acceptor."""

    COLLISION = "collision"
    """Other bytes than our own came back: two talkers, or noise."""

    BAD_CHECKSUM = "bad_checksum"
    """An answer came, broken."""

    REFUSED = "refused"
    """The acceptor answered NAK."""

    BUSY = "busy"
    """The acceptor answered BUSY."""

    WRONG_SHAPE = "wrong_shape"
    """The acceptor answered with a length that this header does not have."""

    NOT_A_COIN_ACCEPTOR = "not_a_coin_acceptor"
    """Something else answers at this address."""

    NO_CHIP_CHANNEL = "no_chip_channel"
    """No channel, or not exactly one, carries the jackpot chip."""

    MASK_TOO_SHORT = "mask_too_short"
    """The chip's channel is above 8 and the acceptor takes only one mask byte."""

    CREDITS_BY_VALUE = "credits_by_value"
    """The acceptor tells the value of a coin (option flag CVF, header 213) and not its channel."""

    PATH_NOT_TAKEN = "path_not_taken"
    """The acceptor has a sorter and does not send the chip the configured way."""

    SELF_CHECK = "self_check"
    """The acceptor's self-check reports a fault."""

    INCONSISTENT = "inconsistent"
    """The acceptor's events change from reply to reply."""

    LINE_LOST = "line_lost"
    """The serial adapter is gone."""


LINE_DIAGNOSES = frozenset({Diagnosis.NO_ECHO, Diagnosis.COLLISION})
"""Failures of an exchange that are not the fault of the acceptor that was asked."""


class Credit(msgspec.Struct, frozen=True, tag=True):
    """A coin was accepted. ``expected``: it is the jackpot chip (else: wrong chip, no bet)."""

    box: int
    epoch: int
    count: int
    coin: int
    path: int
    expected: bool


class Fault(msgspec.Struct, frozen=True, tag=True):
    """An error code (``jackpot.mechanism.fault_codes``); never a bet."""

    box: int
    epoch: int
    count: int
    code: int


class Lost(msgspec.Struct, frozen=True, tag=True):
    """``lost`` events happened that nobody can read any more, the last of them number ``count``."""

    box: int
    epoch: int
    count: int
    lost: int


SlotEvent = Credit | Fault | Lost


class Polled(msgspec.Struct, frozen=True, tag=True):
    """One poll reply with news, oldest first. Until ``committed``, this box is not polled again."""

    box: int
    epoch: int
    count: int
    events: tuple[SlotEvent, ...]
    pairs: tuple[Pair, ...]


class Identified(msgspec.Struct, frozen=True, tag=True):
    """An acceptor presented itself. ``count`` and ``pairs`` are the base line that news adds to;
    with ``CONTINUED`` it is the resumed record, else what the acceptor shows now."""

    box: int
    serial: int
    maker: str
    product: str
    software: str
    coin_position: int
    coin_ids: tuple[tuple[int, str], ...]
    epoch: int
    count: int
    pairs: tuple[Pair, ...]
    continuity: Continuity


class Restarted(msgspec.Struct, frozen=True, tag=True):
    """The counter is 0 where it was not: the acceptor lost power or was reset; possible loss.
    ``epoch`` is the new one."""

    box: int
    epoch: int


class Down(msgspec.Struct, frozen=True, tag=True):
    """The box is out of service; ``detail`` is for people."""

    box: int
    reason: Diagnosis
    detail: str = ""


class Up(msgspec.Struct, frozen=True, tag=True):
    """The box is in service: identified, set up, self-checked, polled."""

    box: int


class Drained(msgspec.Struct, frozen=True, tag=True):
    """Every acceptor was inhibited and polled after that, except ``unknown_boxes``."""

    unknown_boxes: tuple[int, ...]


class LineFault(msgspec.Struct, frozen=True, tag=True):
    """Trouble of the whole line, told once until an exchange succeeds. It always takes boxes
    ``Down``; so the first ``Up`` after it is its end."""

    reason: Diagnosis
    detail: str = ""


class KeyPressed(msgspec.Struct, frozen=True, tag=True):
    """The croupier's «no va más» key on a mechanism that has one. Never told again: what was
    pressed while nobody listened is over."""


class Counters(msgspec.Struct, frozen=True):
    """A mechanism's own life-long counters of one box: coins that went in, coins that it accepted."""

    box: int
    insertions: int
    accepts: int


class CountersRead(msgspec.Struct, frozen=True, tag=True):
    """The answer to ``read_counters``, a second later at most. A box that is not in it could not be
    asked, or counts nothing that outlives a restart."""

    counters: tuple[Counters, ...]


WireEvent = (
    Polled | Identified | Restarted | Down | Up | Drained | LineFault | KeyPressed | CountersRead
)
