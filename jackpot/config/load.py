"""From TOML text to a checked ``Config``, or to every finding at once."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from jackpot.board.setup import LEAST_BAUD
from jackpot.cctalk.setup import ACCEPTOR_ADDRESSES
from jackpot.config import sections as s
from jackpot.config.findings import ConfigErrors, Finding
from jackpot.config.lamps import count_findings, lamps_config, read_lamps
from jackpot.config.link import carrusel_config, read_carrusel
from jackpot.config.readers import found_text
from jackpot.config.reading import read_keys, unknown_keys
from jackpot.config.recorded import text_of_both
from jackpot.config.screens import neighbour_findings, screens_config, tls_findings
from jackpot.config.signs import read_signs, shared_findings, sign_configs
from jackpot.config.slots import BOARD_BAUD, slots_config
from jackpot.errors import Refused
from jackpot.law.limits import check_terms
from jackpot.law.policies import Policies
from jackpot.law.profile import Figures, Profile, load_profile, make_terms
from jackpot.law.terms import BetMode, Terms
from jackpot.law.words import cents_text
from jackpot.money import MAX_CENTS

BOARD_KEYS = ("port", "mechanism", "baud")
"""Keys of ``slots`` that the slot board has; the others are about acceptors on a ccTalk bus."""

Sections = dict[str, dict[str, Any]]

_STAND_INS = {
    ("table", "minimum"): MAX_CENTS,
    ("jackpot", "bet"): 0,
    ("jackpot", "percentage"): 0,
    ("jackpot", "seed"): 0,
}
"""For a figure that could not be read: values that cause no finding but at their own place, where
there is one already. So the law is asked about all the rest at once."""


def load_config(text: str, base: Path | None = None) -> s.Config:
    """Read and check a configuration; paths in it are relative to ``base``. One of a reversible
    table names the file of its other layout, which is read too.

    Raises ``ConfigErrors`` with every finding: unknown keys, wrong types, missing keys, and the
    limits of the law (``jackpot.law.limits``).
    """
    base = Path() if base is None else base
    config, file = _load(text, base)
    return config if file is None else with_other_layout(config, base / file)


def with_other_layout(config: s.Config, file: Path) -> s.Config:
    """``config`` and the terms of the second layout in ``file``; of its other sections only
    casino and table count. Raises ``ConfigErrors``."""
    place = "table.other_layout"
    try:
        text = file.read_text(encoding="utf-8")
        other, _ = _load(text, file.resolve().parent)
    except (OSError, UnicodeDecodeError) as error:
        finding = Finding(place, f"a configuration at {file}", str(error), "check the path")
        raise ConfigErrors([finding]) from error
    except ConfigErrors as errors:
        raise ConfigErrors(
            [
                msgspec.structs.replace(one, path=f"{file.name}: {one.path}")
                for one in errors.findings
            ]
        ) from errors
    ours, theirs = config.terms, other.terms
    same_table = (config.casino.id, ours.table) == (other.casino.id, theirs.table)
    if not same_table or ours.layout == theirs.layout:
        expected = f"another layout than {ours.layout} of table {ours.table}, {config.casino.id}"
        found = f"layout {theirs.layout} of table {theirs.table}, {other.casino.id}"
        raise ConfigErrors(
            [Finding(place, expected, found, "name the file of the second layout", "CAN-2.2")]
        )
    return msgspec.structs.replace(
        config,
        text=text_of_both(config.text, file.name, text),
        other=s.OtherLayout(theirs, other.profile_text),
    )


def _load(text: str, base: Path) -> tuple[s.Config, str | None]:
    """One file, and the name of the other layout's."""
    document = _parsed(text)
    findings: list[Finding] = []
    read = {name: _section(document, name, findings) for name in s.KEYS if _wanted(name, document)}
    signs = read_signs(document.get("signs"), findings)
    lamps = read_lamps(document.get("lamps"), findings)
    carrusel = read_carrusel(document.get("carrusel"), read["table"]["number"], findings)
    unknown_keys(document, {"profile", "signs", "lamps", "carrusel", *s.KEYS}, "", findings)
    profile_text, profile = _profile(document, base, findings)
    terms = None if profile is None else _terms(read, profile, findings)
    _cross_checks(document, read, terms, findings)
    ledger = base / (read["ledger"]["dir"] or "")
    findings += [] if terms is None else count_findings(lamps, terms.boxes)
    findings += shared_findings(signs, read.get("slots", {}).get("port"), ledger)
    if findings or profile is None or terms is None:
        raise ConfigErrors(findings)
    config = s.Config(
        text=text,
        profile=profile,
        profile_text=profile_text,
        terms=terms,
        casino=s.CasinoConfig(**read["casino"]),
        table=_table(read["table"], terms),
        slots=slots_config(read["slots"], base, terms.boxes) if "slots" in read else None,
        ledger=_ledger(read["ledger"], base),
        screens=screens_config(read["screens"], base),
        signs=sign_configs(signs, base, read["screens"]["language"]),
        lamps=lamps_config(lamps, base),
        carrusel=carrusel_config(carrusel, base),
    )
    return config, read["table"]["other_layout"]


