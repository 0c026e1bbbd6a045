"""The buffer behind header 229 (specification part 2, 3.27): a counter and the last five events."""

from __future__ import annotations

BUFFER_EVENTS = 5  # 3.27: "10 bytes which at 2 bytes per event is enough to store the last 5"
COUNTER_MAX = 255  # 3.27: after 255 comes 1; 0 is power-up or reset only

REJECT_COIN = 1  # part 3, table 2: a coin that matches nothing programmed
INHIBITED_COIN = 2
CREDIT_SENSOR_BLOCKED = 14
INHIBITED_TYPE_1 = 128  # ... 159 is type 32

# Part 3, table 2 and 12.2, the codes that describe an attempt at fraud (they move header 193).
FRAUD_CODES = frozenset({16, 17, 18, 19, 20, 22, 23, 24, 25, 29, 34, 36, 38, 40})

# Which fault code of part 3, table 3 header 232 reports after an event of table 2 that calls for
# somebody to look (jams and fraud signs). Codes that are not here leave no standing fault.
SELF_CHECK_AFTER: dict[int, int] = {
    4: 7,  # wake-up timeout -> wake-up sensor
    5: 2,  # validation timeout -> inductive coils
    6: 3,  # credit sensor timeout -> credit sensor
    7: 8,  # sorter opto timeout -> sorter exit sensors
    14: 3,  # credit sensor blocked
    15: 8,  # sorter opto blocked
    16: 3,  # credit sequence error
    17: 3,  # coin going backwards
    18: 3,  # too fast over the credit sensor
    19: 3,  # too slow over the credit sensor
    20: 20,  # coin on string -> C.O.S. mechanism
    21: 35,  # DCE opto timeout -> D.C.E. fault
    22: 35,  # DCE opto not seen
    23: 3,  # credit sensor reached too early
    24: 255,  # repeated sequential trip -> unspecified
    25: 255,  # slug
    26: 18,  # reject sensor blocked -> reject sensor
    29: 42,  # accept gate open not closed -> gate failed open
    31: 49,  # manifold opto timeout -> opto sensor
    32: 49,  # manifold opto blocked
    33: 49,  # manifold not ready
    34: 255,  # security status changed
    35: 255,  # motor exception
    36: 42,  # swallowed coin -> gate failed open
    38: 2,  # too slow over the validation sensor -> coils
    40: 49,  # external light attack -> opto sensor
}


class EventBuffer:
    """Newest event first; each is ``(A, B)``: ``(coin, sorter path)`` or ``(0, error code)``."""

    def __init__(self) -> None:
        self.counter = 0
        self.pairs: list[tuple[int, int]] = [(0, 0)] * BUFFER_EVENTS

    def push(self, pair: tuple[int, int]) -> None:
        """Ripple one event in; the oldest falls out, and the counter never comes back to 0."""
        self.pairs.insert(0, pair)
        self.pairs.pop()
        self.counter = self.counter + 1 if self.counter < COUNTER_MAX else 1

    def clear(self) -> None:
        """Power-up or reset: counter 0 and five pairs of zeros (3.27.1)."""
        self.counter = 0
        self.pairs = [(0, 0)] * BUFFER_EVENTS

    def reply_data(self, *, swapped: bool) -> bytes:
        """The 11 data bytes of the reply; ``swapped``: a model that sends B before A."""
        reply = bytearray((self.counter,))
        for first, second in self.pairs:
            reply += bytes((second, first) if swapped else (first, second))
        return bytes(reply)
