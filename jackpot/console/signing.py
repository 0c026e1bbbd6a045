"""The signature of a further officer in a form: by PIN, or by a cryptographic token (WebAuthn).

A token signs the very form: its challenge is a hash over the act and every field that means
something, so that nothing can be put in its place afterwards. It is never the only signature, and
never a login.
"""

from __future__ import annotations

import hashlib
import secrets
from urllib.parse import urlencode

from starlette.datastructures import FormData
from starlette.requests import Request

from jackpot.console.forms import text_field
from jackpot.console.pit_forms import PIT_FORMS
from jackpot.console.screens import Screens
from jackpot.console.sessions import Session
from jackpot.errors import Refused
from jackpot.table.facts import TokenUsed

SIGNED_BY_TWO = frozenset({"open-day", "close-day", "void", "confirm", "sign"}) | {
    form.key for form in PIT_FORMS.values() if form.second is not None
}
"""Acts where another officer has signed, with a PIN, before: there alone a token may sign."""

_NOT_SIGNED = frozenset({"form", "beat", "pin", "token"})
"""Fields that say nothing about the act: the number of the form, the heartbeat, the signature."""
_NONCE_BYTES = 32


class Signing:
    """Checks who signs in a form beside the officer who is logged in."""

    def __init__(self, screens: Screens) -> None:
        self._screens = screens

    async def check(
        self, request: Request, form: FormData, session: Session, key: str
    ) -> TokenUsed | None:
        """The signature of the form's ``signer``, if there is one; the token that gave it.

        Refuses ``wrong_pin``, ``too_soon``, ``token_not_here``, ``no_token``, ``token_wrong``.
        """
        signer = text_field(form, "signer")
        if not signer:
            return None
        answer = text_field(form, "token")
        if not answer:
            await self._screens.check_pin(signer, text_field(form, "pin"))
            return None
        _only_second(key)
        nonce, session.nonce = session.nonce, b""
        if not nonce:
            raise _unasked()
        host, origin = place(request)
        digest = form_digest(nonce, key, form)
        token = self._screens.book.check_token(signer, host, origin, digest, answer)
        return TokenUsed(officer=signer, token=token)

    def question(self, request: Request, form: FormData, session: Session, key: str) -> str:
        """What the token of the form's signer is asked to sign. Refuses like ``check``."""
        _only_second(key)
        session.nonce = secrets.token_bytes(_NONCE_BYTES)
        host, _ = place(request)
        digest = form_digest(session.nonce, key, form)
        return self._screens.book.token_question(text_field(form, "signer"), host, digest)


def form_digest(nonce: bytes, key: str, form: FormData) -> bytes:
    """SHA-256 over a nonce, the act and the fields that mean something, in the order of names."""
    fields = sorted(
        (name, value)
        for name, value in form.multi_items()
        if name not in _NOT_SIGNED and isinstance(value, str)
    )
    return hashlib.sha256(nonce + urlencode([("act", key), *fields]).encode()).digest()


def place(request: Request) -> tuple[str, str]:
    """Host name and origin under which a browser asks for these screens."""
    url = request.url
    return url.hostname or "", f"{url.scheme}://{url.netloc}"


def _only_second(key: str) -> None:
    if key not in SIGNED_BY_TWO:
        raise Refused(
            reason="token_not_here",
            expected="a PIN: a token alone signs only beside another officer",
            found="a token",
            to_do="sign with the PIN",
            rule="CAN-3.1",
        )


def _unasked() -> Refused:
    return Refused(
        reason="token_wrong",
        expected="the answer to a question that was asked just now",
        found="one that nobody asked for, or a second time",
        to_do="try again, or sign with the PIN",
    )
