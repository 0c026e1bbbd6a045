"""One acceptor: who it is, how it is set up, what its events become, how it leaves and returns."""

from __future__ import annotations

from itertools import pairwise

import pytest
from wire_bench import CHIP, MS, Bench, FakeAcceptor, S

from jackpot.cctalk import (
    Continuity,
    Credit,
    Diagnosis,
    Down,
    Fault,
    Identified,
    Lost,
    Polled,
    Restarted,
    Up,
)
from jackpot.cctalk.states import TRANSITIONS, Signal, next_state
from jackpot.invariant import InvariantBroken
from jackpot.mechanism.states import State

MASTER, MASK, POLL, SELF_CHECK = 228, 231, 229, 232


def ready(fake: FakeAcceptor, **options: object) -> Bench:
    """A bench whose only box is set up and open."""
    bench = Bench([fake], **options)  # type: ignore[arg-type]
    bench.run_until_up()
    bench.host.accept(1, True, bench.now_ns)
    bench.run(200 * MS)
    return bench


def reasons(bench: Bench) -> list[Diagnosis]:
    return [e.reason for e in bench.events if isinstance(e, Down)]


def test_a_way_between_states_that_is_not_in_the_table_is_our_own_fault() -> None:
    with pytest.raises(InvariantBroken, match="CLEAN has a meaning in state ABSENT"):
        next_state(State.ABSENT, Signal.CLEAN)
    assert {state for state, _ in TRANSITIONS} == set(State)
    assert {signal for _, signal in TRANSITIONS} == set(Signal)


def test_it_presents_itself_and_comes_up() -> None:
    bench = Bench([FakeAcceptor(serial=12_345_678)], coin_position=None)
    bench.run_until_up()
    assert bench.events == [
        Identified(
            box=1,
            serial=12_345_678,
            maker="Makers",
            product="SR5i",
            software="V1.0 STD",
            coin_position=5,
            coin_ids=(
                (1, "EU200A"), (2, "......"), (3, "......"), (4, "......"), (5, "TK001A"),
                (6, "......"), (7, "......"), (8, "......"), (9, "......"), (10, "......"),
                (11, "......"), (12, "......"), (13, "......"), (14, "......"), (15, "......"),
                (16, "......"),
            ),
            epoch=0,
            count=0,
            pairs=((0, 0),) * 5,
            continuity=Continuity.FRESH,
        ),
        Up(1),
    ]  # fmt: skip


def test_it_is_inhibited_until_the_box_is_opened() -> None:
    bench = Bench([FakeAcceptor()])
    bench.run_until_up()
    assert bench.fakes[0].accepting is False
    bench.host.accept(1, True, bench.now_ns)
    bench.run(60 * MS)
    assert bench.fakes[0].accepting is True


@pytest.mark.parametrize(
    ("position", "mask"), [(5, b"\x10\x00"), (8, b"\x80\x00"), (9, b"\x00\x01"), (16, b"\x00\x80")]
)
def test_only_the_jackpot_chips_channel_is_enabled_also_above_8(position: int, mask: bytes) -> None:
    bench = ready(FakeAcceptor(coin_ids={position: b"TK050A"}), coin_position=None)
    assert bench.fakes[0].mask == mask
    assert bench.fakes[0].chip(position)


def test_an_acceptor_that_takes_one_mask_byte_gets_one() -> None:
    bench = ready(FakeAcceptor(mask_bytes=1))
    assert bench.fakes[0].mask == b"\x10\x00"
    assert bench.fakes[0].accepting


def test_a_chip_above_8_and_a_one_byte_mask_do_not_fit() -> None:
    bench = Bench([FakeAcceptor(mask_bytes=1, coin_ids={9: b"TK001A"})], coin_position=None)
    bench.run(5 * S)
    assert reasons(bench) == [Diagnosis.MASK_TOO_SHORT]
    assert not bench.of(Up)


