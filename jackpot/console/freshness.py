"""Whether a form may still count: pressed on a living page, on a key that people had time to read,
and on what the table still shows.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from starlette.datastructures import FormData

from jackpot.console.forms import LONGEST_NUMBER, Handed, Sealer, number_field, text_field
from jackpot.console.sessions import Session
from jackpot.errors import Refused
from jackpot.table.state import TableState

TOO_QUICK_MS = 400
"""A key that stood on the screen for less was hit by the second tap of a double one. Pages keep new
keys dead for twice as long; this holds for whoever has no such page."""

LONGEST_WITHOUT_BEAT_MS = 5_000
"""A page kills its keys 2 s after the last heartbeat and gives a request up after 4 s at most; what
arrives later waited at a frozen controller, and nobody stands behind it any more."""

_ONE_DAY = 1
"""A table that opens after midnight may belong to the day before, or to the next one."""


def key_sealer(sealer: Sealer, session: Session) -> Callable[[str], str]:
    """Hands out the forms of a panel's main keys. The same key on the next panel is not a new one."""
    before, now = session.drawn_ms, dict[str, int]()

    def seal_key(key: str) -> str:
        session.drawn_ms = now
        now[key] = before.get(key, sealer.now_ms())
        return sealer.seal(session, now[key])

    return seal_key


def check_alive(form: FormData, handed: Handed, now_ms: int) -> None:
    """Refuse a form from a page that had lost the controller (``page_was_stale``), or from a key
    that had only just appeared (``too_quick``)."""
    beat = text_field(form, "beat")
    beat_ms = int(beat) if beat.isdecimal() and len(beat) <= LONGEST_NUMBER else 0
    if now_ms - max(beat_ms, handed.handed_ms) > LONGEST_WITHOUT_BEAT_MS:
        raise Refused(
            reason="page_was_stale",
            expected="a page that heard from the controller just now",
            found="one that had lost it",
            to_do="look at the present screen and press again",
        )
    if handed.drawn_ms and now_ms - handed.drawn_ms < TOO_QUICK_MS:
        raise Refused(
            reason="too_quick",
            expected="a key that has been on the screen for a moment",
            found="one that had only just appeared",
            to_do="look at the present screen and press again",
        )


def check_shown(key: str, form: FormData, state: TableState, today: date) -> None:
    """Refuse an act whose page showed something else than what is so now."""
    if key == "void":
        _same_bets(form, state)
    if key == "open-day":
        _near_today(text_field(form, "day"), today)


def _same_bets(form: FormData, state: TableState) -> None:
    """Whoever signs a void signs how many bets go back (CAN-10.1). Refuses ``bets_changed``."""
    shown = number_field(form, "bets")
    bets = 0 if state.hand is None else len(state.hand.bets)
    if shown != bets:
        raise Refused(
            reason="bets_changed",
            expected=f"{bets} bets, as there are now",
            found=f"{shown} on the page that was signed",
            to_do="look at the number of bets and sign again",
            rule="CAN-10.1",
        )


def _near_today(day: str, today: date) -> None:
    """A gaming day far from the date is a slip or a wrong clock. Refuses ``day_not_today``."""
    try:
        named = date.fromisoformat(day)
    except ValueError:
        return  # the table says so itself
    if abs((named - today).days) > _ONE_DAY:
        raise Refused(
            reason="day_not_today",
            expected=f"a gaming day next to the date, {today.isoformat()}",
            found=day,
            to_do="pick the right day; if the date is wrong, let the technician set the clock",
            rule="CAN-2.2",
        )
