"""The entry of awards: a box, five cards from the grid, and at once what the law makes of them."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from jackpot.console.acts import declared_hands, listed_hands, listed_text
from jackpot.console.console_pages import ConsolePages
from jackpot.console.forms import number_field, read_form, text_field
from jackpot.console.manual_view import may_declare, places_with_bets
from jackpot.console.screens import Screens, status_of
from jackpot.console.sessions import Session
from jackpot.errors import Refused
from jackpot.law.awards import AwardDecision
from jackpot.law.cards import DECK, HAND_SIZE, parse_hand
from jackpot.law.hands import HandValue, classify
from jackpot.table.decide import play
from jackpot.table.facts import AwardsDeclared, DeclaredHand
from jackpot.table.hand import decision
from jackpot.table.state import TableState

SUIT_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


class AwardPages:
    """``/console/awards``: entry, preview, declaration."""

    def __init__(self, screens: Screens, console: ConsolePages) -> None:
        self._screens = screens
        self._console = console

    def routes(self) -> list[BaseRoute]:
        """Four routes; only the last one acts."""
        return [
            Route("/console/awards", self.show, methods=["GET"]),
            Route("/console/awards/entry", self.change, methods=["POST"]),
            Route("/console/awards/preview", self.preview, methods=["POST"]),
            Route("/console/awards/declare", self.declare, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """An empty grid; or the declared hands, to correct them."""
        session = self._screens.need_session(request)
        state = self._screens.desk.state
        if not may_declare(state) or state.hand is None:
            return RedirectResponse("/console", status_code=303)
        return self._page(request, session, state.hand.declared)

    async def change(self, request: Request) -> Response:
        """One hand more on the list, or one less. Nothing is offered to the table yet."""
        form = await read_form(request)
        session = self._screens.need_session(request)
        drop = text_field(form, "drop")
        try:
            _same_hand(form, self._screens.desk.state)
        except Refused as refused:
            return self._begin_anew(request, session, refused)
        try:
            hands = declared_hands(form)
            if drop:
                kept = number_field(form, "drop")
                return self._page(request, session, hands[:kept] + hands[kept + 1 :])
            preview(self._screens.desk.state, session.officer, hands)
        except Refused as refused:
            return self._page(request, session, listed_hands(form), refused=refused)
        return self._page(request, session, hands)

    async def preview(self, request: Request) -> Response:
        """What the hands in the form would be paid, line by line, or what is still missing."""
        form = await read_form(request)
        session = self._screens.need_session(request)
        state = self._screens.desk.state
        values: dict[str, Any] = {"decided": None, "value": None, "missing": "", "refusal": None}
        try:
            _same_hand(form, state)
            hands = declared_hands(form)
            values |= self._looked_at(state, session, hands)
        except Refused as refused:
            values["refusal"] = self._screens.refusal(request, refused)
        return self._screens.page(request, "preview.html", values)

    async def declare(self, request: Request) -> Response:
        """«Premios»: the croupier declares every winning hand of the form."""
        form = await read_form(request)
        session = self._screens.need_session(request)
        try:
            _same_hand(form, self._screens.desk.state)
        except Refused as refused:
            return self._begin_anew(request, session, refused)
        try:
            await self._console.perform(request, form, session, "declare")
        except Refused as refused:
            return self._page(request, session, _kept(form), refused=refused)
        return RedirectResponse("/console", status_code=303)

    def _begin_anew(self, request: Request, session: Session, refused: Refused) -> Response:
        """What was entered belonged to another hand: an empty grid, or the way to the console."""
        if not may_declare(self._screens.desk.state):
            return self._screens.refused_page(request, refused)
        return self._page(request, session, (), refused=refused)

    def _looked_at(
        self, state: TableState, session: Session, hands: tuple[DeclaredHand, ...]
    ) -> dict[str, Any]:
        if not hands:
            return {}
        newest = hands[-1]
        if len(newest.cards.split()) < HAND_SIZE:
            return {"missing": HAND_SIZE - len(newest.cards.split())}
        return {
            "value": hand_value(state, newest),
            "decided": preview(state, session.officer, hands),
        }

    def _page(
        self,
        request: Request,
        session: Session,
        hands: tuple[DeclaredHand, ...],
        *,
        refused: Refused | None = None,
    ) -> Response:
        screens = self._screens
        state = screens.desk.state
        values = self._console.values(session) | {
            "listed": [(hand, listed_text(hand), hand_value(state, hand)) for hand in hands],
            "places": free_places(state, hands),
            "deck": [(str(card), card) for card in DECK],
            "used": {word for hand in hands for word in hand.cards.split()},
            "suit_signs": SUIT_SIGNS,
            "decided": None,
            "value": None,
            "missing": "",
        }
        if refused is None and hands:
            values["decided"] = preview(state, session.officer, hands)
        if refused is not None:
            values["refusal"] = screens.refusal(request, refused)
        status = 200 if refused is None else status_of(refused)
        return screens.page(request, "awards.html", values, status=status)


def preview(
    state: TableState, officer: str, hands: tuple[DeclaredHand, ...]
) -> AwardDecision | None:
    """What the table would decide on ``hands`` now; it is asked, and nothing is recorded.

    Raises ``Refused`` where the declaration itself would be refused.
    """
    act = AwardsDeclared(by=officer, hand=state.hand_number, hands=hands)
    _, declared = play(state, [act])
    return None if declared.terms is None else decision(declared, declared.terms)


def _same_hand(form: FormData, state: TableState) -> None:
    """Refuse (``entry_of_old_hand``) what was entered for a hand that is over."""
    hand = number_field(form, "hand")
    if not may_declare(state) or hand != state.hand_number:
        raise Refused(
            reason="entry_of_old_hand",
            expected=f"awards of hand {state.hand_number}, with betting closed",
            found=f"an entry for hand {hand}, {state.phase.value}",
            to_do="look at the present hand; nothing of the old entry was kept",
            rule="CAN-7.3a",
        )


def _kept(form: FormData) -> tuple[DeclaredHand, ...]:
    """What a refused declaration keeps on the list: everything, if the last hand is five cards."""
    try:
        hands = declared_hands(form)
        for hand in hands:
            parse_hand(hand.cards)
    except Refused:
        return listed_hands(form)
    return hands


def hand_value(state: TableState, hand: DeclaredHand) -> HandValue:
    """What five cards are worth. Raises ``Refused`` for anything but five different cards."""
    low = state.terms is not None and state.terms.ace_low_in_straights
    return classify(parse_hand(hand.cards), ace_low_in_straights=low)


def free_places(state: TableState, hands: tuple[DeclaredHand, ...]) -> list[tuple[int, int]]:
    """Box and bet of every bet that is not declared yet: only boxes with a bet have awards."""
    return sorted(places_with_bets(state) - {(hand.box, hand.bet) for hand in hands})
