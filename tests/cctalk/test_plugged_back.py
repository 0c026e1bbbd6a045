"""An acceptor, or the whole adapter, that comes back: quickly, and never taken for another."""

from __future__ import annotations

from wire_bench import CHIP, MS, Bench, FakeAcceptor, S, seven

from jackpot.cctalk import Credit, Identified, Polled, Up


def _credits(bench: Bench) -> int:
    polled = [e for e in bench.events if isinstance(e, Polled)]
    return sum(isinstance(e, Credit) for p in polled for e in p.events)


def _identified(bench: Bench) -> list[Identified]:
    return [e for e in bench.events if isinstance(e, Identified)]


def _ups_after(bench: Bench, from_ns: int) -> list[int]:
    return [t - from_ns for t, e in bench.timed if isinstance(e, Up) and t > from_ns]


def test_seven_acceptors_read_again_within_a_second_and_a_half_of_the_plug() -> None:
    bench = Bench(seven(), coin_position=None)
    bench.run_until_up()
    bench.host.line_lost(bench.now_ns)
    bench.run(5 * S)
    plugged_ns = bench.now_ns
    bench.host.line_restored(plugged_ns)
    bench.run(3 * S)
    ups = _ups_after(bench, plugged_ns)
    assert len(ups) == 7
    assert max(ups) < 1500 * MS


def test_the_same_acceptor_is_asked_for_category_serial_number_and_the_chip_s_channel_only() -> (
    None
):
    fake = FakeAcceptor()
    bench = Bench([fake], coin_position=None)
    bench.run_until_up()
    fake.dead = True
    bench.run(3 * S)
    fake.dead = False
    fake.heard.clear()
    bench.run(2 * S)
    asked = [header for header, _ in fake.heard if header not in (254, 229, 232, 231, 228)]
    assert asked == [245, 242, 184]
    first, again = _identified(bench)
    assert first.coin_ids == again.coin_ids
    assert again.maker == "Makers"


def test_one_acceptor_plugged_back_after_a_minute_reads_within_two_seconds() -> None:
    fakes = seven()
    bench = Bench(fakes, coin_position=None)
    bench.run_until_up()
    fakes[3].dead = True
    bench.run(60 * S)
    fakes[3].dead = False
    plugged_ns = bench.now_ns
    bench.run(3 * S)
    (up,) = _ups_after(bench, plugged_ns)
    assert up < 2 * S


def test_another_acceptor_in_its_place_tells_everything() -> None:
    fake = FakeAcceptor(serial=1000)
    bench = Bench([fake], coin_position=None)
    bench.run_until_up()
    fake.dead = True
    bench.run(2 * S)
    fake.dead, fake.serial, fake.coin_ids = False, 2000, {3: b"TK001A"}
    bench.run(3 * S)
    assert _identified(bench)[-1].coin_position == 3


def test_the_same_acceptor_with_the_chip_programmed_elsewhere_tells_everything() -> None:
    fake = FakeAcceptor(coin_ids={CHIP: b"TK001A"})
    bench = Bench([fake], coin_position=None)
    bench.run_until_up()
    fake.dead = True
    bench.run(2 * S)
    fake.dead, fake.coin_ids = False, {9: b"TK001A"}
    bench.run(3 * S)
    assert _identified(bench)[-1].coin_position == 9


def test_the_same_acceptor_that_has_forgotten_header_184_is_asked_everything() -> None:
    fake = FakeAcceptor()
    bench = Bench([fake], coin_position=CHIP)
    bench.run_until_up()
    fake.dead = True
    bench.run(2 * S)
    fake.dead, fake.unknown_headers = False, frozenset({184})
    bench.run(4 * S)
    assert len(bench.of(Up)) == 2


def test_a_chip_after_the_return_counts_once() -> None:
    fakes = seven()
    bench = Bench(fakes, coin_position=None)
    bench.run_until_up()
    bench.host.accept(4, True, bench.now_ns)
    bench.run(S)
    assert fakes[3].chip()
    bench.run(S)
    fakes[3].dead = True
    bench.run(5 * S)
    fakes[3].dead = False
    bench.run(3 * S)
    assert fakes[3].chip()
    bench.run(S)
    assert _credits(bench) == 2
