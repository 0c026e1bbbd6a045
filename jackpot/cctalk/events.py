"""The reply to header 229: an event counter and the five newest events (part 2, section 3.27).

Pure arithmetic. The counter runs 0 (only after power-up or reset), 1 ... 255, 1 ...; the host keeps
it unwrapped as a ``count``, so that every event since the last restart has its own number.
"""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.mechanism.wire_events import Pair

EVENT_PAIRS = 5
"""Events that an acceptor keeps readable."""

COUNTER_PERIOD = 255
"""255 is followed by 1: the counter takes 255 values, and 0 is not one of them."""

REPLY_BYTES = 1 + 2 * EVENT_PAIRS

NULL_EVENT: Pair = (0, 0)
"""No event: an empty place, or the dummy that some models count after power-up (3.27.1)."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """What an acceptor showed: its counter (0 to 255) and five pairs, newest first."""

    counter: int
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class News:
    """What is new between two buffers: ``readable`` events (oldest first), ``lost`` before them."""

    lost: int
    readable: tuple[Pair, ...]

    @property
    def total(self) -> int:
        """How many events happened."""
        return self.lost + len(self.readable)


def decode(data: bytes, *, swapped: bool = False) -> Buffer:
    """The buffer in the 11 data bytes of a reply; ``swapped`` for models that send B before A."""
    flat = [(data[i], data[i + 1]) for i in range(1, REPLY_BYTES, 2)]
    return Buffer(data[0], tuple((b, a) for a, b in flat) if swapped else tuple(flat))


def wire_counter(count: int) -> int:
    """The counter byte of an acceptor that has had ``count`` events since its restart."""
    return 0 if count == 0 else (count - 1) % COUNTER_PERIOD + 1


def new_events(last: int, now: int) -> int | None:
    """How many events lie between two counter bytes; None if the acceptor restarted.

    >>> new_events(255, 1), new_events(253, 3), new_events(0, 7), new_events(67, 0)
    (1, 5, 7, None)
    """
    if now == 0:
        return 0 if last == 0 else None
    if last == 0:
        return now
    return (now - last) % COUNTER_PERIOD


def news(new: int, pairs: tuple[Pair, ...]) -> News:
    """The ``new`` events as far as ``pairs`` still show them; the rest is lost, never guessed."""
    readable = min(new, EVENT_PAIRS)
    return News(lost=new - readable, readable=tuple(reversed(pairs[:readable])))


def overlap_agrees(old: tuple[Pair, ...], now: tuple[Pair, ...], new: int) -> bool:
    """Whether the events that both buffers show are the same; true if they share none."""
    return all(a == b for a, b in zip(now[new:], old, strict=False))
