"""The sentences about a carrusel, by stable name (CAN-9)."""

from __future__ import annotations

from jackpot.console.marking import mark

REASONS: dict[str, str] = {
    "in_carrusel": mark("The table is in a carrusel. It leaves the carrusel first."),
    "not_in_carrusel": mark("This table is in no carrusel."),
    "not_a_carrusel": mark("This is no name of a carrusel. Call the technician."),
    "base_not_at_lock": mark(
        "Awards of this table are not computed on the amount at «no va más»: it cannot share a prize."
    ),
    "carrusel_joining": mark("The carrusel has not answered yet. Wait for it."),
    "carrusel_leaving": mark("The table is leaving the carrusel. Wait for its answer."),
    "carrusel_stopped": mark(
        "The carrusel has stopped this box. Finish the hand without awards or void it; then director "
        "and table chief join the carrusel again."
    ),
    "carrusel_link_lost": mark(
        "No link to the carrusel: no bets are taken. Wait, or call the technician."
    ),
    "carrusel_not_heard": mark(
        "The carrusel's amount is not known yet. Wait for the link, then press again."
    ),
    # at a coordinator's page
    "hand_number_missing": mark(
        "The number of the hand is missing. Write it as the page shows it."
    ),
    "not_a_public_key": mark("This is no public key. Copy it as the other coordinator printed it."),
    "not_a_member": mark(
        "No table of this name is in the carrusel. Write it as the page shows it."
    ),
    "already_asked": mark("This is asked already. Wait for the carrusel's answer."),
}
"""What each refusal says, by ``Refused.reason``."""

STAGES: dict[str, str] = {
    "joining": mark("waits for the carrusel's answer"),
    "member": mark("member"),
    "leaving": mark("is leaving"),
    "stopped": mark("stopped by the carrusel"),
}
"""Where a membership stands, by ``MemberStage``."""

KINDS: dict[str, str] = {
    "carrusel_join_asked": mark("Join of a carrusel asked"),
    "carrusel_leave_asked": mark("Leave of the carrusel asked"),
    "claim_withdrawn": mark("Claim taken back"),
    "carrusel_joined": mark("Joined the carrusel"),
    "carrusel_join_refused": mark("The carrusel refused the join"),
    "carrusel_left": mark("Left the carrusel"),
    "carrusel_stopped": mark("Stopped by the carrusel"),
    "carrusel_link_lost": mark("Link to the carrusel lost"),
    "carrusel_link_back": mark("Link to the carrusel there"),
    "carrusel_viewed": mark("Amount of the carrusel at the lock"),
    "carrusel_decided": mark("Decision of the carrusel"),
    "carrusel_undone": mark("Decision undone by the carrusel"),
    "carrusel_claim_freed": mark("Claim free again"),
    "awards_claimed": mark("Award awaits the carrusel"),
    "carrusel_deducted": mark("Share of another table's award"),
    "carrusel_returned": mark("Share came back"),
    "shortfall_borne": mark("Shortfall borne by the house"),
    "carrusel_operation": mark("Told to the carrusel"),
}
"""What happened, by the stable name of the event."""

TOLD_BY_ANOTHER_LINE = frozenset({"carrusel_operation", "carrusel_viewed"})
"""What the short history leaves out."""
