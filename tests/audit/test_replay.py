"""The table's own rules over a recorded ledger: equal when it is, and the exact place when not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from anything import Anything
from forgery import CENTS, INFO, MICROCENTS, RULES, SEQ, Forgery, Row
from msgspec.structs import replace
from scripted import opened
from support.table import canarias

from jackpot.audit.replay import Replay, Result, Seen, replay
from jackpot.audit.source import Source
from jackpot.law.policies import BelowRoyal, ExtraChip, Policies, SeedSource, VoidBets
from jackpot.ledger.errors import LedgerUnreadable


def replayed(path: Path) -> Result:
    with Source(path) as source:
        return replay(source)


def test_two_days_of_everything_are_decided_as_they_were_recorded(story: Path) -> None:
    result = replayed(story)
    assert result.equal
    assert (result.batches, result.hands) == (108, 10)
    assert result.pools_microcents == {
        "2A/jackpot": 1_200_200_000_000,
        "2A/overflow": 0,
        "2A/reserve": 0,
    }


def test_carried_bets_a_ceiling_and_a_royal_flush_are_decided_as_recorded(carried: Path) -> None:
    assert replayed(carried).equal


def test_manual_mode_and_the_acts_of_the_pit_are_decided_as_recorded(pit_ledger: Path) -> None:
    """Amounts in ``pit_story``: each layout's pools by name."""
    result = replayed(pit_ledger)
    assert result.equal
    assert result.pools_microcents == {
        "2A/jackpot": 500_000_000_007,
        "2A/overflow": 0,
        "2A/reserve": 0,
        "2B/jackpot": 1_000_050_000_000,
        "2B/overflow": 0,
        "2B/reserve": 0,
    }


@pytest.mark.parametrize(
    "policies",
    [
        Policies(),
        Policies(void_bets=VoidBets.CARRY, below_royal=BelowRoyal.FROM_SEED),
        Policies(extra_chip=ExtraChip.NEXT_HAND, seed_source=SeedSource.RESERVE),
    ],
    ids=["default", "carry, from seed", "next hand, reserve"],
)
@pytest.mark.parametrize("seed", [11, 12])
def test_anything_that_happens_at_a_table_is_decided_as_recorded(
    tmp_path: Path, policies: Policies, seed: int
) -> None:
    terms = canarias(policies, ceiling_cents=1_000_175, reserve_ppm=50_000)
    table = opened(tmp_path / "ledger", terms)
    Anything(table, seed, (replace(terms, seed_cents=1_100_000),)).run(300)
    assert replayed(table.close()).equal


# ---- planted differences: hashed and signed well, so that only the rules can tell ------------------


def another_contribution(bench: Forgery) -> Row:
    event = bench.event("contributed", 2)
    event[MICROCENTS] += 1
    return event


def another_payment(bench: Forgery) -> Row:
    event = bench.event("payment_decided", 1)
    event[CENTS] += 1
    return event


def another_derivation(bench: Forgery) -> Row:
    event = bench.event("awards_decided", 0)
    event[INFO] = event[INFO].replace('["paid_cents",100025]', '["paid_cents",100026]')
    return event


def a_payment_too_many(bench: Forgery) -> Row:
    decided = bench.event("awards_decided", 0)
    bench.add_after(decided, ("paid_from_seed", None, None, 0, None))
    return next(row for row in bench.events if row[2] == "paid_from_seed")


def no_contribution(bench: Forgery) -> Row:
    bench.drop(bench.event("contributed", 0))
    return bench.event("bet_accepted", 0)


def an_officer_without_the_role(bench: Forgery) -> Row:
    event = bench.event("awards_confirmed", 0)
    bench.tell(event, by="C2")
    return event


def a_box_that_no_table_has(bench: Forgery) -> Row:
    event = bench.event("slot_up", 0)
    event[3] = 99
    return event


@pytest.mark.parametrize(
    ("plant", "what"),
    [
        (another_contribution, "other"),
        (another_payment, "other"),
        (another_derivation, "other"),
        (a_payment_too_many, "extra"),
        (no_contribution, "missing"),
        (an_officer_without_the_role, "refused"),
        (a_box_that_no_table_has, "broken"),
    ],
)
def test_the_first_difference_is_named_with_its_place(
    forgery: Forgery, plant: Callable[[Forgery], Row], what: str
) -> None:
    event = plant(forgery)
    result = replayed(forgery.well_made())
    first = result.differences[0]
    assert (first.what, first.seq, first.batch) == (what, event[SEQ], event[1])


