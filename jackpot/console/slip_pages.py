"""``/console/slips``: the slips of what was paid, printed in one touch; each print stands in the ledger."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from jackpot.console.console_pages import ConsolePages
from jackpot.console.forms import number_field, read_form, text_field
from jackpot.console.paid_lines import paid_lines
from jackpot.console.screens import Screens, status_of
from jackpot.console.sessions import Session
from jackpot.errors import Refused
from jackpot.table.facts import SlipPrinted
from jackpot.table.slips import payment_of


class SlipPages:
    """Prints slips."""

    def __init__(self, screens: Screens, console: ConsolePages) -> None:
        self._screens = screens
        self._console = console

    def routes(self) -> list[BaseRoute]:
        """The second one prints."""
        return [
            Route("/console/slips", self.show, methods=["GET"]),
            Route("/console/slips/print", self.issue, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """What was paid lately."""
        session = self._screens.need_session(request)
        if self._screens.settings.slips is None:
            return RedirectResponse("/console", status_code=303)
        return self._page(request, session)

    async def issue(self, request: Request) -> Response:
        """Record the print, then answer with the slip: never two originals, whatever happens."""
        form = await read_form(request)
        session = self._screens.need_session(request)
        printer = self._screens.settings.slips
        if printer is None:
            return RedirectResponse("/console", status_code=303)
        try:
            cause = self._console.spend_form(form, session)
            award, box, bet = (number_field(form, name) for name in ("award", "box", "bet"))
            before = payment_of(self._screens.desk.state, award, box, bet)
            copy = before is not None and before.printed
            act = SlipPrinted(by=session.officer, award=award, box=box, bet=bet, copy=copy)
            await self._screens.desk.act(act, form=cause)
            a4 = text_field(form, "paper") == "a4"
            page = await printer.slip(award, box, bet, a4=a4, copy=copy)
        except Refused as refused:
            return self._page(request, session, refused)
        name = f"comprobante-{award}-{box}-{bet}.pdf"
        return Response(
            page,
            media_type="application/pdf",
            headers={"Content-Disposition": f'inline; filename="{name}"'},
        )

    def _page(self, request: Request, session: Session, refused: Refused | None = None) -> Response:
        values = self._console.values(session)
        values["paid"] = paid_lines(self._screens.desk.state)
        if refused is not None:
            values["refusal"] = self._screens.refusal(request, refused)
        status = 200 if refused is None else status_of(refused)
        return self._screens.page(request, "slips.html", values, status=status)
