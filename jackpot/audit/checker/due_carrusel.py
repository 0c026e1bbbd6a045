"""What has to follow from what officers ask of a carrusel, and from what it decides (CAN-9)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jackpot.audit.checker.due import Due, Fact, into_pools, started, terms, text
from jackpot.audit.checker.due_hand import closes
from jackpot.audit.checker.findings import Findings
from jackpot.audit.checker.member import LEAVING, STOPPED, Applied, Share, shares_of
from jackpot.audit.checker.pools import JACKPOT, OVERFLOW, Start, start
from jackpot.audit.checker.shares import check_claim, check_shares
from jackpot.audit.checker.state import Table

_RULE = "CAN-9"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


def _wrong(findings: Findings, says: str, expected: object, found: object) -> None:
    findings.wrong("carrusel", says, expected, found, _RULE)


# ---- joining, leaving, taking back -------------------------------------------------------------------


def join_asked(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """An authorised join, of a table that can share its prize and shares it with nobody else."""
    force, member = terms(table), table.carrusel
    if not fact.info["authorisation"].strip():
        _wrong(findings, "a join without authorisation", "its number", "none")
    if not _NAME.fullmatch(fact.info["carrusel"]):
        _wrong(findings, "no name of a carrusel", _NAME.pattern, fact.info["carrusel"])
    if member is not None and member.stage != STOPPED:
        _wrong(findings, "a member joins once more", "a table alone, or stopped", member.stage)
    if force.fixed or not table.started or force.policies.base_of_hand != "at_lock":
        found = (force.kind, table.started, force.policies.base_of_hand)
        _wrong(findings, "it cannot share its prize", "progressive, running, at_lock", found)
    return ()


def leave_asked(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """With a reason, out of a carrusel that goes on."""
    if not fact.info["why"].strip():
        _wrong(findings, "a leave without a reason", "a reason", "none")
    stage = None if table.carrusel is None else table.carrusel.stage
    if stage in (None, STOPPED, LEAVING):
        _wrong(findings, "a leave of no member", "a member", stage)
    return ()


def claim_withdrawn(table: Table, _: Fact, findings: Findings) -> Sequence[Due]:
    """Asked once; a stopped box has nobody to ask."""
    member = table.carrusel
    if member is None:
        _wrong(findings, "a claim at a table alone", "a member", "none")
    elif member.stage != STOPPED and (table.claim_withdrawn or table.reversal_asked):
        _wrong(findings, "a claim taken back twice", "once", "twice")
    return ()


def joined(table: Table, fact: Fact, _: Findings) -> Sequence[Due]:
    """What the log has for this table stands."""
    member = table.carrusel
    if member is None or not member.answers(fact.info):
        return ()
    difference = (fact.microcents or 0) - member.offered
    if not difference:
        return ()
    lacking = -difference - table.meter_microcents
    return [
        *_borne(fact.info["decision"], lacking),
        *into_pools("amount_adjusted", ((JACKPOT, difference),)),
    ]


# ---- decisions ---------------------------------------------------------------------------------------


def decided(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """A share leaves the meter; at the table that claimed, the award goes on from here."""
    check_shares(fact, findings)
    member, force = table.carrusel, table.terms
    if member is None or force is None or not member.is_next(fact.info):
        return ()
    mine = next((s for s in shares_of(fact.info) if s.table == force.terms.table), None)
    if is_claim(table, fact):
        check_claim(table, fact, findings)
        return _own(table, fact, mine)
    if mine is None:
        return ()
    return _given(table, fact, mine)


def is_claim(table: Table, fact: Fact) -> bool:
    """Whether it answers the claim that waits here."""
    return table.claims(fact.info["table"], fact.info["hand"])


def _given(table: Table, fact: Fact, mine: Share) -> list[Due]:
    decision = fact.info["decision"]
    lacking, begin, lacking_of_seed = _moves(table, fact, mine)
    given = mine.deducted + mine.from_seed
    info = text({"decision": decision, "house_microcents": mine.house})
    return [
        *_borne(decision, lacking),
        *((_row("carrusel_deducted", given, info),) if given or mine.house else ()),
        *((started(begin),) if begin is not None else ()),
        *_borne(decision, lacking_of_seed),
    ]


def _own(table: Table, fact: Fact, mine: Share | None) -> list[Due]:
    info, cents = fact.info, fact.cents or 0
    lacking, begin, lacking_of_seed = _moves(table, fact, mine)
    decided_info = {
        "award": table.award,
        "house_microcents": 0 if mine is None else mine.house,
        "restart": info["restart"],
        "second_signature": cents > terms(table).second_signature_over_cents,
    }
    from_seed = 0 if mine is None else mine.from_seed
    deducted = 0 if mine is None else mine.deducted
    return [
        *_borne(info["decision"], lacking),
        *(_payment(one) for one in info["payments"]),
        ("awards_decided", None, cents, deducted, text(decided_info)),
        *((started(begin),) if begin is not None else ()),
        *((_row("paid_from_seed", from_seed, None),) if from_seed else ()),
        *_borne(info["decision"], lacking_of_seed),
        *(closes(table, "paid") if cents == 0 else ()),
    ]


def _payment(one: dict[str, object]) -> Due:
    info = text({"hand": one["hand"], "rule": one["rule"], "bet": one["bet"]})
    return ("payment_decided", int(str(one["box"])), int(str(one["cents"])), None, info)


def _row(kind: str, microcents: int, info: str | None) -> Due:
    return (kind, None, None, microcents, info)


def _moves(table: Table, fact: Fact, mine: Share | None) -> tuple[int, Start | None, int]:
    """What the meter lacks for the share, how it restarts, what it lacks for the seed's part."""
    if mine is None:
        return 0, None, 0
    taken, held = mine.deducted + mine.house, table.meter_microcents
    left = max(0, held - taken)
    if not fact.info["restart"]:
        return taken - held, None, mine.from_seed - left
    begin = start(terms(table), {**table.pools, JACKPOT: left})
    return taken - held, begin, mine.from_seed - left - begin.gain


def _borne(decision: int, lacking: int) -> list[Due]:
    """The house bears what a meter lacks; never what it does not lack."""
    if lacking <= 0:
        return []
    return [_row("shortfall_borne", lacking, text({"decision": decision}))]


def undone(table: Table, fact: Fact, _: Findings) -> Sequence[Due]:
    """All that the decision moved here goes back where it was."""
    member, force = table.carrusel, table.terms
    if member is None or force is None or not member.is_next(fact.info):
        return ()
    mine = next((s for s in shares_of(fact.info) if s.table == force.terms.table), None)
    if mine is None:
        return ()
    gave = member.applied.get(fact.info["undoes"])
    if gave is None:
        gave = Applied(0, mine.deducted + mine.from_seed, mine.house, mine.seed)
    overflow = max(gave.seed_overflow, -table.pools[OVERFLOW])
    seed = gave.seed_house + gave.seed_reserve + overflow
    info = {
        "decision": fact.info["undoes"],
        "house_microcents": gave.house,
        "seed_house_microcents": gave.seed_house,
        "seed_reserve_microcents": gave.seed_reserve,
        "seed_overflow_microcents": overflow,
    }
    lacking = seed - gave.deducted - gave.house - table.meter_microcents
    return [
        *_borne(fact.info["decision"], lacking),
        _row("carrusel_returned", gave.deducted, text(info)),
    ]
