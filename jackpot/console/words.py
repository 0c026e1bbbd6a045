"""The sentences of the screens, in English as the catalogues know them, by stable name.

``mark`` only marks a text for extraction; ``jackpot.console.language`` translates it.
"""

from __future__ import annotations

from jackpot.console import carrusel_words, pit_words
from jackpot.console.marking import mark

MODES = pit_words.MODES
STAGES = carrusel_words.STAGES

REASONS: dict[str, str] = {
    # who acts
    "unknown_officer": mark("This officer is not on the list of the table. Log in again."),
    "role_missing": mark("This officer may not do this. Call somebody with the role it needs."),
    "same_officer": mark("This needs two different officers. Let another one sign."),
    "second_officer_missing": mark("A second officer must sign here with id and PIN."),
    "wrong_pin": mark("Id or PIN is wrong. Nothing was done. Try again."),
    "too_soon": mark("Too many wrong PINs. Wait a moment, then try again."),
    "no_token": mark("This officer has no security key registered at this address. Use the PIN."),
    "token_wrong": mark(
        "The security key did not answer this question. Try again, or use the PIN."
    ),
    "token_not_here": mark(
        "A security key signs only beside another officer. Sign this with the PIN."
    ),
    "too_many_tokens": mark("This officer has four security keys. Remove the old ones first."),
    "slip_failed": mark("The slip could not be made. Print a copy, or call the technician."),
    "officer_book_changed": mark("The officer book was changed meanwhile. Do it again."),
    # forms and sessions
    "not_logged_in": mark("Nobody is logged in at this terminal, or too long ago. Log in."),
    "form_already_posted": mark(
        "This form was already sent. Nothing was done twice: what the screen shows now counts."
    ),
    "form_is_old": mark("This page was out of date. Look at the present screen and press again."),
    "page_was_stale": mark(
        "The page had lost the controller when this key was pressed. Nothing was done: look at the "
        "present screen and press again."
    ),
    "too_quick": mark("That key had only just appeared. Look at the screen and press again."),
    "bets_changed": mark(
        "The number of bets has changed since the page was drawn. Look at it and sign again."
    ),
    "entry_of_old_hand": mark(
        "What was entered belonged to another hand and was cleared. Look at the present hand."
    ),
    "no_such_page": mark("There is no such page here."),
    "form_forged": mark("This form does not belong to this session. Load the page again."),
    "form_incomplete": mark("Something is missing in the form. Fill it in again."),
    "form_too_large": mark("This form is too large to be one of the console's."),
    "other_site": mark("This did not come from a page of the console. Nothing was done."),
    "neighbour_elsewhere": mark(
        "A browser keeps no login of the other table here: both boxes need names in one domain. "
        "Call the technician."
    ),
    "no_such_act": mark("The console has no such key. Load the page again."),
    "why_missing": mark("A reason is missing. Pick one or write a short sentence."),
    "no_box_picked": mark("No box is picked. Pick the box first, then its five cards."),
    "too_many_screens": mark("Too many screens are open at once. Close one and try again."),
    # the table
    "no_terms": mark("The table has no configuration. Call the technician."),
    "stale_hand": mark("The screen showed another hand. Look at the present one and press again."),
    "wrong_phase": mark("This is not the moment. Finish the step that the screen shows first."),
    "no_hand": mark("No hand is running. Start a hand."),
    "day_ending": mark("The last announced hand is played. Close the table."),
    "slot_down": mark("A slot is out of service. Wait for it, or let the chief close the box."),
    "test_running": mark(
        "A technician is testing a slot. Wait for its end, half a minute at most."
    ),
    "chip_waiting": mark("A chip is waiting. Say whether it plays, or hand it back."),
    "box_not_unknown": mark("There is no question about this box. Pick a box that is marked."),
    "box_unknown": mark("A slot stayed silent. Look into the box and say whether there is a bet."),
    "no_waiting_chip": mark("No chip is waiting in this box. Look at the present screen."),
    "box_has_its_bet": mark(
        "The box has its bet. Leave the chip for the next hand, or hand it back."
    ),
    "no_such_box": mark("The table has no such box."),
    "no_such_item": mark("This is already settled."),
    "already_announced": mark("The last hands are already announced."),
    "things_left_open": mark(
        "Something is still open: hand back every chip, settle every notice, then close."
    ),
    "not_a_day": mark("This is no date. Write it like 2026-11-30."),
    "day_not_after_last": mark("This gaming day is over already. Open the next one."),
    "day_not_today": mark(
        "This gaming day is not next to the date. Pick another one; if the date is wrong, call the "
        "technician."
    ),
    "amount_differs": mark("The amount has changed. Look at what is shown now, and sign that."),
    "not_owed": mark("This payment is not owed. Pay what the screen shows."),
    # awards
    "no_hand_declared": mark("No winning hand is entered. Pick a box and its five cards."),
    "no_bet_in_box": mark("This box has no jackpot bet, so it has no award."),
    "no_award_for_hand": mark("This hand earns no jackpot award. Take this box out."),
    "not_a_card": mark("This is no card. Pick it from the grid."),
    "not_five_cards": mark("Five cards are needed: the player's own."),
    "card_twice": mark("A card appears twice. Look at the hands again."),
    "box_out_of_range": mark("The table has no such box. Pick the box again."),
    "bet_out_of_range": mark("The box holds no such bet."),
    "box_twice": mark("This bet is entered twice. Take one of the two out."),
    "box_with_two_hands": mark("Every bet of a box plays the same five cards."),
    "not_an_amount": mark("This is no amount."),
    # the controller
    "table_halted": mark("The table has locked itself. Call the technician."),
    "controller_stopping": mark("The controller is stopping. Wait until it is back."),
    "desk_busy": mark("The controller is busy. Wait a moment and look at the present screen."),
    "ledger_full": mark("The disk is full: nothing can be recorded. Call the technician."),
    **pit_words.REASONS,
    **carrusel_words.REASONS,
}
"""What each refusal says, by ``Refused.reason``."""

