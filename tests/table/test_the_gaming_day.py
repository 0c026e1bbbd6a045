"""Opening, terms that change, «las tres últimas jugadas», closing."""

from __future__ import annotations

from msgspec.structs import replace
from support.table import CANARIAS, ROYAL_SPADES, Table, canarias, of_kind, open_table

from jackpot.law.policies import ConfigChange, Policies, SeedSource
from jackpot.law.terms import Terms
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.state import Phase


def loaded(terms: Terms) -> f.ConfigurationLoaded:
    return f.ConfigurationLoaded(config_text="changed", profile_text="", terms=terms)


def test_the_opening_is_signed_by_two_on_the_very_amount() -> None:
    table = Table().start()
    wrong = f.DayOpened(by="C1", second="J1", day="2026-11-30", displayed_cents=999_999)
    assert table.refused(wrong).reason == "amount_differs"
    alone = f.DayOpened(by="J1", second="J1", day="2026-11-30", displayed_cents=1_000_000)
    assert table.refused(alone).reason == "same_officer"
    nonsense = f.DayOpened(by="C1", second="J1", day="30/11/26", displayed_cents=1_000_000)
    assert table.refused(nonsense).reason == "not_a_day"


def test_a_gaming_day_comes_after_the_last_one() -> None:
    table = open_table()
    table.play(f.DayClosed(by="C1", second="J1", displayed_cents=1_000_000))
    for day in ("2026-11-30", "2026-11-29", "2020-01-01"):
        again = f.DayOpened(by="C1", second="J1", day=day, displayed_cents=1_000_000)
        assert table.refused(again).reason == "day_not_after_last"
    compact = f.DayOpened(by="C1", second="J1", day="20261201", displayed_cents=1_000_000)
    assert table.refused(compact).reason == "not_a_day"
    table.play(f.DayOpened(by="C1", second="J1", day="2026-12-01", displayed_cents=1_000_000))


def test_CAN_7_3b_the_last_three_hands_are_counted_and_then_only_the_closing_is_left() -> None:
    table = open_table()
    table.play(f.LastHandsAnnounced(by="J1"))
    left = []
    for _ in range(3):
        table.hand(1).lock().no_awards()
        left += [event.left for event in of_kind(table.last, o.HandsLeft)]
    assert left == [2, 1, 0]
    assert table.refused(f.HandStarted(by="C1", hand=4)).reason == "day_ending"
    closed = table.play(f.DayClosed(by="C1", second="J1", displayed_cents=1_000_150))
    assert closed[1:] == (
        o.DayTotals(hands=3, bets_cents=600, paid_cents=0, meter_microcents=1_000_150_000_000),
    )


def test_GAL_closing_announces_as_many_hands_as_the_profile_says() -> None:
    table = open_table(canarias(closing_hands=5))
    table.play(f.LastHandsAnnounced(by="J1"))
    assert table.state.hands_left == 5


def test_the_announcement_is_the_table_chiefs_and_made_once() -> None:
    table = open_table()
    assert table.refused(f.LastHandsAnnounced(by="C1")).reason == "role_missing"
    table.play(f.LastHandsAnnounced(by="J1"))
    assert table.refused(f.LastHandsAnnounced(by="J1")).reason == "already_announced"


def test_nothing_is_left_open_at_the_closing() -> None:
    table = open_table().hand(1).lock()
    table.chip(1)
    table.no_awards()
    close = f.DayClosed(by="C1", second="J1", displayed_cents=1_000_050)
    assert table.refused(close).reason == "things_left_open"
    table.play(f.ItemSettled(by="C1", item=1))
    table.play(close)
    assert table.phase() is Phase.CLOSED
    assert table.refused(f.ItemSettled(by="C1", item=1)).reason == "no_such_item"


