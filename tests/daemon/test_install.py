"""Setting a table up: everything that ``jackpot run`` needs, and never over anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from daemon_process import OFFICERS, TEXT, installed

from jackpot.authority.roles import Role
from jackpot.config import load_config
from jackpot.daemon.install import NewOfficer, install
from jackpot.daemon.live_book import LiveBook
from jackpot.errors import Refused
from jackpot.ledger.keys import load_key
from jackpot.ledger.store import Ledger
from jackpot.ledger.table_ledger import TABLE

AT_NS = 1_764_500_000_000_000_000


def test_an_installed_table_has_a_key_a_ledger_and_officers(tmp_path: Path) -> None:
    config = load_config(TEXT, tmp_path)
    public_key = install(config, OFFICERS, AT_NS)
    assert public_key.startswith("casino.example/table-7-1+")
    with Ledger.open(config.ledger.file, TABLE, load_key(config.ledger.key_file)) as ledger:
        assert ledger.verifier.vkey == public_key
    assert config.ledger.folder.stat().st_mode & 0o777 == 0o700
    assert config.ledger.key_file.stat().st_mode & 0o777 == 0o600
    assert config.ledger.officers_file.stat().st_mode & 0o777 == 0o600
    assert "482915" not in config.ledger.officers_file.read_text()
    assert set(LiveBook(config.ledger.officers_file).roles()) == {"c1", "j1", "d1"}


def test_nothing_is_ever_overwritten(tmp_path: Path) -> None:
    config = installed(tmp_path)
    before = config.ledger.file.read_bytes()
    with pytest.raises(Refused, match="already_installed"):
        install(config, OFFICERS, AT_NS)
    assert config.ledger.file.read_bytes() == before


@pytest.mark.parametrize(
    "officers",
    [
        (),
        OFFICERS[:1],
        (NewOfficer("x1", (Role.CROUPIER, Role.TABLE_CHIEF), "482915"),),
        (OFFICERS[0], NewOfficer("t1", (Role.TECHNICIAN,), "572914")),
    ],
)
def test_CAN_3_1_a_table_needs_a_croupier_and_a_chief_who_are_two_people(
    tmp_path: Path, officers: tuple[NewOfficer, ...]
) -> None:
    config = load_config(TEXT, tmp_path)
    with pytest.raises(Refused, match="too_few_officers"):
        install(config, officers, AT_NS)
    assert not config.ledger.folder.exists()


def test_a_weak_pin_stops_the_installation_before_it_begins(tmp_path: Path) -> None:
    config = load_config(TEXT, tmp_path)
    with pytest.raises(Refused, match="pin_weak"):
        install(config, (NewOfficer("c1", (Role.CROUPIER,), "123456"), *OFFICERS[1:]), AT_NS)
    assert not config.ledger.folder.exists()
