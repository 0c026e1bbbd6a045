"""Whether a decision of a carrusel adds up, and whether it pays what its hands earn (CAN-9).

One ledger has all that a decision says about every member; whether each member's view and meters
were so, only their ledgers together with the carrusel's log can tell.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from jackpot.audit.checker.awards import Decision, decide
from jackpot.audit.checker.due import Fact, terms
from jackpot.audit.checker.findings import Findings
from jackpot.audit.checker.member import Share, shares_of
from jackpot.audit.checker.pools import JACKPOT, OVERFLOW, RESERVE
from jackpot.audit.checker.state import Table
from jackpot.audit.checker.terms import MICROCENTS

_RULE = "CAN-9"


def in_proportion(microcents: int, weights: list[int]) -> list[int]:
    """Micro-cents shared out by largest remainder, to the micro-cent; equal remainders in order."""
    whole = sum(weights)
    if whole == 0:
        return [0 for _ in weights]
    parts, rest = [], []
    for place, weight in enumerate(weights):
        part, remainder = divmod(microcents * weight, whole)
        parts.append(part)
        rest.append((-remainder, place))
    for _, place in sorted(rest)[: microcents - sum(parts)]:
        parts[place] += 1
    return parts


def check_shares(fact: Fact, findings: Findings) -> None:
    """What is taken is what is paid; each bears its part of the base and no more of it."""
    info, shares = fact.info, shares_of(fact.info)
    wrong = findings.wrong
    if len({share.table for share in shares}) != len(shares):
        wrong("carrusel", "a member twice in a decision", "each once", info["shares"], _RULE)
    base = sum(share.base for share in shares)
    if base != fact.microcents:
        says, due = "the base is not the sum of its parts", f"{base} micro-cents"
        wrong("carrusel", says, due, f"{fact.microcents} micro-cents", _RULE)
    taken = sum(share.deducted + share.from_seed for share in shares)
    if taken != (fact.cents or 0) * MICROCENTS:
        says = "another sum is taken from the members than is paid"
        wrong("carrusel", says, f"{fact.cents} cents", f"{taken} micro-cents", _RULE)
    for share in shares:
        _check_share(share, bool(info["restart"]), findings)
    bases = [share.base for share in shares]
    house = in_proportion(sum(share.house for share in shares), bases)
    left = [one - part for one, part in zip(bases, house, strict=True)]
    deducted = in_proportion(sum(share.deducted for share in shares), left)
    expected = list(zip(house, deducted, strict=True))
    found = [(share.house, share.deducted) for share in shares]
    if found != expected:
        says = "not shared out in proportion to the base"
        wrong("carrusel", says, _parts(expected), _parts(found), _RULE)


def _parts(parts: list[tuple[int, int]]) -> str:
    """What each member bears of the house's deduction, and of the payments."""
    return "; ".join(
        f"house {house} micro-cents, gives {gives} micro-cents" for house, gives in parts
    )


def _check_share(share: Share, restart: bool, findings: Findings) -> None:
    if not 0 <= share.base <= share.view:
        says = f"table {share.table} bears more than its visor's part"
        expected = f"0 to {share.view} micro-cents"
        findings.wrong("carrusel", says, expected, f"{share.base} micro-cents", _RULE)
    if share.deducted + share.house > share.base:
        says = f"table {share.table} gives more than its part of the base"
        expected, gives = f"at most {share.base} micro-cents", share.deducted + share.house
        findings.wrong("carrusel", says, expected, f"{gives} micro-cents", _RULE)
    if not restart and (share.seed or share.from_seed):
        says = f"a seed at table {share.table} without a restart"
        found = f"{share.seed + share.from_seed} micro-cents"
        findings.wrong("carrusel", says, "none", found, "CAN-8.b")


def check_claim(table: Table, fact: Fact, findings: Findings) -> None:
    """At the table that claimed: every payment again, from the base and the declared cards."""
    decision = _again(table, fact)
    due = [(p.box, p.bet, p.award, p.rule, p.cents) for p in decision.payments]
    found = [
        (one["box"], one["bet"], one["hand"], one["rule"], one["cents"])
        for one in fact.info["payments"]
    ]
    if found != due:
        findings.wrong("awards", "the payments of a decision", due, found, "CAN-8.5")
    if fact.cents != decision.total_cents:
        says = "the sum of the payments of a decision"
        total = f"{decision.total_cents} cents"
        findings.wrong("awards", says, total, f"{fact.cents} cents", "CAN-8.7")
    if fact.info["restart"] is not (decision.restart is not None):
        due_restart = decision.restart is not None
        findings.wrong("restarts", "a restart", due_restart, fact.info["restart"], "CAN-8.b")
    shares = shares_of(fact.info)
    expected = (decision.house, decision.from_base, decision.from_seed)
    sums = (
        sum(share.house for share in shares),
        sum(share.deducted for share in shares),
        sum(share.from_seed for share in shares),
    )
    if sums != expected:
        says = "house, from the base, from the seeds"
        findings.wrong("carrusel", says, _sums(expected), _sums(sums), _RULE)


def _sums(microcents: tuple[int, int, int]) -> str:
    return ", ".join(f"{amount} micro-cents" for amount in microcents)


def _again(table: Table, fact: Fact) -> Decision:
    """The award on the whole prize: every member's seed, and no ceiling, overflow or reserve, which
    stay each table's own. What the meters held outside the base is in the derivation alone."""
    force = terms(table)
    seeds = sum(share.seed for share in shares_of(fact.info)) // MICROCENTS
    house = replace(force.policies, seed_source="house")
    prize = replace(force, seed_cents=seeds, ceiling_cents=None, policies=house)
    base = fact.microcents or 0
    held = base + _outside_base(fact.info)
    return decide(force, prize, base, {JACKPOT: held, OVERFLOW: 0, RESERVE: 0}, table.declared)


def _outside_base(info: dict[str, Any]) -> int:
    for line in info["derivation"]:
        if line["key"] == "outside_base":
            return int(dict(line["numbers"])["outside_microcents"])
    return 0
