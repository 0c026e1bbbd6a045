"""``jackpot officers``: who may act at a table. Changing the list needs two of those on it.

The daemon notices a changed book by itself and tells the ledger the new ids and roles.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jackpot.authority.enough import lacking
from jackpot.authority.roles import Role, may_act_as
from jackpot.config.template import CONFIG_FILE
from jackpot.errors import Refused

if TYPE_CHECKING:
    from jackpot.daemon.officer_book import OfficerBook

VOUCHERS = 2
"""The first officers are entered by whoever installs the table; from then on two must vouch."""

Data = Annotated[
    Path, typer.Option("--data", help="The table's folder, or its configuration file.")
]
By = Annotated[
    list[str] | None, typer.Option("--by", help="An officer who vouches; give it twice.")
]
PinStdin = Annotated[
    bool,
    typer.Option(
        "--pin-stdin",
        help="Read PINs from standard input, one a line: each --by, then the new one where there is one.",
    ),
]
Officer = Annotated[str, typer.Argument(help="The staff number or short id.")]


def register(app: typer.Typer) -> None:
    """Mount ``officers`` on the command line's app."""
    officers = typer.Typer(help="Who may act at this table.", no_args_is_help=True)
    officers.command("list")(list_officers)
    officers.command("add")(add)
    officers.command("remove")(remove)
    officers.command("set-pin")(set_pin)
    officers.command("remove-tokens")(remove_tokens)
    officers.command("restore")(restore)
    app.add_typer(officers, name="officers")


def list_officers(data: Data = Path()) -> None:
    """Ids, roles, and how many security keys, one officer a line."""
    book = _book(data)
    for officer, roles in book.roles().items():
        tokens = len(book.tokens(officer))
        keys = f"\t{tokens} security key{'s' if tokens > 1 else ''}" if tokens else ""
        typer.echo(f"{officer}\t{', '.join(roles)}{keys}")


def add(
    officer: Officer,
    role: Annotated[list[Role], typer.Option("--role", help="A role; give it again for more.")],
    data: Data = Path(),
    by: By = None,
    pin_stdin: PinStdin = False,
) -> None:
    """A new officer; two of those on the list vouch for it."""
    book, pins = _book(data), _Pins(pin_stdin)
    _vouched(book, by or [], pins)
    book.add(officer, tuple(role), pins.new(officer))
    typer.echo(f"added {officer}: {', '.join(role)}")


def remove(
    officer: Officer, data: Data = Path(), by: By = None, pin_stdin: PinStdin = False
) -> None:
    """Take an officer off the list; two others vouch. What was signed stays in the ledger."""
    book, pins = _book(data), _Pins(pin_stdin)
    _vouched(book, [voucher for voucher in by or [] if voucher != officer], pins)
    book.remove(officer)
    typer.echo(f"removed {officer}")
    for act in lacking(book.roles()):
        typer.echo(act.text("en"), err=True)


def set_pin(
    officer: Officer, data: Data = Path(), by: By = None, pin_stdin: PinStdin = False
) -> None:
    """A new PIN: with the old one (--by the officer alone), or vouched for by two others."""
    book, pins = _book(data), _Pins(pin_stdin)
    _by_self_or_two(book, officer, by or [], pins)
    book.set_pin(officer, pins.new(officer))
    typer.echo(f"new PIN for {officer}")


def remove_tokens(
    officer: Officer, data: Data = Path(), by: By = None, pin_stdin: PinStdin = False
) -> None:
    """Take an officer's security keys out, as after a loss; vouched for like a new PIN."""
    book, pins = _book(data), _Pins(pin_stdin)
    _by_self_or_two(book, officer, by or [], pins)
    book.remove_tokens(officer)
    typer.echo(f"no security key for {officer}")


def restore(
    officer: Annotated[list[str], typer.Argument(help="Those who are present, the director too.")],
    data: Annotated[Path, typer.Option("--data", help="The table's configuration file.")],
    pin_stdin: PinStdin = False,
) -> None:
    """A new book for a lost one: ids and roles as the ledger knows them, every PIN anew. The table
    must not run; the ledger tells for ever that it happened."""
    from jackpot.config import load_config_file
    from jackpot.daemon.clock import SystemClock
    from jackpot.daemon.restored_book import restore_book

    pins = _Pins(pin_stdin)
    present = {name: pins.new(name) for name in officer}
    roles = restore_book(load_config_file(data), present, SystemClock().wall_ns())
    for name, own in roles.items():
        typer.echo(f"{name}\t{', '.join(own)}")


class _Pins:
    """Where PINs come from: the terminal, without echo, or standard input."""

    def __init__(self, from_stdin: bool) -> None:
        self._lines = iter(sys.stdin.read().split()) if from_stdin else None

    def old(self, officer: str) -> str:
        """The PIN that an officer has."""
        if self._lines is None:
            return str(typer.prompt(f"PIN of {officer}", hide_input=True))
        return self._line(officer)

    def new(self, officer: str) -> str:
        """The PIN that an officer shall have; typed twice at a terminal."""
        if self._lines is None:
            question = f"New PIN of {officer}"
            return str(typer.prompt(question, hide_input=True, confirmation_prompt=True))
        return self._line(officer)

    def _line(self, officer: str) -> str:
        line: str | None = next(self._lines or iter(()), None)
        if line is None:
            raise Refused(
                reason="pin_missing",
                expected="one PIN a line on standard input: each --by, then the new one",
                found=f"none for {officer}",
                to_do="give all PINs in this order",
            )
        return line


def _by_self_or_two(book: OfficerBook, officer: str, by: list[str], pins: _Pins) -> None:
    """The officer with the PIN, or two others."""
    if by == [officer]:
        _check(book, officer, pins.old(officer))
    else:
        _vouched(book, [voucher for voucher in by if voucher != officer], pins)


def _vouched(book: OfficerBook, by: list[str], pins: _Pins) -> None:
    roles = book.roles()
    chiefs = [officer for officer in by if may_act_as(roles, officer, Role.TABLE_CHIEF)]
    if len(set(by)) != VOUCHERS or len(by) != VOUCHERS or not chiefs:
        raise Refused(
            reason="not_vouched_for",
            expected="two different officers with --by, one of them a table chief or director",
            found=", ".join(by) or "nobody",
            to_do="name both; each gives the own PIN",
            rule="CAN-3.1",
        )
    for officer in by:
        _check(book, officer, pins.old(officer))


def _check(book: OfficerBook, officer: str, pin: str) -> None:
    from jackpot.daemon.clock import SystemClock
    from jackpot.daemon.officer_book import TooSoon

    now_s = SystemClock().monotonic_ns() / 1_000_000_000
    answer = book.check(officer, pin, now_s)
    if isinstance(answer, TooSoon):
        raise Refused(
            reason="too_soon",
            expected=f"{answer.wait_s} s more after so many wrong PINs of {officer}",
            found="a try before",
            to_do="wait, then try again",
        )
    if answer is not True:
        raise Refused(
            reason="wrong_pin",
            expected=f"the PIN of {officer}",
            found="a wrong one",
            to_do="try again",
        )


def _book(data: Path) -> OfficerBook:
    """The book of a table: by its folder as `jackpot init` made it, its configuration, or its record."""
    from jackpot.daemon.officer_book import FILE_NAME, OfficerBook

    file = data / CONFIG_FILE if (data / CONFIG_FILE).is_file() else data
    if file.is_dir():
        return OfficerBook.open(file / FILE_NAME)
    from jackpot.config import load_config_file

    return OfficerBook.open(load_config_file(file).ledger.officers_file)
