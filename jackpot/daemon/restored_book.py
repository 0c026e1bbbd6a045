"""A lost officer book is made anew from the ledger: ids and roles as it knows them, PINs by those present.

Nobody's PIN can be asked, so whoever may write in the table's folder is trusted as at the installation,
and no further: no id and no role is new, a games director is present where the ledger knows one, and
the ledger tells for ever who was entered and when.
"""

from __future__ import annotations

from collections.abc import Mapping

from jackpot.authority.roles import Role
from jackpot.config import Config
from jackpot.daemon.install import NewOfficer, check_officers
from jackpot.daemon.officer_book import OfficerBook
from jackpot.daemon.requests import CONTROLLER
from jackpot.errors import Refused
from jackpot.ledger.keys import load_key
from jackpot.ledger.machine import Cause, NewBatch
from jackpot.ledger.store import Ledger
from jackpot.ledger.table_ledger import TABLE
from jackpot.ledger.witness import kept_witnesses
from jackpot.table import facts as f
from jackpot.table.decide import play
from jackpot.table.state import OUTSIDE_A_HAND, TableState

OFFICERS_RESTORED = "officers_restored"
"""An alarm that is over at once: it stands in the history, with the ids that were entered."""


def restore_book(
    config: Config, pins: Mapping[str, str], at_ns: int
) -> dict[str, tuple[Role, ...]]:
    """Write the book and the ledger's line about it; returns ids and roles. The ledger comes first: a
    book without its line in the ledger cannot be.

    Raises ``Refused`` where a book is there, a table runs, an id is unknown to the ledger, a PIN is
    weak, or the director, a croupier or a table chief is missing.
    """
    place = config.ledger
    if place.officers_file.exists():
        raise Refused(
            reason="officer_book_there",
            expected="no officer book",
            found=str(place.officers_file),
            to_do="change it with `jackpot officers`; a damaged one is first set aside by hand",
        )
    witnesses = kept_witnesses(place.witness_file)
    with Ledger.open(place.file, TABLE, load_key(place.key_file), witnesses=witnesses) as ledger:
        roles = _roles_of(ledger.state, pins)
        _record(ledger, roles, at_ns)
    book = OfficerBook(place.officers_file)
    for officer, pin in pins.items():
        book.add(officer, roles[officer], pin)
    return roles


def _roles_of(state: TableState, pins: Mapping[str, str]) -> dict[str, tuple[Role, ...]]:
    known = state.officers
    strangers = sorted(pins.keys() - known.keys())
    if strangers:
        raise Refused(
            reason="no_such_officer",
            expected=f"officers that the ledger knows: {', '.join(sorted(known)) or 'none'}",
            found=", ".join(strangers),
            to_do="enter those first; they can add others with `jackpot officers add`",
        )
    roles = {officer: known[officer] for officer in pins}
    check_officers([NewOfficer(name, own, pins[name]) for name, own in roles.items()])
    directors = [name for name, own in known.items() if Role.GAMES_DIRECTOR in own]
    if directors and not set(directors) & roles.keys():
        raise Refused(
            reason="director_missing",
            expected=f"a games director among those present: {', '.join(sorted(directors))}",
            found=", ".join(sorted(roles)),
            to_do="call the games director, who enters the own PIN too",
        )
    return roles


def _record(ledger: Ledger[TableState], roles: dict[str, tuple[Role, ...]], at_ns: int) -> None:
    number = (ledger.last_number(CONTROLLER) or 0) + 1
    told = (
        f.AlarmRaised(alarm=OFFICERS_RESTORED, detail=", ".join(sorted(roles))),
        f.OfficersListed(officers=roles),
        f.AlarmCleared(alarm=OFFICERS_RESTORED),
    )
    events, state = play(ledger.state, told)
    hand = None if state.phase in OUTSIDE_A_HAND else state.hand_number
    ledger.append([NewBatch(at_ns, hand, Cause(CONTROLLER, number), events)])
    ledger.sign_checkpoint(at_ns)
