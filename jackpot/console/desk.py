"""The port between screens and a running table: what a screen may read, and how it asks for an act."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from jackpot.table.carrusel_finding import Finding
from jackpot.table.event import OfficerAct
from jackpot.table.facts import TokenUsed
from jackpot.table.state import TableState


class CarruselStatus(msgspec.Struct, frozen=True):
    """The carrusel as this table hears it (CAN-9). ``total_microcents`` is the prize with exactly the
    decisions in it that this table has applied, up to ``decision``; None while it is not known.
    ``pending`` are the tables whose claims wait. ``finding`` is what is wrong with this end of the link;
    ``waits_for`` what a join or a leave waits for, by its name in ``carrusel_findings.WAITS``."""

    total_microcents: int | None
    pending: tuple[str, ...]
    linked: bool
    decision: int
    finding: Finding | None = None
    waits_for: str = ""


class DeskStatus(msgspec.Struct, frozen=True):
    """Whether the amounts can be trusted right now.

    ``ready`` is false until the ledger has verified, and after ``halted`` says why the table locked
    itself. ``line_fault`` tells what is wrong with the serial line, empty when nothing is.
    ``disk_full``: nothing can be recorded, so no bet is taken. ``automatic_croupier``: a program
    presses the keys; ``demonstration``: it could. ``carrusel``: what a linked table hears.
    """

    ready: bool
    halted: str = ""
    line_fault: str = ""
    automatic_croupier: bool = False
    demonstration: bool = False
    disk_full: bool = False
    carrusel: CarruselStatus | None = None


class HistoryLine(msgspec.Struct, frozen=True):
    """One line of the console's running history: what happened, by its stable name.

    ``by`` and ``second`` are its officers; ``detail`` says more, by a stable name or in an officer's
    words; ``item`` is the number of the notice that it opened.
    """

    seq: int
    at_ns: int
    hand: int
    kind: str
    box: int | None
    cents: int | None
    by: str
    second: str = ""
    detail: str = ""
    item: int = 0


class Done(msgspec.Struct, frozen=True):
    """An act was recorded, now or (``already``) by an earlier post of the same form."""

    already: bool = False


class Desk(Protocol):
    """One running table, as its screens see it."""

    @property
    def state(self) -> TableState:
        """The committed state: nothing in it can be lost any more."""

    @property
    def status(self) -> DeskStatus:
        """Whether the state may be shown."""

    @property
    def version(self) -> int:
        """Grows with every change of state or status."""

    async def changed(self, after_version: int, timeout_s: float) -> bool:
        """Wait until ``version > after_version``; False after ``timeout_s``."""

    async def act(self, act: OfficerAct, *, form: str, token: TokenUsed | None = None) -> Done:
        """Offer an officer's act. ``form`` is ``session.number``: the number grows with every form
        that the session was handed, and the same or an older one is never recorded twice.
        ``token`` is recorded with it: with what its second officer signed, if not with a PIN.

        Raises ``Refused`` when the table does not allow it; returns once it is committed.
        """

    def history(self, limit: int) -> Sequence[HistoryLine]:
        """The newest lines, newest first."""

    def take_over(self) -> None:
        """A person acts: the automatic croupier of a demonstration steps back."""

    def hand_back(self) -> None:
        """The automatic croupier of a demonstration goes on; nothing where there is none."""
