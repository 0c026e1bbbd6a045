"""The forms about a carrusel, which table chief and games director sign together (CAN-9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.datastructures import FormData

from jackpot.console import pit_acts
from jackpot.console.acts import Signers
from jackpot.console.forms import number_field
from jackpot.console.marking import mark
from jackpot.console.pit_acts import line_field, two_sign, why_field
from jackpot.console.pit_forms import (
    AUTHORISATION,
    HAND,
    PIT_FORMS,
    Field,
    PitForm,
    Shape,
    outside,
    why,
)
from jackpot.table import facts as f
from jackpot.table.carrusel_state import MemberStage
from jackpot.table.event import OfficerAct
from jackpot.table.state import Phase, TableState

PAGE = "carrusel"


def _may_join(state: TableState) -> bool:
    member = state.carrusel
    free = member is None or member.stage is MemberStage.STOPPED
    return outside(state) and free and state.jackpot_started


def _may_leave(state: TableState) -> bool:
    member = state.carrusel
    stays = member is not None and member.stage in (MemberStage.JOINING, MemberStage.MEMBER)
    return outside(state) and stays


def _may_take_back(state: TableState) -> bool:
    hand = state.hand
    waits = hand is not None and not (hand.claim_withdrawn or hand.reversal_asked)
    return state.phase is Phase.PENDING and waits


_FORMS = (
    PitForm(
        "carrusel-join",
        PAGE,
        mark("Join the carrusel"),
        (Field("carrusel", mark("Carrusel"), Shape.GIVEN), AUTHORISATION),
        possible=_may_join,
        given=lambda _state, known, _t: {"carrusel": known.get("carrusel", "")},
    ),
    PitForm(
        "carrusel-leave",
        PAGE,
        mark("Leave the carrusel"),
        (why(mark("End of the authorisation"), mark("Moved to another place")),),
        possible=_may_leave,
    ),
    PitForm(
        "claim-back",
        PAGE,
        mark("Take the claim back, before the carrusel decides"),
        (HAND, why(mark("Wrong cards"), mark("Wrong box"))),
        possible=_may_take_back,
        given=lambda state, _known, _t: {"hand": str(state.hand_number)},
    ),
)

ALL_FORMS: Mapping[str, PitForm] = {**PIT_FORMS, **{form.key: form for form in _FORMS}}
"""Every form of table chief and director by its key, in the order in which the pages list them."""

READERS: Mapping[str, Callable[[FormData, Signers], OfficerAct]] = {
    "carrusel-join": lambda form, who: f.CarruselJoinAsked(
        **two_sign(who),
        carrusel=line_field(form, "carrusel"),
        authorisation=line_field(form, "authorisation"),
    ),
    "carrusel-leave": lambda form, who: f.CarruselLeaveAsked(**two_sign(who), why=why_field(form)),
    "claim-back": lambda form, who: f.ClaimWithdrawn(
        **two_sign(who), hand=number_field(form, "hand"), why=why_field(form)
    ),
}


def read_act(name: str, form: FormData, signers: Signers) -> OfficerAct:
    """The act of any key of the console. Refuses like ``acts.read_act``."""
    reader = READERS.get(name)
    return pit_acts.read_act(name, form, signers) if reader is None else reader(form, signers)
