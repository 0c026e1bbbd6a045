"""Conservation of money, and whether a derivation says what was decided."""

from __future__ import annotations

from jackpot.audit.checker.due import Info
from jackpot.audit.checker.findings import Findings
from jackpot.audit.checker.state import Table


def check_sums(table: Table, findings: Findings) -> None:
    """Contributed + seeds = reversed + deducted + house + what is in the pools; none below zero.

    A difference is told where it arises, not again at every later place.
    """
    totals = table.totals
    came = totals.contributed + totals.seeds
    went = totals.reversed + totals.deducted + totals.house
    held = sum(table.pools.values())
    if went + held - came != totals.told:
        totals.told = went + held - came
        findings.wrong(
            "conservation",
            "money came from nowhere or went nowhere",
            f"{came} micro-cents that came in",
            f"{went} that went out and {held} in the pools",
            "CAN-8.b",
        )
    for pool, amount in table.pools.items():
        if amount < 0:
            findings.wrong("conservation", f"the pool {pool} is below zero", "at least 0", amount)


def check_derivation(table: Table, cents: int | None, info: Info, findings: Findings) -> None:
    """The lines of a derivation name the payments that were decided, and the sum is theirs."""
    if cents != table.hand_total_cents:
        findings.wrong(
            "awards", "the sum of the payments", table.hand_total_cents, cents, "CAN-8.7"
        )
    told = {}
    for line in info["derivation"]:
        numbers = dict(line["numbers"])
        if line["key"] == "rounded_down" and numbers["paid_cents"]:
            told[numbers["box"], numbers["bet"]] = numbers["paid_cents"]
    if told != table.unpaid:
        findings.wrong("derivations", "it tells of other payments", table.unpaid, told, "CAN-8.7")
