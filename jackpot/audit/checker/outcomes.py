"""The kinds of outcomes, the validator that answers for each, and how a difference is told."""

from __future__ import annotations

from typing import Any

import msgspec

from jackpot.audit.checker.due import Due
from jackpot.audit.checker.findings import Findings
from jackpot.audit.checker.terms import complete

OUTCOMES: dict[str, tuple[str, str | None]] = {
    "terms_in_force": ("terms", "policy:config_change"),
    "terms_pending": ("terms", "policy:config_change"),
    "jackpot_started": ("restarts", "CAN-8.b"),
    "contributed": ("contributions", "CAN-8.b"),
    "contribution_reversed": ("voids", "CAN-10.1"),
    "bet_accepted": ("bets", "CAN-8.1"),
    "bet_returned": ("voids", "CAN-10.1"),
    "bet_carried": ("voids", "CAN-10.1"),
    "chip_refused": ("bets", "CAN-7.1"),
    "chip_held": ("bets", "policy:extra_chip"),
    "chip_matched": ("bets", "CAN-8.b2"),
    "chip_tested": ("slot_tests", "CAN-7.1"),
    "item_opened": ("items", None),
    "hand_locked": ("locks", "CAN-7.1"),
    "awards_frozen": ("base", "policy:base_of_hand"),
    "payment_decided": ("awards", "CAN-8.5"),
    "awards_decided": ("awards", "CAN-8.7"),
    "paid_from_seed": ("awards", "policy:below_royal"),
    "decision_undone": ("disputes", "CAN-8.7"),
    "payment_struck": ("disputes", "CAN-8.7"),
    "total_due": ("totals", "CAN-8.b1"),
    "total_accepted": ("totals", "CAN-8.b1"),
    "total_contributed": ("totals", "CAN-8.b1"),
    "total_reversed": ("totals", "CAN-8.b1"),
    "total_returned": ("totals", "CAN-8.b1"),
    "total_adjusted": ("totals", "CAN-8.b1"),
    "amount_in": ("entries", "CAN-8.b"),
    "amount_out": ("entries", "CAN-8.b"),
    "amount_adjusted": ("entries", "CAN-8.b"),
    "seed_added": ("entries", "CAN-8.b"),
    "house_settled": ("entries", "CAN-8.b"),
    "drop_compared": ("drops", "CAN-8.b2"),
    "hand_ended": ("hand_ends", "CAN-7.3a"),
    "hands_left": ("countdown", "CAN-7.3b"),
    "day_totals": ("days", "CAN-8.7"),
    "awards_claimed": ("carrusel", "CAN-9"),
    "carrusel_deducted": ("carrusel", "CAN-9"),
    "carrusel_returned": ("carrusel", "CAN-9"),
    "shortfall_borne": ("carrusel", "CAN-9"),
    "carrusel_operation": ("carrusel", "CAN-9"),
}
"""Every outcome: its validator and the rule behind it."""

_EXPLAINED_ONLY = {"awards_decided": "derivation"}
"""A field that explains; its numbers have a validator of their own."""

MAX_SHOWN = 160
"""Characters of a field in a message: a whole configuration helps nobody."""


def show(value: object) -> str:
    """A value in a message, cut to a readable length."""
    try:
        text = str(value)
    except RecursionError:
        text = "something nested too deeply to be shown"
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


def differ(expected: object, found: object) -> bool:
    """Also where what was found is nested too deeply to be compared."""
    try:
        return expected != found
    except RecursionError:
        return True


def parted(expected: object, found: object) -> tuple[object, object]:
    """Of two objects what differs, however deep; of anything else the whole."""
    if not isinstance(expected, dict) or not isinstance(found, dict):
        return expected, found
    names = sorted(
        name
        for name in expected.keys() | found.keys()
        if differ(expected.get(name), found.get(name))
    )
    pairs = {name: parted(expected.get(name), found.get(name)) for name in names}
    return (
        {name: pair[0] for name, pair in pairs.items()},
        {name: pair[1] for name, pair in pairs.items()},
    )


def same_info(kind: str, found: str | None, expected: str | None) -> bool:
    """Whether two JSON texts say the same; the order of keys does not matter."""
    if found == expected:
        return True
    if found is None or expected is None:
        return False
    try:
        said: Any = msgspec.json.decode(found)
        if kind in _EXPLAINED_ONLY and isinstance(said, dict):
            said.pop(_EXPLAINED_ONLY[kind], None)
        if isinstance(said, dict) and "terms" in said:
            said["terms"] = complete(said["terms"])
        return bool(said == msgspec.json.decode(expected))
    except (msgspec.MsgspecError, RecursionError):
        return False


def differs(want: Due, row: tuple[Any, ...], findings: Findings) -> None:
    """The right outcome with a wrong amount or field."""
    kind = row[2]
    validator, rule = OUTCOMES[kind]
    if want[:4] != row[2:6]:
        expected, found = _amounts(want), _amounts(row[2:])
    elif want[4] is not None and row[6] is not None:
        expected, found = _fields(kind, want[4], row[6])
    else:
        expected, found = show(want[4]), show(row[6])
    findings.wrong(validator, f"{kind} is not what the rules say", expected, found, rule)


def missing(want: Due, findings: Findings) -> None:
    """An outcome that should be there."""
    validator, rule = OUTCOMES[want[0]]
    findings.wrong(validator, f"{want[0]} is missing", _whole(want), "nothing", rule)


def unexpected(row: tuple[Any, ...], findings: Findings) -> None:
    """An outcome that follows from nothing."""
    validator, rule = OUTCOMES[row[2]]
    findings.wrong(validator, f"{row[2]} follows from nothing", "nothing", _whole(row[2:]), rule)


def _amounts(row: tuple[Any, ...]) -> str:
    box, cents, microcents = row[1:4]
    parts = (
        "" if box is None else f"box {box}",
        "" if cents is None else f"{cents} cents",
        "" if microcents is None else f"{microcents} micro-cents",
    )
    return ", ".join(filter(None, parts)) or "no amount"


def _whole(row: tuple[Any, ...]) -> str:
    return show(f"{row[0]}: {_amounts(row)}, {row[4]}")


def _fields(kind: str, expected: str, found: str) -> tuple[str, str]:
    """Only the fields that differ."""
    try:
        want, have = msgspec.json.decode(expected), msgspec.json.decode(found)
    except (msgspec.MsgspecError, RecursionError):
        return show(expected), show(found)
    if not isinstance(have, dict):
        return show(expected), show(found)
    have.pop(_EXPLAINED_ONLY.get(kind), None)
    due, told = parted(want, have)
    return show(due), show(told)
