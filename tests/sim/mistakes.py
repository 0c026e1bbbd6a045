"""What goes wrong at a table, and how it is put right: one function for each, hands included.

A function returns ``False`` where the table's policies or mode leave no room for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from hands import ACES, KING_HIGH, NINE_HIGH_CLUBS, ROYAL, SEVENS, Dealer
from tally import BET, CENT, PER_BET

from jackpot.law.policies import BrokenSlot, ExtraChip, VoidBets
from jackpot.law.terms import BetMode
from jackpot.table import facts as f

SIGNED: dict[str, Any] = {"by": "J1", "second": "D1"}
WHY = "seen by all"


def refused(dealer: Dealer, reason: str, fact: Any) -> None:
    """An act that the table does not let happen; nothing of it reaches the ledger."""
    assert dealer.day.table.refused(fact).reason == reason


# ---- totals ---------------------------------------------------------------------------------------


def wrong_total(dealer: Dealer) -> bool:
    """One chip too many, replaced; then withdrawn, and entered rightly."""
    if not dealer.manual:
        return False
    boxes, number = dealer.some_boxes(), dealer.number + 1
    dealer.start()
    if not dealer.total_first:
        dealer.no_awards()
    refused(dealer, "total_not_multiple", f.TotalEntered(by="C1", hand=number, chips=2, cents=401))
    refused(
        dealer, "total_out_of_range", f.TotalEntered(by="C1", hand=number, chips=8, cents=1_600)
    )
    dealer.enter(7)
    dealer.enter(0)
    dealer.day.do(f.TotalWithdrawn(by="C1", hand=number))
    dealer.enter(len(boxes))
    time_up = f.TotalTimeUp(hand=number, entry=3)
    dealer.day.do(f.TotalTimeUp(hand=number, entry=1))  # the first was replaced: nothing happens
    dealer.day.do(time_up)
    dealer.counted(len(boxes))
    if dealer.total_first:
        dealer.no_awards()
    return True


def total_corrected_later(dealer: Dealer) -> bool:
    """Found two hands later: so many chips before, so many after."""
    if not dealer.manual:
        return False
    day, number = dealer.day, dealer.number + 1
    right = day.random.randint(0, 7)
    wrong = day.random.choice([chips for chips in range(8) if chips != right])
    dealer.start()
    if dealer.total_first:
        dealer.total(wrong)
        dealer.no_awards()
    else:
        dealer.no_awards()
        dealer.total(wrong)
    jackpot = day.tally.jackpot
    dealer.play(day.random.choice(((), (ROYAL,))))
    stale: dict[str, Any] = {
        "hand": number,
        "chips_before": right,
        "chips_after": wrong,
        "why": WHY,
    }
    refused(dealer, "total_differs", f.TotalCorrected(**SIGNED, **stale))
    day.do(f.TotalCorrected(**SIGNED, hand=number, chips_before=wrong, chips_after=right, why=WHY))
    if right < wrong and day.tally.jackpot != jackpot:  # that jackpot is won: the house bears it
        day.tally.bets -= wrong - right
        day.tally.move("bets", "chips", (wrong - right) * BET)
        day.tally.borne((wrong - right) * PER_BET)
        day.tally.in_the_boxes -= wrong - right
    else:
        dealer.counted(right - wrong)
    return True


def misdeal_after_the_total(dealer: Dealer) -> bool:
    """An exposed card when the total was final already: it is taken back (CAN-10.1)."""
    if not (dealer.manual and dealer.total_first):
        return False
    dealer.until_locked([1, 2, 3])
    _void(dealer)
    dealer.counted(-3)
    return True


# ---- misdeals -------------------------------------------------------------------------------------


def _void(dealer: Dealer) -> None:
    dealer.day.do(f.HandVoided(by="C1", second="J1", hand=dealer.number, why="exposed card"))


def _bets_back(dealer: Dealer) -> None:
    """By the policy: handed back, or waiting in their boxes."""
    day, bets = dealer.day, dealer.day.state.hand
    count = 0 if bets is None else len(bets.bets)
    _void(dealer)
    for _ in range(count):
        if day.terms.policies.void_bets is VoidBets.CARRY:
            day.tally.carried()
        else:
            day.tally.bet(-1)


def misdeal(dealer: Dealer) -> bool:
    """A wrong count: the whole hand is void (CAN-10.1), before or after «no va más»."""
    dealer.start()
    if not dealer.manual:
        dealer.bets(dealer.some_boxes())
        if dealer.day.random.random() < 0.5:
            dealer.lock()
        _bets_back(dealer)
        return True
    _void(dealer)
    return True


def misdeal_after_the_declaration(dealer: Dealer) -> bool:
    """The card is found when the winner was declared already."""
    if dealer.manual:
        return False
    dealer.until_locked([2, 5])
    dealer.declare({2: ACES})
    _bets_back(dealer)
    return True


# ---- chips ----------------------------------------------------------------------------------------


def chips_that_do_not_fit(dealer: Dealer) -> bool:
    """A second chip, a wrong one, a late one: handed back, or waiting for the next hand."""
    if dealer.manual or dealer.day.state.manual_boxes or dealer.day.state.closed_boxes:
        return False
    day = dealer.day
    dealer.start()
    dealer.bets([1, 2])
    day.do(f.ChipSeen(box=1, expected=True, a=1, b=1))
    day.do(f.ChipSeen(box=3, expected=False, a=2, b=1))
    dealer.lock()
    day.do(f.ChipSeen(box=4, expected=True, a=1, b=1))
    day.tally.in_the_boxes += 3  # the players get others; these stay in their boxes
    dealer.no_awards()
    waiting = [chip.box for chip in day.state.waiting_chips]
    held = day.terms.policies.extra_chip is ExtraChip.NEXT_HAND
    assert waiting == ([1, 4] if held else [])
    return True


def silent_slot(dealer: Dealer) -> bool:
    """Two slots say nothing at the lock: in one there is a chip, of which the slot tells later."""
    if dealer.manual or dealer.day.state.manual_boxes or dealer.day.state.closed_boxes:
        return False
    day = dealer.day
    dealer.start()
    dealer.bets([1])
    dealer.lock(6, 7)
    hand = day.state.hand
    for box in () if hand is None else hand.unknown_boxes:  # none where a chip that waited plays
        refused(dealer, "box_unknown", f.NoAwardsDeclared(by="C1", hand=dealer.number))
        bet = box == 6
        day.do(f.SlotDecided(by="C1", hand=dealer.number, box=box, bet=bet))
        if bet:
            day.tally.bet()
            day.tally.in_the_boxes += 1
            day.do(f.ChipSeen(box=6, expected=True, a=1, b=1))  # matched: no second bet
    dealer.no_awards()
    return True


def _bet_in(dealer: Dealer, box: int) -> bool:
    hand = dealer.day.state.hand
    return hand is not None and any(bet.box == box for bet in hand.bets)


def detector_dispute(dealer: Dealer) -> bool:
    """The slot of box 3 did not see its chip, and box 3 wins: two officers sign the bet."""
    if dealer.manual or {3, 5} & {*dealer.day.state.manual_boxes, *dealer.day.state.closed_boxes}:
        return False
    day = dealer.day
    dealer.start()
    if _bet_in(dealer, 3):
        dealer.lock()
        dealer.no_awards()
        return True
    dealer.bets([5])
    dealer.lock()
    no_bet = (f.DeclaredHand(3, ACES.cards),)
    refused(dealer, "no_bet_in_box", f.AwardsDeclared(by="C1", hand=dealer.number, hands=no_bet))
    day.do(f.BetDisputed(**SIGNED, hand=dealer.number, box=3, why=WHY))
    day.tally.bet()
    day.tally.in_the_boxes += 1
    winners = {3: ACES}
    dealer.declare(winners)
    dealer.pay(dealer.confirm(winners))
    day.do(f.ChipSeen(box=3, expected=True, a=1, b=1))  # it tells at last: matched
    return True


# ---- awards ---------------------------------------------------------------------------------------


def wrong_cards(dealer: Dealer) -> bool:
    """The chief looks and sees another hand: declared again."""
    boxes = _winners_boxes(dealer)
    dealer.until_locked(boxes)
    dealer.declare({boxes[0]: ACES})
    dealer.day.do(f.AwardsRejected(by="J1", hand=dealer.number, why="a queen, not an ace"))
    winners = {boxes[0]: SEVENS}
    dealer.declare(winners)
    dealer.pay(dealer.confirm(winners))
    dealer.after_awards(boxes)
    return True


def _winners_boxes(dealer: Dealer) -> list[int]:
    return dealer.some_boxes(2)


def decision_reversed(dealer: Dealer) -> bool:
    """Another box has won: the decision is taken back whole, a royal flush with its new seed."""
    boxes = _winners_boxes(dealer)
    day = dealer.day
    dealer.until_locked(boxes)
    wrong = {boxes[0]: day.random.choice((ROYAL, KING_HIGH))}
    dealer.declare(wrong)
    owed = dealer.confirm(wrong)
    if day.random.random() < 0.5:
        dealer.sign(owed)
    award = day.state.awards
    day.do(f.DecisionReversed(**SIGNED, hand=dealer.number, award=award, why=WHY))
    day.tally.undone(sum(owed.values()), royal=wrong[boxes[0]] is ROYAL)
    right = {boxes[1]: NINE_HIGH_CLUBS}
    dealer.declare(right)
    dealer.pay(dealer.confirm(right))
    dealer.after_awards(boxes)
    return True


def payment_struck(dealer: Dealer) -> bool:
    """Two are to be paid; one turns out to be false before it is handed over."""
    boxes = _winners_boxes(dealer)
    day = dealer.day
    dealer.until_locked(boxes)
    winners = {boxes[0]: KING_HIGH, boxes[1]: SEVENS}
    dealer.declare(winners)
    owed = dealer.confirm(winners)
    dealer.sign(owed)
    dealer.pay({boxes[0]: owed[boxes[0]]})
    struck = owed[boxes[1]]
    entry: dict[str, Any] = {
        "award": day.state.awards,
        "box": boxes[1],
        "cents": struck // CENT,
        "why": WHY,
    }
    day.do(f.PaymentReversed(**SIGNED, **entry))
    day.tally.struck(struck)
    dealer.after_awards(boxes)
    return True


def payment_reversed(dealer: Dealer) -> bool:
    """Found after the hand: some of it comes back; of another one the player is owed more."""
    day = dealer.day
    box, microcents = next(iter(dealer.play((ACES,)).items()))
    award, jackpot = day.state.awards, day.tally.jackpot
    if day.random.random() < 0.3:
        dealer.play((ROYAL,))
    back = microcents // CENT // 3
    entry: dict[str, Any] = {"award": award, "box": box, "why": WHY}
    day.do(f.PaymentReversed(**SIGNED, **entry, cents=back))
    day.tally.corrected(back * CENT)
    too_much = f.PaymentReversed(**SIGNED, **entry, cents=microcents // CENT - back + 1)
    refused(dealer, "more_than_paid", too_much)
    day.do(f.PaymentReversed(**SIGNED, **entry, cents=-1_234))
    if day.tally.jackpot == jackpot:
        day.tally.corrected(-1_234 * CENT)
    else:
        day.tally.borne(1_234 * CENT)
    return True


# ---- entries --------------------------------------------------------------------------------------


def meter_corrected(dealer: Dealer) -> bool:
    """To the micro-cent, up and down; what a jackpot that is won had too much the house bears."""
    day = dealer.day
    entry: dict[str, Any] = {**SIGNED, "authorisation": "A-3", "why": WHY}
    up = day.random.randint(1, 99_999_999)
    day.do(f.JackpotCorrected(**entry, microcents=up, jackpot=day.tally.jackpot))
    day.tally.corrected(up)
    dealer.play()
    down = day.random.randint(1, 99_999_999)
    day.do(f.JackpotCorrected(**entry, microcents=-down, jackpot=day.tally.jackpot))
    day.tally.corrected(-down)
    if day.tally.jackpot > 1:
        day.do(f.JackpotCorrected(**entry, microcents=-7, jackpot=day.tally.jackpot - 1))
        day.tally.borne(7)
    refused(dealer, "nothing_to_correct", f.JackpotCorrected(**entry, microcents=0, jackpot=1))
    return True


def seed_raised(dealer: Dealer) -> bool:
    """The house adds 24.00."""
    day = dealer.day
    day.do(f.SeedRaised(**SIGNED, cents=2_400, authorisation="A-9", why="anniversary"))
    day.tally.added(2_400 * CENT)
    dealer.play()
    return True


# ---- the table as a place -------------------------------------------------------------------------


def dead_slot(dealer: Dealer) -> bool:
    """The slot of box 4 dies between two hands. What happens then, ``broken_slot`` says."""
    day = dealer.day
    if dealer.manual or day.state.closed_boxes or day.state.manual_boxes:
        return False
    for chip in day.state.waiting_chips:  # a mode changes only when none waits
        dealer.waiting_chip(chip.box, chip.source.value, plays=False)
    day.dead.add(4)
    day.do(f.SlotDown(box=4, why="silent"))
    refused(dealer, "slot_down", f.HandStarted(by="C1", hand=dealer.number + 1))
    policy = day.terms.policies.broken_slot
    _without_its_slot(dealer, policy)
    for _ in range(4):
        dealer.play()
    dealer.play((SEVENS,))
    day.dead.discard(4)
    day.do(f.SlotUp(box=4))
    _with_its_slot(dealer, policy)
    dealer.play()
    return True


def _without_its_slot(dealer: Dealer, policy: BrokenSlot) -> None:
    change: dict[str, Any] = {"by": "J1", "mode": BetMode.MANUAL, "why": "the slot is dead"}
    if policy is BrokenSlot.TABLE_MANUAL:
        dealer.day.do(f.ModeChanged(**change))
        return
    refused(dealer, "mode_not_authorised", f.ModeChanged(**change))
    if policy is BrokenSlot.BOX_MANUAL:
        dealer.day.do(f.BoxModeChanged(**change, box=4))
    else:
        dealer.day.do(f.BoxClosed(by="J1", box=4, why="the slot is dead"))


def _with_its_slot(dealer: Dealer, policy: BrokenSlot) -> None:
    change: dict[str, Any] = {"by": "J1", "mode": BetMode.AUTOMATIC, "why": "mended"}
    if policy is BrokenSlot.TABLE_MANUAL:
        dealer.day.do(f.ModeChanged(**change))
    elif policy is BrokenSlot.BOX_MANUAL:
        dealer.day.do(f.BoxModeChanged(**change, box=4))
    else:
        dealer.day.do(f.BoxOpened(by="J1", box=4))


def mode_changed(dealer: Dealer) -> bool:
    """The whole table to manual mode while the mechanism is cleaned, or back again."""
    day = dealer.day
    if day.terms.policies.broken_slot is not BrokenSlot.TABLE_MANUAL:
        return False
    for chip in day.state.waiting_chips:
        dealer.waiting_chip(chip.box, chip.source.value, plays=False)
    other = BetMode.AUTOMATIC if dealer.manual else BetMode.MANUAL
    day.do(f.ModeChanged(by="J1", mode=other, why="the mechanism is cleaned"))
    dealer.play()
    return True


def fraud_signs(dealer: Dealer) -> bool:
    """Three signs of fraud lock a slot until the chief has settled it; a chip there is refused."""
    day = dealer.day
    if dealer.manual or day.state.manual_boxes or day.state.closed_boxes:
        return False
    dealer.start()
    free = next(box for box in (2, 1, 3) if not _bet_in(dealer, box))
    for _ in range(3):
        day.do(f.SlotEvent(box=free, a=0, b=20, name="string", fraud=True))
    day.do(f.ChipSeen(box=free, expected=True, a=1, b=1))
    day.tally.in_the_boxes += 1
    dealer.lock()
    dealer.no_awards()
    return True


def slot_tested(dealer: Dealer) -> bool:
    """A technician's chip is no bet; a controller that dies ends the test."""
    day = dealer.day
    day.do(f.SlotTestStarted(by="T1", box=5))
    if day.state.test is None:
        return True
    day.do(f.ChipSeen(box=5, expected=True, a=1, b=1))
    day.tally.in_the_boxes += 1
    if day.state.test is not None:
        day.do(f.SlotTested(by="T1", box=5, chips=1, result=f.TestResult.PASSED))
    return True


