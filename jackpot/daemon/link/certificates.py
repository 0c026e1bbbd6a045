"""A small private authority for the boxes of a casino: who is who on the line to the broker.

One authority signs the certificates of brokers, coordinators and tables. The name in a certificate is
the name that the broker's access list knows, so a box can write under its own name only. Keys are
P-256; nothing here is for the public's browsers.
"""

from __future__ import annotations

import ipaddress
import os
import re
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from jackpot.config.broker import TlsFiles
from jackpot.errors import Refused

AUTHORITY_DAYS = 3_650
CERTIFICATE_DAYS = 1_095
"""Three years: a box is opened for service more often. The doctor warns before the end."""

EARLY = timedelta(hours=1)
"""A box whose clock is a little behind takes a new certificate all the same."""

CRL_DAYS = 3_650
"""The list of withdrawn certificates stays good until a newer one replaces it."""

AUTHORITY, AUTHORITY_KEY, WITHDRAWN = "authority.pem", "authority.key", "withdrawn.pem"

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_COORDINATOR = "coordinator-"


class Holder(StrEnum):
    """What a certificate is for."""

    TABLE = "table"
    COORDINATOR = "coordinator"
    BROKER = "broker"


class Issued(NamedTuple):
    """One certificate of an authority's folder."""

    name: str
    serial: int
    until: datetime
    withdrawn: bool


def common_name(holder: Holder, name: str) -> str:
    """The name in the certificate, which the broker takes for the user's. Raises ``Refused``."""
    if _NAME.fullmatch(name) is None or (holder is Holder.TABLE and name.startswith(_COORDINATOR)):
        raise Refused(
            reason="not_a_name",
            expected="small letters, digits and dashes, as the name stands in the carrusel; "
            f"a table's does not begin with {_COORDINATOR}",
            found=repr(name),
            to_do="use the table's number or the coordinator's name",
        )
    return f"{_COORDINATOR}{name}" if holder is Holder.COORDINATOR else name


def new_authority(folder: Path, casino: str, now: datetime) -> Path:
    """A new authority in ``folder``; returns its certificate, which every box gets. Never overwrites.

    Its key signs everything: keep the folder away from the network.
    """
    if (folder / AUTHORITY).exists() or (folder / AUTHORITY_KEY).exists():
        raise Refused(
            reason="authority_exists",
            expected=f"no authority in {folder}",
            found=AUTHORITY,
            to_do="issue certificates with it; a second one needs another folder",
        )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"jackpot {casino}")])
    certificate = (
        _builder(subject, subject, key.public_key(), now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _write_key(folder / AUTHORITY_KEY, key)
    (folder / AUTHORITY).write_bytes(_pem(certificate))
    _write_withdrawn(folder, certificate, key, {}, now)
    return folder / AUTHORITY


def issue(
    folder: Path, holder: Holder, name: str, hosts: Sequence[str], now: datetime
) -> tuple[Path, Path]:
    """A certificate and its key for one box; returns both files. A broker needs its ``hosts``.

    Raises ``Refused``: no authority, a bad name, a certificate that is there already.
    """
    authority, authority_key = _authority(folder)
    common = common_name(holder, name)
    stem = f"{holder.value}-{name}"
    files = folder / f"{stem}.pem", folder / f"{stem}.key"
    if files[0].exists():
        raise Refused(
            reason="certificate_exists",
            expected=f"no certificate {stem} in {folder}",
            found=files[0].name,
            to_do="withdraw it first, if its box is lost or replaced",
        )
    if (holder is Holder.BROKER) != bool(hosts):
        raise Refused(
            reason="hosts_wanted",
            expected="the names or addresses of a broker, and only of a broker",
            found=", ".join(hosts) or "none",
            to_do="give --host for each name by which boxes reach the broker",
        )
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])
    usage = [ExtendedKeyUsageOID.CLIENT_AUTH]
    if holder is Holder.BROKER:
        usage.append(ExtendedKeyUsageOID.SERVER_AUTH)
    builder = (
        _builder(subject, authority.subject, key.public_key(), now, CERTIFICATE_DAYS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage(usage), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()),
            critical=False,
        )
    )
    if hosts:
        names = x509.SubjectAlternativeName([_host(host) for host in hosts])
        builder = builder.add_extension(names, critical=False)
    _write_key(files[1], key)
    files[0].write_bytes(_pem(builder.sign(authority_key, hashes.SHA256())))
    return files


def withdraw(folder: Path, stem: str, now: datetime) -> Path:
    """Take a certificate back; returns the list that brokers read. Its files are renamed.

    Raises ``Refused``: there is no such certificate.
    """
    authority, key = _authority(folder)
    file = folder / f"{stem}.pem"
    if stem in {"authority", "withdrawn"} or not file.exists():
        raise Refused(
            reason="no_certificate",
            expected=f"a certificate {stem}.pem in {folder}",
            found="none",
            to_do="look with `jackpot certs list`",
        )
    serial = x509.load_pem_x509_certificate(file.read_bytes()).serial_number
    withdrawn = {**_withdrawn(folder), serial: now}
    _write_withdrawn(folder, authority, key, withdrawn, now)
    for suffix in (".pem", ".key"):
        (folder / f"{stem}{suffix}").rename(folder / f"{stem}.{serial:x}.withdrawn{suffix}")
    return folder / WITHDRAWN


