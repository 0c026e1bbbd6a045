"""What can be arranged for one hand: certain cards in certain boxes, or a certain trouble of a slot.

``--rig royal@12,sf-tie@20`` arranges hands 12 and 20, by the number that the table shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from jackpot.errors import Refused

MOST_RIGS = 1_000
"""Rigs in one command; a longer list is a mistake, and a hand a second takes a quarter of an hour."""


class Trouble(StrEnum):
    """What happens in the first betting box besides the cards."""

    NONE = "none"
    MISDEAL = "misdeal"
    LATE_CHIP = "late_chip"
    SECOND_CHIP = "second_chip"
    WRONG_CHIP = "wrong_chip"
    SILENT_SLOT = "silent_slot"
    RESTARTED_SLOT = "restarted_slot"
    LOST_EVENTS = "lost_events"


@dataclass(frozen=True)
class Rig:
    """``hands`` go to the first betting boxes in their order; every other box gets what is left."""

    name: str
    meaning: str
    hands: tuple[str, ...] = ()
    trouble: Trouble = Trouble.NONE


_ROYALS = ("As Ks Qs Js Ts", "Ah Kh Qh Jh Th", "Ad Kd Qd Jd Td")
_KING_HIGH = "Kd Qd Jd Td 9d"
_NINE_HIGH = ("9c 8c 7c 6c 5c", "9h 8h 7h 6h 5h")
_FOUR_ACES = "As Ah Ad Ac 3h"
_FOUR_SEVENS = "7h 7s 7d 7c 2h"

RIGS: Mapping[str, Rig] = {
    rig.name: rig
    for rig in (
        Rig("royal", "a royal flush", _ROYALS[:1]),
        Rig("royals", "two royal flushes", _ROYALS[:2]),
        Rig("royals-three", "three royal flushes", _ROYALS),
        Rig("royal+quads", "a royal flush and four sevens", (_ROYALS[0], _FOUR_SEVENS)),
        Rig("sf", "a king-high straight flush", (_KING_HIGH,)),
        Rig("sf-tie", "two nine-high straight flushes", _NINE_HIGH),
        Rig("sf-high-and-tie", "a king-high straight flush above two nine-high ones",
            (_KING_HIGH, *_NINE_HIGH)),
        Rig("sf+quads", "a king-high straight flush and four sevens", (_KING_HIGH, _FOUR_SEVENS)),
        Rig("quads", "four aces", (_FOUR_ACES,)),
        Rig("quads-two", "four aces and four sevens", (_FOUR_ACES, _FOUR_SEVENS)),
        Rig("wheel", "suited A-2-3-4-5, which earns nothing here (CAN-2.1)", ("As 5s 4s 3s 2s",)),
        Rig("void", "a misdeal: the hand is voided", trouble=Trouble.MISDEAL),
        Rig("late", "a chip that the slot tells of only after the lock", trouble=Trouble.LATE_CHIP),
        Rig("second", "two chips in one slot", trouble=Trouble.SECOND_CHIP),
        Rig("wrong", "a foreign chip, then the right one", trouble=Trouble.WRONG_CHIP),
        Rig("silent", "a slot silent at the lock, with a chip in it", trouble=Trouble.SILENT_SLOT),
        Rig("reset", "an acceptor restarts while bets are taken", trouble=Trouble.RESTARTED_SLOT),
        Rig("lost", "nine chips at once: more than an acceptor can tell",
            trouble=Trouble.LOST_EVENTS),
    )
}  # fmt: skip
"""Every rig by its name."""

NOTHING = Rig("nothing", "whatever the cards bring")


def parse_rigs(text: str) -> dict[int, Rig]:
    """The rig of each hand number in ``royal@12,sf-tie@20``; empty text arranges nothing.

    Raises ``Refused`` (``bad_rig``) for an unknown name, a bad number, or a hand rigged twice.
    """
    rigs: dict[int, Rig] = {}
    words = [word.strip() for word in text.split(",") if word.strip()]
    if len(words) > MOST_RIGS:
        raise _bad_rig(f"at most {MOST_RIGS} rigs", f"{len(words)}")
    for word in words:
        name, at, number = word.partition("@")
        if name not in RIGS:
            raise _bad_rig(f"one of {', '.join(RIGS)}", repr(name))
        if not at or not (number.isascii() and number.isdigit()) or int(number) == 0:
            raise _bad_rig(f"the number of a hand, as in {name}@12", repr(word))
        if int(number) in rigs:
            raise _bad_rig("each hand rigged once", f"hand {int(number)} twice")
        rigs[int(number)] = RIGS[name]
    return rigs


def _bad_rig(expected: str, found: str) -> Refused:
    return Refused(
        reason="bad_rig",
        expected=expected,
        found=found,
        to_do="write --rig as in royal@12,sf-tie@20",
    )
