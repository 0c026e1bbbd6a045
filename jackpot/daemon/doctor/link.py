"""The carrusel as the doctor sees it: a broker that listens, certificates that are still good."""

from __future__ import annotations

import socket
import ssl
from datetime import timedelta

from jackpot.config import CarruselConfig
from jackpot.daemon.clock import SystemClock
from jackpot.daemon.doctor.report import How, Line, line
from jackpot.daemon.link.certificates import check_holder, expires, moment
from jackpot.daemon.link.mqtt import ANSWER_TIMEOUT_S, tls_context
from jackpot.errors import Refused

WARN_BEFORE = timedelta(days=30)
"""Time for a technician to come by with a new certificate."""


def link_lines(carrusel: CarruselConfig, table: str) -> list[Line]:
    """Certificates first: without them, or with those of another than ``table``, nobody listens to
    this box."""
    return [*_certificate_lines(carrusel, table), _broker_line(carrusel)]


def _certificate_lines(carrusel: CarruselConfig, table: str) -> list[Line]:
    files = carrusel.broker.tls
    if files is None:
        return []
    name = "certificate"
    try:
        tls_context(files)
        check_holder(files.certificate, table)
        until = min(expires(files.authority), expires(files.certificate))
    except (OSError, ValueError) as error:
        to_do = "copy authority, certificate and key of this table again"
        return [Line(name, How.FAULT, "certificate and key that fit", str(error), to_do)]
    except Refused as refused:
        return [Line(name, How.FAULT, refused.expected, refused.found, refused.to_do)]
    left = until - moment(SystemClock().wall_ns())
    expected = f"good for {WARN_BEFORE.days} days more"
    found = f"good until {until.date().isoformat()}"
    to_do = "withdraw it and issue a new one with `jackpot certs`"
    bad = How.FAULT if left < timedelta(0) else How.WARNING
    return [line(left > WARN_BEFORE, name, expected, found, to_do, bad)]


def _broker_line(carrusel: CarruselConfig) -> Line:
    broker = carrusel.broker
    place = f"{broker.host} port {broker.port}"
    try:
        with socket.create_connection((broker.host, broker.port), ANSWER_TIMEOUT_S) as plain:
            context = tls_context(broker.tls)
            if context is not None:
                context.wrap_socket(plain, server_hostname=broker.host).close()
    except (OSError, ssl.SSLError) as error:
        to_do = "start the broker, or check carrusel.broker and its certificates"
        return Line("broker", How.WARNING, f"a broker at {place}", str(error), to_do)
    return Line("broker", How.OK, "a broker that listens", f"one listens at {place}")