def test_something_that_is_no_coin_acceptor_stays_out() -> None:
    bench = Bench([FakeAcceptor(category=b"Bill Validator")])
    bench.run(5 * S)
    (down,) = bench.of(Down)
    assert isinstance(down, Down)
    assert down.reason is Diagnosis.NOT_A_COIN_ACCEPTOR
    assert "'Bill Validator'" in down.detail
    assert not bench.of(Identified)


@pytest.mark.parametrize("ids", [{1: b"EU200A"}, {1: b"TK001A", 5: b"TK005A"}], ids=["none", "two"])
def test_without_exactly_one_chip_channel_it_stays_out(ids: dict[int, bytes]) -> None:
    bench = Bench([FakeAcceptor(coin_ids=ids)], coin_position=None)
    bench.run(5 * S)
    assert reasons(bench) == [Diagnosis.NO_CHIP_CHANNEL]


def test_a_configured_channel_that_carries_another_coin_stays_out() -> None:
    bench = Bench([FakeAcceptor(coin_ids={CHIP: b"EU200A"})])
    bench.run(5 * S)
    assert reasons(bench) == [Diagnosis.NO_CHIP_CHANNEL]


def test_silence_to_an_unknown_header_is_no_failure() -> None:
    bench = ready(FakeAcceptor(unknown_headers=frozenset({249, 192, 184, 232})))
    assert bench.fakes[0].accepting
    assert not bench.of(Down)


def test_a_misfit_that_is_put_right_is_found_by_itself() -> None:
    fake = FakeAcceptor(category=b"Payout")
    bench = Bench([fake])
    bench.run(5 * S)
    fake.category = b"Coin Acceptor"
    bench.run(10 * S)
    assert bench.of(Up) == [Up(1)]


def test_a_chip_is_a_credit_and_a_wrong_chip_says_so() -> None:
    bench = ready(FakeAcceptor())
    bench.fakes[0].happens(CHIP, 3)
    bench.run(100 * MS)
    bench.fakes[0].happens(7, 1)
    bench.run(100 * MS)
    assert bench.of(Polled) == [
        Polled(1, 0, 1, (Credit(1, 0, 1, CHIP, 3, True),), ((5, 3), (0, 0), (0, 0), (0, 0), (0, 0))),
        Polled(1, 0, 2, (Credit(1, 0, 2, 7, 1, False),), ((7, 1), (5, 3), (0, 0), (0, 0), (0, 0))),
    ]  # fmt: skip


def test_the_events_of_one_reply_come_together_oldest_first_each_with_its_number() -> None:
    fake = FakeAcceptor()
    bench = ready(fake, commit=False)
    for a, b in ((5, 1), (0, 1), (5, 2)):
        fake.happens(a, b)
    bench.run(100 * MS)
    (polled,) = bench.of(Polled)
    assert isinstance(polled, Polled)
    assert polled.events == (
        Credit(1, 0, 1, 5, 1, True),
        Fault(1, 0, 2, 1),
        Credit(1, 0, 3, 5, 2, True),
    )


def test_a_gap_over_five_keeps_five_and_records_the_rest_as_lost() -> None:
    fake = FakeAcceptor()
    bench = ready(fake)
    for path in range(1, 9):
        fake.happens(CHIP, path)
    bench.run(100 * MS)
    (polled,) = bench.of(Polled)
    assert isinstance(polled, Polled)
    assert polled.count == 8
    assert polled.events == (
        Lost(1, 0, 3, 3),
        Credit(1, 0, 4, 5, 4, True),
        Credit(1, 0, 5, 5, 5, True),
        Credit(1, 0, 6, 5, 6, True),
        Credit(1, 0, 7, 5, 7, True),
        Credit(1, 0, 8, 5, 8, True),
    )


