"""Forms that can be trusted: signed, bound to one session, numbered, from our own pages only."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from itsdangerous import BadData, URLSafeSerializer
from starlette.datastructures import FormData
from starlette.requests import Request

from jackpot.console.sessions import Session
from jackpot.console.settings import ScreenClock
from jackpot.errors import Refused

MOST_FORM_BYTES = 16_384
"""The largest form (seven winners with their cards) needs under 2,000 bytes."""
MOST_FIELDS = 100
"""52 cards, seven hands and a few more."""
LONGEST_NUMBER = 15
"""Digits; a count of milliseconds or cents has fewer."""
_LOGIN = "login"
_NS_PER_MS = 1_000_000


@dataclass(frozen=True)
class Handed:
    """What the hidden field of a form says: its number, when it was handed out, and when its key
    first stood on the screen (0: not a key that a second tap could hit). Monotonic milliseconds."""

    number: int
    handed_ms: int
    drawn_ms: int


class Sealer:
    """Signs the hidden field of every form: ``[session, number, handed_ms, drawn_ms]``."""

    def __init__(self, secret_key: str, clock: ScreenClock) -> None:
        self._serializer = URLSafeSerializer(secret_key, salt="jackpot.console.form")
        self._clock = clock

    def now_ms(self) -> int:
        """The present moment, as forms and heartbeats name it."""
        return self._clock.monotonic_ns() // _NS_PER_MS

    def seal(self, session: Session, drawn_ms: int = 0) -> str:
        """The hidden field of a form that is handed out now; each one has a number of its own."""
        return self._text([session.name, session.next_form(), self.now_ms(), drawn_ms])

    def seal_login(self) -> str:
        """The hidden field of the login form, before there is a session."""
        return self._text([_LOGIN, 0, self.now_ms(), 0])

    def open(self, sealed: str, session: Session) -> Handed:
        """A form of this session. Refuses (``form_forged``) anything else."""
        name, handed = self._parts(sealed)
        if name != session.name:
            raise _forged()
        return handed

    def open_login(self, sealed: str) -> None:
        """Refuse (``form_forged``) a login form that this server did not hand out."""
        if self._parts(sealed)[0] != _LOGIN:
            raise _forged()

    def _text(self, parts: list[str | int]) -> str:
        text = self._serializer.dumps(parts)
        return text if isinstance(text, str) else text.decode()

    def _parts(self, sealed: str) -> tuple[str, Handed]:
        try:
            name, *numbers = self._serializer.loads(sealed)
            number, handed_ms, drawn_ms = numbers
        except (BadData, ValueError, TypeError):
            raise _forged() from None
        if not isinstance(name, str) or not all(isinstance(each, int) for each in numbers):
            raise _forged()
        return name, Handed(number, handed_ms, drawn_ms)


def check_origin(request: Request) -> None:
    """Refuse (``other_site``) a post that does not come from a page of this very server."""
    origin = request.headers.get("origin")
    if origin is None:
        ours = request.headers.get("sec-fetch-site") == "same-origin"
    else:
        ours = urlsplit(origin).netloc == request.headers.get("host")
    if not ours:
        raise Refused(
            reason="other_site",
            expected="a form of this console",
            found="a post from another site",
            to_do="close the other page and use the console itself",
        )


async def read_form(request: Request) -> FormData:
    """The fields of a post from our own page. Refuses ``other_site`` and ``form_too_large``."""
    check_origin(request)
    length = request.headers.get("content-length", "")
    if not length.isdecimal() or int(length) > MOST_FORM_BYTES:
        raise Refused(
            reason="form_too_large",
            expected=f"a form of at most {MOST_FORM_BYTES} bytes",
            found=f"{length or 'no'} length",
            to_do="use the console itself",
        )
    return await request.form(max_files=0, max_fields=MOST_FIELDS)


def text_field(form: FormData, name: str, default: str = "") -> str:
    """One field as text, without blanks around it."""
    value = form.get(name, default)
    return value.strip() if isinstance(value, str) else default


def number_field(form: FormData, name: str) -> int:
    """One field as a whole number. Refuses ``form_incomplete``."""
    text = text_field(form, name)
    if not text.isascii() or not text.isdecimal() or len(text) > LONGEST_NUMBER:
        raise Refused(
            reason="form_incomplete",
            expected=f"a whole number in {name}",
            found=repr(text[:20]),
            to_do="fill in the form again",
        )
    return int(text)


def _forged() -> Refused:
    return Refused(
        reason="form_forged",
        expected="a form that this server handed to this session",
        found="another one",
        to_do="load the page again",
    )
