"""What must be the same at every member of a carrusel, and what must not be there at all (CAN-9)."""

from __future__ import annotations

from jackpot.law.policies import BaseOfHand
from jackpot.law.terms import JackpotKind, Terms

SHARED_TERMS = (
    "profile",
    "kind",
    "bet_cents",
    "bets_per_box",
    "jackpot_ppm",
    "award_shares_ppm",
    "house_deduction_ppm",
    "ace_low_in_straights",
)
"""Terms that decide what a bet buys and what a hand is paid. A table's boxes, minimum, seed, ceiling
and reserve stay its own."""

SHARED_POLICIES = (
    "base_of_hand",
    "manual_total",
    "below_royal",
    "equal_straight_flushes",
    "payable_unit_cents",
    "carrusel_order",
    "link_lost",
)
"""Policies that touch the shared prize; the others concern one table and its slots."""


def differences(member: Terms, other: Terms) -> list[str]:
    """What stands against one prize for both, each as ``name: here, there``; empty if nothing."""
    found = [
        f"{name}: {_text(getattr(member, name))}, {_text(getattr(other, name))}"
        for name in SHARED_TERMS
        if getattr(member, name) != getattr(other, name)
    ]
    here, there = member.policies, other.policies
    found += [
        f"{name}: {_text(getattr(here, name))}, {_text(getattr(there, name))}"
        for name in SHARED_POLICIES
        if getattr(here, name) != getattr(there, name)
    ]
    return found


def unfit(terms: Terms) -> str:
    """What keeps a table out of any carrusel, whatever the others play: the name of a finding, empty
    if nothing does."""
    if terms.kind is not JackpotKind.PROGRESSIVE:
        return "not_progressive"
    if terms.policies.base_of_hand is not BaseOfHand.AT_LOCK:
        return "base_not_at_lock"
    return ""


def _text(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}={value[key]}" for key in sorted(value))
    return str(value)
