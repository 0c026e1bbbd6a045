"""Roles of the officers, and which of them may do the work of another.

The ledger knows an officer only by an id; PINs and names of people live elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from jackpot.errors import Refused


class Role(StrEnum):
    """The staff of the decree's article 3, the technician, and the auditor, who only reads."""

    CROUPIER = "croupier"
    TABLE_CHIEF = "table_chief"
    GAMES_DIRECTOR = "games_director"
    TECHNICIAN = "technician"
    AUDITOR = "auditor"


STANDS_IN_FOR: Mapping[Role, frozenset[Role]] = {
    Role.CROUPIER: frozenset({Role.CROUPIER}),
    Role.TABLE_CHIEF: frozenset({Role.TABLE_CHIEF, Role.CROUPIER}),
    Role.GAMES_DIRECTOR: frozenset({Role.GAMES_DIRECTOR, Role.TABLE_CHIEF, Role.CROUPIER}),
    Role.TECHNICIAN: frozenset({Role.TECHNICIAN}),
    Role.AUDITOR: frozenset({Role.AUDITOR}),
}
"""Whose acts each role may do. Acts that need two people still need two different ones."""

_MAY_DO: Mapping[Role, frozenset[Role]] = {
    role: frozenset(held for held, does in STANDS_IN_FOR.items() if role in does) for role in Role
}
"""The same, asked the other way: who may do the acts of each role."""

Officers = Mapping[str, tuple[Role, ...]]
"""Officer id to roles."""


def may_act_as(officers: Officers, officer: str, role: Role) -> bool:
    """Whether ``officer`` is known and holds ``role`` or one that stands in for it."""
    return not _MAY_DO[role].isdisjoint(officers.get(officer, ()))


def require_role(officers: Officers, officer: str, role: Role) -> None:
    """Refuse an act by somebody unknown (``unknown_officer``) or without the role (``role_missing``)."""
    if officer not in officers:
        raise Refused(
            reason="unknown_officer",
            expected="an officer of this table",
            found=repr(officer),
            to_do="log in again, or have the officer added by two others",
        )
    if not may_act_as(officers, officer, role):
        raise Refused(
            reason="role_missing",
            expected=f"an officer who may act as {role.value}",
            found=f"{officer}: {', '.join(officers[officer]) or 'no role'}",
            to_do=f"call a {role.value.replace('_', ' ')}",
            rule="CAN-3.1",
        )


def require_different(first: str, second: str, *, act: str) -> None:
    """Refuse (``same_officer``) an act that needs two people when both signatures are one person's."""
    if first == second:
        raise Refused(
            reason="same_officer",
            expected=f"two different officers for {act}",
            found=f"{first} twice",
            to_do="have a second officer sign with their own PIN",
        )
