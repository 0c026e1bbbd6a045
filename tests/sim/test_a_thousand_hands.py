"""A gaming day of 1,000 hands with every mistake that people make, and a controller that dies in the
middle of each: the table book balances to the micro-cent, and hledger and an onlooker agree with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hands import LUCK, Dealer
from mistakes import (
    AUTOMATIC_MISTAKES,
    EITHER_MODE,
    MANUAL_MISTAKES,
    SIGNED,
    in_turn,
    misdeal_after_the_total,
    mode_changed,
)
from msgspec.structs import replace
from recorded_day import BOXES, RecordedDay
from support.hledger import by_hledger, written
from support.table import OFFICERS, canarias, identified
from tally import Tally

from jackpot.audit.books.formats import JournalFormat
from jackpot.audit.checker import verify
from jackpot.audit.replay import replay
from jackpot.audit.source import Source
from jackpot.audit.table_book.folding import books_of
from jackpot.law.policies import BrokenSlot, ExtraChip, ManualTotal, Policies, VoidBets
from jackpot.law.pools import Pool
from jackpot.law.terms import Terms
from jackpot.ledger.read import Reader
from jackpot.ledger.table_ledger import TABLE
from jackpot.table import facts as f

HANDS = 1_000
ON_THE_FIRST_LAYOUT = 600
DAY = "2026-11-30"

POLICIES = {
    "box closed": Policies(broken_slot=BrokenSlot.BOX_CLOSED),
    "table manual, total after": Policies(broken_slot=BrokenSlot.TABLE_MANUAL),
    "table manual, total before, bets carried": Policies(
        broken_slot=BrokenSlot.TABLE_MANUAL,
        manual_total=ManualTotal.BEFORE_AWARDS,
        void_bets=VoidBets.CARRY,
        extra_chip=ExtraChip.NEXT_HAND,
    ),
    "box manual, paid in 0.50": Policies(broken_slot=BrokenSlot.BOX_MANUAL, payable_unit_cents=50),
}


def terms_of(policies: Policies) -> Terms:
    """12.3457 % of 2.00, so that the meter moves by whole micro-cents and not by cents."""
    return canarias(
        policies,
        jackpot_ppm=123_457,
        minimum_band_cents=(400, 5_000),
        bet_of_minimum_ppm=500_000,
        lock_after_fraud_signs=3,
    )


def morning(day: RecordedDay) -> None:
    """Two layouts, officers, seven slots."""
    terms = day.table.terms
    for one in (terms, replace(terms, layout="2B")):
        day.do(f.ControllerStarted(version="test", clean=True)) if one is terms else None
        day.do(f.ConfigurationLoaded(config_text="", profile_text="", terms=one))
    day.do(f.OfficersListed(officers=OFFICERS))
    for box in BOXES:
        day.do(identified(box), f.SlotUp(box=box))


def play_until(day: RecordedDay, last: int) -> None:
    """Ordinary hands, lucky ones, and the mistakes in turn: each with a death in its middle."""
    dealer = Dealer(day)
    mistakes = in_turn(dealer)
    deaths: dict[str, int] = {}
    while day.table.number < last - MOST_HANDS_OF_A_MISTAKE:
        chance = day.random.random()
        if chance < 0.2:
            with_a_death(day, dealer, next(mistakes), deaths)
            dealer.settle()
        else:
            dealer.play(day.random.choice(LUCK) if chance < 0.26 else ())
        assert day.table.meter_microcents == day.tally.meter, f"after hand {day.table.number}"
    while day.table.number < last:
        dealer.play()


MOST_HANDS_OF_A_MISTAKE = 6
"""A dead slot."""


def with_a_death(
    day: RecordedDay, dealer: Dealer, mistake: Callable[[Dealer], bool], deaths: dict[str, int]
) -> None:
    """The controller dies after the first step, the next time after the second, and so on."""
    day.doing = name = mistake.__name__
    day.steps, day.restart_in = 0, deaths.get(name, 0) + 1
    happened = mistake(dealer)
    if happened:
        deaths[name] = 0 if day.restart_in >= day.steps else day.restart_in
    day.doing, day.restart_in = "", None


def evening(day: RecordedDay) -> None:
    """Last hands, closing, the drop: counted wrongly, then rightly."""
    dealer = Dealer(day)
    for chip in day.state.waiting_chips:
        dealer.waiting_chip(chip.box, chip.source.value, plays=False)
    dealer.settle()
    day.do(f.LastHandsAnnounced(by="J1"))
    for _ in range(3):
        dealer.play()
    refused = day.table.refused(f.HandStarted(by="C1", hand=dealer.number + 1))
    assert refused.reason == "day_ending"
    signs = {"by": "C1", "second": "J1"}
    day.do(f.DayClosed(**signs, displayed_cents=day.tally.shown_cents))
    for chips in (day.tally.in_the_boxes - 1, day.tally.in_the_boxes):
        day.do(f.DropCounted(by="C1", second="J1", day=DAY, chips=chips))
        day.restart()
    assert [item.what.value for item in day.state.items] == ["drop_differs"]
    dealer.settle()


def whole_day(day: RecordedDay) -> None:
    """Layout 2A, the change of game (CAN-2.2), layout 2B."""
    morning(day)
    for last in (ON_THE_FIRST_LAYOUT, HANDS):
        day.tally.start_jackpot()
        cents = day.tally.shown_cents
        day.do(f.DayOpened(by="C1", second="J1", day=DAY, displayed_cents=cents))
        play_until(day, last - 3)
        evening(day)
        if last != HANDS:
            day.do(f.LayoutChanged(**SIGNED, day=DAY, layout="2B"))
            day.restart()


NAMES = {
    "chips": "Assets:Chips",
    "cash": "Assets:Cash",
    "owed": "Liabilities:Awards",
    "waiting": "Liabilities:Waiting",
    "bets": "Income:Bets",
    "contributions": "Expenses:Contributions",
    "seeds": "Expenses:Seeds",
    "borne": "Expenses:Borne",
    "corrections": "Equity:Corrections",
}
"""The onlooker's accounts as the journal calls them."""


