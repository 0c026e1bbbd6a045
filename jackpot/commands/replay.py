"""``jackpot replay LEDGER``: the table's own rules over the recorded facts again (docs/replay.md).

Exit status: 0 every outcome is equal (or a what-if), 1 differences, 2 not readable or refused.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from jackpot.audit.casino_time import casino_zone
from jackpot.audit.hand_shown import HandShown, hand_range, hand_shown
from jackpot.audit.hand_text import hand_lines
from jackpot.audit.replay import Progress as Report
from jackpot.audit.replay import Replay, Result
from jackpot.audit.replay_text import result_text, what_if_text
from jackpot.audit.source import Source
from jackpot.audit.what_if import WhatIfResult, what_if
from jackpot.audit.what_if_changes import Changes
from jackpot.commands.law_refusals import refusal_text
from jackpot.errors import Refused
from jackpot.law.profile import Profile, load_profile, profile_names
from jackpot.law.words import Language, Text

EQUAL, DIFFERENT, UNREADABLE = 0, 1, 2
"""Exit statuses."""

DATE_CHARACTERS = len("2026-11-30")
"""A date without a time means its end: what happened on that day is replayed."""

_NS_PER_S = 1_000_000_000

_REPLAY, _BATCHES = Text(("repetición", "replay")), Text(("lotes", "batches"))
_LEFT = Text(("faltan", "left"))
_PROMPT = Text(("Intro: jugada siguiente · q: fin ", "Enter: next hand · q: end "))

HandOption = Annotated[int | None, typer.Option("--hand", help="Show this hand as it was.")]
UntilOption = Annotated[
    str | None,
    typer.Option("--until", help="Stop after a hand (12), an event (seq:4711) or a time (UTC)."),
]
StepOption = Annotated[bool, typer.Option("--step", help="Show hand after hand, from --hand on.")]
PolicyOption = Annotated[
    list[str] | None,
    typer.Option("--policy", help="What if: a policy about amounts, as below_royal=from_seed."),
]
ProfileOption = Annotated[
    str | None,
    typer.Option("--profile", help="What if: the awards of this profile (name or file)."),
]


def register(app: typer.Typer) -> None:
    """Add the command ``replay`` to an application."""
    app.command("replay")(replay_command)


def replay_command(
    ledger: Annotated[Path, typer.Argument(metavar="LEDGER", help="The file of one table.")],
    hand: HandOption = None,
    until: UntilOption = None,
    step: StepOption = False,
    policy: PolicyOption = None,
    profile: ProfileOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer as one JSON object.")] = False,
    lang: Annotated[
        Language, typer.Option("--lang", help="Language of what is printed.")
    ] = Language.ES,
) -> None:
    """Decide every recorded fact again with the table's own rules, and compare every outcome."""
    try:
        with Source(ledger) as source:
            status = _run(source, hand, until, step, policy or [], profile, as_json, lang)
    except Refused as refused:
        if as_json:
            typer.echo(_json({"exit_status": UNREADABLE, "refused": refused.text()}))
        typer.echo(f"jackpot: {refusal_text(refused, lang)}", err=True)
        raise typer.Exit(UNREADABLE) from refused
    raise typer.Exit(status)


def _run(
    source: Source,
    hand: int | None,
    until: str | None,
    step: bool,
    policy: list[str],
    profile: str | None,
    as_json: bool,
    lang: Language,
) -> int:
    last = _last_batch(source, until)
    if policy or profile:
        if hand is not None or step:
            raise Refused(
                reason="what_if_shows_no_hand",
                expected="either a hand as it was, or a what-if",
                found="both",
                to_do="leave out --hand and --step, or --policy and --profile",
            )
        changes = Changes(tuple(policy), None if profile is None else _profile(profile))
        changes.check()
        with _progress(lang) as report:
            tried = what_if(source, changes, last=last, progress=report)
        changed = [*([f"profile {profile}"] if profile else []), *policy]
        typer.echo(_what_if_json(tried, changed) if as_json else what_if_text(tried, changed, lang))
        return EQUAL
    going = Replay(source)
    shown: list[HandShown] = []
    if step or hand is not None:
        shown = _show(going, hand, last, step=step, as_json=as_json, lang=lang)
    else:
        with _progress(lang) as report:
            going.run(last=last, progress=report)
    result = going.result()
    typer.echo(_result_json(result, shown) if as_json else result_text(result, lang))
    return EQUAL if result.equal else DIFFERENT


