"""``jackpot init``: the few questions of a new table, its configuration, key, ledger, first officers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jackpot.commands.init_questions import MADE, Questions
from jackpot.config.template import CONFIG_FILE
from jackpot.errors import Refused
from jackpot.law.words import Language
from jackpot.money import cents_from_text, euros_text

if TYPE_CHECKING:
    from jackpot.authority.enough import Lacking
    from jackpot.config import Config
    from jackpot.config.template import Answers
    from jackpot.daemon.install import NewOfficer

HouseDeduction = Annotated[
    str | None, typer.Option(help="What the house takes off an award first, in percent.")
]
Award = Annotated[
    list[str] | None,
    typer.Option(help="hand=percent, as royal_flush=100, where the law fixes none."),
]
TimeZone = Annotated[str, typer.Option("--time-zone", help="Of the times and days on the screens.")]
OfficerOption = Annotated[
    list[str] | None, typer.Option(help="id:role, as c1:croupier; for each first officer.")
]
PinStdin = Annotated[
    bool, typer.Option("--pin-stdin", help="Read one PIN a line for each --officer.")
]


def register(app: typer.Typer) -> None:
    """Mount the command on the command line's app."""
    app.command("init")(init)


def init(
    folder: Annotated[Path, typer.Argument(help="A new folder for everything of this table.")],
    lang: Annotated[
        Language, typer.Option("--lang", help="Language of questions and screens.")
    ] = Language.ES,
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
    house_deduction: HouseDeduction = None,
    award: Award = None,
    seed: Annotated[str | None, typer.Option(help="Starting amount in euros.")] = None,
    authorisation: Annotated[str | None, typer.Option(help="Number of the authorisation.")] = None,
    port: Annotated[str | None, typer.Option(help="Serial port of the slots.")] = None,
    time_zone: TimeZone = "Atlantic/Canary",
    officer: OfficerOption = None,
    pin_stdin: PinStdin = False,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing; take the defaults.")] = False,
) -> None:
    """Set up a new table: configuration, signing key, ledger, officers. Prints the public key."""
    given = {
        "casino-name": casino_name, "casino-id": casino_id, "profile": profile, "table": table,
        "layout": layout, "minimum": minimum, "kind": kind, "mode": mode, "bet": bet,
        "percentage": percentage, "house-deduction": house_deduction, "seed": seed,
        "authorisation": authorisation, "port": port, **_award_options(award or []),
    }  # fmt: skip
    questions = Questions(lang, yes, given)
    answers = replace(_answers(questions), language=lang, time_zone=time_zone)
    config, key, lack = _made(
        folder, answers, lambda: _officers(questions, officer, pin_stdin=pin_stdin)
    )
    file = folder / CONFIG_FILE
    typer.echo(MADE.text(lang).format(file=file, ledger=config.ledger.file, key=key))
    for act in lack:
        typer.echo(act.text(lang), err=True)


def _answers(questions: Questions) -> Answers:
    """Everything that this table needs, and nothing else: no port without slots, no percentage of a
    fixed jackpot, deduction and awards where the law calls for them."""
    from jackpot.config.template import Answers
    from jackpot.law.profile import load_profile
    from jackpot.law.terms import AwardedHand

    ask = questions.ask
    casino_name, casino_id = ask("casino-name"), ask("casino-id")
    profile = ask("profile", "canarias")
    law = load_profile(profile)
    table, layout = ask("table", "1"), ask("layout", "1")
    minimum_cents = cents_from_text(ask("minimum"))
    fixed = ask("kind", "progressive") == "fixed"
    manual = ask("mode", "automatic") == "manual"
    bet_cents = cents_from_text(ask("bet"))
    percentage = "0" if fixed else ask("percentage")
    deduction = ask("house-deduction", "0") if law.house_deduction_first else "0"
    least = euros_text(bet_cents * (_FIXED_BETS if fixed else _SEED_BETS))
    seed_cents = cents_from_text(ask("seed", least))
    authorisation = ask("authorisation")
    asked = () if law.award_shares_ppm else tuple(AwardedHand)
    shares = {hand.value: ask(f"award {hand}") for hand in asked}
    return Answers(
        casino_name=casino_name,
        casino_id=casino_id,
        profile=profile,
        table=table,
        layout=layout,
        minimum_cents=minimum_cents,
        kind="fixed" if fixed else "progressive",
        bet_cents=bet_cents,
        percentage=percentage,
        house_deduction=deduction,
        seed_cents=seed_cents,
        authorisation=authorisation,
        awards={hand: share for hand, share in shares.items() if share != "0"},
        port=None if manual else ask("port"),
    )


def _made(
    folder: Path, answers: Answers, first_officers: Callable[[], list[NewOfficer]]
) -> tuple[Config, str, tuple[Lacking, ...]]:
    """Configuration, key, ledger, officer book; nothing at all where something is refused. Returns
    the configuration, the public key, and what these officers are too few for."""
    from jackpot.authority.enough import lacking
    from jackpot.config import load_config
    from jackpot.config.template import config_text
    from jackpot.daemon.clock import SystemClock
    from jackpot.daemon.install import check_officers, install

    text = config_text(answers)
    config = load_config(text, folder)
    file = folder / CONFIG_FILE
    if file.exists():
        raise _there(file)
    officers = first_officers()
    check_officers(officers)
    folder.mkdir(parents=True, exist_ok=True)
    key = install(config, officers, SystemClock().wall_ns())
    file.write_text(text, encoding="utf-8")
    return config, key, lacking({new.officer: new.roles for new in officers})


_SEED_BETS, _FIXED_BETS = 5_000, 10_000
"""The least that CAN-8.b and CAN-8.a allow: what most casinos will want."""


def _award_options(given: list[str]) -> dict[str, str | None]:
    """``royal_flush=100`` as the answer to its question. Refuses ``unknown_award``."""
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
    return {f"award {hand}": share for hand, share in told.items()}


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
        given = [f"{questions.ask(role)}:{role}" for role in _FIRST_OFFICERS]
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
