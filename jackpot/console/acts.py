"""What a posted form asks of the table: one reader for each key of the console.

A form can carry two people: the logged-in officer, and one who signed in the form with id and PIN.
Who of them asks and who vouches is decided here; whether they may, the table decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from starlette.datastructures import FormData

from jackpot.authority.roles import Role, may_act_as
from jackpot.console.forms import number_field, text_field
from jackpot.errors import Refused
from jackpot.table import facts as f
from jackpot.table.event import OfficerAct

LONGEST_REASON = 200
"""A sentence, not an essay: it goes into the ledger for ever."""


@dataclass(frozen=True)
class Signers:
    """Who stands before the console: the officer who is logged in, and who signed in the form."""

    me: str
    other: str | None
    officers: Mapping[str, tuple[Role, ...]]

    def one(self) -> str:
        """Who does an act that needs one person: whoever signed it, else the one logged in."""
        return self.other or self.me

    def two(self) -> tuple[str, str]:
        """Who asks and who vouches as table chief. Refuses ``second_officer_missing``."""
        if self.other is None:
            raise Refused(
                reason="second_officer_missing",
                expected="a second officer's id and PIN",
                found="none",
                to_do="let the second officer sign in the form",
            )
        swap = may_act_as(self.officers, self.me, Role.TABLE_CHIEF) and not may_act_as(
            self.officers, self.other, Role.TABLE_CHIEF
        )
        return (self.other, self.me) if swap else (self.me, self.other)


def read_act(name: str, form: FormData, signers: Signers) -> OfficerAct:
    """The act that the key ``name`` stands for. Refuses ``no_such_act`` and incomplete forms."""
    reader = READERS.get(name)
    if reader is None:
        raise Refused(
            reason="no_such_act",
            expected="a key of this console",
            found=repr(name[:40]),
            to_do="load the page again",
        )
    return reader(form, signers)


def _hand(form: FormData) -> int:
    return number_field(form, "hand")


def _box(form: FormData) -> int:
    return number_field(form, "box")


def _yes(form: FormData, name: str) -> bool:
    return text_field(form, name) == "yes"


def _why(form: FormData) -> str:
    why = text_field(form, "why_other") or text_field(form, "why")
    if not why or len(why) > LONGEST_REASON:
        raise Refused(
            reason="why_missing",
            expected=f"a reason of at most {LONGEST_REASON} letters",
            found="none" if not why else f"{len(why)} letters",
            to_do="pick or write the reason",
        )
    return why


def _day_opened(form: FormData, signers: Signers) -> OfficerAct:
    by, second = signers.two()
    cents = number_field(form, "cents")
    return f.DayOpened(by=by, second=second, day=text_field(form, "day"), displayed_cents=cents)


def _day_closed(form: FormData, signers: Signers) -> OfficerAct:
    by, second = signers.two()
    return f.DayClosed(by=by, second=second, displayed_cents=number_field(form, "cents"))


def _hand_voided(form: FormData, signers: Signers) -> OfficerAct:
    by, second = signers.two()
    return f.HandVoided(by=by, second=second, hand=_hand(form), why=_why(form))


def _awards_declared(form: FormData, signers: Signers) -> OfficerAct:
    return f.AwardsDeclared(by=signers.me, hand=_hand(form), hands=declared_hands(form))


def declared_hands(form: FormData) -> tuple[f.DeclaredHand, ...]:
    """Every winning hand in the form: those listed (``listed=3.1:Kd Qd …``), then the one in the grid."""
    hands = list(listed_hands(form))
    cards = [value for value in form.getlist("card") if isinstance(value, str)]
    if cards or text_field(form, "place"):
        hands.append(_listed(f"{text_field(form, 'place')}:{' '.join(cards)}"))
    return tuple(hands)


def listed_hands(form: FormData) -> tuple[f.DeclaredHand, ...]:
    """The hands that are on the list already."""
    return tuple(_listed(text) for text in form.getlist("listed") if isinstance(text, str))


def listed_text(hand: f.DeclaredHand) -> str:
    """How a hand stands in a hidden field."""
    return f"{hand.box}.{hand.bet}:{hand.cards}"


def _listed(value: str) -> f.DeclaredHand:
    place, _, cards = value.partition(":")
    box, _, bet = place.partition(".")
    if not (box.isdecimal() and bet.isdecimal()) or len(value) > 40:
        raise Refused(
            reason="no_box_picked",
            expected="a box and its five cards",
            found="no box",
            to_do="pick the box first",
            rule="CAN-8.2",
        )
    return f.DeclaredHand(box=int(box), cards=cards, bet=int(bet))


READERS: dict[str, Callable[[FormData, Signers], OfficerAct]] = {
    "start": lambda form, who: f.HandStarted(by=who.me, hand=_hand(form)),
    "lock": lambda form, who: f.LockPressed(by=who.me, hand=_hand(form)),
    "slot": lambda form, who: f.SlotDecided(
        by=who.me, hand=_hand(form), box=_box(form), bet=_yes(form, "bet")
    ),
    "chip": lambda form, who: f.ChipDecided(
        by=who.me, hand=_hand(form), box=_box(form), plays=_yes(form, "plays")
    ),
    "settle": lambda form, who: f.ItemSettled(by=who.one(), item=number_field(form, "item")),
    "no-awards": lambda form, who: f.NoAwardsDeclared(by=who.me, hand=_hand(form)),
    "declare": _awards_declared,
    "reject": lambda form, who: f.AwardsRejected(by=who.one(), hand=_hand(form), why=_why(form)),
    "confirm": lambda form, who: f.AwardsConfirmed(by=who.one(), hand=_hand(form)),
    "sign": lambda form, who: f.AwardsSigned(
        by=who.one(), hand=_hand(form), total_cents=number_field(form, "cents")
    ),
    "paid": lambda form, who: f.AwardPaid(
        by=who.me,
        hand=_hand(form),
        box=_box(form),
        bet=number_field(form, "bet"),
        cents=number_field(form, "cents"),
    ),
    "void": _hand_voided,
    "last-hands": lambda _, who: f.LastHandsAnnounced(by=who.one()),
    "open-day": _day_opened,
    "close-day": _day_closed,
    "box-close": lambda form, who: f.BoxClosed(by=who.one(), box=_box(form), why=_why(form)),
    "box-open": lambda form, who: f.BoxOpened(by=who.one(), box=_box(form)),
}
"""Every key of the console by the last part of its address, ``/console/act/<key>``."""
