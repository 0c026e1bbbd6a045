"""What is asked of a desk, and where causes come from.

A cause is ``source#number``; the numbers of one source only grow, so nothing is recorded twice:

* ``form/<session>``               the forms of one login at a console, counted by the console
* ``slot/<box>/<serial>/<epoch>``  the events of one acceptor since its last restart, by its counter
* ``lock``                         the barrier of each hand, by the hand's number
* ``totals``                       the time to undo a total, counted here
* ``carrusel``                     what the link to the carrusel told, counted here
* ``slots``                        identities, restarts and failures of acceptors, counted here
* ``controller``                   start, stop, configuration, clock, alarms, counted here
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from jackpot.console.desk import Done
from jackpot.errors import Refused
from jackpot.ledger.machine import Cause
from jackpot.table.event import Event, Fact

CONTROLLER = "controller"
SLOTS = "slots"
LOCK = "lock"
TOTALS = "totals"
CARRUSEL = "carrusel"


def form_cause(form: str) -> Cause:
    """The cause of a console's form, ``session.number``. Raises ``Refused`` for another shape."""
    session, _, number = form.rpartition(".")
    well_formed = session.replace("-", "").replace("_", "").isalnum() and session.isascii()
    if not well_formed or len(session) > 64 or not number.isdecimal() or len(number) > 15:
        raise Refused(
            reason="bad_form",
            expected="the number of a form of this console",
            found=repr(form[:80]),
            to_do="load the page again",
        )
    return Cause(f"form/{session}", int(number))


def slot_source(box: int, serial: int | None, epoch: int) -> str:
    """The source of one acceptor's events since its last restart."""
    return f"slot/{box}/{serial}/{epoch}"


@dataclass(eq=False)
class Request:
    """Facts with one cause, waiting for the desk. ``number`` None: the desk counts.

    ``machine``: what a machine saw is never refused and never dropped; it waits for the disk.
    ``checkpoint``: asks for a signed checkpoint, after the facts if there are any.
    """

    facts: Sequence[Fact]
    source: str
    number: int | None
    machine: bool
    checkpoint: bool
    done: asyncio.Future[Done] = field(repr=False)

    def answer(self, done: Done) -> None:
        """It is recorded."""
        if not self.done.done():
            self.done.set_result(done)

    def fail(self, error: Exception) -> None:
        """It is not recorded, and will not be."""
        if not self.done.done():
            self.done.set_exception(error)
            self.done.exception()  # whoever asked may have gone; asyncio need not complain


@dataclass(frozen=True)
class Planned:
    """What became of a request on the tentative state, to be told after the commit."""

    request: Request
    events: tuple[Event, ...] = ()
    refused: Refused | None = None
    already: bool = False

    def tell(self) -> None:
        """Answer, now that the commit is done."""
        if self.refused is not None:
            self.request.fail(self.refused)
        else:
            self.request.answer(Done(already=self.already))
