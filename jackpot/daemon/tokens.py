"""Cryptographic tokens of officers (WebAuthn): asking a browser for one, and checking what it answers.

A token proves that somebody touched it and gave its own PIN or finger (presence and verification);
which officer that is, the book says. No attestation is asked for: which make it is does not matter.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from fido2.server import Fido2Server
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    UserVerificationRequirement,
)

from jackpot.daemon.officer_book import Token
from jackpot.errors import Refused

_VERIFIED = UserVerificationRequirement.REQUIRED
"""A token that was found or taken signs nothing without its own PIN."""

_NAME_DIGITS = 16
_UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, IndexError)
"""What a library raises over an answer that is none."""


def token_name(token: Token) -> str:
    """How the ledger calls a token: the beginning of the SHA-256 of its credential id."""
    return hashlib.sha256(_credential(token).credential_id).hexdigest()[:_NAME_DIGITS]


def creation_options(host: str, officer: str, known: Sequence[Token], challenge: bytes) -> str:
    """What a browser is asked to make a new credential with, as JSON."""
    options, _ = _server(host, "").register_begin(
        PublicKeyCredentialUserEntity(name=officer, id=officer.encode(), display_name=officer),
        [_credential(token) for token in known if token.host == host],
        user_verification=_VERIFIED,
        challenge=challenge,
    )
    return json.dumps(dict(options))


def created(host: str, origin: str, challenge: bytes, answer: str) -> Token:
    """The new token in a browser's answer. Raises ``Refused`` (``token_wrong``)."""
    try:
        made = _server(host, origin).register_complete(_state(challenge), _parsed(answer))
    except _UNREADABLE as error:
        raise _wrong(error) from error
    if made.credential_data is None:
        raise _wrong(ValueError("no credential"))
    return Token(host, websafe_encode(made.credential_data))


def request_options(host: str, tokens: Sequence[Token], challenge: bytes) -> str:
    """What a browser is asked to sign ``challenge`` with, as JSON. Refuses ``no_token``."""
    ours = _of_host(host, tokens)
    options, _ = _server(host, "").authenticate_begin(
        [_credential(token) for token in ours], user_verification=_VERIFIED, challenge=challenge
    )
    return json.dumps(dict(options))


def check_answer(
    host: str, origin: str, tokens: Sequence[Token], challenge: bytes, answer: str
) -> str:
    """The name of the token that signed ``challenge``. Refuses ``no_token``, ``token_wrong``."""
    ours = {_credential(token).credential_id: token for token in _of_host(host, tokens)}
    try:
        response = AuthenticationResponse.from_dict(_parsed(answer))
        used = _server(host, origin).authenticate_complete(
            _state(challenge), [_credential(token) for token in ours.values()], response
        )
    except _UNREADABLE as error:
        raise _wrong(error) from error
    return token_name(ours[used.credential_id])


def _server(host: str, origin: str) -> Fido2Server:
    party = PublicKeyCredentialRpEntity(name="Jackpot", id=host)
    return Fido2Server(party, verify_origin=lambda signed: signed == origin)


def _state(challenge: bytes) -> dict[str, Any]:
    return {"challenge": websafe_encode(challenge), "user_verification": _VERIFIED}


def _parsed(answer: str) -> dict[str, Any]:
    parsed = json.loads(answer)
    if not isinstance(parsed, dict):
        raise TypeError("no object")
    return parsed


def _credential(token: Token) -> AttestedCredentialData:
    return AttestedCredentialData(websafe_decode(token.credential))


def _of_host(host: str, tokens: Sequence[Token]) -> list[Token]:
    ours = [token for token in tokens if token.host == host]
    if not ours:
        raise Refused(
            reason="no_token",
            expected=f"an officer with a token registered at {host}",
            found="none",
            to_do="sign with the PIN, or register the token at this address first",
        )
    return ours


def _wrong(error: Exception) -> Refused:
    return Refused(
        reason="token_wrong",
        expected="an answer of a token to the present question",
        found=str(error)[:80],
        to_do="try again, or sign with the PIN",
    )
