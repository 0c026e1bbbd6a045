"""The private authority: one name each, one key each, and none that outlives its withdrawal."""

from __future__ import annotations

import stat
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jackpot.config import TlsFiles
from jackpot.daemon.link.certificates import (
    Holder,
    check_files,
    common_name,
    issue,
    issued,
    new_authority,
    withdraw,
)
from jackpot.errors import Refused

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    new_authority(tmp_path / "certs", "casino.example", NOW)
    return tmp_path / "certs"


def openssl(*arguments: str) -> str:
    done = subprocess.run(["openssl", *arguments], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_openssl_verifies_a_tables_certificate_and_reads_its_name(folder: Path) -> None:
    certificate, key = issue(folder, Holder.TABLE, "7", [], NOW)
    authority = str(folder / "authority.pem")
    said = openssl("verify", "-no_check_time", "-CAfile", authority, str(certificate))
    assert said.endswith(": OK\n")
    assert "CN = 7" in openssl("x509", "-in", str(certificate), "-noout", "-subject")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_a_brokers_certificate_names_its_hosts(folder: Path) -> None:
    certificate, _ = issue(folder, Holder.BROKER, "mqtt", ["mqtt.example", "192.0.2.5"], NOW)
    said = openssl("x509", "-in", str(certificate), "-noout", "-ext", "subjectAltName")
    assert "DNS:mqtt.example, IP Address:192.0.2.5" in said


def test_a_coordinator_and_a_table_of_one_name_are_two_users() -> None:
    assert common_name(Holder.COORDINATOR, "c1") == "coordinator-c1"
    assert common_name(Holder.TABLE, "c1") == "c1"
    with pytest.raises(Refused, match="not_a_name"):
        common_name(Holder.TABLE, "coordinator-c1")


@pytest.mark.parametrize("name", ["", "Mesa 7", "7/8", "+", "#", "a" * 33])
def test_a_name_that_could_not_stand_in_a_topic_gets_no_certificate(
    folder: Path, name: str
) -> None:
    with pytest.raises(Refused, match="not_a_name"):
        issue(folder, Holder.TABLE, name, [], NOW)


def test_it_is_good_for_three_years(folder: Path) -> None:
    files = TlsFiles(folder / "authority.pem", *issue(folder, Holder.TABLE, "7", [], NOW))
    last = datetime(2029, 2, 28, 12, 0, tzinfo=UTC)
    assert check_files(files, "7", last - timedelta(seconds=1)) == last
    with pytest.raises(Refused, match=r"certificate_ended.*from 2026-03-01 to 2029-02-28"):
        check_files(files, "7", last)


def test_a_certificate_of_another_authority_or_with_another_key_does_not_fit(folder: Path) -> None:
    certificate, key = issue(folder, Holder.TABLE, "7", [], NOW)
    strange = folder.parent / "strange"
    new_authority(strange, "casino.example", NOW)
    with pytest.raises(Refused, match="certificate_does_not_fit"):
        check_files(TlsFiles(strange / "authority.pem", certificate, key), "7", NOW)
    _, other_key = issue(folder, Holder.TABLE, "8", [], NOW)
    with pytest.raises(Refused, match="certificate_does_not_fit"):
        check_files(TlsFiles(folder / "authority.pem", certificate, other_key), "7", NOW)
    check_files(TlsFiles(folder / "authority.pem", certificate, key), "7", NOW)


def test_a_withdrawn_certificate_is_refused_and_its_name_free_again(folder: Path) -> None:
    certificate, _ = issue(folder, Holder.TABLE, "7", [], NOW)
    copy = folder.parent / "stolen.pem"
    copy.write_bytes(certificate.read_bytes())
    withdrawn = withdraw(folder, "table-7", NOW)
    chain = folder.parent / "chain.pem"
    chain.write_bytes((folder / "authority.pem").read_bytes() + withdrawn.read_bytes())
    said = openssl("verify", "-no_check_time", "-crl_check", "-CAfile", str(chain), str(copy))
    assert "certificate revoked" in said
    issue(folder, Holder.TABLE, "7", [], NOW)
    assert [(one.name, one.withdrawn) for one in issued(folder)] == [
        ("table-7", True),
        ("table-7", False),
    ]


def test_nothing_is_ever_overwritten(folder: Path) -> None:
    issue(folder, Holder.TABLE, "7", [], NOW)
    with pytest.raises(Refused, match="certificate_exists"):
        issue(folder, Holder.TABLE, "7", [], NOW)
    with pytest.raises(Refused, match="authority_exists"):
        new_authority(folder, "casino.example", NOW)


def test_without_an_authority_there_is_nothing_to_issue(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no_authority"):
        issue(tmp_path, Holder.TABLE, "7", [], NOW)


def test_a_broker_without_hosts_and_a_table_with_them_are_refused(folder: Path) -> None:
    with pytest.raises(Refused, match="hosts_wanted"):
        issue(folder, Holder.BROKER, "mqtt", [], NOW)
    with pytest.raises(Refused, match="hosts_wanted"):
        issue(folder, Holder.TABLE, "7", ["box-7"], NOW)