def as_in_the_journal(tallies: dict[str, Tally]) -> dict[str, int]:
    """Both layouts together; their meters apart."""
    sums: dict[str, int] = {}
    for layout, tally in tallies.items():
        for account, amount in tally.accounts.items():
            name = NAMES.get(account, f"Liabilities:Pools:{layout}:Jackpot")
            sums[name] = sums.get(name, 0) + amount
    return {name: amount for name, amount in sums.items() if amount}


@pytest.mark.parametrize(("seed", "name"), list(enumerate(POLICIES, start=1)))
def test_CAN_8_7_a_day_of_a_thousand_hands_balances(seed: int, name: str, tmp_path: Path) -> None:
    print(f"seed {seed}: {name}")
    day = RecordedDay(tmp_path / "table.ledger", terms_of(POLICIES[name]), seed)
    whole_day(day)
    ledger = day.close()
    assert day.table.number == HANDS

    with Reader(ledger, TABLE.events) as reader:
        books = {book.terms.layout: book for book in books_of(reader.about, reader.checked())}
    assert books.keys() == day.tallies.keys()
    for layout, tally in day.tallies.items():
        book = books[layout]
        assert book.differences() == []
        assert book.bets_cents == tally.bets * 200
        assert book.paid_cents == tally.paid_cents
        assert book.sums[Pool.JACKPOT].closing() == tally.meter

    journal = written(ledger, JournalFormat.HLEDGER, tmp_path / "day.journal")
    assert by_hledger(journal) == as_in_the_journal(day.tallies)

    assert [finding.text() for finding in verify(ledger).findings] == []
    with Source(ledger) as source:
        assert replay(source).equal
    everything = {*AUTOMATIC_MISTAKES, *EITHER_MODE}
    if POLICIES[name].broken_slot is BrokenSlot.TABLE_MANUAL:
        everything |= {*MANUAL_MISTAKES, mode_changed}
    if POLICIES[name].manual_total is ManualTotal.AFTER_AWARDS:
        everything.discard(misdeal_after_the_total)  # its hand is over with the total
    unharmed = {mistake.__name__ for mistake in everything} - day.restarts.keys()
    assert unharmed == set(), "a controller that died in the middle of each"
