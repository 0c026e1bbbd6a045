"""What a member of a carrusel may do, and how it claims (CAN-9)."""

from __future__ import annotations

from jackpot.audit.checker.due import Due, terms, text
from jackpot.audit.checker.findings import Findings
from jackpot.audit.checker.member import MEMBER, STOPPED
from jackpot.audit.checker.state import Table


def _wrong(findings: Findings, says: str, expected: object, found: object) -> None:
    findings.wrong("carrusel", says, expected, found, "CAN-9")


def alone(table: Table, what: str, findings: Findings) -> None:
    """What would take the jackpot out of the prize that others show."""
    if table.carrusel is not None:
        _wrong(findings, f"{what} at a member of a carrusel", "a table alone", table.carrusel.stage)


def plays(table: Table, findings: Findings) -> None:
    """A hand starts at a member that was heard, and under ``stop_bets`` is."""
    member = table.carrusel
    if member is None:
        return
    if member.stage != MEMBER:
        _wrong(findings, "a hand while the membership changes", MEMBER, member.stage)
    takes_bets(table, "a hand", findings)
    if not member.heard:
        _wrong(findings, "a hand before the carrusel was heard", "a total to show", "none")


def takes_bets(table: Table, what: str, findings: Findings) -> None:
    """Not at a box that was stopped, and under ``link_lost = stop_bets`` only with the link."""
    goes_on(table, what, findings)
    member = table.carrusel
    if member is None or member.linked or terms(table).policies.link_lost != "stop_bets":
        return
    says = f"{what} without the link"
    findings.wrong("carrusel", says, "a carrusel that is heard", "lost", "policy:link_lost")


def goes_on(table: Table, what: str, findings: Findings) -> None:
    """A box that was stopped tells its carrusel nothing."""
    member = table.carrusel
    if member is not None and member.stage == STOPPED:
        _wrong(findings, f"{what} at a box that was stopped", "a member", STOPPED)


def claimed(table: Table, findings: Findings) -> list[Due]:
    """Confirmed cards of a member wait for the decision."""
    goes_on(table, "a claim", findings)
    if table.view is None:
        _wrong(findings, "a claim of a hand without a view", "a view", "none")
    position = None if table.view is None else table.view[0]
    hands = [{"box": one.box, "cards": one.cards, "bet": one.bet} for one in table.declared]
    info = {
        "award": table.awards + 1,
        "hand": table.hand,
        "view_position": position,
        "hands": hands,
    }
    return [("awards_claimed", None, None, None, text(info))]
