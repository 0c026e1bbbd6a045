"""Setting a table up for the first time: folder, key, ledger, officer book."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jackpot.authority.pins import check_new_pin, check_officer_id
from jackpot.authority.roles import Role
from jackpot.config import Config
from jackpot.daemon.officer_book import OfficerBook
from jackpot.errors import Refused
from jackpot.ledger.keys import create_key, load_key
from jackpot.ledger.store import Ledger
from jackpot.ledger.table_ledger import TABLE

FOLDER_MODE = 0o700


class NewOfficer(NamedTuple):
    """An officer of the first hour, with the PIN in clear; it is hashed at once."""

    officer: str
    roles: tuple[Role, ...]
    pin: str


def check_officers(officers: Sequence[NewOfficer]) -> None:
    """The first officers must be able to open a table: croupier and table chief, two people."""
    for new in officers:
        check_officer_id(new.officer)
        check_new_pin(new.pin)
    roles = {role for new in officers for role in new.roles}
    if not {Role.CROUPIER, Role.TABLE_CHIEF} <= roles or len({o.officer for o in officers}) < 2:
        raise Refused(
            reason="too_few_officers",
            expected="a croupier and a table chief, two different people",
            found=", ".join(f"{o.officer}: {'+'.join(o.roles)}" for o in officers) or "nobody",
            to_do="name both; the first acts of a table need two signatures",
            rule="CAN-3.1",
        )


def install(config: Config, officers: Sequence[NewOfficer], at_ns: int) -> str:
    """Make everything that ``jackpot run`` needs; returns the public key.

    Never overwrites: raises ``Refused`` when there is a ledger or a book already.
    """
    place = config.ledger
    check_officers(officers)
    _nothing_there(config)
    place.folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    book = OfficerBook(place.officers_file)
    for new in officers:
        book.add(new.officer, new.roles, new.pin)
    # A key without a ledger is what an earlier, interrupted installation left: it goes on.
    key = load_key(place.key_file) if place.key_file.exists() else create_key(place.key_file)
    ledger = Ledger.create(place.file, TABLE, key, origin=config.origin, at_ns=at_ns)
    try:
        return ledger.verifier.vkey
    finally:
        ledger.close()


def _nothing_there(config: Config) -> None:
    place = config.ledger
    found = [file.name for file in (place.file, place.officers_file) if file.exists()]
    if found:
        raise Refused(
            reason="already_installed",
            expected=f"no table in {place.folder}",
            found=", ".join(found),
            to_do="run it with `jackpot run`, or choose another folder for a new table",
        )