ANY_REASON = mark("This is not possible now. Look at the present screen.")
"""For a refusal that should never reach a console."""

PHASES: dict[str, str] = {
    "closed": mark("Table closed"),
    "between_hands": mark("Between hands"),
    "betting": mark("Betting open"),
    "locking": mark("Closing the slots"),
    "locked": mark("Betting closed"),
    "declared": mark("Award to be confirmed"),
    "pending": mark("PENDING: the carrusel decides"),
    "decided": mark("Award to be signed"),
    "payable": mark("Award to be paid"),
    "total": mark("Total of the hand"),
}

HANDS: dict[str, str] = {
    "royal_flush": mark("Royal flush"),
    "straight_flush": mark("Straight flush"),
    "four_of_a_kind": mark("Four of a kind"),
}

LAMPS: dict[str, str] = {
    "off": mark("no bet"),
    "flashing": mark("chip waiting"),
    "steady": mark("bet"),
    "closed": mark("closed"),
    "unknown": mark("silent"),
}

ITEMS: dict[str, str] = {
    "hand_back_chip": mark("Hand the chip back to the player."),
    "events_lost": mark("The slot lost events. Compare the chips in the box with the screen."),
    "slot_restarted": mark("The slot restarted. Compare the chip in the box with the screen."),
    "slot_doubtful": mark("The slot's counter does not fit. Call the technician."),
    "fraud_sign": mark("The slot reports a sign of fraud. Look at the slot and the player."),
    "drop_differs": mark(
        "The counted chips differ from those recorded. Count again, then report it."
    ),
    "slot_locked": mark(
        "Too many signs of fraud: the slot is locked. The table chief looks and unlocks it."
    ),
}
"""The one thing to do, by ``ItemWhat``."""

CHIP_REASONS: dict[str, str] = {
    "late": mark("out of time"),
    "second": mark("second chip"),
    "wrong": mark("chip of another value"),
    "closed_box": mark("box closed"),
    "returned": mark("bet returned"),
}
"""Why a chip is handed back, by ``RefusedChip``; ``returned``: the bet was taken back."""

ALARMS: dict[str, str] = {
    "disk_nearly_full": mark("The disk is nearly full. Call the technician."),
    "disk_full": mark("The disk is full: no new bets are taken. Call the technician."),
    "ledger_restored": mark(
        "An older copy of the ledger was restored: what came after it is not in the books. "
        "Call the games director."
    ),
    "clock_behind": mark("The clock is behind the ledger's last entry. Call the technician."),
    "slot_line": mark("The line to the slots is in trouble. Call the technician."),
    "sign_lost": mark("A sign on the wall may show something old. Look at it."),
}

