"""The forms of table chief and games director: what each asks, when, and who signs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from jackpot.authority.roles import Role
from jackpot.console.marking import mark
from jackpot.console.pit_words import MODE_REASONS, SERVICE_REASONS
from jackpot.law.pools import Pool
from jackpot.law.terms import BetMode
from jackpot.money import cents_rounded_down, euros_text
from jackpot.table.state import OUTSIDE_A_HAND, Phase, TableState, boxes

CHIEF, DIRECTOR, CROUPIER = Role.TABLE_CHIEF, Role.GAMES_DIRECTOR, Role.CROUPIER
PAYMENTS_SHOWN = 12
"""The newest payments that a dispute may be about; an older one is corrected by a signed amount."""


class Shape(StrEnum):
    """How a field is filled in and repeated."""

    AMOUNT = "amount"
    OPTIONAL_AMOUNT = "optional_amount"
    NUMBER = "number"
    TEXT = "text"
    CHOICE = "choice"
    WHY = "why"
    GIVEN = "given"
    """Told by the table when the form is repeated: what the officers sign is what they saw."""


@dataclass(frozen=True)
class Option:
    """One answer: ``label`` is translated; ``cents`` and the numbers stand beside it."""

    value: str
    label: str
    number: str = ""
    cents: int | None = None


Options = Callable[[TableState], tuple[Option, ...]]


@dataclass(frozen=True)
class Field:
    """One question of a form; ``preset`` is what most people would fill in."""

    name: str
    label: str
    shape: Shape = Shape.TEXT
    options: Options = lambda _: ()
    preset: Callable[[TableState], str] = lambda _: ""


Given = Callable[[TableState, Mapping[str, str], str], dict[str, str]]
"""From the state, what was filled in, and today's date: the fields that the table tells."""


@dataclass(frozen=True)
class PitForm:
    """One act. ``second`` None: one signature. ``possible`` says whether this is the moment."""

    key: str
    page: str
    title: str
    fields: tuple[Field, ...]
    role: Role = CHIEF
    second: Role | None = DIRECTOR
    possible: Callable[[TableState], bool] = lambda state: state.phase in OUTSIDE_A_HAND
    given: Given = lambda _state, _fields, _today: {}


def outside(state: TableState) -> bool:
    """Between hands, or while the table is closed."""
    return state.phase in OUTSIDE_A_HAND


def _closed(state: TableState) -> bool:
    return state.phase is Phase.CLOSED


def _boxes(state: TableState) -> tuple[Option, ...]:
    count = () if state.terms is None else boxes(state.terms)
    return tuple(Option(str(box), mark("Box"), str(box)) for box in count)


def _boxes_or_all(state: TableState) -> tuple[Option, ...]:
    return (Option("0", mark("Whole table")), *_boxes(state))


def _payments(state: TableState) -> tuple[Option, ...]:
    """The payments of the running award, then those of past ones, newest first."""
    hand = state.hand
    found = []
    if hand is not None and state.phase is Phase.PAYABLE:
        found += [(hand.award, p) for p in hand.payments if not p.paid]
    found += [(past.award, p) for past in reversed(state.past_awards) for p in past.payments]
    return tuple(
        Option(f"{award}.{p.box}.{p.bet}", mark("Award, box"), f"{award} · {p.box}", p.cents)
        for award, p in found[:PAYMENTS_SHOWN]
        if p.cents
    )


def _fixed(*options: Option) -> Options:
    return lambda _: options


def _other_mode(state: TableState) -> BetMode:
    return BetMode.AUTOMATIC if state.mode is BetMode.MANUAL else BetMode.MANUAL


def _shown_cents(state: TableState) -> str:
    return euros_text(cents_rounded_down(state.pools.jackpot_microcents))


def _total_before(state: TableState, fields: Mapping[str, str], _today: str) -> dict[str, str]:
    hand = fields.get("of_hand", "")
    known = [total.chips for total in state.hand_totals if str(total.hand) == hand]
    return {"chips_before": str(known[-1]) if known else "0"}


def why(*reasons: str) -> Field:
    """A reason, picked or written."""
    return Field(
        "why", mark("Reason"), Shape.WHY, _fixed(*(Option(reason, reason) for reason in reasons))
    )


