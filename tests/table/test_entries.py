"""What a casino brings on the first day, moves, and corrections: two signatures, a reason, no loss."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from support.table import ROYAL_SPADES, Table, canarias, of_kind, open_table

from jackpot.law.pools import Pool
from jackpot.law.terms import BetMode, JackpotKind
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.state import Phase

TWO: dict[str, Any] = {"by": "J1", "second": "D1", "why": "as authorised"}
HASH = "0" * 64


def taken_over(cents: int) -> f.JackpotTakenOver:
    return f.JackpotTakenOver(**TWO, cents=cents, authorisation="A-7")


def received(microcents: int, **hidden: Any) -> f.JackpotReceived:
    return f.JackpotReceived(
        **TWO,
        microcents=microcents,
        from_table="3",
        from_layout="3A",
        authorisation="A-7",
        **hidden,
    )


def moved(cents: int) -> f.JackpotMoved:
    return f.JackpotMoved(**TWO, cents=cents, to_table="3", to_layout="3A", authorisation="A-7")


def corrected(microcents: int, jackpot: int = 1, pool: Pool = Pool.JACKPOT) -> f.JackpotCorrected:
    return f.JackpotCorrected(
        **TWO, microcents=microcents, jackpot=jackpot, authorisation="A-8", pool=pool
    )


def raised(cents: int) -> f.SeedRaised:
    return f.SeedRaised(**TWO, cents=cents, authorisation="A-9")


def recounted(before: int, after: int, hand: int = 1) -> f.TotalCorrected:
    return f.TotalCorrected(**TWO, hand=hand, chips_before=before, chips_after=after)


def close(table: Table) -> Table:
    cents = table.meter_microcents // 1_000_000
    table.play(f.DayClosed(by="C1", second="J1", displayed_cents=cents))
    return table


def test_a_running_jackpot_is_taken_over_instead_of_the_seed() -> None:
    table = Table().start()
    table.play(taken_over(4_567_890))
    assert table.last[1:] == (o.AmountIn(microcents=4_567_890_000_000),)
    assert table.refused(taken_over(1)).reason == "already_started"
    table.open(4_567_890)
    assert of_kind(table.events, o.JackpotStarted) == []
    assert (table.state.totals.incoming, table.state.totals.seeds) == (4_567_890_000_000, 0)


def test_under_a_ceiling_the_rest_of_a_jackpot_that_comes_waits_in_the_overflow() -> None:
    table = Table(canarias(ceiling_cents=1_500_000)).start()
    table.play(taken_over(1_600_000))
    assert table.meter_microcents == 1_500_000_000_000
    assert table.state.pools.overflow_microcents == 100_000_000_000


def test_a_moved_jackpot_goes_whole_and_the_next_one_starts_at_its_seed() -> None:
    table = close(open_table(canarias(ceiling_cents=1_000_050)).hand(1, 2).lock().no_awards())
    assert table.refused(moved(1_000_051)).reason == "amount_differs"
    table.play(moved(1_000_050))
    assert table.last[1:] == (
        o.AmountOut(microcents=1_000_050_000_000),
        o.AmountOut(microcents=50_000_000, pool=Pool.OVERFLOW),
    )
    assert table.refused(moved(0)).reason == "no_jackpot"
    table.open(1_000_000)
    assert table.state.jackpots == 2


def test_a_jackpot_arrives_to_the_micro_cent_with_its_hidden_pools() -> None:
    table = Table().start()
    table.play(received(1_234_500_000_007, overflow_microcents=5, reserve_microcents=9))
    table.open(1_234_500)
    assert table.meter_microcents == 1_234_500_000_007
    pools = table.state.pools
    assert (pools.overflow_microcents, pools.reserve_microcents) == (5, 9)
    close(table).play(received(1_000_000))  # onto the running one
    assert table.meter_microcents == 1_234_501_000_007


def test_an_ended_jackpot_goes_where_the_authorisation_says() -> None:
    table = close(open_table())
    ended = f.JackpotEnded(**TWO, cents=1_000_000, paid_to="the treasury", authorisation="A-7")
    table.play(ended)
    assert table.meter_microcents == 0
    assert table.state.totals.outgoing == 1_000_000_000_000


def test_a_replaced_controller_names_the_end_of_the_old_ledger_before_anything_is_played() -> None:
    act = f.ControllerReplaced(
        **TWO, old_ledger="casino.example/table-2-2A", old_batch=812, old_hash=HASH
    )
    table = Table().start()
    assert table.refused(replace(act, old_hash="0123")).reason == "not_a_ledger_end"
    table.play(act)
    table.play(received(1_000_123_456_789))
    assert close(table.open(1_000_123)).refused(act).reason == "already_started"


def test_a_correction_is_a_signed_amount_and_never_takes_what_is_not_there() -> None:
    table = open_table()
    table.play(corrected(50_000_001))
    table.play(corrected(-1))
    assert table.meter_microcents == 1_000_050_000_000
    assert table.state.totals.adjusted == 50_000_000
    assert table.refused(corrected(-1_000_050_000_001)).reason == "below_zero"
    assert table.refused(corrected(-1, pool=Pool.RESERVE)).reason == "below_zero"
    assert table.refused(corrected(0)).reason == "nothing_to_correct"
    assert table.refused(corrected(1, jackpot=2)).reason == "no_such_jackpot"


def test_a_correction_found_after_a_restart_never_touches_the_new_seed() -> None:
    table = open_table().hand(1).lock().declare(box1=ROYAL_SPADES).confirm().sign()
    table.pay(1, 1_000_050)
    table.play(corrected(-50_000_000))
    assert table.last[1:] == (o.HouseSettled(microcents=50_000_000),)
    assert table.meter_microcents == 1_000_000_000_000


def test_the_house_raises_the_seed_and_a_ceiling_keeps_the_rest_for_later() -> None:
    table = open_table(canarias(ceiling_cents=1_100_000))
    table.play(raised(150_000))
    assert table.meter_microcents == 1_100_000_000_000
    assert table.state.pools.overflow_microcents == 50_000_000_000
    assert table.refused(raised(0)).reason == "not_an_amount"


# ---- totals of manual mode -----------------------------------------------------------------------


def with_total(chips: int = 5, **changes: Any) -> Table:
    table = open_table(canarias(mode=BetMode.MANUAL, **changes)).hand().no_awards()
    table.play(f.TotalEntered(by="C1", hand=1, chips=chips, cents=chips * 200))
    table.play(f.TotalFinal(by="C1", hand=1, chips=chips))
    return table


def test_CAN_8_b1_a_final_total_is_corrected_by_the_difference_and_the_original_stays() -> None:
    table = with_total(5)
    table.play(recounted(5, 3))
    assert table.last[1:] == (
        o.TotalAdjusted(hand=1, chips=3, cents=-400),
        o.TotalReversed(microcents=100_000_000),
    )
    table.play(recounted(3, 7))
    # 10,000.00 + 25 % of 14.00
    assert table.meter_microcents == 1_000_350_000_000
    assert table.state.day is not None
    assert (table.state.day.bets_cents, table.state.day.total_chips) == (1_400, 7)


def test_a_total_is_corrected_on_a_later_day_too_at_the_percentage_of_its_hand() -> None:
    table = close(with_total(5))
    terms = replace(table.terms, jackpot_ppm=300_000)
    table.play(f.ConfigurationLoaded(config_text="", profile_text="", terms=terms))
    opened = f.DayOpened(by="C1", second="J1", day="2026-12-01", displayed_cents=1_000_250)
    table.play(opened)
    table.play(recounted(5, 6))
    assert table.meter_microcents == 1_000_300_000_000  # 25 % of 2.00
    assert table.state.day is not None
    assert (table.state.day.bets_cents, table.state.day.total_chips) == (200, 0)


def test_a_total_of_an_ended_jackpot_is_taken_back_from_the_house() -> None:
    table = with_total(5).hand().lock().declare(box1=ROYAL_SPADES).confirm().sign()
    table.pay(1, 1_000_250)
    table.play(f.TotalEntered(by="C1", hand=2, chips=1, cents=200))
    table.play(f.TotalFinal(by="C1", hand=2, chips=1))
    table.play(recounted(5, 4))
    assert of_kind(table.last, o.HouseSettled) == [o.HouseSettled(microcents=50_000_000)]
    assert table.meter_microcents == 1_000_050_000_000
    below = recounted(1, 0, hand=2)  # one bet of that hand has won
    assert table.refused(below).reason == "total_contradicts_awards"


def test_a_total_that_spilled_over_a_ceiling_comes_back_from_the_overflow_first() -> None:
    table = with_total(5, ceiling_cents=1_000_100)
    assert table.state.pools.overflow_microcents == 150_000_000
    table.play(recounted(5, 3))
    assert table.meter_microcents == 1_000_100_000_000
    assert table.state.pools.overflow_microcents == 50_000_000


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (recounted(5, 3, hand=9), "total_not_known"),
        (recounted(4, 3), "total_differs"),
        (recounted(5, 8), "total_out_of_range"),
        (recounted(5, 5), "nothing_to_correct"),
    ],
)
def test_a_correction_of_a_total_names_what_is_recorded(act: f.TotalCorrected, reason: str) -> None:
    assert with_total(5).refused(act).reason == reason


# ---- what every entry needs ------------------------------------------------------------------------

ENTRIES: list[f.SignedEntry] = [
    taken_over(1_000_000),
    received(1_000_000),
    moved(1_000_000),
    f.JackpotEnded(**TWO, cents=1, paid_to="x", authorisation="A-7"),
    corrected(1),
    raised(1),
    recounted(1, 2),
    f.PaymentReversed(**TWO, award=1, box=1, cents=1),
    f.ControllerReplaced(**TWO, old_ledger="x", old_batch=1, old_hash=HASH),
]


@pytest.mark.parametrize("act", ENTRIES, ids=lambda act: act.kind)
def test_every_entry_needs_chief_and_director_two_people_and_a_reason(act: f.SignedEntry) -> None:
    assert Table().refused(act).reason == "no_terms"
    table = Table().start()
    if isinstance(act, f.JackpotCorrected | f.SeedRaised | f.TotalCorrected):
        table.open()
    assert table.refused(replace(act, by="C1")).reason == "role_missing"
    assert table.refused(replace(act, second="J1")).reason == "role_missing"
    assert table.refused(replace(act, by="D1")).reason == "same_officer"
    assert table.refused(replace(act, why="  ")).reason == "no_reason"
    if hasattr(act, "authorisation"):
        unauthorised: f.SignedEntry = replace(act, authorisation="")
        assert table.refused(unauthorised).reason == "no_authorisation"


@pytest.mark.parametrize("act", ENTRIES, ids=lambda act: act.kind)
def test_no_entry_is_made_within_a_hand(act: f.SignedEntry) -> None:
    assert open_table().hand(1).refused(act).reason == "wrong_phase"


@pytest.mark.parametrize("act", ENTRIES[:3], ids=lambda act: act.kind)
def test_jackpots_come_and_go_while_the_table_is_closed(act: f.SignedEntry) -> None:
    table = open_table()
    assert table.phase() is Phase.BETWEEN_HANDS
    assert table.refused(act).reason == "wrong_phase"


def test_CAN_8_a_a_fixed_jackpot_is_its_amount_and_nothing_else() -> None:
    fixed = canarias(kind=JackpotKind.FIXED, jackpot_ppm=0, seed_cents=2_000_000)
    table = Table(fixed).start()
    assert table.refused(taken_over(1)).reason == "jackpot_is_fixed"
    assert table.refused(received(1)).reason == "jackpot_is_fixed"
    table.open()
    assert table.refused(corrected(1)).reason == "jackpot_is_fixed"
    assert table.refused(raised(1)).reason == "jackpot_is_fixed"


def test_a_jackpot_does_not_move_to_where_it_is() -> None:
    table = close(open_table())
    here = replace(moved(1_000_000), to_table="2", to_layout="2A")
    assert table.refused(here).reason == "same_layout"
