"""The screens on a table in memory, as a process of its own that a test can kill or freeze.

``python fakeserver.py PORT BOOK``; ``POST /fake/<what>`` plays the slots. Never part of a product.
"""

from __future__ import annotations

import secrets
import sys
import time
from pathlib import Path

import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

sys.path.insert(0, str(Path(__file__).parents[1]))
from support.fakedesk import OFFICERS, FakeDesk, some_terms

from jackpot.authority.roles import Role
from jackpot.console.app import build_app
from jackpot.console.desk import DeskStatus
from jackpot.console.settings import ScreenSettings
from jackpot.daemon.live_book import LiveBook
from jackpot.law.terms import BetMode
from jackpot.law.words import Language
from jackpot.table import facts as f

WINNERS = {
    box: f"{rank}s {rank}h {rank}d {rank}c {kicker}"
    for box, rank, kicker in zip(
        range(1, 8), "AKQJT98", ("2s", "3s", "4s", "5s", "6s", "7s", "2h"), strict=True
    )
}
"""Four of a kind in every box: as many winners as a table can have."""


class _Clock:
    def monotonic_ns(self) -> int:
        return time.monotonic_ns()

    def wall_ns(self) -> int:
        return time.time_ns()


class _Slips:
    async def slip(self, award: int, box: int, bet: int, *, a4: bool, copy: bool) -> bytes:
        return b"%PDF-1.7"


def _fake_routes(desk: FakeDesk) -> list[Route]:
    async def fake(request: Request) -> Response:
        what, _, value = request.path_params["what"].partition("/")
        if what == "reset":
            desk.unknown_boxes = ()
            desk.reset()
        elif what == "manual":
            desk.reset(some_terms(mode=BetMode.MANUAL))
        elif what == "time-up":
            hand = desk.state.hand
            entry = 0 if hand is None else hand.totals_entered
            desk.tell(f.TotalTimeUp(hand=desk.state.hand_number, entry=entry))
        elif what == "chip":
            desk.chip(int(value))
        elif what == "acts":
            return PlainTextResponse(" ".join(f"{act.kind}:{act.by}" for act in desk.acts))
        elif what == "open":
            desk.open_day(int(value or 10_000_000))
        elif what == "hand":
            desk.start_hand(*map(int, value.split(",") if value else ()))
        elif what == "lock":
            desk.lock()
        elif what == "none":
            by = next(one for one, roles in OFFICERS.items() if Role.CROUPIER in roles)
            desk.tell(f.NoAwardsDeclared(by=by, hand=desk.state.hand_number))
        elif what == "declare":
            box, _, cards = value.partition("/")
            desk.declare(**{f"box{box}": cards})
        elif what == "winners":
            desk.declare(**{f"box{box}": WINNERS[int(box)] for box in value.split(",")})
        elif what == "bars":
            desk.set_status(DeskStatus(ready=True, automatic_croupier=True))
            desk.tell(f.AlarmRaised(alarm="disk_full"))
        elif what == "confirm":
            desk.confirm()
        elif what == "sign":
            cents = sum(p.cents for p in desk.state.hand.payments) if desk.state.hand else 0
            desk.tell(f.AwardsSigned(by="d1", hand=desk.state.hand_number, total_cents=cents))
        elif what == "unknown":
            desk.unknown_boxes = tuple(map(int, value.split(",")))
        elif what == "down":
            desk.tell(f.SlotDown(box=int(value), why="silent"))
        elif what == "up":
            desk.tell(f.SlotUp(box=int(value)))
        elif what == "unsure":
            desk.set_status(DeskStatus(ready=False))
        else:
            return PlainTextResponse("no such thing", 404)
        return PlainTextResponse(desk.state.phase.value)

    return [Route("/fake/{what:path}", fake, methods=["POST"])]


def main() -> None:
    """Serve until killed."""
    port, book = int(sys.argv[1]), Path(sys.argv[2])
    terms = some_terms(seed_cents=int(sys.argv[3]) if len(sys.argv) > 3 else 10_000_000)
    desk = FakeDesk(terms)
    settings = ScreenSettings(
        secret_key=secrets.token_urlsafe(32),
        clock=_Clock(),
        language=Language.ES,
        casino="Casino de prueba",
        slips=_Slips(),
    )
    app = build_app(desk, LiveBook(book), settings)
    app.router.routes.extend(_fake_routes(desk))
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", timeout_graceful_shutdown=1)


if __name__ == "__main__":
    main()