def load_config_file(path: Path) -> s.Config:
    """The same from a file. Also raises ``Refused`` (``config_unreadable``)."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(
            reason="config_unreadable",
            expected=f"a configuration (TOML, UTF-8) at {path}",
            found=str(error),
            to_do="check the path, or make one with `jackpot init`",
        ) from error
    return load_config(text, path.resolve().parent)


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        finding = Finding("(file)", "TOML", str(error), "correct the line that is named")
        raise ConfigErrors([finding]) from error


def _wanted(name: str, document: Mapping[str, Any]) -> bool:
    """A manual table has no slots."""
    if name != "slots" or name in document:
        return True
    jackpot = document.get("jackpot")
    return not isinstance(jackpot, dict) or jackpot.get("mode") != BetMode.MANUAL.value


def _section(document: Mapping[str, Any], name: str, findings: list[Finding]) -> dict[str, Any]:
    """One section; one whose every key has a default may be missing."""
    raw = document.get(name, {} if name in s.OPTIONAL_SECTIONS else None)
    return read_keys(raw, s.KEYS[name], name, findings)


def _profile(
    document: Mapping[str, Any], base: Path, findings: list[Finding]
) -> tuple[str, Profile | None]:
    """The profile by its name, or from a file (anything that ends in ``.toml``)."""
    name = document.get("profile")
    if not isinstance(name, str):
        found = "nothing" if name is None else found_text(name)
        to_do = 'write profile = "canarias" above the first section'
        findings.append(Finding("profile", "the name or the path of a profile", found, to_do))
        return "", None
    try:
        if not name.endswith(".toml"):
            profile = load_profile(name)
            file = resources.files("jackpot.law") / "profiles" / f"{name}.toml"
            return file.read_text(encoding="utf-8"), profile
        text = (base / name).read_text(encoding="utf-8")
        return text, load_profile(text if "\n" in text else text + "\n")
    except Refused as refused:
        findings.append(Finding("profile", refused.expected, refused.found, refused.to_do))
    except (OSError, UnicodeDecodeError) as error:
        findings.append(
            Finding("profile", f"a file at {base / name}", str(error), "check the path")
        )
    return "", None


def _terms(read: Sections, profile: Profile, findings: list[Finding]) -> Terms | None:
    """The terms, judged by the law; figures that could not be read are not judged twice."""
    places = {finding.path for finding in findings}
    if places & {"jackpot", "table", "jackpot.kind"}:
        return None
    table, jackpot = read["table"], read["jackpot"]
    for (section, key), stand_in in _STAND_INS.items():
        if read[section][key] is None:
            read[section][key] = stand_in
    terms = make_terms(
        profile,
        Figures(
            table=table["number"] or "",
            layout=table["layout"],
            boxes=table["boxes"],
            bets_per_box=table["bets_per_box"],
            table_minimum_cents=table["minimum"],
            kind=jackpot["kind"],
            mode=jackpot["mode"],
            bet_cents=jackpot["bet"],
            jackpot_ppm=jackpot["percentage"],
            reserve_ppm=jackpot["reserve_percentage"],
            house_deduction_ppm=jackpot["house_deduction"],
            seed_cents=jackpot["seed"],
            ceiling_cents=jackpot["ceiling"],
            authorisation=jackpot["authorisation"] or "",
            award_shares_ppm=jackpot["awards"],
            policies=_policies(read["policies"], profile.policies),
            second_signature_over_cents=read["signatures"]["second_over"],
            minimum_band_cents=_band(table),
            lock_after_fraud_signs=read.get("slots", {}).get("lock_after_fraud_signs") or 0,
        ),
    )
    findings += [finding for finding in check_terms(terms, profile) if finding.path not in places]
    return terms


def _band(table: dict[str, Any]) -> tuple[int, int] | None:
    """The authorised band of the table minimum; an end that is not stated is open."""
    least, most = table["minimum_from"], table["minimum_to"]
    if least is None and most is None:
        return None
    return (1 if least is None else least, MAX_CENTS if most is None else most)


def _policies(read: dict[str, Any], of_profile: Policies) -> Policies:
    stated = {name: value for name, value in read.items() if value is not None}
    if "payable_unit" in stated:
        stated["payable_unit_cents"] = stated.pop("payable_unit")
    return msgspec.structs.replace(of_profile, **stated)


def _cross_checks(
    document: Mapping[str, Any], read: Sections, terms: Terms | None, findings: list[Finding]
) -> None:
    """What one key alone cannot tell."""
    places = {finding.path for finding in findings}
    if "table" not in places and "table.minimum" not in places:
        findings += _band_findings(read["table"])
    table_number = None if "table" in places else read["table"]["number"]
    findings += tls_findings(read["screens"])
    if not places & {"screens", "screens.neighbour", "screens.neighbour_table"}:
        findings += neighbour_findings(read["screens"], table_number)
    slots = read.get("slots")
    if slots is not None and "slots" not in places and terms is not None:
        if slots["mechanism"] is s.Mechanism.BOARD:
            findings += _board_findings(document["slots"], slots["baud"])
        else:
            findings += _address_findings(slots["addresses"], terms.boxes)


def _band_findings(table: dict[str, Any]) -> list[Finding]:
    least, most, minimum = table["minimum_from"], table["minimum_to"], table["minimum"]
    if (least is None or least <= minimum) and (most is None or minimum <= most):
        return []
    parts = [] if least is None else [f"at least {cents_text(least, 'en')}"]
    parts += [] if most is None else [f"at most {cents_text(most, 'en')}"]
    return [
        Finding(
            "table.minimum",
            f"{' and '.join(parts)}, the authorised band",
            cents_text(minimum, "en"),
            "set the minimum within the band, or state the band as authorised",
            "CAN-6.1",
        )
    ]


def _board_findings(raw: Mapping[str, Any], baud: int | None) -> list[Finding]:
    """What only acceptors have says nothing about the board: somebody meant something else."""
    findings = [
        Finding(
            f"slots.{key}",
            f"with mechanism = board, only {', '.join(BOARD_KEYS)}",
            found_text(raw[key]),
            "take it out, or set the mechanism to cctalk",
            "CAN-8.b2",
        )
        for key in raw
        if key in s.KEYS["slots"] and key not in BOARD_KEYS
    ]
    if baud is not None and baud < LEAST_BAUD:
        expected = f"{LEAST_BAUD} to {BOARD_BAUD}"
        to_do = "set the speed of the board"
        findings.append(Finding("slots.baud", expected, str(baud), to_do, "CAN-8.b2"))
    return findings


def _address_findings(addresses: tuple[int, ...] | None, boxes: int) -> list[Finding]:
    if addresses is None:
        return []
    if len(addresses) == boxes and set(addresses) <= set(ACCEPTOR_ADDRESSES):
        return []
    return [
        Finding(
            "slots.addresses",
            f"{boxes} of {', '.join(map(str, ACCEPTOR_ADDRESSES))}: one for each box",
            ", ".join(map(str, addresses)),
            "write the acceptors' addresses in the order of the boxes",
            "CAN-8.b2",
        )
    ]


def _table(read: dict[str, Any], terms: Terms) -> s.TableConfig:
    return s.TableConfig(
        number=terms.table,
        layout=terms.layout,
        minimum_cents=terms.table_minimum_cents,
        minimum_from_cents=read["minimum_from"],
        minimum_to_cents=read["minimum_to"],
        undo_s=read["undo_seconds"],
    )


def _ledger(read: dict[str, Any], base: Path) -> s.LedgerConfig:
    return s.LedgerConfig(
        folder=base / read["dir"],
        checkpoint_interval_s=read["checkpoint_interval_minutes"] * 60,
        disk_alarm_bytes=read["disk_alarm_mib"] * 1024 * 1024,
    )
