"""``jackpot rules`` and ``jackpot award``: the law to read, and to try out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec
import typer

from jackpot.commands.law_refusals import refusal_text
from jackpot.errors import Refused
from jackpot.law.awards import AwardDecision, decide_awards
from jackpot.law.cards import parse_hand
from jackpot.law.derivation import Line
from jackpot.law.limits import Finding, check_terms
from jackpot.law.policies import Policies
from jackpot.law.policy_texts import POLICY_TEXTS, VALUE_TEXTS, policy_infos, with_policy
from jackpot.law.pools import Pools
from jackpot.law.profile import Figures, Profile, load_profile, make_terms
from jackpot.law.terms import AwardedHand, Terms
from jackpot.law.winners import Winner
from jackpot.law.words import Language, Text, cents_text, microcents_text, percent_text
from jackpot.money import cents_from_text, microcents_from_cents, ppm_from_percent_text

EXIT_REFUSED = 2
_DEFAULT_SEED_IN_BETS = 5_000
"""CAN-8.b: the least seed, used when none is given."""

_HAND = re.compile(r"\s*(?P<box>[0-9]{1,2})(?:\.(?P<bet>[0-9]{1,2}))?\s*:\s*(?P<cards>.+)")
_HEADINGS = {
    "awards": Text(("Premios", "Awards")),
    "rules": Text(("Reglas", "Rules")),
    "policies": Text(("Políticas, donde el texto calla", "Policies, where the text is silent")),
    "no_awards": Text(
        (
            "ninguno en el texto: la mesa ha de traer el suyo",
            "none in the text: a table has to bring its own",
        )
    ),
    "any_multiple": Text(("1 o cualquier múltiplo", "1 or any multiple")),
    "left": Text(("Acumulado tras la jugada", "Meter after the hand")),
    "paid": Text(("Se paga", "Paid")),
    "nothing": Text(("nada", "nothing")),
    "warning": Text(("aviso", "warning")),
    "expected": Text(("se esperaba", "expected")),
    "found": Text(("se encontró", "found")),
    "to_do": Text(("qué hacer", "to do")),
}

JsonOption = Annotated[bool, typer.Option("--json", help="Answer as one JSON object.")]
LanguageOption = Annotated[Language, typer.Option("--lang", help="Language of the texts.")]


def register(app: typer.Typer) -> None:
    """Mount ``rules`` and ``award`` on the command line's app."""
    app.command("rules")(rules)
    app.command("award")(award)


def rules(
    profile: Annotated[str, typer.Argument(help="A profile by name.")] = "canarias",
    as_json: JsonOption = False,
    lang: LanguageOption = Language.ES,
) -> None:
    """Show every rule of a profile with its article, and every policy with its alternatives."""

    def run() -> None:
        loaded = load_profile(profile)
        if as_json:
            _print_json(_rules_object(loaded, lang))
        else:
            typer.echo("\n".join(_rules_lines(loaded, lang)))

    _refusing(run, as_json, lang)


def award(
    profile: Annotated[str, typer.Option(help="A profile by name.")] = "canarias",
    jackpot: Annotated[str, typer.Option(help="The jackpot in euros, as 100000.00.")] = "",
    hand: Annotated[
        list[str] | None,
        typer.Option(help='A hand, as "3: Kd Qd Jd Td 9d"; "3.2: …" is the second bet of box 3.'),
    ] = None,
    bet: Annotated[str, typer.Option(help="The jackpot bet in euros.")] = "2.00",
    seed: Annotated[str, typer.Option(help="The seed in euros; else 5,000 bets.")] = "",
    policy: Annotated[
        list[str] | None, typer.Option(help="A policy, as below_royal=from_seed.")
    ] = None,
    share: Annotated[
        list[str] | None,
        typer.Option(help="An award, as straight_flush=10, for a profile without its own."),
    ] = None,
    house: Annotated[str, typer.Option(help="The house's deduction in percent.")] = "0",
    as_json: JsonOption = False,
    lang: LanguageOption = Language.ES,
) -> None:
    """Say who gets what in one hand, line by line, with the rule behind each line."""

    def run() -> None:
        loaded = load_profile(profile)
        terms = _terms(loaded, bet, seed, policy or [], share or [], house)
        findings = check_terms(terms, loaded)
        meter = microcents_from_cents(cents_from_text(jackpot))
        decision = decide_awards(
            terms,
            base_microcents=meter,
            pools=Pools(jackpot_microcents=meter),
            winners=[_winner(text) for text in _some(hand)],
        )
        if as_json:
            _print_json(_award_object(decision, findings, lang))
        else:
            typer.echo("\n".join(_award_lines(decision, findings, lang)))

    _refusing(run, as_json, lang)


