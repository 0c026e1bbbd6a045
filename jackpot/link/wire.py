"""Messages to bytes and back: JSON, with every amount in micro-cents as a string of digits.

The reader takes nothing for granted: too long, not JSON, of another version, with other fields or of
another type than its topic carries is refused, with a name that the coordinator's page can show.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from jackpot.errors import Refused
from jackpot.link import messages as m

_encoder = msgspec.json.Encoder(order="deterministic")

_AMOUNT = re.compile(rb'(_microcents"[:,])(-?[0-9]+)')
"""A name that ends in ``_microcents`` and its number, as a field or as a pair of a derivation. Text
inside a string never looks like it: there the quotation mark stands behind a backslash."""

ANY = (
    m.Birth
    | m.Up
    | m.NodeBeat
    | m.Resync
    | m.Head
    | m.Ack
    | m.Total
    | m.Entry
    | m.Members
    | m.CoordinatorBeat
)
"""Every message; the field ``type`` says which."""

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ANY, strict=False)
"""Not strict, so that an amount may be a string of digits."""


def canonical(value: msgspec.Struct) -> bytes:
    """The one JSON text of a struct: fields sorted, no spaces, micro-cents as strings."""
    pieces = _AMOUNT.split(_encoder.encode(value))
    pieces[2::3] = [b'"%b"' % amount for amount in pieces[2::3]]
    return b"".join(pieces)


def encode(message: m.Message) -> bytes:
    """The payload of a message. Raises ``Refused`` (``payload_too_long``): our own fault, but the
    caller can say so and go on."""
    payload = canonical(message)
    if len(payload) > m.MAX_MESSAGE_BYTES:
        raise _too_long(len(payload))
    return payload


def decode(payload: bytes, *expected: type[m.Message]) -> m.Message:
    """The message in a payload, one of ``expected`` where given.

    Raises ``Refused``, in this order: ``payload_too_long``, ``payload_of_another_format``,
    ``payload_malformed``, ``payload_out_of_place``.
    """
    if len(payload) > m.MAX_MESSAGE_BYTES:
        raise _too_long(len(payload))
    try:
        message: m.Message = _decoder.decode(payload)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        _check_format(_format_of(payload))
        raise _malformed(str(error)) from error
    _check_format(message.format)
    if expected and not isinstance(message, expected):
        raise Refused(
            reason="payload_out_of_place",
            expected=" or ".join(cls.__name__ for cls in expected),
            found=type(message).__name__,
            to_do="look who publishes to this topic",
        )
    return message


class _Envelope(msgspec.Struct):
    """What can be read of a payload of any version."""

    format: int


_envelope = msgspec.json.Decoder(_Envelope)


def _format_of(payload: bytes) -> int:
    try:
        return _envelope.decode(payload).format
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _malformed(str(error)) from error


def _check_format(version: int) -> None:
    if version != m.FORMAT:
        raise Refused(
            reason="payload_of_another_format",
            expected=f"format {m.FORMAT}",
            found=f"format {version}",
            to_do="bring the boxes and coordinators to one version",
        )


def _too_long(found: int) -> Refused:
    return Refused(
        reason="payload_too_long",
        expected=f"at most {m.MAX_MESSAGE_BYTES} bytes",
        found=f"{found} bytes",
        to_do="look who publishes to this topic",
    )


def _malformed(found: str) -> Refused:
    return Refused(
        reason="payload_malformed",
        expected="a message as docs/carrusel.md describes it",
        found=found,
        to_do="look who publishes to this topic",
    )