_DISPUTE = why(mark("Dispute of a player"), mark("Error of the detector"))
_ERROR = why(mark("Counted wrongly"), mark("Entered wrongly"))
_GRANTED = why(mark("As authorised"))
_AMOUNT = Field("amount", mark("Amount in euros"), Shape.AMOUNT)
_SHOWN = Field("amount", mark("Amount on the visor"), Shape.GIVEN)
AUTHORISATION = Field("authorisation", mark("Authorisation number"))
_LAYOUT = Field("layout", mark("Layout"))
HAND = Field("hand", mark("Hand"), Shape.GIVEN)
_DAY = Field("day", mark("Gaming day"), Shape.GIVEN)
_MODE = Field("mode", mark("New mode"), Shape.GIVEN)
_BOX = Field("box", mark("Box"), Shape.CHOICE, _boxes)
_CHIPS = Field("chips", mark("Counted chips"), Shape.NUMBER)

_TABLE_FORMS = (
    PitForm(
        "mode",
        "table",
        mark("Change the mode of the table"),
        (_MODE, why(*MODE_REASONS)),
        second=None,
        given=lambda state, _f, _t: {"mode": _other_mode(state).value},
    ),
    PitForm(
        "box-mode",
        "table",
        mark("Change the mode of a box"),
        (
            _BOX,
            Field(
                "mode",
                mark("New mode"),
                Shape.CHOICE,
                _fixed(
                    Option("manual", mark("by a key, without its slot")),
                    Option("automatic", mark("by its slot")),
                ),
            ),
            why(*MODE_REASONS),
        ),
        second=None,
    ),
    PitForm(
        "suspend",
        "table",
        mark("Take the table out of service"),
        (why(*SERVICE_REASONS[:2]),),
        second=None,
        possible=lambda state: outside(state) and state.suspended is None,
    ),
    PitForm(
        "resume",
        "table",
        mark("Take the table into service again"),
        (why(*SERVICE_REASONS[2:]),),
        second=None,
        possible=lambda state: outside(state) and state.suspended is not None,
    ),
    PitForm(
        "minimum",
        "table",
        mark("Set the table minimum"),
        (_AMOUNT,),
        role=DIRECTOR,
        second=None,
    ),
    PitForm(
        "drop",
        "table",
        mark("Count the chips of the day"),
        (_DAY, Field("box", mark("Box"), Shape.CHOICE, _boxes_or_all), _CHIPS),
        role=CROUPIER,
        second=CHIEF,
        possible=lambda state: outside(state) and state.day is not None,
        given=lambda state, _f, _t: {"day": "" if state.day is None else state.day.name},
    ),
    PitForm(
        "dispute",
        "table",
        mark("Accept a bet that its slot did not detect"),
        (HAND, _BOX, _DISPUTE),
        possible=lambda state: state.phase in (Phase.LOCKED, Phase.DECLARED),
        given=lambda state, _f, _t: {"hand": str(state.hand_number)},
    ),
    PitForm(
        "undo-decision",
        "table",
        mark("Take the decision back, before anything is paid"),
        (HAND, Field("award", mark("Award number"), Shape.GIVEN), _DISPUTE),
        possible=lambda state: state.phase in (Phase.DECIDED, Phase.PAYABLE),
        given=lambda state, _f, _t: {
            "hand": str(state.hand_number),
            "award": str(0 if state.hand is None else state.hand.award),
        },
    ),
    PitForm(
        "undo-payment",
        "table",
        mark("Reverse a payment, or correct it"),
        (
            Field("payment", mark("Payment"), Shape.CHOICE, _payments),
            Field(
                "way",
                mark("Direction"),
                Shape.CHOICE,
                _fixed(
                    Option("more", mark("comes back to the jackpot")),
                    Option("less", mark("the player is owed more")),
                ),
            ),
            _AMOUNT,
            _DISPUTE,
        ),
        possible=lambda state: state.phase is Phase.PAYABLE or outside(state),
    ),
    PitForm(
        "correct-total",
        "table",
        mark("Correct the final total of a hand"),
        (
            Field(
                "of_hand",
                mark("Hand"),
                Shape.NUMBER,
                preset=lambda state: str(state.hand_number),
            ),
            Field("chips_before", mark("Chips before"), Shape.GIVEN),
            Field("chips", mark("Chips as they should be"), Shape.NUMBER),
            _ERROR,
        ),
        possible=lambda state: state.phase is Phase.BETWEEN_HANDS,
        given=_total_before,
    ),
    PitForm(
        "layout",
        "table",
        mark("Lay out the other layout"),
        (_DAY, Field("layout", mark("Layout"), Shape.GIVEN)),
        possible=lambda state: _closed(state) and state.parked is not None,
        given=lambda state, _f, today: {
            "day": today,
            "layout": "" if state.parked is None else state.parked.layout,
        },
    ),
)

