"""What two officers may ask of a coordinator, each with the PIN at the moment of signing."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from jackpot.authority.roles import Role, require_role
from jackpot.daemon.link.coordinating import RunningCoordinator
from jackpot.daemon.live_book import LiveBook
from jackpot.daemon.officer_book import TooSoon
from jackpot.errors import Refused
from jackpot.link.signing import is_key
from jackpot.link.topics import check_id

LONGEST_TEXT = 200


class ActKind(StrEnum):
    """What can be asked."""

    OVERRIDE = "override"
    STOP = "stop"
    ADMIT = "admit"


async def sign(running: RunningCoordinator, book: LiveBook, form: Mapping[str, str]) -> None:
    """Check both officers and hand the act to the core; it goes to the log with their ids.

    Raises ``Refused``: who is unknown, has no such role, signs twice or wrongly; what is not there.
    """
    book.refresh()
    officers = await _two_officers(book, form)
    subject, why = form.get("subject", "").strip(), form.get("why", "").strip()[:LONGEST_TEXT]
    if not why:
        raise _refused("a reason in words", "none", "write why", reason="why_missing")
    match form.get("act", ""):
        case ActKind.OVERRIDE:
            _member(running, subject)
            number = form.get("number", "").strip()
            if not number.isdecimal():
                raise _refused(
                    "the number of the hand",
                    repr(number),
                    "write it as the page shows it",
                    reason="hand_number_missing",
                )
            running.core.override_order(subject, int(number), officers, why)
        case ActKind.STOP:
            _member(running, subject)
            running.core.stop_member(subject, officers, why)
        case ActKind.ADMIT:
            key = form.get("key", "").strip()
            if not is_key(key):
                raise _refused(
                    "a public key",
                    repr(key[:LONGEST_TEXT]),
                    "copy it from its first start",
                    reason="not_a_public_key",
                )
            running.core.admit(check_id(subject, "coordinator"), key, officers)
        case other:
            expected = "one of " + ", ".join(ActKind)
            raise _refused(expected, repr(other), "choose what is asked", reason="no_such_act")
    running.wake()


async def _two_officers(book: LiveBook, form: Mapping[str, str]) -> tuple[str, str]:
    first, second = form.get("officer", "").strip(), form.get("second", "").strip()
    if first == second:
        expected = "two different officers"
        raise _refused(expected, first or "nobody", "call a second officer", reason="same_officer")
    require_role(book.roles(), first, Role.TABLE_CHIEF)
    require_role(book.roles(), second, Role.GAMES_DIRECTOR)
    for officer, pin in ((first, form.get("pin", "")), (second, form.get("second_pin", ""))):
        right = await book.verify(officer, pin)
        if right is not True:
            early = isinstance(right, TooSoon)
            reason, found = (
                ("too_soon", "one before its time") if early else ("wrong_pin", "another")
            )
            raise _refused(f"the PIN of {officer}", found, "type it again", reason=reason)
    return first, second


def _member(running: RunningCoordinator, table: str) -> None:
    members = running.core.state.members
    if table not in members:
        expected = f"one of {', '.join(members) or 'no table yet'}"
        raise _refused(expected, repr(table), "choose one", reason="not_a_member")


def _refused(expected: str, found: str, to_do: str, *, reason: str) -> Refused:
    return Refused(reason=reason, expected=expected, found=found, to_do=to_do, rule="CAN-9")
