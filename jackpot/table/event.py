"""What an event is: an immutable record with a stable name, either a fact or an outcome.

*Facts* come from outside: a chip seen, a key pressed, a signature. They are also the commands of
the table: to ask for something is to offer the fact that would record it.
*Outcomes* are derived from facts by the rules. Replay offers the facts again and compares them.

Three fields may be given a column of their own in the ledger, so that an auditor can sum them in
plain SQL; all others go into the event's JSON. ``columns`` says which field is which.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import msgspec


class Columns(NamedTuple):
    """The field behind each amount column; None where the event has none."""

    box: str | None = None
    cents: str | None = None
    microcents: str | None = None


class Event(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """One line of the ledger. Never updated, never deleted; a correction is another event."""

    kind: ClassVar[str]
    """The stable name in the ledger. A changed meaning gets a new kind, as in ``chip_seen.2``."""
    columns: ClassVar[Columns] = Columns()


class Fact(Event, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Something that happened outside; it is recorded whether or not the rules like it."""


class OfficerAct(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Something that an officer did at a console; the table may refuse it, and then it is not recorded."""

    by: str
    """The officer's id."""


class Outcome(Event, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Something that follows from the facts by the rules."""


BOX = Columns(box="box")