def issued(folder: Path) -> list[Issued]:
    """Every certificate that was issued in ``folder``, by name. Raises ``Refused``: no authority."""
    _authority(folder)
    withdrawn = _withdrawn(folder)
    found = []
    for file in sorted(folder.glob("*.pem")):
        if file.name in (AUTHORITY, WITHDRAWN):
            continue
        certificate = x509.load_pem_x509_certificate(file.read_bytes())
        serial = certificate.serial_number
        name = file.name.partition(".")[0]
        found.append(Issued(name, serial, certificate.not_valid_after_utc, serial in withdrawn))
    return found


def holder(file: Path) -> str:
    """The name in the certificate in ``file``, the broker's user. Raises ``OSError``, ``ValueError``."""
    certificate = x509.load_pem_x509_certificate(file.read_bytes())
    names = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    return ", ".join(str(name.value) for name in names)


def check_holder(file: Path, name: str) -> None:
    """Raises ``Refused`` unless the certificate in ``file`` is that of ``name``: the broker takes in
    silence away what a box says under another one."""
    try:
        found = holder(file)
    except (OSError, ValueError) as error:
        raise Refused(
            reason="certificate_unreadable",
            expected=f"a certificate of {name} (PEM) at {file}",
            found=str(error),
            to_do="copy certificate and key of this box again",
        ) from error
    if found != name:
        raise Refused(
            reason="certificate_of_another",
            expected=f"the certificate of {name}",
            found=f"{file.name}, of {found or 'nobody'}",
            to_do="copy certificate and key of this box, or issue them with `jackpot certs issue`",
            rule="CAN-9",
        )


def check_files(files: TlsFiles, name: str, now: datetime) -> datetime:
    """When the first of authority and certificate ends. Raises ``Refused`` unless ``files`` are good
    today for ``name``: each readable, of this holder, signed by this authority, with its own key."""
    check_holder(files.certificate, name)
    try:
        authority = x509.load_pem_x509_certificate(files.authority.read_bytes())
        certificate = x509.load_pem_x509_certificate(files.certificate.read_bytes())
        certificate.verify_directly_issued_by(authority)
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(files.certificate, files.key)
    except (OSError, ValueError, TypeError, InvalidSignature) as error:
        raise Refused(
            reason="certificate_does_not_fit",
            expected=f"a certificate of {name}, its own key, and the authority that signed it",
            found=str(error) or "a signature of another authority",
            to_do=f"copy {files.authority.name}, {files.certificate.name} and {files.key.name} again",
        ) from error
    begins = max(one.not_valid_before_utc for one in (authority, certificate))
    ends = min(one.not_valid_after_utc for one in (authority, certificate))
    if not begins <= now < ends:
        raise Refused(
            reason="certificate_ended",
            expected="a certificate that is good today",
            found=f"one from {begins:%Y-%m-%d} to {ends:%Y-%m-%d}",
            to_do="withdraw it and issue a new one with `jackpot certs`, or look at the clock",
        )
    return ends


def moment(wall_ns: int) -> datetime:
    """A wall clock's nanoseconds as a time, to the second, as certificates have it."""
    return datetime.fromtimestamp(wall_ns // 1_000_000_000, UTC)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLY)
        .not_valid_after(now + timedelta(days=days))
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _authority(folder: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    try:
        certificate = x509.load_pem_x509_certificate((folder / AUTHORITY).read_bytes())
        pem = (folder / AUTHORITY_KEY).read_bytes()
        key = serialization.load_pem_private_key(pem, password=None)
    except (OSError, ValueError) as error:
        raise Refused(
            reason="no_authority",
            expected=f"{AUTHORITY} and {AUTHORITY_KEY} in {folder}",
            found=str(error),
            to_do="make one with `jackpot certs new-authority`, or name its folder",
        ) from error
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise Refused(
            reason="no_authority",
            expected=f"a P-256 key in {AUTHORITY_KEY}",
            found=type(key).__name__,
            to_do="name the folder of an authority that `jackpot certs` made",
        )
    return certificate, key


def _withdrawn(folder: Path) -> dict[int, datetime]:
    crl = x509.load_pem_x509_crl((folder / WITHDRAWN).read_bytes())
    return {entry.serial_number: entry.revocation_date_utc for entry in crl}


def _write_withdrawn(
    folder: Path,
    authority: x509.Certificate,
    key: ec.EllipticCurvePrivateKey,
    withdrawn: dict[int, datetime],
    now: datetime,
) -> None:
    builder = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(authority.subject)
        .last_update(now - EARLY)
        .next_update(now + timedelta(days=CRL_DAYS))
    )
    for serial, at in withdrawn.items():
        entry = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(at)
        builder = builder.add_revoked_certificate(entry.build())
    crl = builder.sign(key, hashes.SHA256())
    (folder / WITHDRAWN).write_bytes(crl.public_bytes(serialization.Encoding.PEM))


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _write_key(path: Path, key: ec.EllipticCurvePrivateKey) -> None:
    """Only its owner may read it; never over another."""
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(pem)
