"""Any act that people may come up with around the hands, from one seed; most are refused."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from jackpot.law.pools import Pool
from jackpot.law.terms import BetMode
from jackpot.table import facts as f
from jackpot.table.day import opening_cents
from jackpot.table.event import Fact
from jackpot.table.state import Phase
from support.table import OFFICERS, Table, next_day

CENTS = (-70_000, -200, 0, 1, 200, 50_002, 1_000_000)
WHY = "found later"


def any_act(table: Table, random: Random) -> Fact:
    """One of all kinds; when the table is closed more often one that opens it again."""
    if table.phase() is Phase.CLOSED and random.random() < 0.7:
        return random.choice(_WHILE_CLOSED)(table, random)
    return random.choice(_ACTS)(table, random)


def opened(table: Table, _: Random) -> Fact:
    cents = opening_cents(table.state)
    return f.DayOpened(by="C1", second="J1", day=next_day(table.state), displayed_cents=cents)


def _box(random: Random) -> int:
    return random.randint(1, 7)


def bet_cents(table: Table) -> int:
    """The bet in force."""
    terms = table.state.terms
    return 0 if terms is None else terms.bet_cents


def _shown(table: Table) -> int:
    return table.meter_microcents // 1_000_000


def _total_entered(table: Table, random: Random) -> Fact:
    chips = random.randint(-1, 22)
    cents = chips * bet_cents(table) + random.choice((0, 0, 0, 1))
    return f.TotalEntered(by="C1", hand=table.number, chips=chips, cents=cents)


def _total_final(table: Table, random: Random) -> Fact:
    hand = table.state.hand
    chips = 0 if hand is None or hand.total is None else hand.total.chips
    officer = random.choice(sorted(OFFICERS))
    return f.TotalFinal(by=officer, hand=table.number, chips=chips)


def _decision_reversed(table: Table, random: Random) -> Fact:
    award = table.state.awards - random.choice((0, 0, 0, 1))
    return f.DecisionReversed(by="J1", second="D1", hand=table.number, award=award, why=WHY)


def _payment_reversed(table: Table, random: Random) -> Fact:
    """Unpaid ones are struck out, paid ones corrected."""
    state = table.state
    award, payments = state.awards, () if state.hand is None else state.hand.payments
    if state.phase is not Phase.PAYABLE and state.past_awards:
        past = random.choice(state.past_awards)
        award, payments = past.award, past.payments
    if not payments or random.random() < 0.2:
        return f.PaymentReversed(
            by="J1", second="D1", award=award, box=_box(random), cents=1, why=WHY
        )
    one = random.choice(payments)
    cents = one.cents if state.phase is Phase.PAYABLE else random.choice((*CENTS, one.cents))
    return f.PaymentReversed(
        by="J1", second="D1", award=award, box=one.box, bet=one.bet, cents=cents, why=WHY
    )


def _slip_printed(table: Table, random: Random) -> Fact:
    """Of the newest award, any box."""
    past = table.state.past_awards
    award = past[-1].award if past else table.state.awards
    payment = random.choice(past[-1].payments) if past and past[-1].payments else None
    box = _box(random) if payment is None else payment.box
    bet = 1 if payment is None else payment.bet
    return f.SlipPrinted(by="C1", award=award, box=box, bet=bet, copy=random.random() < 0.5)


def _total_corrected(table: Table, random: Random) -> Fact:
    totals = table.state.hand_totals
    hand, chips = (totals[-1].hand, totals[-1].chips) if totals else (1, 3)
    if totals and random.random() < 0.5:
        one = random.choice(totals)
        hand, chips = one.hand, one.chips
    return f.TotalCorrected(
        by="J1",
        second="D1",
        hand=hand,
        chips_before=chips,
        chips_after=random.randint(0, 9),
        why=WHY,
    )


def _jackpot_corrected(table: Table, random: Random) -> Fact:
    return f.JackpotCorrected(
        by="J1",
        second="D1",
        microcents=random.choice(CENTS) * 1_000_000 + 7,
        jackpot=table.state.jackpots - random.choice((0, 0, 1)),
        authorisation="A-3",
        pool=random.choice((Pool.JACKPOT, *Pool)),
        why=WHY,
    )


def _jackpot_received(_: Table, random: Random) -> Fact:
    return f.JackpotReceived(
        by="J1",
        second="D1",
        microcents=random.choice((0, 7, 1_234_567_000_001)),
        overflow_microcents=random.choice((0, 5)),
        reserve_microcents=random.choice((0, 9)),
        from_table="3",
        from_layout="3A",
        authorisation="A-6",
        why=WHY,
    )


def _drop_counted(table: Table, random: Random) -> Fact:
    day = table.state.day
    box = random.choice((None, _box(random)))
    name = "2026-11-30" if day is None else day.name
    chips = random.randint(0, 9)
    return f.DropCounted(by="C1", second="J1", day=name, chips=chips, box=box)


def _layout_changed(table: Table, random: Random) -> Fact:
    parked = table.state.parked
    layout = "2C" if parked is None else parked.layout
    day = f"2027-{random.randint(1, 12):02d}-{random.randint(1, 28):02d}"
    return f.LayoutChanged(by="J1", second="D1", day=day, layout=layout)


_ACTS: list[Callable[[Table, Random], Fact]] = [
    _total_entered,
    _total_final,
    _decision_reversed,
    _payment_reversed,
    _payment_reversed,
    _slip_printed,
    _total_corrected,
    _jackpot_corrected,
    _drop_counted,
    lambda table, _: f.TotalWithdrawn(by="C1", hand=table.number),
    lambda table, random: f.TotalTimeUp(hand=table.number, entry=random.randint(1, 2)),
    lambda _, random: f.ModeChanged(by="J1", mode=random.choice(tuple(BetMode)), why=""),
    lambda _, random: f.BoxModeChanged(
        by="J1", box=_box(random), mode=random.choice((BetMode.MANUAL, *BetMode)), why=""
    ),
    lambda table, random: f.BetAsserted(by="C1", hand=table.number, box=_box(random)),
    lambda table, random: f.BetDisputed(
        by="J1", second="D1", hand=table.number, box=_box(random), why="seen"
    ),
    lambda table, _: f.HandVoided(by="C1", second="J1", hand=table.number, why="misdeal"),
    lambda table, _: f.DayClosed(by="C1", second="J1", displayed_cents=_shown(table)),
    lambda _, random: f.SeedRaised(
        by="J1", second="D1", cents=random.choice(CENTS), authorisation="A-4", why=WHY
    ),
    lambda _, random: f.TableMinimumSet(by="D1", cents=random.choice((0, 400, 1_000, 2_000))),
    lambda _, __: f.TableSuspended(by="J1", why="no light"),
    lambda _, __: f.TableResumed(by="J1", why="light again"),
    lambda _, random: f.SlotCountersRead(
        box=_box(random), insertions=9, accepts=random.randint(0, 300)
    ),
    lambda _, random: f.SlotDown(box=_box(random), why="silent"),
    lambda _, random: f.SlotUp(box=_box(random)),
    lambda _, random: f.ChipSeen(box=_box(random), expected=True, a=1, b=1),
]

_WHILE_CLOSED: list[Callable[[Table, Random], Fact]] = [
    opened,
    _jackpot_received,
    _layout_changed,
    lambda _, random: f.JackpotTakenOver(
        by="J1", second="D1", cents=random.choice(CENTS), authorisation="A-7", why=WHY
    ),
    lambda table, _: f.JackpotEnded(
        by="J1",
        second="D1",
        cents=_shown(table),
        paid_to="charity",
        authorisation="A-5",
        why=WHY,
    ),
    lambda table, _: f.JackpotMoved(
        by="J1",
        second="D1",
        cents=_shown(table),
        to_table="3",
        to_layout="3A",
        authorisation="A-5",
        why=WHY,
    ),
]
