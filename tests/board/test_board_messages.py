"""What a board's answers mean, from bytes put together by hand."""

from __future__ import annotations

import pytest

from jackpot.board.messages import (
    Events,
    Identity,
    Record,
    address,
    events,
    identity,
    mask,
    slots_of,
)

HELLO_2_SLOTS = bytes.fromhex(
    "a0bb0d0000000000 05000000 01 02 02 40"
    "6f70656e20736c6f74730000 7265666572656e6365000000"
    "00000000 03000000 00010000"
)
EVENTS_2_SLOTS = bytes.fromhex(
    "00 03 00 00 07000000 09000000 00000000 04000000 0501000001 01 01 0400000002 02 0e 05010000"
)


def test_who_a_board_is() -> None:
    assert identity(HELLO_2_SLOTS) == Identity(
        serial=900_000,
        boot=5,
        software="1.2",
        slots=2,
        maker="open slots",
        product="reference",
        acked_counts=(0, 3, 256),
    )


def test_what_a_board_shows() -> None:
    assert events(EVENTS_2_SLOTS, 2) == Events(
        watchdog=False,
        full=False,
        open=frozenset({1, 2}),
        busy=frozenset(),
        faulty=frozenset(),
        acked=7,
        last=9,
        counts=(0, 4, 261),
        records=(Record(1, 1, 1, 4), Record(2, 2, 14, 261)),
    )


@pytest.mark.parametrize("size", [0, 15, 39, 40, 51, 53])
def test_an_identity_of_another_length_is_none(size: int) -> None:
    assert identity(HELLO_2_SLOTS.ljust(53, b"\0")[:size]) is None


def planted(at: int, value: int) -> bytes:
    return EVENTS_2_SLOTS[:at] + bytes((value,)) + EVENTS_2_SLOTS[at + 1 :]


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (EVENTS_2_SLOTS[:-1], "half an event"),
        (EVENTS_2_SLOTS[:23], "half a count"),
        (planted(8, 8), "two events after number 7, and the newest is 8"),
        (planted(24, 3), "a source that is not there"),
        (planted(27, 5), "an event that nobody counted"),
        (EVENTS_2_SLOTS[:31] + EVENTS_2_SLOTS[24:31], "a count that stands still"),
    ],
)
def test_an_answer_that_contradicts_itself_is_none(payload: bytes, why: str) -> None:
    assert events(payload, 2) is None, why


def test_a_kind_of_a_later_firmware_is_a_fault_and_never_a_chip() -> None:
    assert Record(1, 1, 1, 4).pair == (1, 1)
    assert Record(1, 2, 14, 4).pair == (0, 14)
    assert Record(1, 9, 1, 4).pair == (0, 255)


def test_masks_and_addresses() -> None:
    assert mask(frozenset({1, 3, 7})) == 0b1000101
    assert slots_of(0b1000101) == {1, 3, 7}
    assert address(900_000, 5) == bytes.fromhex("a0bb0d0000000000 05000000")