def test_the_wrap_from_255_to_1_goes_on_counting() -> None:
    fake = FakeAcceptor(counter=254)
    bench = ready(fake)
    fake.happens(CHIP, 1)
    fake.happens(CHIP, 1)
    bench.run(100 * MS)
    assert fake.counter == 1
    credits = [e for p in bench.of(Polled) if isinstance(p, Polled) for e in p.events]
    assert [e.count for e in credits] == [255, 256]


def test_a_null_event_is_counted_and_means_nothing() -> None:
    fake = FakeAcceptor()
    bench = ready(fake)
    fake.happens(0, 0)
    bench.run(100 * MS)
    assert bench.of(Polled) == [Polled(1, 0, 1, (), ((0, 0),) * 5)]


def test_models_with_swapped_event_bytes() -> None:
    fake = FakeAcceptor()
    bench = ready(fake, swapped=True)
    fake.happens(2, CHIP)
    bench.run(100 * MS)
    (polled,) = bench.of(Polled)
    assert isinstance(polled, Polled)
    assert polled.events == (Credit(1, 0, 1, CHIP, 2, True),)


def test_no_poll_before_the_news_is_committed() -> None:
    fake = FakeAcceptor()
    bench = ready(fake, commit=False)
    fake.happens(CHIP, 1)
    bench.run(500 * MS)
    polls = bench.host.statistics()[1].polls
    fake.happens(CHIP, 1)
    bench.run(500 * MS)
    assert len(bench.of(Polled)) == 1
    assert bench.host.statistics()[1].polls == polls
    bench.host.committed(1, 0, 0)
    bench.run(100 * MS)
    assert bench.host.statistics()[1].polls == polls
    bench.host.committed(1, 0, 1)
    bench.run(100 * MS)
    assert [p.count for p in bench.of(Polled) if isinstance(p, Polled)] == [1, 2]


def test_while_a_commit_is_awaited_the_box_can_still_be_closed() -> None:
    fake = FakeAcceptor()
    bench = ready(fake, commit=False)
    fake.happens(CHIP, 1)
    bench.run(100 * MS)
    bench.host.accept(1, False, bench.now_ns)
    bench.run(50 * MS)
    assert fake.accepting is False


def test_counter_0_where_it_was_not_is_a_restart_and_inhibits_are_applied_again() -> None:
    fake = FakeAcceptor()
    bench = ready(fake)
    fake.chip()
    bench.run(100 * MS)
    fake.reset()
    bench.run(300 * MS)
    assert bench.of(Restarted) == [Restarted(1, 1)]
    assert (fake.mask, fake.accepting) == (b"\x10\x00", True)
    fake.chip()
    bench.run(100 * MS)
    polled = bench.of(Polled)[-1]
    assert isinstance(polled, Polled)
    assert polled.events == (Credit(1, 1, 1, CHIP, 1, True),)
    assert not bench.of(Down)


def test_another_acceptor_that_begins_at_0_is_identified_before_its_slot_opens() -> None:
    """Exchanged between two polls, it looks like a restart; its serial number tells."""
    fake = FakeAcceptor(serial=1000)
    bench = ready(fake)
    fake.chip()
    bench.run(100 * MS)
    fake.reset()
    fake.serial = 2000
    heard = len(fake.heard)
    bench.run(350 * MS)
    headers = [header for header, _ in fake.heard[heard:]]
    assert headers.index(242) < headers.index(MASK)
    told = bench.of(Identified)[-1]
    assert isinstance(told, Identified)
    assert (told.serial, told.continuity, told.count) == (2000, Continuity.DOUBTFUL, 0)
    assert fake.accepting


def test_a_restart_before_the_first_event_is_healed_by_sending_the_inhibits_again() -> None:
    """Part 2, 3.27.1: 0 stays 0, nobody can see it."""
    fake = FakeAcceptor()
    bench = ready(fake)
    fake.reset()
    bench.run(11 * S)
    assert (fake.mask, fake.accepting) == (b"\x10\x00", True)


