"""The pages of table chief and games director: a list, a form, and its repetition to be signed.

Nothing is offered to the table before the repetition was signed; what the table itself says (an
amount, a hand, a day) is repeated too, so that nobody signs what has changed since.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from jackpot.console import language as lang
from jackpot.console import panel as view
from jackpot.console.acts import Signers
from jackpot.console.amounts import exact_euros, microcents_typed
from jackpot.console.carrusel_forms import ALL_FORMS, read_act
from jackpot.console.console_pages import ConsolePages
from jackpot.console.forms import read_form, text_field
from jackpot.console.panel import Signature
from jackpot.console.pit_acts import can_sign, line_field, why_field
from jackpot.console.pit_forms import Field, PitForm, Shape
from jackpot.console.pit_words import MODES
from jackpot.console.screens import Screens, status_of
from jackpot.console.sessions import Session
from jackpot.errors import Refused
from jackpot.law.words import Language
from jackpot.table.decide import play
from jackpot.table.state import TableState

PAGES = ("table", "jackpot", "carrusel")
_AMOUNTS = (Shape.AMOUNT, Shape.OPTIONAL_AMOUNT)


@dataclass(frozen=True)
class Said:
    """One line of the repetition: the question, the answer in words, and the hidden field."""

    name: str
    label: str
    text: str
    value: str


class PitPages:
    """``/console/pit``: everything people do around the hands."""

    def __init__(self, screens: Screens, console: ConsolePages) -> None:
        self._screens = screens
        self._console = console

    def routes(self) -> list[BaseRoute]:
        """The last one acts; the one before repeats."""
        return [
            Route("/console/pit/{key}", self.show, methods=["GET"]),
            Route("/console/pit/{key}", self.repeat, methods=["POST"]),
            Route("/console/pit/{key}/sign", self.sign, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """One of the lists, or an empty form."""
        session = self._screens.need_session(request)
        key = request.path_params["key"]
        if key in PAGES:
            return self._list(request, session, key)
        form = ALL_FORMS.get(key)
        if form is None:
            return RedirectResponse("/console", status_code=303)
        return self._form(request, session, form, {})

    async def repeat(self, request: Request) -> Response:
        """What was filled in, in words, with what the table adds; here it is signed."""
        fields = await read_form(request)
        session = self._screens.need_session(request)
        form = _known(request)
        if "back" in fields:
            return self._form(request, session, form, _texts(form, fields))
        try:
            said = self._said(request, form, fields)
            check_allowed(form, self._screens.desk.state, session.officer, said)
        except Refused as refused:
            return self._form(request, session, form, _texts(form, fields), refused)
        return self._repetition(request, session, form, said)

    async def sign(self, request: Request) -> Response:
        """The signed act. A refusal leaves the repetition where it is, with what is true now."""
        fields = await read_form(request)
        session = self._screens.need_session(request)
        form = _known(request)
        try:
            await self._console.perform(request, fields, session, form.key)
        except Refused as refused:
            try:
                said = self._said(request, form, fields)
            except Refused as unreadable:
                return self._form(request, session, form, _texts(form, fields), unreadable)
            return self._repetition(request, session, form, said, refused)
        return RedirectResponse("/console", status_code=303)

    # ---- pages ---------------------------------------------------------------------------------

    def _list(self, request: Request, session: Session, page: str) -> Response:
        state = self._screens.desk.state
        forms = [form for form in ALL_FORMS.values() if form.page == page]
        language = self._screens.language(request)
        values = {
            "pit_page": page,
            "may_be_linked": self._screens.settings.carrusel,
            "suspended": state.suspended and lang.gettext(language, state.suspended),
            "forms": [(form, form.possible(state)) for form in forms],
            "exact": lambda microcents: exact_euros(microcents, language),
        }
        return self._page(request, session, "pit/list.html", values)

    def _form(
        self,
        request: Request,
        session: Session,
        form: PitForm,
        filled: Mapping[str, str],
        refused: Refused | None = None,
    ) -> Response:
        state = self._screens.desk.state
        asked = [
            (field, field.options(state), filled.get(field.name, field.preset(state)))
            for field in form.fields
            if field.shape is not Shape.GIVEN
        ]
        values = {"form": form, "asked": asked, "possible": form.possible(state)}
        picks = {option.value for _, options, _ in asked for option in options}
        why = filled.get("why", "")
        values["why_other"] = filled.get("why_other", "") or ("" if why in picks else why)
        return self._page(request, session, "pit/form.html", values, refused)

    def _repetition(
        self,
        request: Request,
        session: Session,
        form: PitForm,
        said: list[Said],
        refused: Refused | None = None,
    ) -> Response:
        desk = self._screens.desk
        seen = view.seen_lately(desk.history(view.HISTORY_KEPT))
        signature = signature_for(form, desk.state, session.officer, seen)
        values = {"form": form, "said": said, "signature_of": signature}
        return self._page(request, session, "pit/repeat.html", values, refused)

    def _page(
        self,
        request: Request,
        session: Session,
        name: str,
        values: dict[str, Any],
        refused: Refused | None = None,
    ) -> Response:
        all_values = self._console.values(session) | values
        if refused is not None:
            all_values["refusal"] = self._screens.refusal(request, refused)
        status = 200 if refused is None else status_of(refused)
        return self._screens.page(request, name, all_values, status=status)

    # ---- the repetition ------------------------------------------------------------------------

    def _said(self, request: Request, form: PitForm, fields: FormData) -> list[Said]:
        """Every answer in words. Refuses what cannot be read."""
        state, settings = self._screens.desk.state, self._screens.settings
        language = self._screens.language(request)
        today = lang.day_name(settings.clock.wall_ns(), settings.zone)
        typed = {**_texts(form, fields), "carrusel": settings.carrusel}
        given = form.given(state, typed, today)
        lines = []
        for field in form.fields:
            value = _value(field, fields) if field.shape is not Shape.GIVEN else given[field.name]
            text = _in_words(field, value, state, language)
            lines.append(Said(field.name, field.label, text, value))
        return lines


def _known(request: Request) -> PitForm:
    form = ALL_FORMS.get(request.path_params["key"])
    if form is None:
        raise Refused(
            reason="no_such_act",
            expected="a form of this console",
            found=repr(request.path_params["key"][:40]),
            to_do="load the page again",
        )
    return form


def _texts(form: PitForm, fields: FormData) -> dict[str, str]:
    names = [*(field.name for field in form.fields), "why_other"]
    return {name: line_field(fields, name) for name in names}


def _value(field: Field, fields: FormData) -> str:
    """The answer as it will be posted again. Refuses an empty or unreadable one."""
    value = why_field(fields) if field.shape is Shape.WHY else line_field(fields, field.name)
    if field.shape in _AMOUNTS and (value or field.shape is Shape.AMOUNT):
        microcents_typed(value)
    wrong_number = field.shape is Shape.NUMBER and not (value.isascii() and value.isdecimal())
    if wrong_number or (not value and field.shape is not Shape.OPTIONAL_AMOUNT):
        raise Refused(
            reason="why_missing" if field.shape is Shape.WHY else "form_incomplete",
            expected=field.label,
            found=repr(text_field(fields, field.name)[:20]),
            to_do="fill in the form again",
        )
    return value


def _in_words(field: Field, value: str, state: TableState, language: Language) -> str:
    if field.name in ("amount", "overflow", "reserve"):
        return exact_euros(microcents_typed(value or "0"), language)
    if field.name == "day" and value:
        return lang.day_text(value, language)
    for option in field.options(state):
        if option.value == value:
            money = "" if option.cents is None else f" · {lang.euros(option.cents, language)}"
            label = lang.gettext(language, option.label)
            return f"{label} {option.number}".strip() + money
    return lang.gettext(language, MODES[value]) if field.name == "mode" else value


def check_allowed(form: PitForm, state: TableState, me: str, said: list[Said]) -> None:
    """Refuse what the table would refuse now, whoever signs it: nobody signs for nothing. It is asked,
    and nothing is recorded."""
    able = signature_for(form, state, me)
    if able.needed and not able.officers:
        return  # the page says who is missing
    signers = Signers(me, able.officers[0] if able.needed else None, state.officers)
    fields = FormData([(line.name, line.value) for line in said])
    play(state, [read_act(form.key, fields, signers)])


def signature_for(
    form: PitForm, state: TableState, me: str, seen: Set[str] = frozenset()
) -> Signature:
    """Who signs beside the officer who is logged in, or instead; those ``seen`` lately come first."""
    if form.second is None:
        return view.one_signature(state, me, form.role, seen=seen)
    roles = (form.role, form.second)
    others = [
        other
        for other in state.officers
        if can_sign(state.officers, me, other, roles) or can_sign(state.officers, other, me, roles)
    ]
    return Signature(True, view.likeliest_first(state, others, {*roles}, seen))