def test_the_next_day_opens_on_the_running_amount() -> None:
    table = open_table().hand(1).lock().no_awards()
    table.play(f.DayClosed(by="C1", second="J1", displayed_cents=1_000_050))
    table.open(1_000_050)
    assert table.meter_microcents == 1_000_050_000_000
    assert not of_kind(table.last, o.JackpotStarted)
    table.hand()
    assert table.number == 2  # hands are numbered through


def test_policy_config_change_at_restart_waits_for_the_next_jackpot() -> None:
    dearer = canarias(jackpot_ppm=300_000, seed_cents=2_000_000)
    table = open_table()
    assert table.play(loaded(dearer))[1:] == (o.TermsPending(terms=dearer),)
    table.hand(1).lock()
    assert table.meter_microcents == 1_000_050_000_000
    table.declare(box1=ROYAL_SPADES).confirm().sign().pay(1, 1_000_050)
    assert table.state.terms == dearer
    assert table.meter_microcents == 2_000_000_000_000  # the new seed
    table.hand(1)
    assert table.meter_microcents == 2_000_060_000_000  # 30 % of 2.00


def test_policy_config_change_at_opening_needs_a_new_authorisation() -> None:
    old = canarias(Policies(config_change=ConfigChange.AT_OPENING), authorisation="A-1")
    table = open_table(old)
    table.play(loaded(replace(old, jackpot_ppm=300_000)))
    table.play(f.DayClosed(by="C1", second="J1", displayed_cents=1_000_000))
    table.open(1_000_000)
    assert table.state.terms == old
    authorised = replace(old, jackpot_ppm=300_000, authorisation="A-2")
    table.play(loaded(authorised))
    table.play(f.DayClosed(by="C1", second="J1", displayed_cents=1_000_000))
    table.open(1_000_000)
    assert table.state.terms == authorised


def test_CAN_6_1_a_changed_table_minimum_applies_from_the_next_opening() -> None:
    higher = canarias(table_minimum_cents=2_000)
    table = open_table()
    table.play(loaded(higher))
    assert table.state.terms == CANARIAS
    table.play(f.DayClosed(by="C1", second="J1", displayed_cents=1_000_000))
    table.open(1_000_000)
    assert table.state.terms == higher


def test_the_old_configuration_loaded_again_takes_a_pending_change_back() -> None:
    table = open_table()
    table.play(loaded(canarias(jackpot_ppm=300_000)))
    table.play(loaded(CANARIAS))
    assert table.state.pending_terms is None


def test_policy_seed_source_reserve_pays_the_seed_and_the_house_only_what_lacks() -> None:
    policies = Policies(seed_source=SeedSource.RESERVE)
    table = open_table(canarias(policies, reserve_ppm=500_000)).hand(1).lock()
    assert table.state.pools.reserve_microcents == 100_000_000  # 50 % of 2.00: one euro
    table.declare(box1=ROYAL_SPADES).confirm()
    (start,) = of_kind(table.last, o.JackpotStarted)
    assert start == o.JackpotStarted(
        microcents=1_000_000_000_000,
        house_microcents=999_900_000_000,
        reserve_microcents=100_000_000,
    )
    assert table.state.pools.reserve_microcents == 0


def test_a_ceiling_keeps_the_visor_and_feeds_the_next_jackpot() -> None:
    table = open_table(canarias(ceiling_cents=1_000_050)).hand(1, 2).lock()
    assert table.meter_microcents == 1_000_050_000_000
    assert table.state.pools.overflow_microcents == 50_000_000
    table.declare(box1=ROYAL_SPADES).confirm()
    assert table.meter_microcents == 1_000_050_000_000  # seed 10,000.00 and 0.50 poured in
    assert table.state.pools.overflow_microcents == 0


def test_after_a_restart_of_the_controller_no_slot_is_trusted_until_it_answers() -> None:
    table = open_table()
    table.play(f.ControllerStarted(version="test", clean=False))
    assert table.refused(f.HandStarted(by="C1", hand=1)).reason == "slot_down"
