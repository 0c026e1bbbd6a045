"""The chip's way through a sorter, to the drop or back to the player: asked, set, and asked again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from wire_bench import CHIP, MS, Bench, FakeAcceptor, S

from jackpot.cctalk import BusHost, Diagnosis, Down, LineSetup, SlotSetup, Up
from jackpot.errors import Refused

TO_THE_DROP = 3
PATH, SET_PATH, OVERRIDE, SET_OVERRIDE = 209, 210, 221, 222


class Sorting(FakeAcceptor):
    """An acceptor with a sorter: ``path`` of the chip, ``override`` with 1 for normal sorting."""

    path, override = 1, 0xFF
    others = b""
    obeys = True

    def _answer(self, header: int, data: bytes) -> bytes | None:
        match header:
            case 209:
                return bytes((self.path,)) + self.others
            case 210:
                if self.obeys:
                    self.path = data[1]
                return b""
            case 221:
                return bytes((self.override,))
            case 222:
                if self.obeys:
                    self.override = data[0]
                return b""
        return super()._answer(header, data)


def bench_of(fake: FakeAcceptor, path: int | None = TO_THE_DROP) -> Bench:
    bench = Bench([fake])
    slot = SlotSetup(box=1, address=2, coin_position=CHIP, sorter_path=path)
    bench.host = BusHost([slot], LineSetup(), {}, bench.now_ns)
    bench.host.accept(1, True, bench.now_ns)
    bench.run(3 * S)
    return bench


def sorted_with(fake: FakeAcceptor) -> list[tuple[int, bytes]]:
    """The first headers about the sorter that it heard, in order."""
    about = [said for said in fake.heard if said[0] in (PATH, SET_PATH, OVERRIDE, SET_OVERRIDE)]
    return about[:8]


def down(bench: Bench) -> list[tuple[Diagnosis, str]]:
    return [(e.reason, e.detail) for e in bench.events if isinstance(e, Down)]


def test_another_way_is_set_and_asked_for_again_before_the_slot_opens() -> None:
    fake = Sorting()
    bench = bench_of(fake)
    chip = bytes((CHIP,))
    assert sorted_with(fake)[:4] == [
        (PATH, chip),
        (SET_PATH, bytes((CHIP, TO_THE_DROP))),
        (PATH, chip),
        (OVERRIDE, b""),
    ]
    headers = [header for header, _ in fake.heard]
    assert headers.index(231) < headers.index(PATH) < headers.index(OVERRIDE)
    assert fake.heard.index((228, b"\x01")) > headers.index(OVERRIDE)
    assert (len(bench.of(Up)), fake.accepting) == (1, True)


def test_a_way_that_is_right_already_is_not_written_again() -> None:
    fake = Sorting()
    fake.path = TO_THE_DROP
    bench_of(fake)
    assert SET_PATH not in {header for header, _ in sorted_with(fake)}


def test_an_override_of_the_way_is_lifted_and_asked_for_again() -> None:
    fake = Sorting()
    fake.path, fake.override = TO_THE_DROP, 0b1111_1010
    bench = bench_of(fake)
    assert sorted_with(fake)[1:4] == [
        (OVERRIDE, b""),
        (SET_OVERRIDE, b"\xfe"),
        (OVERRIDE, b""),
    ]
    assert (len(bench.of(Up)), fake.accepting) == (1, True)


def test_a_model_with_four_ways_for_a_coin_keeps_the_other_three() -> None:
    fake = Sorting()
    fake.others = b"\x05\x06\x07"
    bench = bench_of(fake)
    assert (SET_PATH, bytes((CHIP, TO_THE_DROP, 5, 6, 7))) in fake.heard
    assert len(bench.of(Up)) == 1


def test_an_acknowledgement_that_changes_nothing_is_not_believed() -> None:
    fake = Sorting()
    fake.obeys = False
    bench = bench_of(fake)
    why = "expected the chip's way to be path 3; found path 1"
    assert down(bench) == [(Diagnosis.PATH_NOT_TAKEN, why)]
    assert not fake.accepting


def test_an_override_that_stays_keeps_the_slot_closed() -> None:
    fake = Sorting()
    fake.path, fake.override, fake.obeys = TO_THE_DROP, 0, False
    bench = bench_of(fake)
    assert down(bench) == [
        (Diagnosis.PATH_NOT_TAKEN, "expected the chip's way to be path 3; found an override of it")
    ]


@pytest.mark.parametrize(
    "unknown",
    [
        {PATH, SET_PATH, OVERRIDE, SET_OVERRIDE},
        {PATH, OVERRIDE, SET_OVERRIDE},
        {OVERRIDE, SET_OVERRIDE},
        {PATH},
    ],
)
def test_an_acceptor_that_lacks_a_header_of_the_sorter_serves_all_the_same(
    unknown: set[int],
) -> None:
    fake = Sorting()
    fake.unknown_headers = frozenset(unknown)
    bench = bench_of(fake)
    bench.run(3 * S)
    assert down(bench) == []
    assert (len(bench.of(Up)), fake.accepting) == (1, True)
    assert fake.path == (1 if SET_PATH in unknown else TO_THE_DROP)


def test_a_way_that_is_refused_keeps_the_slot_closed() -> None:
    fake = Sorting()
    nak = bytes((1, 0, 2, 5, 248))
    bench = Bench([fake])
    bench.disturb_reply = _nak_to(fake, SET_PATH, nak)
    slot = SlotSetup(box=1, address=2, coin_position=CHIP, sorter_path=TO_THE_DROP)
    bench.host = BusHost([slot], LineSetup(), {}, bench.now_ns)
    bench.run(3 * S)
    assert down(bench) == [
        (
            Diagnosis.PATH_NOT_TAKEN,
            "expected the chip's way to be path 3; found a refusal (header 210)",
        )
    ]


def _nak_to(fake: FakeAcceptor, header: int, nak: bytes) -> Callable[[bytes], bytes]:
    return lambda reply: nak if fake.heard[-1][0] == header else reply


def test_a_chip_that_left_by_another_way_makes_the_sorter_be_looked_at_again() -> None:
    fake = Sorting()
    bench = bench_of(fake)
    asked = [header for header, _ in fake.heard].count(PATH)
    fake.path = 1  # it has restarted unseen, and forgotten
    assert fake.chip(path=1)
    bench.run(500 * MS)
    assert [header for header, _ in fake.heard].count(PATH) == asked + 2
    assert fake.path == TO_THE_DROP


def test_without_a_configured_way_nothing_is_asked_or_changed() -> None:
    fake = Sorting()
    bench = bench_of(fake, None)
    assert sorted_with(fake) == []
    assert len(bench.of(Up)) == 1


def test_an_acceptor_that_tells_values_instead_of_channels_is_not_used() -> None:
    bench = Bench([FakeAcceptor(answers={213: b"\x01"})])
    bench.run(2 * S)
    assert [reason for reason, _ in down(bench)] == [Diagnosis.CREDITS_BY_VALUE]


def test_a_path_that_no_sorter_has_is_refused() -> None:
    slot = SlotSetup(box=1, address=2, coin_position=1, sorter_path=9)
    with pytest.raises(Refused, match="sorter_path"):
        BusHost([slot], LineSetup(), {}, 0)
