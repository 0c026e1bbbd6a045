"""What can go wrong with the record. Every message says what was expected, found, and what to do.

* ``LedgerRefused`` (a ``Refused``)   certain: nothing was written, nothing was lost
    * ``LedgerUnreadable``            missing, not a ledger, damaged, from the future, of another table
    * ``LedgerAltered``               readable, but contradicts its hashes, signatures or witnesses
    * ``LedgerBusy``                  another process writes it
    * ``LedgerReadOnly``              the place does not take writes
    * ``LedgerFull``                  the disk is full; the batch was rolled back
    * ``DuplicateCause``              this cause is already recorded: the caller's work is done
* ``CommitUnknown``                   a COMMIT failed: the batch may be on the disk or not
"""

from __future__ import annotations

from jackpot.errors import JackpotError, Refused


class LedgerRefused(Refused):
    """A ledger that cannot be opened or written as asked; what it holds is as it was."""


class LedgerUnreadable(LedgerRefused):
    """No ledger of this kind can be read there."""


class LedgerAltered(LedgerRefused):
    """The file reads well, but what it says is not what was written, signed or witnessed."""


class LedgerBusy(LedgerRefused):
    """Somebody else holds the ledger."""


class LedgerReadOnly(LedgerRefused):
    """The file or its folder does not take writes."""


class LedgerFull(LedgerRefused):
    """No room on the disk; the transaction was rolled back and the ledger stays usable."""


class DuplicateCause(LedgerRefused):
    """The cause was recorded before; ``last_number`` is the highest number of its source."""

    def __init__(self, cause: str, last_number: int) -> None:
        self.last_number = last_number
        super().__init__(
            reason="duplicate_cause",
            expected=f"a number greater than {last_number}",
            found=cause,
            to_do="treat it as already done",
        )


class CommitUnknown(JackpotError):
    """A COMMIT failed, so nobody knows whether the batch is on the disk.

    The ledger takes nothing more. Close it, open it again, and ask ``last_number`` of the source.
    """

    def __init__(self, found: str) -> None:
        super().__init__(
            f"commit_unknown: expected COMMIT to succeed; found {found}; "
            "open the ledger again and look up the last number of the source"
        )