def test_an_inhibited_chip_at_an_open_box_heals_it_within_a_second() -> None:
    fake = FakeAcceptor()
    bench = ready(fake)
    bench.run(1500 * MS)
    fake.reset()
    fake.chip()
    bench.run(1100 * MS)
    assert (fake.mask, fake.accepting) == (b"\x10\x00", True)


def test_a_jam_closes_the_slot_until_a_self_check_is_clean() -> None:
    fake = FakeAcceptor()
    bench = ready(fake)
    fake.self_check = 3
    fake.happens(0, 14)
    start = len(fake.heard)
    bench.run(5 * S)
    assert fake.accepting is False
    assert reasons(bench) == [Diagnosis.SELF_CHECK]
    checks = [h for h, _ in fake.heard[start:] if h == SELF_CHECK]
    assert 5 <= len(checks) <= 6
    assert [h for h, _ in fake.heard[start:]].count(POLL) >= 24, "a closed slot: every 200 ms"
    fake.self_check = 0
    bench.run(1200 * MS)
    assert bench.events[-1] == Up(1)
    assert fake.accepting is True


def test_a_fraud_sign_makes_a_self_check_and_a_reject_does_not() -> None:
    fake = FakeAcceptor()
    bench = ready(fake)
    start = len(fake.heard)
    fake.happens(0, 1)
    bench.run(2 * S)
    assert SELF_CHECK not in [h for h, _ in fake.heard[start:]]
    fake.happens(0, 20)
    bench.run(2 * S)
    assert [h for h, _ in fake.heard[start:]].count(SELF_CHECK) == 1
    assert not bench.of(Down)


def test_a_self_check_fault_at_start_keeps_the_box_out() -> None:
    fake = FakeAcceptor(self_check=1)
    bench = Bench([fake])
    bench.host.accept(1, True, 0)
    bench.run(3 * S)
    assert not bench.of(Up)
    assert reasons(bench) == [Diagnosis.SELF_CHECK]
    assert fake.accepting is False


def test_three_silences_take_it_out_of_service_and_it_comes_back_by_itself() -> None:
    fake = FakeAcceptor()
    bench = ready(fake)
    fake.happens(CHIP, 1)
    bench.run(100 * MS)
    fake.dead = True
    bench.run(400 * MS)
    assert reasons(bench) == [Diagnosis.NO_REPLY]
    fake.happens(CHIP, 2)
    fake.dead = False
    bench.run(5 * S)
    identified, polled, up = bench.events[-3:]
    assert isinstance(identified, Identified)
    assert (identified.continuity, identified.count) == (Continuity.CONTINUED, 1)
    assert polled == Polled(
        1, 0, 2, (Credit(1, 0, 2, CHIP, 2, True),), ((5, 2), (5, 1), (0, 0), (0, 0), (0, 0))
    )
    assert up == Up(1)
    assert fake.accepting is True, "what was asked of the box survives"


def test_a_slot_that_is_to_be_closed_is_closed_right_after_the_base_line() -> None:
    """The poll for the base line wakes an acceptor that its watchdog had closed."""
    fake = FakeAcceptor(accepting=True, mask=b"\x10\x00")
    bench = Bench([fake])
    bench.run_until_up()
    headers = [header for header, _ in fake.heard]
    assert headers[headers.index(POLL) :][:3] == [POLL, POLL, MASTER]


def test_two_lost_answers_do_no_harm() -> None:
    fake = FakeAcceptor()
    bench = ready(fake)
    replies = iter([b"", b""])
    bench.disturb_reply = lambda reply: next(replies, reply)
    bench.run(500 * MS)
    assert not bench.of(Down)
    assert bench.host.statistics()[1].timeouts == 2