def _show(
    going: Replay, hand: int | None, last: int | None, *, step: bool, as_json: bool, lang: Language
) -> list[HandShown]:
    """Replay up to a hand and show it; with ``step`` every later one as well."""
    source = going.source
    zone = casino_zone(source)
    number = 1 if hand is None else hand
    end = source.batch if last is None else last
    shown: list[HandShown] = []
    while (found := hand_range(source, number)) is not None and found[0] <= end:
        with _progress(lang) as report:
            going.run(last=found[0] - 1, progress=report)
        before = going.state
        shown.append(hand_shown(before, list(source.batches(*found))))
        going.run(last=found[1])
        if not as_json:
            typer.echo("\n".join(hand_lines(shown[-1], lang, zone)) + "\n")
        if not step or not _goes_on(lang, as_json=as_json):
            break
        number += 1
    if not shown:
        raise Refused(
            reason="no_such_hand",
            expected="a hand of this ledger, within --until",
            found=f"hand {number}",
            to_do="see the last hand with `jackpot verify`",
        )
    return shown


def _goes_on(lang: Language, *, as_json: bool) -> bool:
    """Whether somebody at a terminal wants the next hand; a script gets them all."""
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return True
    typer.echo(_PROMPT.text(lang), nl=False, err=True)
    return sys.stdin.readline().strip().lower() not in ("q", "quit")


def _last_batch(source: Source, until: str | None) -> int | None:
    """The batch that ``--until`` names. Raises ``Refused``."""
    if until is None:
        return None
    text = until.strip()
    if text.isdecimal():
        found = hand_range(source, int(text))
        batch = None if found is None else found[1]
    elif text.startswith("seq:") and text[4:].isdecimal():
        rows = source.rows("SELECT batch FROM event WHERE seq = ?", (int(text[4:]),))
        batch = int(rows[0][0]) if rows else None
    else:
        batch = _batch_at(source, text)
    if not batch:
        raise Refused(
            reason="no_such_moment",
            expected="--until a hand (12), an event (seq:4711), a time (2026-11-30T21:04:05) or a "
            "date (its end), not before the first batch",
            found=repr(until),
            to_do="name a moment of this ledger",
        )
    return batch


def _batch_at(source: Source, text: str) -> int | None:
    """The last batch before the first one that is later than a time (order is never by clock)."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    if len(text) == DATE_CHARACTERS:
        moment += timedelta(days=1, microseconds=-1)
    seconds = moment - datetime(1970, 1, 1, tzinfo=UTC)
    at_ns = (seconds.days * 86_400 + seconds.seconds) * _NS_PER_S + seconds.microseconds * 1_000
    rows = source.rows("SELECT batch FROM batch WHERE at_ns > ? ORDER BY batch LIMIT 1", (at_ns,))
    return int(rows[0][0]) - 1 if rows else source.batch


def _profile(name_or_file: str) -> Profile:
    """A profile that comes with the program, or a file of the same form."""
    if name_or_file in profile_names():
        return load_profile(name_or_file)
    try:
        return load_profile(Path(name_or_file).read_text(encoding="utf-8") + "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(
            reason="unknown_profile",
            expected=f"one of {', '.join(profile_names())}, or a file with a profile",
            found=str(error),
            to_do="check the path",
        ) from error


@contextmanager
def _progress(lang: Language) -> Iterator[Report | None]:
    """A bar with an estimate on stderr; nothing when nobody looks."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn(_REPLAY.text(lang)),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(_BATCHES.text(lang)),
        TimeElapsedColumn(),
        TextColumn(_LEFT.text(lang)),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(_REPLAY.text(lang), total=None)
        yield lambda done, in_all: bar.update(task, completed=done, total=in_all)


# ---- what is printed -------------------------------------------------------------------------------


def _result_json(result: Result, shown: list[HandShown]) -> str:
    body = {
        "exit_status": EQUAL if result.equal else DIFFERENT,
        "what_if": False,
        "batches": result.batches,
        "events": result.events,
        "hands": result.hands,
        "pools_microcents": result.pools_microcents,
        "differences": result.differences,
        "more_differences": result.more_differences,
        "shown": shown,
    }
    return _json(body)


def _what_if_json(result: WhatIfResult, changed: list[str]) -> str:
    marked = {"exit_status": EQUAL, "what_if": True, "changed": changed}
    return _json({**marked, **msgspec.structs.asdict(result)})


def _json(body: object) -> str:
    return msgspec.json.encode(body).decode()
