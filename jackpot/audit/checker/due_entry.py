"""What has to follow from a signed entry: moves, corrections, and decisions that are taken back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jackpot.audit.checker.due import (
    Due,
    Fact,
    into_pools,
    signed_amount,
    terms,
    terms_row,
    text,
)
from jackpot.audit.checker.due_hand import closes
from jackpot.audit.checker.findings import Findings, owed, place
from jackpot.audit.checker.membership import alone, goes_on
from jackpot.audit.checker.pools import JACKPOT, OVERFLOW, POOLS, RESERVE, Moved, spread
from jackpot.audit.checker.state import PAYABLE, Payment, Table
from jackpot.audit.checker.terms import MICROCENTS

_HASH = re.compile(r"[0-9a-f]{64}")


def entry(fact: Fact, findings: Findings) -> None:
    """A reason in words, and the number of the authorisation where one is needed."""
    if not fact.info["why"].strip():
        findings.wrong("entries", "an entry without a reason", "a reason", "none", "CAN-8.b")
    if not fact.info.get("authorisation", "-").strip():
        findings.wrong("entries", "an entry without authorisation", "a number", "none", "CAN-8.b")


def _progressive(table: Table, findings: Findings) -> None:
    if terms(table).fixed:
        says = "an entry at a fixed jackpot"
        findings.wrong("entries", says, "always its full amount", "an entry", "CAN-8.a")


def _running(table: Table, running: bool, findings: Findings) -> None:
    if table.started is not running:
        words = {True: "a running jackpot", False: "none that has started"}
        says = "an entry at the wrong time of the jackpot"
        findings.wrong("entries", says, words[running], words[table.started], "CAN-8.b")


def _more_than_nothing(entered: int | None, findings: Findings) -> int:
    if entered is None or entered <= 0:
        findings.wrong("entries", "an entry of no amount", "more than nothing", entered, "CAN-8.b")
    return entered or 0


def nothing_to_correct(difference: int | None, findings: Findings) -> None:
    """A correction changes something."""
    if not difference:
        findings.wrong("entries", "a correction of nothing", "a difference", "none", "CAN-8.b")


def house_settled(microcents: int) -> list[Due]:
    """The house bears it (below zero: keeps it); no pool moves."""
    return [("house_settled", None, None, microcents, None)]


def _not_below_zero(table: Table, pool: str, change: int, findings: Findings) -> None:
    if table.pools[pool] + change < 0:
        says = f"an entry takes more than the pool {pool} holds"
        expected, found = f"at most {table.pools[pool]} micro-cents", f"{-change} micro-cents"
        findings.wrong("entries", says, expected, found, "CAN-8.b")


# ---- the first day, moves ----------------------------------------------------------------------------


def jackpot_taken_over(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """The amount of the earlier system, before the first opening."""
    entry(fact, findings)
    _progressive(table, findings)
    _running(table, False, findings)
    amount = _more_than_nothing(fact.cents, findings) * MICROCENTS
    return into_pools("amount_in", spread(terms(table), table.pools, amount))


def jackpot_received(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Whole, to the micro-cent, the hidden pools apart."""
    entry(fact, findings)
    _progressive(table, findings)
    info = fact.info
    _another_place(table, info["from_table"], info["from_layout"], findings)
    amount = _more_than_nothing(fact.microcents, findings)
    hidden = ((OVERFLOW, info["overflow_microcents"]), (RESERVE, info["reserve_microcents"]))
    for _, one in hidden:
        if one:
            _more_than_nothing(one, findings)
    moves = [*spread(terms(table), table.pools, amount), *(one for one in hidden if one[1])]
    return into_pools("amount_in", moves)


def _another_place(table: Table, of_table: str, layout: str, findings: Findings) -> None:
    if (of_table, layout) == (terms(table).table, terms(table).layout):
        says = "a jackpot moves to where it is"
        findings.wrong("entries", says, "another table or layout", layout, "CAN-2.2")


