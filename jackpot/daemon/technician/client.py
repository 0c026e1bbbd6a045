"""`jackpot slots` asks the table that owns the port, if it runs."""

from __future__ import annotations

import ipaddress
import json
import ssl
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any

import msgspec

from jackpot.config import ScreensConfig
from jackpot.daemon.technician.tester import Asked, Told
from jackpot.errors import Refused
from jackpot.mechanism.report import BusReport

LOOK_TIMEOUT_S = 3.0
TEST_TIMEOUT_S = 90.0
"""A test takes a minute at most."""

LONGEST_ANSWER_BYTES = 1_000_000


class NotRunning(Exception):
    """Nobody answers at the address of the screens."""


def look(screens: ScreensConfig) -> BusReport:
    """The bus as the running table sees it. Raises ``NotRunning``, ``Refused``."""
    body = ask(screens, "GET", "/slots.json", None, LOOK_TIMEOUT_S)
    return msgspec.json.decode(body, type=BusReport)


def ask_for_test(screens: ScreensConfig, asked: Asked) -> Told:
    """A test by the running table. Raises ``NotRunning``, ``Refused``."""
    body = ask(screens, "POST", "/slots/test", msgspec.json.encode(asked), TEST_TIMEOUT_S)
    return msgspec.json.decode(body, type=Told)


def ask(
    screens: ScreensConfig, method: str, path: str, body: bytes | None, timeout_s: float
) -> bytes:
    """What the program at the screens' address answers. Raises ``NotRunning``, ``Refused``."""
    try:
        connection = _connection(screens, timeout_s)
    except OSError as error:  # no table runs with a certificate that cannot be read
        raise NotRunning(f"{screens.tls_cert}: {error}") from error
    try:
        connection.request(method, path, body)
        response = connection.getresponse()
        answer = response.read(LONGEST_ANSWER_BYTES)
    except (OSError, HTTPException) as error:
        raise NotRunning(str(error)) from error
    finally:
        connection.close()
    if response.status == 200:
        return answer
    raise _refusal(response.status, answer)


def _connection(screens: ScreensConfig, timeout_s: float) -> HTTPConnection:
    host = screens.bind
    if ipaddress.ip_address(host).is_unspecified:
        host = "::1" if ":" in host else "127.0.0.1"
    if screens.tls_cert is None:
        return HTTPConnection(host, screens.port, timeout=timeout_s)
    context = ssl.create_default_context(cafile=str(screens.tls_cert))
    # It is the very certificate that is trusted, not a name, and not only if nobody else signed it.
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return HTTPSConnection(host, screens.port, timeout=timeout_s, context=context)


def _refusal(status: int, answer: bytes) -> Refused:
    try:
        said: Any = json.loads(answer)
        parts = {name: said[name] for name in ("reason", "expected", "found", "to_do", "rule")}
        return Refused(**parts)
    except (ValueError, LookupError, TypeError):
        return Refused(
            reason="strange_answer",
            expected="the slots of this table",
            found=f"status {status}: {answer[:80]!r}",
            to_do="is another program, or an older version, at the address of the screens?",
        )
