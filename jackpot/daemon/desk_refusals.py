"""Why a desk takes nothing at the moment, whatever is asked."""

from __future__ import annotations

from jackpot.errors import Refused


def halted(why: str) -> Refused:
    """The table locked itself; ``why`` says what happened."""
    return Refused(
        reason="table_halted",
        expected="a table in order",
        found=why,
        to_do="call the technician: the controller must be looked at and started again",
    )


def stopping() -> Refused:
    """The controller is on its way out."""
    return Refused(
        reason="controller_stopping",
        expected="a running controller",
        found="one that stops",
        to_do="wait until it is back",
    )


def busy(most: int) -> Refused:
    """More requests than the queue holds."""
    return Refused(
        reason="desk_busy",
        expected=f"fewer than {most} requests waiting for the disk",
        found="more",
        to_do="wait a moment and look at the present screen",
    )


def no_room() -> Refused:
    """The disk is full."""
    return Refused(
        reason="ledger_full",
        expected="room on the disk",
        found="none: nothing can be recorded, nothing was lost",
        to_do="call the technician; the table goes on by itself when there is room",
    )
