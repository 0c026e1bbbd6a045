"""The sentences of manual mode and of everything that people do around it, by stable name."""

from __future__ import annotations

from jackpot.console.marking import mark

REASONS: dict[str, str] = {
    # the total of a hand
    "total_out_of_range": mark("More chips than the boxes hold. Count the chips again."),
    "total_not_multiple": mark("This is no whole number of chips. Enter whole jackpot chips only."),
    "total_contradicts_awards": mark(
        "There are more winning bets than chips. Count again or correct the awards: "
        "the hand stays open."
    ),
    "total_missing": mark(
        "The total comes before the awards. Count the chips and enter the total."
    ),
    "total_is_final": mark("The total is final. Only a signed correction changes it."),
    "total_differs": mark("The total has changed. Look at what the screen shows now."),
    "total_not_known": mark(
        "The total of this hand is not at hand any more. Correct it by a signed amount."
    ),
    "no_total_entered": mark("No total is entered. Enter the number of chips."),
    "not_manual": mark("The slots detect the bets of this hand: it has no total to enter."),
    "hand_is_manual": mark(
        "This hand is in manual mode. Declare the award: no slot is in dispute."
    ),
    # modes and boxes
    "mode_is_so": mark("This is the present mode already. Look at the present screen."),
    "mode_not_authorised": mark("The authorisation of this table does not allow this mode."),
    "box_not_manual": mark("This box plays by its slot. Let the chip go into the slot."),
    "box_full": mark("The box is closed or has its bet already. Look at the lamps."),
    # the table as a place
    "table_suspended": mark("The table is out of service. The table chief resumes it first."),
    "already_suspended": mark("The table is out of service already."),
    "not_suspended": mark("The table is in service already."),
    "outside_band": mark("This minimum is outside the authorised band. Choose one within it."),
    "bet_over_limit": mark("The jackpot bet is too high for this minimum. Choose a higher one."),
    "no_such_layout": mark("The table has no such second layout. Call the technician."),
    "already_changed": mark("The layout was changed already in this gaming day."),
    "stale_day": mark("This is not the present gaming day. Look at the present screen."),
    "count_whole_table": mark("This day has hands in manual mode. Count all boxes together."),
    "not_a_number_of_chips": mark("This is no number of chips. Count again."),
    # signed entries
    "no_reason": mark("A reason is missing. Write a short sentence."),
    "no_authorisation": mark("The number of the authorisation is missing. Write it as granted."),
    "jackpot_is_fixed": mark("The jackpot is fixed: its amount is not corrected or moved."),
    "already_started": mark("The jackpot is running already. This is possible before it only."),
    "no_jackpot": mark("No jackpot is running here."),
    "no_such_jackpot": mark("There is no jackpot of this number. Look at the number again."),
    "same_layout": mark("This is the very same layout. Name another table or layout."),
    "nothing_to_correct": mark("There is nothing to correct: the amount does not change."),
    "below_zero": mark("The jackpot does not hold so much. Look at the amount again."),
    "not_a_ledger_end": mark("This is not the end of a ledger: its batch and its hash are needed."),
    "no_such_award": mark("There is no such award. Look at its number again."),
    "not_paid_yet": mark("This is not paid, or too long ago. Pay first, then print its slip."),
    "slip_printed_before": mark("The original was printed before. Print a copy."),
    "already_paid": mark("Something of it is paid already. Reverse the payments one by one."),
    "more_than_paid": mark("This is more than was paid. Look at the payment again."),
    "no_first_officer": mark(
        "Table chief and games director sign this. One of them logs in first."
    ),
}
"""What each refusal says, by ``Refused.reason``."""

KINDS: dict[str, str] = {
    "slot_counters_read": mark("Slot counters read"),
    "slip_printed": mark("Slip printed"),
    "token_used": mark("Signed with a security key"),
    "total_time_up": mark("Time to undo over"),
    "total_entered": mark("Total entered"),
    "total_withdrawn": mark("Total taken back"),
    "total_final": mark("Total confirmed"),
    "total_due": mark("Total awaited"),
    "total_accepted": mark("Total final"),
    "total_contributed": mark("Contribution of the total"),
    "total_reversed": mark("Contribution of the total taken back"),
    "total_returned": mark("Total given back"),
    "total_corrected": mark("Total corrected"),
    "total_adjusted": mark("Total adjusted"),
    "mode_changed": mark("Mode changed"),
    "box_mode_changed": mark("Mode of a box changed"),
    "bet_asserted": mark("Bet by key"),
    "bet_disputed": mark("Disputed bet accepted"),
    "table_suspended": mark("Table out of service"),
    "table_resumed": mark("Table in service"),
    "table_minimum_set": mark("Table minimum set"),
    "layout_changed": mark("Layout changed"),
    "drop_counted": mark("Chips counted"),
    "drop_compared": mark("Chips compared"),
    "decision_reversed": mark("Decision reversed"),
    "decision_undone": mark("Decision undone"),
    "payment_reversed": mark("Payment reversed"),
    "payment_struck": mark("Payment struck out"),
    "jackpot_taken_over": mark("Jackpot taken over"),
    "jackpot_received": mark("Jackpot received"),
    "jackpot_moved": mark("Jackpot moved"),
    "jackpot_ended": mark("Jackpot ended"),
    "jackpot_corrected": mark("Jackpot corrected"),
    "seed_raised": mark("Seed raised"),
    "seed_added": mark("House added to the jackpot"),
    "amount_in": mark("Amount received"),
    "amount_out": mark("Amount sent away"),
    "amount_adjusted": mark("Amount adjusted"),
    "house_settled": mark("Borne by the house"),
    "controller_replaced": mark("Controller replaced"),
}
"""What happened, by the stable name of the event."""

TOLD_BY_ANOTHER_LINE = frozenset({"total_contributed", "total_due", "total_time_up"})
"""What the short history leaves out."""

MODES: dict[str, str] = {"automatic": mark("by slots"), "manual": mark("manual")}

MODE_REASONS: tuple[str, ...] = (mark("Slots out of service"), mark("Slots work again"))
SERVICE_REASONS: tuple[str, ...] = (
    mark("No players"),
    mark("Fault at the table"),
    mark("In order again"),
)
