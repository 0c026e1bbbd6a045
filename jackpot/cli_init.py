"""``jackpot init``: the few questions of a new table, its configuration, key, ledger, first officers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jackpot.cli_init_questions import MADE, Questions
from jackpot.errors import Refused
from jackpot.law.words import Language
from jackpot.money import euros_text

if TYPE_CHECKING:
    from jackpot.daemon.install import NewOfficer

CONFIG_FILE = "table.toml"


def register(app: typer.Typer) -> None:
    """Mount the command on the command line's app."""
    app.command("init")(init)


def init(
    folder: Annotated[Path, typer.Argument(help="A new folder for everything of this table.")],
    lang: Annotated[Language, typer.Option("--lang", help="Language of questions and screens.")] = (
        Language.ES
    ),
    casino_name: Annotated[str | None, typer.Option(help="Name of the casino.")] = None,
    casino_id: Annotated[str | None, typer.Option(help="Its id, as casino.example.")] = None,
    profile: Annotated[str | None, typer.Option(help="The law: see `jackpot rules`.")] = None,
    table: Annotated[str | None, typer.Option(help="Number of the table.")] = None,
    layout: Annotated[str | None, typer.Option(help="Number of the layout.")] = None,
    minimum: Annotated[str | None, typer.Option(help="Table minimum in euros.")] = None,
    kind: Annotated[str | None, typer.Option(help="progressive, or fixed (CAN-8.a).")] = None,
    mode: Annotated[str | None, typer.Option(help="automatic, or manual (CAN-8.b1).")] = None,
    bet: Annotated[str | None, typer.Option(help="Jackpot bet in euros.")] = None,
    percentage: Annotated[str | None, typer.Option(help="Share of a bet, in percent.")] = None,
    house_deduction: Annotated[
        str | None, typer.Option(help="What the house takes off an award first, in percent.")
    ] = None,
    award: Annotated[
        list[str] | None,
        typer.Option(help="hand=percent, as royal_flush=100, where the law fixes none."),
    ] = None,
    seed: Annotated[str | None, typer.Option(help="Starting amount in euros.")] = None,
    authorisation: Annotated[str | None, typer.Option(help="Number of the authorisation.")] = None,
    port: Annotated[str | None, typer.Option(help="Serial port of the slots.")] = None,
    time_zone: Annotated[
        str, typer.Option("--time-zone", help="Of the times and days on the screens.")
    ] = "Atlantic/Canary",
    officer: Annotated[
        list[str] | None, typer.Option(help="id:role, as c1:croupier; for each first officer.")
    ] = None,
    pin_stdin: Annotated[
        bool, typer.Option("--pin-stdin", help="Read one PIN a line for each --officer.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing; take the defaults.")] = False,
) -> None:
    """Set up a new table: configuration, signing key, ledger, officers. Prints the public key."""
    from jackpot.config import load_config
    from jackpot.config.template import Answers, config_text
    from jackpot.daemon.clock import SystemClock
    from jackpot.daemon.install import check_officers, install
    from jackpot.law.profile import load_profile
    from jackpot.money import cents_from_text

    ask = Questions(lang, yes).ask
    name = ask("casino-name", casino_name)
    its_id = ask("casino-id", casino_id)
    law = ask("profile", profile, "canarias")
    rules = load_profile(law)
    number, cloth = ask("table", table, "1"), ask("layout", layout, "1")
    lowest = cents_from_text(ask("minimum", minimum))
    fixed = ask("kind", kind, "progressive") == "fixed"
    manual = ask("mode", mode, "automatic") == "manual"
    bet_cents = cents_from_text(ask("bet", bet))
    least = euros_text(bet_cents * (_FIXED_BETS if fixed else _SEED_BETS))
    answers = Answers(
        casino_name=name,
        casino_id=its_id,
        profile=law,
        table=number,
        layout=cloth,
        minimum_cents=lowest,
        kind="fixed" if fixed else "progressive",
        bet_cents=bet_cents,
        percentage="0" if fixed else ask("percentage", percentage),
        house_deduction=(
            ask("house-deduction", house_deduction, "0") if rules.house_deduction_first else "0"
        ),
        seed_cents=cents_from_text(ask("seed", seed, least)),
        authorisation=ask("authorisation", authorisation),
        awards={} if rules.award_shares_ppm else _awards(ask, award or []),
        port=None if manual else ask("port", port),
        language=lang,
        time_zone=time_zone,
    )
    text = config_text(answers)
    config = load_config(text, folder)
    file = folder / CONFIG_FILE
    if file.exists():
        raise _there(file)
    officers = _officers(Questions(lang, yes), officer, pin_stdin=pin_stdin)
    check_officers(officers)
    folder.mkdir(parents=True, exist_ok=True)
    key = install(config, officers, SystemClock().wall_ns())
    file.write_text(text, encoding="utf-8")
    typer.echo(MADE.text(lang).format(file=file, ledger=config.ledger.file, key=key))


