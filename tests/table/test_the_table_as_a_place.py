"""Layouts, minimum, out of service, the counted drop: what happens around the hands."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.table import CANARIAS, Table, canarias, identified, of_kind, open_table

from jackpot.law.policies import ConfigChange, Policies
from jackpot.law.terms import BetMode, Terms
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.state import Phase, conserved

SECOND = canarias(layout="2B", seed_cents=1_500_000, mode=BetMode.MANUAL)


def loaded(terms: Terms) -> f.ConfigurationLoaded:
    return f.ConfigurationLoaded(config_text="", profile_text="", terms=terms)


def reversible(first: Terms = CANARIAS, second: Terms = SECOND) -> Table:
    """Two layouts; the first is on the table, its day open."""
    table = Table(first).start()
    table.play(loaded(second))
    return table.open()


def close(table: Table) -> Table:
    cents = table.meter_microcents // 1_000_000
    table.play(f.DayClosed(by="C1", second="J1", displayed_cents=cents))
    return table


def change(layout: str, day: str) -> f.LayoutChanged:
    return f.LayoutChanged(by="J1", second="D1", day=day, layout=layout)


# ---- layouts -----------------------------------------------------------------------------------------


def test_CAN_2_2_two_layouts_have_each_their_own_jackpot_terms_and_mode() -> None:
    table = close(reversible().hand(1, 2).lock().no_awards())
    table.play(change("2B", "2026-11-30"))
    table.open(1_500_000)
    assert (table.state.terms, table.state.mode) == (SECOND, BetMode.MANUAL)
    table.hand().no_awards()
    table.play(f.TotalEntered(by="C1", hand=2, chips=4, cents=800))
    table.play(f.TotalFinal(by="C1", hand=2, chips=4))
    assert table.meter_microcents == 1_500_200_000_000
    close(table).play(change("2A", "2026-12-01"))
    table.open(1_000_100)
    assert table.meter_microcents == 1_000_100_000_000
    assert (table.state.terms, table.state.mode) == (CANARIAS, BetMode.AUTOMATIC)
    assert table.state.parked is not None
    assert table.state.parked.pools.jackpot_microcents == 1_500_200_000_000
    assert conserved(table.state)


def test_CAN_2_2_one_change_of_game_a_day_and_only_after_the_closing() -> None:
    table = reversible()
    assert table.refused(change("2B", "2026-11-30")).reason == "wrong_phase"
    close(table)
    assert table.refused(change("2C", "2026-11-30")).reason == "no_such_layout"
    assert table.refused(change("2B", "today")).reason == "not_a_day"
    assert table.refused(change("2B", "2026-11-29")).reason == "stale_day"
    table.play(change("2B", "2026-11-30"))
    assert table.refused(change("2A", "2026-11-30")).reason == "already_changed"
    table.play(change("2A", "2026-12-01"))
    alone = close(open_table())
    assert "there is none" in alone.refused(change("2B", "2026-11-30")).expected


def test_a_changed_configuration_of_the_parked_layout_waits_with_it() -> None:
    table = close(reversible())
    table.play(change("2B", "2026-11-30"))
    close(table.open(1_500_000))
    dearer = replace(CANARIAS, jackpot_ppm=300_000)
    assert table.play(loaded(dearer))[1:] == (o.TermsPending(terms=dearer),)
    minimum = replace(CANARIAS, table_minimum_cents=2_000)
    assert table.play(loaded(minimum))[1:] == (o.TermsInForce(terms=minimum),)
    table.play(change("2A", "2026-12-01"))
    assert table.state.terms == minimum


def test_CAN_2_2_a_third_layout_is_none_of_this_table() -> None:
    table = close(reversible())
    table.play(change("2B", "2026-11-30"))
    close(table.open(1_500_000))
    assert table.play(loaded(replace(CANARIAS, layout="2C")))[1:] == ()


# ---- the minimum -------------------------------------------------------------------------------------

BAND = canarias(minimum_band_cents=(400, 5_000), bet_of_minimum_ppm=500_000)


@pytest.mark.parametrize(
    ("cents", "reason"), [(399, "outside_band"), (5_001, "outside_band"), (0, "outside_band")]
)
def test_CAN_6_1_the_minimum_stays_in_the_authorised_band(cents: int, reason: str) -> None:
    act = f.TableMinimumSet(by="D1", cents=cents)
    assert open_table(BAND).refused(act).reason == reason


def test_CAN_6_1_the_director_sets_the_minimum_at_once_between_hands() -> None:
    table = open_table(BAND)
    assert table.refused(f.TableMinimumSet(by="J1", cents=400)).reason == "role_missing"
    table.play(f.TableMinimumSet(by="D1", cents=400))
    assert table.state.terms == replace(BAND, table_minimum_cents=400)
    table.hand(1)
    assert table.refused(f.TableMinimumSet(by="D1", cents=500)).reason == "wrong_phase"


def test_CAN_8_1_half_the_minimum_is_never_less_than_the_bet() -> None:
    dear = replace(BAND, bet_cents=201)
    refusal = open_table(dear).refused(f.TableMinimumSet(by="D1", cents=401))
    assert (refusal.reason, refusal.rule) == ("bet_over_limit", "CAN-8.1")
    assert refusal.expected == "at least 4.02, for a jackpot bet of 2.01"
    waiting = open_table(BAND)
    waiting.play(loaded(replace(BAND, bet_cents=300, table_minimum_cents=600)))
    assert waiting.refused(f.TableMinimumSet(by="D1", cents=500)).reason == "bet_over_limit"


# ---- out of service ------------------------------------------------------------------------------------


def test_a_table_out_of_service_starts_no_hand_and_no_day() -> None:
    table = open_table()
    assert table.refused(f.TableResumed(by="J1", why="")).reason == "not_suspended"
    table.play(f.TableSuspended(by="J1", why="no light"))
    assert table.refused(f.TableSuspended(by="J1", why="")).reason == "already_suspended"
    assert table.refused(f.HandStarted(by="C1", hand=1)).reason == "table_suspended"
    close(table)
    opening = f.DayOpened(by="C1", second="J1", day="2026-12-01", displayed_cents=1_000_000)
    assert table.refused(opening).reason == "table_suspended"
    table.play(f.TableResumed(by="J1", why="light again"))
    table.play(opening)
    assert table.phase() is Phase.BETWEEN_HANDS


# ---- the drop ------------------------------------------------------------------------------------------


def counted(chips: int, box: int | None = None, day: str = "2026-11-30") -> f.DropCounted:
    return f.DropCounted(by="C1", second="J1", day=day, chips=chips, box=box)


def counters(box: int, accepts: int) -> f.SlotCountersRead:
    return f.SlotCountersRead(box=box, insertions=accepts, accepts=accepts)


def with_counters() -> Table:
    """All seven counters were read before the opening; box 3 has 120 coins behind it."""
    table = Table().start()
    for box in range(1, 8):
        table.play(counters(box, 120 if box == 3 else 0))
    return table.open()


def test_the_drop_of_a_box_is_held_against_the_ledger_and_the_acceptors_counter() -> None:
    table = with_counters()
    for _ in range(2):
        table.hand(3).lock().no_awards()
    table.chip(3)  # late, handed back by another chip: this one stays in the box
    table.play(counters(3, 123))
    table.play(counted(3, box=3))
    assert table.last[1:] == (o.DropCompared(box=3, counted=3, detected=3, accepted=3),)
    table.play(counted(2, box=3))
    assert table.last[1:] == (
        o.DropCompared(box=3, counted=2, detected=3, accepted=3),
        o.ItemOpened(box=3, item=2, what=o.ItemWhat.DROP_DIFFERS),
    )


def test_a_counter_that_fell_has_begun_again_and_a_new_acceptor_has_no_base_line() -> None:
    table = with_counters().hand(3).lock().no_awards()
    table.play(counters(3, 121))
    table.hand(3).lock().no_awards()
    table.play(counters(3, 1))
    assert table.state.drops[2].accepted == 2
    table.play(identified(3))
    table.play(counters(3, 5_000))
    assert table.state.drops[2].accepted == 2


def test_an_asserted_bet_and_the_chip_that_is_told_of_later_are_one_chip() -> None:
    table = open_table().hand().lock(4)
    table.play(f.SlotDecided(by="C1", hand=1, box=4, bet=True))
    assert table.state.drops[3].detected == 1
    table.chip(4)
    assert table.state.drops[3].detected == 1


def test_the_drop_of_a_day_with_totals_is_that_of_the_whole_table() -> None:
    table = reversible(canarias(mode=BetMode.MANUAL), SECOND).hand().no_awards()
    table.play(f.TotalEntered(by="C1", hand=1, chips=4, cents=800))
    table.play(f.TotalFinal(by="C1", hand=1, chips=4))
    assert table.refused(counted(4, box=1)).reason == "count_whole_table"
    close(table).play(counted(3))
    assert table.last[1:] == (
        o.DropCompared(counted=3, detected=4, accepted=None),
        o.ItemOpened(box=None, item=1, what=o.ItemWhat.DROP_DIFFERS),
    )
    table.play(f.ItemSettled(by="J1", item=1))
    assert table.state.items == ()


def test_a_whole_table_is_compared_with_all_seven_counters() -> None:
    table = with_counters().hand(1, 2).lock().no_awards()
    for box, accepts in ((1, 1), (2, 1)):
        table.play(counters(box, accepts))
    table.play(counted(2))
    assert of_kind(table.last, o.DropCompared)[0].accepted == 2


def test_a_drop_names_its_day_and_a_box_of_the_table() -> None:
    assert Table().start().refused(counted(1)).reason == "stale_day"
    table = open_table()
    assert table.refused(counted(1, day="2026-11-29")).reason == "stale_day"
    assert table.refused(counted(1, box=8)).reason == "no_such_box"
    assert table.refused(counted(-1)).reason == "not_a_number_of_chips"


# ---- terms that wait -------------------------------------------------------------------------------------


def test_terms_that_waited_start_the_next_jackpot_after_one_was_moved_away() -> None:
    table = open_table()
    dearer = canarias(seed_cents=1_200_000)
    table.play(loaded(dearer))
    close(table).play(
        f.JackpotMoved(
            by="J1",
            second="D1",
            why="to the new table",
            cents=1_000_000,
            to_table="9",
            to_layout="9A",
            authorisation="A-7",
        )
    )
    table.open(1_200_000)
    assert table.state.terms == dearer


def test_policy_at_opening_two_sign_the_day_that_brings_the_authorised_change() -> None:
    policies = Policies(config_change=ConfigChange.AT_OPENING)
    table = open_table(canarias(policies, authorisation="A-1"))
    changed = canarias(policies, authorisation="A-2", jackpot_ppm=300_000)
    table.play(loaded(changed))
    close(table)
    alone = f.DayOpened(by="J1", second="J1", day="2026-12-01", displayed_cents=1_000_000)
    assert table.refused(alone).reason == "same_officer"
    table.play(replace(alone, by="C1"))
    assert table.state.terms == changed