def jackpot_moved(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Out whole, the hidden pools too."""
    _another_place(table, fact.info["to_table"], fact.info["to_layout"], findings)
    return jackpot_ended(table, fact, findings)


def jackpot_ended(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Out whole; the amount that the visor shows is signed."""
    entry(fact, findings)
    _running(table, True, findings)
    alone(table, "the end of a jackpot", findings)
    signed_amount("the end of a jackpot", table.meter_microcents, fact.cents, findings)
    held = [(pool, table.pools[pool]) for pool in POOLS if table.pools[pool]]
    return into_pools("amount_out", held)


def controller_replaced(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """It names the end of another ledger, before anything is played."""
    entry(fact, findings)
    _running(table, False, findings)
    info = fact.info
    named = _HASH.fullmatch(info["old_hash"]) and info["old_batch"] > 0 and info["old_ledger"]
    if not named:
        found = (info["old_ledger"], info["old_batch"], info["old_hash"])
        findings.wrong("entries", "no end of a ledger", "a name, a batch, a hash", found)
    return ()


# ---- corrections -------------------------------------------------------------------------------------


def jackpot_corrected(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Up: into the pool; down: out of the running jackpot, or the house bears it."""
    entry(fact, findings)
    _progressive(table, findings)
    _running(table, True, findings)
    amount, pool, jackpot = fact.microcents or 0, fact.info["pool"], fact.info["jackpot"]
    nothing_to_correct(amount, findings)
    if not 1 <= jackpot <= table.jackpots:
        says = "a correction of a jackpot that never was"
        findings.wrong("entries", says, f"1 to {table.jackpots}", jackpot, "CAN-8.b")
    if amount > 0 and pool == JACKPOT:
        return into_pools("amount_adjusted", spread(terms(table), table.pools, amount))
    if amount < 0 and jackpot != table.jackpots:
        return house_settled(-amount)
    _not_below_zero(table, pool, amount, findings)
    return into_pools("amount_adjusted", ((pool, amount),))


def seed_raised(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """The house adds to the running jackpot."""
    entry(fact, findings)
    _progressive(table, findings)
    _running(table, True, findings)
    amount = _more_than_nothing(fact.cents, findings) * MICROCENTS
    return into_pools("seed_added", spread(terms(table), table.pools, amount))


# ---- decisions taken back ----------------------------------------------------------------------------


def decision_reversed(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Whole, before anything was paid: all that it moved goes back where it was; a carrusel is asked."""
    if fact.info["award"] != table.award:
        _no_such_award(table.award, fact.info["award"], findings)
    gone = [place(*bet) for bet, one in table.payments.items() if _is_gone(one)]
    if gone:
        says = "a decision taken back of which something was paid"
        findings.wrong("disputes", says, "nothing paid", "; ".join(gone), "CAN-8.7")
    if table.carrusel is not None:
        goes_on(table, "a decision taken back", findings)
        return ()
    decided, before, force = table.decided, table.terms_before, table.terms
    if decided is None:
        return ()
    seed = decided.seed_house + decided.seed_reserve + decided.seed_overflow
    info = {
        "award": table.award,
        "deducted_microcents": decided.deducted,
        "house_microcents": decided.house,
        "seed_house_microcents": decided.seed_house,
        "seed_reserve_microcents": decided.seed_reserve,
        "seed_overflow_microcents": decided.seed_overflow,
    }
    gain = decided.deducted + decided.house - seed
    rows: list[Due] = [("decision_undone", None, None, gain, text(info))]
    if before is not None and force is not None and before.raw != force.raw:
        rows.append(terms_row("terms_in_force", before))
        rows.append(terms_row("terms_pending", table.pending or force))
    return rows


def _is_gone(payment: Payment) -> bool:
    return bool(payment.reversed_cents or (payment.cents and not payment.open))


def _no_such_award(expected: object, found: object, findings: Findings) -> None:
    findings.wrong("disputes", "no such award", expected, found, "CAN-8.7")


def payment_reversed(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Struck out while it is not paid; corrected by an amount afterwards."""
    entry(fact, findings)
    nothing_to_correct(fact.cents, findings)
    cents, award, bet = fact.cents or 0, fact.info["award"], (fact.box, fact.info["bet"])
    if table.phase == PAYABLE:
        return _struck(table, award, bet, cents, findings)
    past = table.past_awards.get(award)
    payment = None if past is None else past.payments.get(bet)
    if past is None or payment is None:
        found = f"award {award}, {place(*bet)}"
        _no_such_award("a payment of an award of this layout", found, findings)
        return ()
    left = payment.cents - payment.reversed_cents
    if cents > left:
        expected, found = f"at most {left} cents", f"{cents} cents"
        findings.wrong("disputes", "more comes back than was paid", expected, found, "CAN-8.7")
    if cents > 0:
        return _to_meter(table, cents)
    if terms(table).fixed or past.jackpot != table.jackpots:
        return house_settled(-cents * MICROCENTS)
    _not_below_zero(table, JACKPOT, cents * MICROCENTS, findings)
    return into_pools("amount_adjusted", ((JACKPOT, cents * MICROCENTS),))


def _struck(
    table: Table, award: int, bet: tuple[int, int], cents: int, findings: Findings
) -> list[Due]:
    if award != table.award:
        _no_such_award(table.award, award, findings)
    if table.unpaid.get(bet) != cents:
        says = "a payment struck out that is not owed"
        findings.wrong("disputes", says, owed(table.unpaid), owed({bet: cents}), "CAN-8.7")
    last = set(table.unpaid) <= {bet}
    return [
        *_to_meter(table, cents),
        ("payment_struck", bet[0], cents, None, f'{{"bet":{bet[1]}}}'),
        *(closes(table, "paid") if last else ()),
    ]


def _to_meter(table: Table, cents: int) -> list[Due]:
    """On top of whatever it holds; a fixed jackpot was filled up by the house, which has it back."""
    if terms(table).fixed:
        return house_settled(-cents * MICROCENTS)
    moves: Moved = spread(terms(table), table.pools, cents * MICROCENTS)
    return into_pools("amount_adjusted", moves)
