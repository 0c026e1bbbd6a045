"""Two adjacent tables as two real daemons behind TLS, and certificates that a browser can be told of."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import signal
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from daemon_process import TEXT, Daemon, counted, installed
from support.screen_server import free_port

from jackpot.config import Config


@dataclass(frozen=True)
class Certificate:
    """A key and certificate of 127.0.0.1; ``spki`` is what a browser can be told to trust."""

    cert: Path
    key: Path
    spki: str


def certificate(folder: Path) -> Certificate:
    folder.mkdir()
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "table")])
    now = datetime.now(UTC)
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "cert.pem").write_bytes(made.public_bytes(pem))
    private = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "key.pem").write_bytes(private)
    der = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    spki = base64.b64encode(hashlib.sha256(der).digest()).decode()
    return Certificate(folder / "cert.pem", folder / "key.pem", spki)


class TwoTables:
    """Tables 7 and 8, each a daemon that names the other; neither runs yet."""

    def __init__(self, folder: Path, cert: Certificate, other_cert: Certificate) -> None:
        self.ports = {"7": free_port(), "8": free_port()}
        self.daemons: dict[str, Daemon] = {}
        self.configs = {
            table: self._installed(folder / table, table, neighbour, used)
            for table, neighbour, used in (("7", "8", cert), ("8", "7", other_cert))
        }

    def _installed(self, folder: Path, table: str, neighbour: str, cert: Certificate) -> Config:
        folder.mkdir()
        text = (
            TEXT.replace('number = "7"', f'number = "{table}"')
            .replace("[jackpot]", '[jackpot]\nmode = "manual"')
            .replace('[slots]\nport = "line"\n', "")
            .replace("port = 0", f"port = {self.ports[table]}")
        )
        text += (
            f'tls_cert = "{cert.cert}"\ntls_key = "{cert.key}"\n'
            f'neighbour = "{self.url(neighbour)}"\nneighbour_table = "{neighbour}"\n'
        )
        return installed(folder, text)

    def url(self, table: str) -> str:
        """Where the screens of a table are."""
        return f"https://127.0.0.1:{self.ports[table]}"

    def run(self, table: str) -> None:
        """Start its daemon."""
        self.daemons[table] = Daemon(self.configs[table])

    def kinds(self, table: str) -> set[str]:
        """Every kind of event in the ledger of a table."""
        return set(counted(self.configs[table]))

    def end(self) -> None:
        """Kill what runs."""
        for daemon in self.daemons.values():
            if daemon.process.poll() is None:
                daemon.process.send_signal(signal.SIGCONT)
                daemon.kill()