SLOT_FAULTS: dict[str, str] = {
    "not_seen": mark("not seen yet"),
    "no_reply": mark("does not answer"),
    "no_echo": mark("adapter, wiring or power"),
    "collision": mark("two talk at once, or noise"),
    "bad_checksum": mark("broken answers"),
    "refused": mark("refuses the request"),
    "busy": mark("is busy"),
    "wrong_shape": mark("answers in a wrong form"),
    "not_a_coin_acceptor": mark("something else answers"),
    "no_chip_channel": mark("no channel for the jackpot chip"),
    "mask_too_short": mark("the chip's channel cannot be switched"),
    "credits_by_value": mark("tells values, not channels"),
    "path_not_taken": mark("the chip takes another way through the sorter"),
    "self_check": mark("its self-check reports a fault"),
    "inconsistent": mark("its events contradict each other"),
    "line_lost": mark("the serial adapter is gone"),
}
"""Why a slot or the line is out of service: ``why_down``, and the beginning of ``line_fault``."""

ROLES: dict[str, str] = {
    "croupier": mark("croupier"),
    "table_chief": mark("table chief"),
    "games_director": mark("games director"),
    "technician": mark("technician"),
    "auditor": mark("auditor"),
}

VOID_REASONS: tuple[str, ...] = (
    mark("Wrong number of cards"),
    mark("Exposed card"),
    mark("Card twice"),
    mark("Other error in the deal"),
)
REJECT_REASONS: tuple[str, ...] = (mark("Other cards"), mark("Other box"))
BOX_REASONS: tuple[str, ...] = (mark("Slot out of service"), mark("Box not in use"))

DETAILS: dict[str, str] = CHIP_REASONS | ITEMS | SLOT_FAULTS | ALARMS


def detail_words(detail: str) -> str:
    """What a history line says beyond its name, in words where it is a stable name."""
    return DETAILS.get(detail, detail)


TOLD_BY_ANOTHER_LINE = (
    pit_words.TOLD_BY_ANOTHER_LINE
    | carrusel_words.TOLD_BY_ANOTHER_LINE
    | {
        "chip_seen",
        "contributed",
        "lock_reached",
        "payment_decided",
    }
)
"""What the short history leaves out: the line beside it says the same."""

KINDS: dict[str, str] = {
    "controller_started": mark("Controller started"),
    "controller_stopped": mark("Controller stopped"),
    "configuration_loaded": mark("Configuration loaded"),
    "officers_listed": mark("Officers listed"),
    "clock_stepped": mark("Clock changed"),
    "alarm_raised": mark("Alarm"),
    "alarm_cleared": mark("Alarm over"),
    "slot_identified": mark("Slot identified"),
    "slot_restarted": mark("Slot restarted"),
    "slot_down": mark("Slot out of service"),
    "slot_up": mark("Slot in service"),
    "chip_seen": mark("Chip seen"),
    "slot_event": mark("Slot event"),
    "slot_events_lost": mark("Slot events lost"),
    "lock_reached": mark("Slots closed"),
    "day_opened": mark("Table opened"),
    "last_hands_announced": mark("Last hands announced"),
    "day_closed": mark("Table closed"),
    "box_closed": mark("Box closed"),
    "box_opened": mark("Box opened"),
    "slot_test_started": mark("Slot test begun"),
    "slot_tested": mark("Slot tested"),
    "chip_tested": mark("Chip of a test"),
    "item_settled": mark("Notice settled"),
    "hand_started": mark("Hand started"),
    "lock_pressed": mark("«No va más» pressed"),
    "slot_decided": mark("Silent slot decided"),
    "chip_decided": mark("Waiting chip decided"),
    "awards_declared": mark("Awards declared"),
    "no_awards_declared": mark("No awards"),
    "awards_rejected": mark("Declaration rejected"),
    "awards_confirmed": mark("Cards confirmed"),
    "awards_signed": mark("Amount signed"),
    "award_paid": mark("Award paid"),
    "hand_voided": mark("Hand voided"),
    "terms_in_force": mark("Terms in force"),
    "terms_pending": mark("Terms waiting"),
    "jackpot_started": mark("Jackpot started"),
    "contributed": mark("Contribution"),
    "contribution_reversed": mark("Contribution taken back"),
    "bet_accepted": mark("Bet"),
    "bet_returned": mark("Bet returned"),
    "bet_carried": mark("Bet carried over"),
    "chip_refused": mark("Chip refused"),
    "chip_held": mark("Chip waits"),
    "chip_matched": mark("Chip matched"),
    "item_opened": mark("Notice"),
    "hand_locked": mark("Betting closed"),
    "awards_frozen": mark("Award frozen"),
    "payment_decided": mark("Payment decided"),
    "awards_decided": mark("Award decided"),
    "paid_from_seed": mark("Paid from the new jackpot"),
    "hand_ended": mark("Hand ended"),
    "hands_left": mark("Hands left"),
    "day_totals": mark("Totals of the day"),
    **pit_words.KINDS,
    **carrusel_words.KINDS,
}
"""What happened, by the stable name of the event."""