@pytest.mark.parametrize("fault", ["another", "missing", "number"])
def test_CAN_9_what_a_member_tells_its_carrusel_is_decided_again(
    fault: str, carrusel_ledger: Path, tmp_path: Path
) -> None:
    bench = Forgery(carrusel_ledger, tmp_path / "forged")
    event = bench.event("carrusel_operation", 1)
    if fault == "another":
        event[MICROCENTS] += 1
    elif fault == "number":
        bench.tell(event, operation=7)
    else:
        bench.drop(event)
    result = replayed(bench.well_made())
    first = result.differences[0]
    assert first.what == ("missing" if fault == "missing" else "other")
    assert "carrusel_operation" in first.decided
    assert first.batch == event[1]


def test_a_difference_says_what_was_decided_and_what_was_recorded(forgery: Forgery) -> None:
    another_contribution(forgery)
    first = replayed(forgery.well_made()).differences[0]
    assert first.text() == (
        "batch 15, seq 30, hand 1: other: the rules decide "
        'contributed {"box":3,"microcents":50000000,"pool":"jackpot"}; recorded '
        'contributed {"box":3,"microcents":50000001,"pool":"jackpot"}'
    )


def test_the_state_follows_the_record_so_that_one_difference_stands_alone(
    forgery: Forgery,
) -> None:
    event = forgery.event("hand_locked", -1)
    event[CENTS] += 100
    assert len(replayed(forgery.well_made()).differences) == 1


def test_another_derived_meter_is_a_difference(forgery: Forgery) -> None:
    meter = next(row for row in forgery.latest if row[1] == "2A/jackpot")
    meter[2] += 1
    assert [difference.what for difference in replayed(forgery.save()).differences] == ["meter"]


def test_rules_of_an_unknown_version_are_not_judged(forgery: Forgery) -> None:
    forgery.batches[50][RULES] = "7"
    with pytest.raises(LedgerUnreadable, match="rules_unknown: expected rules of version 1"):
        replayed(forgery.well_made())


def test_an_unknown_event_is_not_guessed(forgery: Forgery) -> None:
    forgery.event("slot_up", 3)[2] = "slot_sideways"
    with pytest.raises(LedgerUnreadable, match="slot_sideways"):
        replayed(forgery.well_made())


def test_a_file_that_is_no_ledger_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("not a database, and longer than the header of one" * 10)
    with pytest.raises(LedgerUnreadable, match="ledger_unreadable"):
        Source(path)
    with pytest.raises(LedgerUnreadable, match="no such file"):
        Source(tmp_path / "nothing")


# ---- parts of a ledger -----------------------------------------------------------------------------


def test_a_replay_stops_where_it_is_told_and_goes_on_from_there(story: Path) -> None:
    with Source(story) as source:
        going = Replay(source)
        going.run(last=27)
        assert (going.batch, going.state.hand_number) == (27, 2)
        assert going.state.pools.jackpot_microcents == 855_214_000_000
        going.run()
        assert going.result().equal
        assert going.batch == 108


def test_watched_kinds_come_with_the_state_before_and_after(story: Path) -> None:
    seen: list[Seen] = []
    with Source(story) as source:
        replay(source, last=30, watches={"awards_decided": seen.append})
    assert len(seen) == 1
    before, after = seen[0].before.pools, seen[0].after.pools
    assert before.jackpot_microcents - after.jackpot_microcents == 145_036_000_000
    assert seen[0].header[0] == 25


def test_a_ledger_that_grows_is_read_up_to_where_it_was_opened(tmp_path: Path) -> None:
    table = opened(tmp_path / "ledger")
    table.hand(1).lock().no_awards()
    with Source(table.path) as source:
        known = source.batch
        table.hand(2).lock().no_awards()
        result = replay(source)
        assert result.batches == known
        assert result.equal
    table.close()


def test_a_ledger_on_a_read_only_place_is_read(story: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes(story.read_bytes())
    copy.chmod(0o400)
    before = copy.read_bytes()
    assert replayed(copy).equal
    assert copy.read_bytes() == before