_SEED_BETS, _FIXED_BETS = 5_000, 10_000
"""The least that CAN-8.b and CAN-8.a allow: what most casinos will want."""


def _awards(ask: Callable[[str, str | None], str], given: list[str]) -> dict[str, str]:
    """The awards of the authorisation; those of nothing are left out."""
    from jackpot.law.terms import AwardedHand

    told = dict(text.partition("=")[::2] for text in given)
    unknown = sorted(told.keys() - set(AwardedHand))
    if unknown:
        raise Refused(
            reason="unknown_award",
            expected=f"--award hand=percent with one of {', '.join(AwardedHand)}",
            found=", ".join(unknown),
            to_do="write the award again",
        )
    shares = {hand.value: ask(f"award {hand.value}", told.get(hand)) for hand in AwardedHand}
    return {hand: share for hand, share in shares.items() if share != "0"}


_FIRST_OFFICERS = ("croupier", "table_chief", "games_director")


def _officers(
    questions: Questions, given: list[str] | None, *, pin_stdin: bool
) -> list[NewOfficer]:
    """The first officers with their PINs: from the options, or one of each role by questions."""
    if not given:
        if questions.silent:
            raise Refused(
                reason="answer_missing",
                expected="--officer id:role for a croupier and a table chief at least",
                found="nothing",
                to_do="name the first officers",
                rule="CAN-3.1",
            )
        given = [f"{questions.ask(role, None)}:{role}" for role in _FIRST_OFFICERS]
    return officers_from(questions, given, pin_stdin=pin_stdin)


def officers_from(questions: Questions, given: list[str], *, pin_stdin: bool) -> list[NewOfficer]:
    """Officers written as id:role, with their PINs from the terminal or from standard input."""
    lines = sys.stdin.read().split() if pin_stdin else None
    return [
        _officer(questions, text, None if lines is None else lines[place : place + 1])
        for place, text in enumerate(given)
    ]


def _officer(questions: Questions, text: str, pin: list[str] | None) -> NewOfficer:
    from jackpot.authority.roles import Role
    from jackpot.daemon.install import NewOfficer

    name, _, roles = text.partition(":")
    wanted = roles.split("+")
    if not set(wanted) <= set(Role):
        raise Refused(
            reason="unknown_role",
            expected=f"id:role with one of {', '.join(Role)}",
            found=repr(text),
            to_do="write the officer again; several roles are joined with +",
        )
    if pin is None:
        pin = [questions.ask_pin(name)]
    if not pin:
        raise Refused(
            reason="pin_missing",
            expected="one PIN a line for each officer on standard input",
            found=f"none for {name}",
            to_do="give as many PINs as officers, in their order",
        )
    return NewOfficer(name, tuple(map(Role, wanted)), pin[0])


def _there(file: Path) -> Refused:
    return Refused(
        reason="already_installed",
        expected="a new folder",
        found=str(file),
        to_do="run it with `jackpot run`, or choose another folder",
    )
