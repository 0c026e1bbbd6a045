"""What can go wrong, as a tree.

* ``JackpotError``            anything this project raises on purpose
    * ``Refused``             a request that the rules or the situation do not allow; nothing changed
    * ``InvariantBroken``     (in ``jackpot.invariant``) our own fault; the table locks and says so

Every message for people has four parts: what was expected, what was found, what to do, and the
rule (or other source) that asks for it.
"""

from __future__ import annotations


class JackpotError(Exception):
    """The root of every error that this project raises on purpose."""


class Refused(JackpotError):
    """A request that cannot be granted; nothing changed, nothing was lost.

    ``reason`` is a stable name for programs and translations; the other parts are plain English.
    """

    def __init__(
        self, *, reason: str, expected: str, found: str, to_do: str, rule: str | None = None
    ) -> None:
        self.reason = reason
        self.expected = expected
        self.found = found
        self.to_do = to_do
        self.rule = rule
        super().__init__(self.text())

    def text(self) -> str:
        """One line for people."""
        source = f" [{self.rule}]" if self.rule else ""
        return f"{self.reason}: expected {self.expected}; found {self.found}; {self.to_do}{source}"


EXIT_FINDINGS = 1
EXIT_REFUSED = 2
EXIT_BUSY = 3
EXIT_FAULT = 4
"""What the end of a program tells scripts and service managers: something was found; refused, or a
wrong command line; another program has the ledger, the serial port or the address; our own fault,
or a disk that left a commit unknown."""

BUSY = frozenset(
    {
        "two_daemons_on_one_ledger",
        "ledger_busy",
        "port_taken",
        "screens_address_taken",
        "two_sign_watchdogs",
    }
)
"""Reasons that mean: somebody else has it."""


def exit_status(error: JackpotError) -> int:
    """The exit status for an error that ended the program."""
    if isinstance(error, Refused):
        return EXIT_BUSY if error.reason in BUSY else EXIT_REFUSED
    return EXIT_FINDINGS if hasattr(error, "findings") else EXIT_FAULT