def _refusing(run: Callable[[], None], as_json: bool, language: Language) -> None:
    """Run a command; a refusal becomes a message (and an object on stdout, for programs and so in
    English) and exit status 2."""
    try:
        run()
    except Refused as refusal:
        typer.echo(refusal_text(refusal, language), err=True)
        if as_json:
            parts = ("reason", "expected", "found", "to_do", "rule")
            _print_json({"error": {part: getattr(refusal, part) for part in parts}})
        raise typer.Exit(EXIT_REFUSED) from refusal


def _print_json(value: object) -> None:
    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def _terms(
    profile: Profile,
    bet: str,
    seed: str,
    policies: Sequence[str],
    shares: Sequence[str],
    house: str,
) -> Terms:
    bet_cents = cents_from_text(bet)
    figures = Figures(
        table="1",
        layout="1",
        bet_cents=bet_cents,
        table_minimum_cents=2 * bet_cents,
        jackpot_ppm=250_000,
        seed_cents=cents_from_text(seed) if seed else _DEFAULT_SEED_IN_BETS * bet_cents,
        award_shares_ppm=dict(map(_share, shares)) or None,
        policies=_policies(profile.policies, policies),
        house_deduction_ppm=ppm_from_percent_text(house),
    )
    terms = make_terms(profile, figures)
    if not terms.award_shares_ppm:
        raise Refused(
            reason="no_award_table",
            expected="a table of awards",
            found=f"none in the profile {profile.id}",
            to_do="state the authorised awards, as in --share royal_flush=100",
            rule=profile.citations.shares,
        )
    return terms


def _policies(policies: Policies, settings: Sequence[str]) -> Policies:
    for setting in settings:
        policies = with_policy(policies, setting)
    return policies


def _share(text: str) -> tuple[AwardedHand, int]:
    name, _, percent = text.partition("=")
    if name not in set(AwardedHand):
        raise Refused(
            reason="unknown_award",
            expected=f"name=percent with one of {', '.join(AwardedHand)}",
            found=repr(text),
            to_do="write the share again",
        )
    return AwardedHand(name), ppm_from_percent_text(percent)


def _some(hands: list[str] | None) -> list[str]:
    if not hands:
        raise Refused(
            reason="no_hand",
            expected='at least one --hand, as in --hand "3: Kd Qd Jd Td 9d"',
            found="none",
            to_do="state the hands that were laid down",
        )
    return hands


def _winner(text: str) -> Winner:
    match = _HAND.fullmatch(text)
    if match is None:
        raise Refused(
            reason="not_a_hand",
            expected='a box and its cards, as in "3: Kd Qd Jd Td 9d"',
            found=repr(text),
            to_do="write the hand again",
        )
    try:
        cards = parse_hand(match["cards"])
    except Refused as refused:
        raise Refused(
            reason=refused.reason,
            expected=refused.expected,
            found=f"box {match['box']}: {refused.found}",
            to_do=refused.to_do,
            rule=refused.rule,
        ) from refused
    return Winner(int(match["box"]), cards, int(match["bet"] or 1))


