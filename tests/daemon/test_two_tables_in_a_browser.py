"""CAN-3.1: one chief, two adjacent tables, two real daemons, one screen; and one of them is off."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from daemon_process import PINS, TEXT, Daemon, counted, installed
from playwright.sync_api import Browser, FrameLocator, Page, expect, sync_playwright
from support.screen_server import free_port, launch

from jackpot.config import Config

SCREEN = {"width": 1920, "height": 1080}
WITHIN_MS = 6_000
"""Two and a half seconds of silence, and a busy machine."""
SMALLEST_TARGET_PX = 44


@dataclass(frozen=True)
class Certificate:
    """A key and certificate of 127.0.0.1; ``spki`` is what a browser can be told to trust."""

    cert: Path
    key: Path
    spki: str


def _certificate(folder: Path) -> Certificate:
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


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> tuple[Certificate, Certificate]:
    """One that the browser trusts, and one that it does not."""
    folder = tmp_path_factory.mktemp("certificates")
    return _certificate(folder / "trusted"), _certificate(folder / "strange")


@pytest.fixture(scope="module")
def browser(certificates: tuple[Certificate, Certificate]) -> Iterator[Browser]:
    trusted = f"--ignore-certificate-errors-spki-list={certificates[0].spki}"
    with sync_playwright() as playwright:
        browser = launch(playwright, trusted)
        yield browser
        browser.close()


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


@pytest.fixture
def tables(tmp_path: Path, certificates: tuple[Certificate, Certificate]) -> Iterator[TwoTables]:
    two = TwoTables(tmp_path, certificates[0], certificates[0])
    yield two
    two.end()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=SCREEN, locale="es-ES")  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(WITHIN_MS)
    yield page
    context.close()


def _half(page: Page, side: str) -> FrameLocator:
    return page.frame_locator(f"#half-{side} iframe")


def _log_in(half: FrameLocator, officer: str) -> None:
    half.locator("#officer").fill(officer)
    half.locator("#pin").fill(PINS[officer])
    half.get_by_role("button", name="Entrar").click()
    expect(half.locator("#panel")).to_be_visible(timeout=WITHIN_MS)


def _lost(page: Page, side: str, lost: bool) -> None:
    expect(page.locator(f"#half-{side} .lost")).to_be_visible(visible=lost, timeout=3 * WITHIN_MS)


def _open_day(half: FrameLocator) -> None:
    half.get_by_role("link", name="Abrir la mesa").click()
    half.locator("input[value=j1]").check(force=True)
    half.locator("input[name=pin]").fill(PINS["j1"])
    half.get_by_role("button", name="Abrir con").click()
    expect(half.locator("#panel")).to_have_attribute("data-phase", "between_hands")


def test_CAN_3_1_two_tables_on_one_screen_and_each_act_at_its_own(
    page: Page, tables: TwoTables
) -> None:
    tables.run("7")
    tables.run("8")
    page.goto(f"{tables.url('8')}/tables")
    left, right = _half(page, "left"), _half(page, "right")
    for half, number in ((left, "7"), (right, "8")):
        _log_in(half, "c1")
        expect(half.locator(".table-name")).to_contain_text(number)
    _open_day(left)
    expect(right.locator("#panel")).to_have_attribute("data-phase", "closed")
    expect(left.locator("button.main")).to_contain_text("Mesa 7")
    assert "day_opened" in tables.kinds("7")
    assert "day_opened" not in tables.kinds("8")


def test_CAN_3_1_the_half_that_has_the_keyboard_is_marked_and_f2_changes_it(
    page: Page, tables: TwoTables
) -> None:
    tables.run("7")
    tables.run("8")
    page.goto(f"{tables.url('7')}/tables")
    left, right = _half(page, "left"), _half(page, "right")
    _log_in(left, "c1")
    _log_in(right, "c1")
    _open_day(left)
    here = page.locator(".half.here")
    expect(here).to_have_attribute("id", "half-left")
    expect(page.locator("#half-left .keyboard")).to_be_visible()
    page.keyboard.press("F2")
    expect(here).to_have_attribute("id", "half-right")
    expect(page.locator("#half-left .keyboard")).to_be_hidden()
    page.keyboard.press(
        "0"
    )  # no key of table 8, which is closed; the hand of table 7 must not start
    for key in "/0":
        page.keyboard.press(key)
    expect(here).to_have_attribute("id", "half-left")
    assert "hand_started" not in tables.kinds("7")
    expect(left.locator(".arming")).to_have_count(0)
    page.keyboard.press("0")
    expect(left.locator("#panel")).to_have_attribute("data-phase", "betting")


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGSTOP])
def test_CAN_3_1_a_dead_or_frozen_box_says_so_and_the_other_table_plays_on(
    page: Page, tables: TwoTables, end: signal.Signals
) -> None:
    tables.run("7")
    tables.run("8")
    page.goto(f"{tables.url('8')}/tables")  # the page of the very box that goes
    left = _half(page, "left")
    _log_in(left, "c1")
    _log_in(_half(page, "right"), "c1")
    _open_day(left)
    tables.daemons["8"].process.send_signal(end)
    expect(page.locator("#half-right .lost")).to_be_visible(timeout=WITHIN_MS)
    expect(page.locator("#half-right .lost")).to_contain_text("Mesa 8: sin conexión")
    _lost(page, "left", lost=False)
    expect(left.locator(".arming")).to_have_count(0)
    left.get_by_role("button", name="Siguiente jugada").click()
    expect(left.locator("#panel")).to_have_attribute("data-phase", "betting")
    if end is signal.SIGKILL:
        tables.daemons["8"].end()
        tables.run("8")
    else:
        tables.daemons["8"].process.send_signal(signal.SIGCONT)
    _lost(page, "right", lost=False)
    expect(_half(page, "right").locator("body")).to_have_attribute("data-table", "8")


def test_CAN_3_1_a_box_that_never_answered_is_found_when_it_comes(
    page: Page, tables: TwoTables
) -> None:
    tables.run("7")
    page.goto(f"{tables.url('7')}/tables")
    _lost(page, "right", lost=True)
    _log_in(_half(page, "left"), "c1")
    tables.run("8")
    _lost(page, "right", lost=False)
    _log_in(_half(page, "right"), "c1")


def test_CAN_3_1_a_box_with_another_certificate_is_not_believed(
    page: Page, tmp_path: Path, certificates: tuple[Certificate, Certificate]
) -> None:
    tables = TwoTables(tmp_path, *certificates)
    try:
        tables.run("7")
        tables.run("8")
        page.goto(f"{tables.url('7')}/tables")
        _lost(page, "right", lost=True)
        _log_in(_half(page, "left"), "c1")
    finally:
        tables.end()


def test_CAN_3_1_every_key_of_a_half_is_in_sight_and_large_enough(
    page: Page, tables: TwoTables
) -> None:
    tables.run("7")
    tables.run("8")
    page.goto(f"{tables.url('7')}/tables")
    left = _half(page, "left")
    _log_in(left, "c1")
    _open_day(left)
    for key in left.locator("#panel .key").all():
        box = key.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= SMALLEST_TARGET_PX
        assert box["x"] + box["width"] <= SCREEN["width"] / 2
        assert box["y"] + box["height"] <= SCREEN["height"]