def minimum_changed(dealer: Dealer) -> bool:
    """The director's, within the band, and never below what the bet needs."""
    refused(dealer, "outside_band", f.TableMinimumSet(by="D1", cents=9_000))
    dealer.day.do(f.TableMinimumSet(by="D1", cents=dealer.day.random.choice((1_000, 1_500))))
    dealer.play()
    return True


def out_of_service(dealer: Dealer) -> bool:
    """No light; then light again."""
    dealer.day.do(f.TableSuspended(by="J1", why="no light"))
    refused(dealer, "table_suspended", f.HandStarted(by="C1", hand=dealer.number + 1))
    dealer.day.do(f.TableResumed(by="J1", why="light again"))
    dealer.play()
    return True


EITHER_MODE: list[Callable[[Dealer], bool]] = [
    misdeal,
    wrong_cards,
    decision_reversed,
    payment_struck,
    payment_reversed,
    meter_corrected,
    seed_raised,
    slot_tested,
    minimum_changed,
    out_of_service,
]

MANUAL_MISTAKES: list[Callable[[Dealer], bool]] = [
    *EITHER_MODE,
    wrong_total,
    total_corrected_later,
    misdeal_after_the_total,
]

AUTOMATIC_MISTAKES: list[Callable[[Dealer], bool]] = [
    *EITHER_MODE,
    misdeal_after_the_declaration,
    chips_that_do_not_fit,
    silent_slot,
    detector_dispute,
    dead_slot,
    fraud_signs,
]


def in_turn(dealer: Dealer) -> Iterator[Callable[[Dealer], bool]]:
    """Every mistake of the present mode once, in any order; then the mode changes where it may."""
    while True:
        here = MANUAL_MISTAKES if dealer.manual else AUTOMATIC_MISTAKES
        yield from dealer.day.random.sample(here, len(here))
        yield mode_changed
