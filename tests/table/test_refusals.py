"""The order of refusals is a contract: no_terms, who signs, stale_hand, wrong_phase, the act's own."""

from __future__ import annotations

import pytest
from support.table import OFFICERS, Table, open_table

from jackpot.errors import Refused
from jackpot.law.terms import BetMode
from jackpot.table import facts as f
from jackpot.table.event import OfficerAct

HAND_ACTS = [
    f.HandStarted(by="{by}", hand=9),
    f.LockPressed(by="{by}", hand=9),
    f.SlotDecided(by="{by}", hand=9, box=1, bet=True),
    f.ChipDecided(by="{by}", hand=9, box=1, plays=True),
    f.AwardsDeclared(by="{by}", hand=9, hands=()),
    f.NoAwardsDeclared(by="{by}", hand=9),
    f.AwardsRejected(by="{by}", hand=9, why=""),
    f.AwardsConfirmed(by="{by}", hand=9),
    f.AwardsSigned(by="{by}", hand=9, total_cents=1),
    f.AwardPaid(by="{by}", hand=9, box=1, cents=1),
    f.HandVoided(by="{by}", second="J1", hand=9, why=""),
    f.BetAsserted(by="{by}", hand=9, box=1),
    f.BetDisputed(by="{by}", second="D2", hand=9, box=1, why=""),
    f.DecisionReversed(by="{by}", second="D2", hand=9, award=1, why=""),
    f.TotalEntered(by="{by}", hand=9, chips=1, cents=1),
    f.TotalWithdrawn(by="{by}", hand=9),
    f.TotalFinal(by="{by}", hand=9, chips=1),
    f.ClaimWithdrawn(by="{by}", second="D2", hand=9, why=""),
]
DAY_ACTS = [
    f.DayOpened(by="{by}", second="J1", day="2026-11-30", displayed_cents=1),
    f.LastHandsAnnounced(by="{by}"),
    f.DayClosed(by="{by}", second="J1", displayed_cents=1),
    f.BoxClosed(by="{by}", box=1, why=""),
    f.BoxOpened(by="{by}", box=1),
    f.ModeChanged(by="{by}", mode=BetMode.MANUAL, why=""),
    f.BoxModeChanged(by="{by}", box=9, mode=BetMode.MANUAL, why=""),
    f.TableSuspended(by="{by}", why=""),
    f.TableResumed(by="{by}", why=""),
    f.TableMinimumSet(by="{by}", cents=0),
    f.LayoutChanged(by="{by}", second="D2", day="", layout=""),
    f.DropCounted(by="{by}", second="J1", day="", chips=-1),
    f.SlipPrinted(by="{by}", award=9, box=1),
    f.CarruselJoinAsked(by="{by}", second="D2", carrusel="", authorisation=""),
    f.CarruselLeaveAsked(by="{by}", second="D2", why=""),
]


def signed_by(act: OfficerAct, officer: str) -> OfficerAct:
    fields = {name: getattr(act, name) for name in act.__struct_fields__}
    return type(act)(**{**fields, "by": officer})


@pytest.mark.parametrize("act", [*HAND_ACTS, *DAY_ACTS], ids=lambda act: act.kind)
def test_first_there_must_be_terms(act: OfficerAct) -> None:
    assert Table().refused(signed_by(act, "nobody")).reason == "no_terms"


@pytest.mark.parametrize("act", [*HAND_ACTS, *DAY_ACTS], ids=lambda act: act.kind)
def test_then_the_officer_is_looked_at_before_hand_and_phase(act: OfficerAct) -> None:
    table = Table().start()
    assert table.refused(signed_by(act, "nobody")).reason == "unknown_officer"
    for officer in ("T1", "A1"):
        assert table.refused(signed_by(act, officer)).reason == "role_missing"


@pytest.mark.parametrize("act", HAND_ACTS, ids=lambda act: act.kind)
def test_then_a_stale_screen_is_refused_before_the_phase(act: OfficerAct) -> None:
    refusal = Table().start().refused(signed_by(act, "D1"))
    assert refusal.reason == "stale_hand"
    assert "hand 9" in refusal.found


@pytest.mark.parametrize("act", HAND_ACTS, ids=lambda act: act.kind)
def test_then_the_phase_is_looked_at_before_the_acts_own_reasons(act: OfficerAct) -> None:
    table = Table().start()
    number = 1 if isinstance(act, f.HandStarted) else 0
    fields = {name: getattr(act, name) for name in act.__struct_fields__}
    present = type(act)(**{**fields, "by": "D1", "hand": number})
    assert table.refused(present).reason == "wrong_phase"


def test_every_refusal_tells_what_was_expected_found_and_what_to_do() -> None:
    table = open_table().hand(1)
    refusals = [
        table.refused(f.HandStarted(by="C1", hand=2)),
        table.refused(f.NoAwardsDeclared(by="C1", hand=1)),
        table.refused(f.BoxClosed(by="J1", box=3, why="jam")),
        table.refused(f.ItemSettled(by="C1", item=7)),
    ]
    for refusal in refusals:
        assert isinstance(refusal, Refused)
        assert all((refusal.reason, refusal.expected, refusal.found, refusal.to_do))


def test_the_bench_knows_an_officer_of_every_role() -> None:
    assert {role for roles in OFFICERS.values() for role in roles} == {
        "croupier",
        "table_chief",
        "games_director",
        "technician",
        "auditor",
    }
