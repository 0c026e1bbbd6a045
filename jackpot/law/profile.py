"""A profile: the law of one region as data, with the policies where it is silent.

Profiles are TOML files beside this module (or a text of the same form in a configuration). No code
anywhere branches on a region's name: what differs is a field here.
"""

from __future__ import annotations

from importlib import resources
from typing import TypeVar

import msgspec

from jackpot.errors import Refused
from jackpot.law.policies import Policies
from jackpot.law.terms import AwardedHand, BetMode, Citations, JackpotKind, Terms
from jackpot.law.words import Text

_PACKAGE = "jackpot.law"
_FOLDER = "profiles"
_SUFFIX = ".toml"

T = TypeVar("T")


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule of a profile: its id, the article it comes from, and its text in our words."""

    id: str
    article: str
    text_es: str
    text_en: str

    def text(self, language: str = "es") -> str:
        """The text in ``es`` or ``en``."""
        return Text((self.text_es, self.text_en)).text(language)


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bound with the rule that sets it."""

    value: int
    rule: str


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The bounds of a region; one that its text does not set is left out."""

    bet_of_table_minimum_ppm: Limit | None = None
    seed_in_bets: Limit | None = None
    fixed_in_bets: Limit | None = None
    fixed_boxes: Limit | None = None


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The law of one region (see ``docs/rules.md``).

    Shares in parts per million. An empty ``award_shares_ppm`` means that the text in our hands
    fixes no awards: a table then starts only with a table of awards of its own.
    """

    id: str
    title_es: str
    title_en: str
    boxes: int
    bets_per_box: int
    ace_low_in_straights: bool
    closing_hands: int
    house_deduction_first: bool
    award_shares_ppm: dict[AwardedHand, int]
    limits: Limits
    policies: Policies
    citations: Citations
    rules: tuple[Rule, ...]

    def title(self, language: str = "es") -> str:
        """The title of the legal text in ``es`` or ``en``."""
        return Text((self.title_es, self.title_en)).text(language)


class Figures(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What one layout adds to its profile: its authorised figures.

    ``boxes``, ``bets_per_box``, ``award_shares_ppm`` and ``policies`` fall back to the profile's.
    """

    table: str
    layout: str
    bet_cents: int
    table_minimum_cents: int
    jackpot_ppm: int
    seed_cents: int
    kind: JackpotKind = JackpotKind.PROGRESSIVE
    mode: BetMode = BetMode.AUTOMATIC
    boxes: int | None = None
    bets_per_box: int | None = None
    award_shares_ppm: dict[AwardedHand, int] | None = None
    policies: Policies | None = None
    reserve_ppm: int = 0
    house_deduction_ppm: int = 0
    ceiling_cents: int | None = None
    second_signature_over_cents: int = 300_000
    authorisation: str = ""
    minimum_band_cents: tuple[int, int] | None = None
    lock_after_fraud_signs: int = 0


def profile_names() -> tuple[str, ...]:
    """The profiles that come with the program, by name."""
    folder = resources.files(_PACKAGE).joinpath(_FOLDER)
    names = (entry.name for entry in folder.iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))


def load_profile(name_or_text: str) -> Profile:
    """A profile by its name, or from a whole TOML text (anything with a line break in it).

    Unknown keys are refused. Raises ``Refused``: ``unknown_profile``, ``profile_invalid``.
    """
    return _parse(name_or_text if "\n" in name_or_text else _packaged_text(name_or_text))


def make_terms(profile: Profile, figures: Figures) -> Terms:
    """The terms of a layout, complete; whether they keep the limits, ``check_terms`` says."""
    bet_limit = profile.limits.bet_of_table_minimum_ppm
    return Terms(
        profile=profile.id,
        table=figures.table,
        layout=figures.layout,
        boxes=_or(figures.boxes, profile.boxes),
        bets_per_box=_or(figures.bets_per_box, profile.bets_per_box),
        ace_low_in_straights=profile.ace_low_in_straights,
        closing_hands=profile.closing_hands,
        kind=figures.kind,
        mode=figures.mode,
        bet_cents=figures.bet_cents,
        table_minimum_cents=figures.table_minimum_cents,
        jackpot_ppm=figures.jackpot_ppm,
        seed_cents=figures.seed_cents,
        award_shares_ppm=_or(figures.award_shares_ppm, profile.award_shares_ppm),
        policies=_or(figures.policies, profile.policies),
        reserve_ppm=figures.reserve_ppm,
        house_deduction_ppm=figures.house_deduction_ppm,
        ceiling_cents=figures.ceiling_cents,
        second_signature_over_cents=figures.second_signature_over_cents,
        lock_after_fraud_signs=figures.lock_after_fraud_signs,
        authorisation=figures.authorisation,
        citations=profile.citations,
        minimum_band_cents=figures.minimum_band_cents,
        bet_of_minimum_ppm=None if bet_limit is None else bet_limit.value,
    )


def _packaged_text(name: str) -> str:
    if name not in profile_names():
        raise Refused(
            reason="unknown_profile",
            expected=f"one of {', '.join(profile_names())}",
            found=repr(name),
            to_do="name a profile that exists, or write one in the configuration",
        )
    file = resources.files(_PACKAGE).joinpath(_FOLDER, f"{name}{_SUFFIX}")
    return file.read_text(encoding="utf-8")


def _parse(text: str) -> Profile:
    try:
        profile = msgspec.toml.decode(text, type=Profile, strict=True)
    except msgspec.DecodeError as error:
        raise _invalid("a profile as docs/rules.md describes it", str(error)) from error
    _check_rule_ids(profile)
    return profile


def _check_rule_ids(profile: Profile) -> None:
    """Every rule that a limit or a step of an award quotes is among the rules, each once."""
    ids = [rule.id for rule in profile.rules]
    if len(set(ids)) != len(ids):
        raise _invalid("each rule id once", ", ".join(ids))
    quoted = set(msgspec.structs.asdict(profile.citations).values())
    for limit in msgspec.structs.asdict(profile.limits).values():
        if limit is not None:
            quoted.add(limit.rule)
    if quoted - set(ids):
        raise _invalid("only rules that the profile lists", ", ".join(sorted(quoted - set(ids))))


def _invalid(expected: str, found: str) -> Refused:
    return Refused(
        reason="profile_invalid",
        expected=expected,
        found=found,
        to_do="correct the text of the profile",
    )


def _or(value: T | None, fallback: T) -> T:
    return fallback if value is None else value
