"""Conservation of money, and whether a derivation says what was decided."""

from __future__ import annotations

from jackpot.audit.checker.due import Info
from jackpot.audit.checker.findings import Findings, owed
from jackpot.audit.checker.state import Layout, Table


def check_sums(table: Table, findings: Findings) -> None:
    """For each pool of each layout: contributed + seeds + in + adjusted + transferred = reversed +
    deducted + house + out + what is in the pool; none below zero."""
    _of_layout(table, findings)
    if table.parked is not None:
        _of_layout(table.parked, findings)


def _of_layout(layout: Layout, findings: Findings) -> None:
    """A difference is told where it arises, not again at every later place."""
    for pool, sums in layout.sums.items():
        due, held = sums.balance(), layout.pools[pool]
        if held - due != sums.told:
            sums.told = held - due
            findings.wrong(
                "conservation",
                f"money came from nowhere or went nowhere: {layout.name}/{pool}",
                f"{due} micro-cents by what came in and went out",
                f"{held} micro-cents in the pool",
                "CAN-8.b",
            )
        if held < 0:
            says = f"the pool {pool} is below zero"
            findings.wrong("conservation", says, "at least 0", f"{held} micro-cents")


def check_derivation(table: Table, cents: int | None, info: Info, findings: Findings) -> None:
    """The lines of a derivation name the payments that were decided, and the sum is theirs."""
    if cents != table.hand_total_cents:
        expected = f"{table.hand_total_cents} cents"
        findings.wrong("awards", "the sum of the payments", expected, f"{cents} cents", "CAN-8.7")
    told = {}
    for line in info["derivation"]:
        numbers = dict(line["numbers"])
        if line["key"] == "rounded_down" and numbers["paid_cents"]:
            told[numbers["box"], numbers["bet"]] = numbers["paid_cents"]
    if told != table.unpaid:
        says = "it tells of other payments"
        findings.wrong("derivations", says, owed(table.unpaid), owed(told), "CAN-8.7")
