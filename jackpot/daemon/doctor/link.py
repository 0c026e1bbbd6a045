"""The carrusel as the doctor sees it: a broker that listens, certificates that are still good."""

from __future__ import annotations

import socket
import ssl
from datetime import timedelta

from jackpot.config import CarruselConfig
from jackpot.config.broker import BrokerConfig, TlsFiles
from jackpot.daemon.clock import SystemClock
from jackpot.daemon.doctor.report import How, Line, line
from jackpot.daemon.link.certificates import check_files, moment
from jackpot.daemon.link.mqtt import ANSWER_TIMEOUT_S, tls_context
from jackpot.errors import Refused

WARN_BEFORE = timedelta(days=30)
"""Time for a technician to come by with a new certificate."""


def link_lines(carrusel: CarruselConfig, table: str) -> list[Line]:
    """Certificates first: without them, or with those of another than ``table``, nobody listens to
    this box."""
    certificates = certificate_line("certificate", carrusel.broker.tls, table)
    return [*certificates, broker_line(carrusel.broker)]


def certificate_line(name: str, files: TlsFiles | None, holder: str) -> list[Line]:
    """The certificate of ``holder``; none on a line without encryption."""
    if files is None:
        return []
    now = moment(SystemClock().wall_ns())
    try:
        until = check_files(files, holder, now)
    except Refused as refused:
        return [Line(name, How.FAULT, refused.expected, refused.found, refused.to_do)]
    expected = f"good for {WARN_BEFORE.days} days more"
    found = f"good until {until.date().isoformat()}"
    to_do = "withdraw it and issue a new one with `jackpot certs`"
    return [line(until - now > WARN_BEFORE, name, expected, found, to_do, How.WARNING)]


def broker_line(broker: BrokerConfig) -> Line:
    """Whether somebody listens there, with a certificate that we believe. Away, it is waited for."""
    place = f"{broker.host} port {broker.port}"
    try:
        with socket.create_connection((broker.host, broker.port), ANSWER_TIMEOUT_S) as plain:
            context = tls_context(broker.tls)
            if context is not None:
                context.wrap_socket(plain, server_hostname=broker.host).close()
    except (OSError, ssl.SSLError) as error:
        to_do = "start the broker, or check its address and the certificates"
        return Line("broker", How.WARNING, f"a broker at {place}", str(error), to_do)
    return Line("broker", How.OK, "a broker that listens", f"one listens at {place}")
