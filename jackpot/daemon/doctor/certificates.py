"""A certificate and its key: will whoever connects believe it, today and in a month?"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)

from jackpot.daemon.doctor.report import How, Line, line

RENEW_DAYS = 30


def certificate_lines(name: str, certificate: Path, key: Path) -> Iterator[Line]:
    """``name`` says whose they are, as in "screens"; both files are PEM."""
    try:
        found = x509.load_pem_x509_certificate(certificate.read_bytes())
    except (OSError, ValueError) as error:
        expected, to_do = f"a certificate at {certificate}", "correct its path, or make a new one"
        yield Line(f"{name} certificate", How.FAULT, expected, str(error), to_do)
        return
    yield _dates(name, found)
    yield _names(name, found)
    yield _key(name, found, key)


def _dates(name: str, found: x509.Certificate) -> Line:
    now = datetime.now(UTC)
    begins, ends = found.not_valid_before_utc, found.not_valid_after_utc
    good = begins <= now and ends - now > timedelta(days=RENEW_DAYS)
    return line(
        good,
        f"{name} certificate",
        f"one for today and {RENEW_DAYS} days more",
        f"one from {begins:%Y-%m-%d} to {ends:%Y-%m-%d}",
        "renew it, and start the program anew: it is read at the start"
        if begins <= now
        else "look at the clock, or make a new one",
        How.WARNING if begins <= now < ends else How.FAULT,
    )


def _names(name: str, found: x509.Certificate) -> Line:
    """Programs look at the alternative names alone; a name in the subject is not enough."""
    try:
        extension = found.extensions.get_extension_for_class(x509.SubjectAlternativeName)
        names = [str(one.value) for one in extension.value]
    except x509.ExtensionNotFound:
        names = []
    return line(
        bool(names),
        f"{name} certificate names",
        "the names or addresses that people type (subjectAltName)",
        ", ".join(names) or "none",
        "make one with the host's name and address in subjectAltName",
        How.WARNING,
    )


def _key(name: str, certificate: x509.Certificate, path: Path) -> Line:
    what, expected = f"{name} key", "the certificate's own key, mode 600"
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        key = load_pem_private_key(path.read_bytes(), None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as error:
        to_do = "give the key that the certificate was made with, without a passphrase"
        return Line(what, How.FAULT, expected, str(error), to_do)
    spki = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    if key.public_key().public_bytes(*spki) != certificate.public_key().public_bytes(*spki):
        to_do = "give the key that the certificate was made with"
        return Line(what, How.FAULT, expected, "the key of another certificate", to_do)
    found = f"the key, mode {mode:o}"
    return line(not mode & 0o077, what, expected, found, f"chmod 600 {path}", How.WARNING)