def _rules_object(profile: Profile, language: str) -> dict[str, Any]:
    return {
        "profile": profile.id,
        "title": profile.title(language),
        "award_shares_ppm": profile.award_shares_ppm,
        "rules": [
            {"id": rule.id, "article": rule.article, "text": rule.text(language)}
            for rule in profile.rules
        ],
        "policies": [
            {
                "name": info.name,
                "text": POLICY_TEXTS[info.name].text(language),
                "value": info.value,
                "alternatives": [
                    {"value": value, "text": _value_text(value, language)} for value in info.values
                ],
            }
            for info in policy_infos(profile.policies)
        ],
    }


def _value_text(value: str, language: str) -> str:
    """What a value means; numbers (the payable unit) may be any multiple."""
    return VALUE_TEXTS.get(value, _HEADINGS["any_multiple"]).text(language)


def _rules_lines(profile: Profile, language: str) -> list[str]:
    lines = [profile.title(language), "", _HEADINGS["awards"].text(language)]
    for hand, share_ppm in profile.award_shares_ppm.items():
        lines.append(f"  {hand.value:<16} {percent_text(share_ppm, language)}")
    if not profile.award_shares_ppm:
        lines.append(f"  {_HEADINGS['no_awards'].text(language)}")
    lines += ["", _HEADINGS["rules"].text(language)]
    for rule in profile.rules:
        lines.append(f"  {rule.id} ({rule.article}) {rule.text(language)}")
    lines += ["", _HEADINGS["policies"].text(language)]
    for info in policy_infos(profile.policies):
        lines.append(f"  {info.name} = {info.value}: {POLICY_TEXTS[info.name].text(language)}")
        for value in info.values:
            mark = "*" if value == info.value else " "
            lines.append(f"    {mark} {value}: {_value_text(value, language)}")
    return lines


def _award_object(
    decision: AwardDecision, findings: Sequence[Finding], language: str
) -> dict[str, Any]:
    return {
        "base_microcents": decision.base_microcents,
        "payments": [
            {
                "box": payment.box,
                "bet": payment.bet,
                "hand": payment.hand,
                "rule": payment.rule,
                "cents": payment.cents,
            }
            for payment in decision.payments
        ],
        "unpaid": [
            {
                "box": unpaid.box,
                "bet": unpaid.bet,
                "hand": unpaid.kind.name.lower(),
                "rule": unpaid.rule,
            }
            for unpaid in decision.unpaid
        ],
        "deducted_microcents": decision.deducted_microcents,
        "house_microcents": decision.house_microcents,
        "left_microcents": decision.left_microcents,
        "restart": _restart_object(decision),
        "derivation": [_line_object(step, language) for step in decision.derivation],
        "warnings": findings,
    }


def _restart_object(decision: AwardDecision) -> dict[str, int] | None:
    restart = decision.restart
    if restart is None:
        return None
    return {
        "seed_microcents": restart.seed_microcents,
        "house_microcents": restart.house_microcents,
        "reserve_microcents": restart.reserve_microcents,
        "overflow_microcents": restart.overflow_microcents,
    }


def _line_object(step: Line, language: str) -> dict[str, Any]:
    return {
        "rule": step.rule,
        "key": step.key,
        "numbers": dict(step.numbers),
        "text": step.text(language),
    }


def _award_lines(decision: AwardDecision, findings: Sequence[Finding], language: str) -> list[str]:
    lines = [f"[{step.rule}] {step.text(language)}" for step in decision.derivation]
    paid = ", ".join(
        f"{payment.box}: {cents_text(payment.cents, language)}" for payment in decision.payments
    )
    lines += [
        "",
        f"{_HEADINGS['paid'].text(language)}: {paid or _HEADINGS['nothing'].text(language)}",
    ]
    left = microcents_text(decision.left_microcents, language)
    lines.append(f"{_HEADINGS['left'].text(language)}: {left}")
    for finding in findings:
        lines.append(
            f"{_HEADINGS['warning'].text(language)}: {finding.path}: "
            f"{_HEADINGS['expected'].text(language)} {finding.expected}; "
            f"{_HEADINGS['found'].text(language)} {finding.found}; "
            f"{_HEADINGS['to_do'].text(language)}: {finding.to_do} [{finding.rule}]"
        )
    return lines
