"""A coordinator for the first time: its folder, key, officers, and its log or its copy of one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from jackpot.authority.pins import check_new_pin, check_officer_id
from jackpot.authority.roles import Role
from jackpot.config.coordinator import CoordinatorConfig
from jackpot.daemon.install import FOLDER_MODE, NewOfficer
from jackpot.daemon.link.kept_log import open_jetstream
from jackpot.daemon.officer_book import OfficerBook
from jackpot.errors import Refused
from jackpot.ledger.decision_log import DecisionFile
from jackpot.ledger.keys import create_key, load_key
from jackpot.ledger.note import Signer


async def found(config: CoordinatorConfig, officers: Sequence[NewOfficer], *, new_log: bool) -> str:
    """Make everything that ``jackpot coordinator`` needs; returns the public key.

    ``new_log``: make the replicated log, too; a second coordinator finds it there. Never overwrites:
    raises ``Refused`` for a PIN that is guessed, before anything is made, and when there is something
    already; ``LogUnavailable`` without a cluster.
    """
    _check_officers(officers)
    existing = [file.name for file in (config.log_file, config.officers_file) if file.exists()]
    if existing:
        raise Refused(
            reason="already_founded",
            expected=f"no coordinator in {config.folder}",
            found=", ".join(existing),
            to_do="run it with `jackpot coordinator`, or choose another folder",
        )
    if config.nats is not None and new_log:
        await (await open_jetstream(config.carrusel, config.nats, create=True)).close()
    config.folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    key = load_key(config.key_file) if config.key_file.exists() else create_key(config.key_file)
    book = OfficerBook(config.officers_file)
    for new in officers:
        book.add(new.officer, new.roles, new.pin)
    DecisionFile.create(config.log_file, config.carrusel).close()
    return Signer(config.name, key).verifier.vkey


def found_at_once(
    config: CoordinatorConfig, officers: Sequence[NewOfficer], *, new_log: bool
) -> str:
    """``found`` for whoever has no event loop."""
    return asyncio.run(found(config, officers, new_log=new_log))


def _check_officers(officers: Sequence[NewOfficer]) -> None:
    """Whatever is overridden at a coordinator needs a chief and the director, two people."""
    for new in officers:
        check_officer_id(new.officer)
        check_new_pin(new.pin)
    roles = {role for new in officers for role in new.roles}
    if Role.GAMES_DIRECTOR not in roles or len({new.officer for new in officers}) < 2:
        raise Refused(
            reason="too_few_officers",
            expected="the games director and a second officer, two different people",
            found=", ".join(f"{o.officer}: {'+'.join(o.roles)}" for o in officers) or "nobody",
            to_do="name both: what is overridden at a coordinator needs two signatures",
            rule="CAN-9",
        )