_WAY = Field(
    "way",
    mark("Direction"),
    Shape.CHOICE,
    _fixed(
        Option("more", mark("added to the jackpot")),
        Option("less", mark("taken from the jackpot")),
    ),
)
_POOL = Field(
    "pool",
    mark("Pool"),
    Shape.CHOICE,
    _fixed(
        Option(Pool.JACKPOT.value, mark("jackpot on the visor")),
        Option(Pool.OVERFLOW.value, mark("overflow above the ceiling")),
        Option(Pool.RESERVE.value, mark("reserve for the next seed")),
    ),
)

_JACKPOT_FORMS = (
    PitForm(
        "take-over",
        "jackpot",
        mark("Take over a running jackpot"),
        (_AMOUNT, AUTHORISATION, _GRANTED),
        possible=lambda state: _closed(state) and not state.jackpot_started,
    ),
    PitForm(
        "receive",
        "jackpot",
        mark("Receive a jackpot from another table"),
        (
            Field("place", mark("From table")),
            _LAYOUT,
            _AMOUNT,
            Field("overflow", mark("Overflow, if any"), Shape.OPTIONAL_AMOUNT),
            Field("reserve", mark("Reserve, if any"), Shape.OPTIONAL_AMOUNT),
            AUTHORISATION,
            _GRANTED,
        ),
        possible=_closed,
    ),
    PitForm(
        "move",
        "jackpot",
        mark("Move the jackpot to another table"),
        (_SHOWN, Field("place", mark("To table")), _LAYOUT, AUTHORISATION, _GRANTED),
        possible=lambda state: _closed(state) and state.jackpot_started,
        given=lambda state, _f, _t: {"amount": _shown_cents(state)},
    ),
    PitForm(
        "end",
        "jackpot",
        mark("End the jackpot"),
        (_SHOWN, Field("place", mark("Goes to")), AUTHORISATION, _GRANTED),
        possible=lambda state: _closed(state) and state.jackpot_started,
        given=lambda state, _f, _t: {"amount": _shown_cents(state)},
    ),
    PitForm(
        "correct",
        "jackpot",
        mark("Correct the amount by a signed entry"),
        (
            Field(
                "jackpot",
                mark("Number of the jackpot"),
                Shape.NUMBER,
                preset=lambda state: str(state.jackpots),
            ),
            _POOL,
            _WAY,
            _AMOUNT,
            AUTHORISATION,
            _ERROR,
        ),
        possible=lambda state: outside(state) and state.jackpot_started,
    ),
    PitForm(
        "raise",
        "jackpot",
        mark("The house adds to the jackpot"),
        (_AMOUNT, AUTHORISATION, _GRANTED),
        possible=lambda state: outside(state) and state.jackpot_started,
    ),
    PitForm(
        "replace",
        "jackpot",
        mark("This controller replaces another one"),
        (
            Field("place", mark("Ledger of the old controller")),
            Field("batch", mark("Its last batch"), Shape.NUMBER),
            Field("hash", mark("Hash of that batch")),
            why(mark("Old controller out of order")),
        ),
        possible=lambda state: _closed(state) and not state.jackpot_started,
    ),
)

PIT_FORMS: Mapping[str, PitForm] = {form.key: form for form in (*_TABLE_FORMS, *_JACKPOT_FORMS)}
"""Every form by its key, in the order in which the pages list them."""