def test_a_dead_acceptor_is_asked_ever_less_often_but_at_least_every_second() -> None:
    bench = Bench([FakeAcceptor(dead=True)])
    bench.run(30 * S)
    times = [t for t, _ in bench.sent]
    waits = [round((b - a) / MS) for a, b in pairwise(times)]
    # Each wait holds the request (5 bytes, 5.2 ms) and the silence (50 ms) of the attempt before.
    assert waits[:6] == [305, 555, 1055, 1055, 1055, 1055]
    assert reasons(bench) == [Diagnosis.NO_ECHO] or reasons(bench) == [Diagnosis.NO_REPLY]


def test_a_swapped_acceptor_credits_nothing() -> None:
    fake = FakeAcceptor()
    bench = ready(fake)
    fake.chip()
    bench.run(100 * MS)
    fake.dead = True
    bench.run(S)
    fake.dead, fake.serial = False, 2222
    fake.happens(CHIP, 1)
    bench.run(5 * S)
    identified = bench.of(Identified)[-1]
    assert isinstance(identified, Identified)
    assert (identified.serial, identified.continuity) == (2222, Continuity.DOUBTFUL)
    assert (identified.epoch, identified.count) == (1, 2)
    assert len(bench.of(Polled)) == 1


def test_events_that_change_under_our_eyes_are_not_believed() -> None:
    """A reply that is broken and passes its checksum: one asks again, and credits nothing."""
    fake = FakeAcceptor()
    bench = ready(fake)
    fake.chip()
    bench.run(100 * MS)
    fake.answers[POLL] = bytes((2, 5, 1, 9, 9, 0, 0, 0, 0, 0, 0))
    bench.run(30 * MS)
    del fake.answers[POLL]
    bench.run(S)
    assert len(bench.of(Polled)) == 1
    assert bench.host.statistics()[1].unproven >= 1
    assert len(bench.of(Identified)) == 1


def test_a_broken_counter_that_passes_its_checksum_makes_no_old_chip_a_new_one() -> None:
    fake = FakeAcceptor()
    bench = ready(fake)
    for _ in range(3):
        fake.chip()
        bench.run(100 * MS)
    for counter in (0, 99):
        true = bytes((3, *(v for pair in fake.pairs for v in pair)))
        fake.answers[POLL] = bytes((counter, *true[1:]))
        polls = bench.host.statistics()[1].polls
        while bench.host.statistics()[1].polls <= polls + 1:
            bench.run(MS)
        del fake.answers[POLL]
        bench.run(S)
    assert [p.count for p in bench.of(Polled) if isinstance(p, Polled)] == [1, 2, 3]
    assert not bench.of(Restarted)
    assert len(bench.of(Identified)) == 1


def test_an_acceptor_whose_events_never_agree_stays_out() -> None:
    fake = FakeAcceptor()
    bench = Bench([fake])
    for n in range(400):
        fake.answers[POLL] = bytes((n % 255 + 1, 9, n % 7, *bytes(8)))
        bench.run(10 * MS)
    assert reasons(bench) == [Diagnosis.INCONSISTENT]


def test_events_that_stay_changed_make_it_present_itself_again_as_doubtful() -> None:
    fake = FakeAcceptor()
    bench = ready(fake)
    fake.chip()
    bench.run(100 * MS)
    fake.pairs = [(9, 9), *fake.pairs[1:]]
    bench.run(3 * S)
    identified = bench.of(Identified)[-1]
    assert isinstance(identified, Identified)
    assert (identified.continuity, identified.epoch) == (Continuity.DOUBTFUL, 1)
    assert len(bench.of(Polled)) == 1


def test_a_box_closed_while_it_is_being_set_up_still_comes_up() -> None:
    for after_ms in range(1, 400, 3):
        fake = FakeAcceptor()
        bench = Bench([fake])
        bench.host.accept(1, True, 0)
        bench.run(after_ms * MS)
        bench.host.accept(1, False, bench.now_ns)
        bench.run(S)
        assert bench.of(Up) == [Up(1)]
        assert fake.accepting is False
