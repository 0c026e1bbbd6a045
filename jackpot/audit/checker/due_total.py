"""What has to follow from a total of a hand in manual mode (CAN-8.b1), and from a correction of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from jackpot.audit.checker.due import Due, Fact, into_pools, terms, text
from jackpot.audit.checker.due_entry import entry, house_settled, nothing_to_correct
from jackpot.audit.checker.due_hand import covers_winners, ended
from jackpot.audit.checker.findings import Findings
from jackpot.audit.checker.pools import OVERFLOW, RESERVE, contribution, reversal
from jackpot.audit.checker.state import TOTAL, HandTotal, Table

_RULE = "CAN-8.b1"


def total_entered(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Whole chips, as many as the boxes hold at most, not below the winning bets."""
    if not table.hand_manual:
        findings.wrong("totals", "a total of a hand with slots", "manual mode", "slots", _RULE)
    if table.total_is_final:
        says = "a total entered after the final one"
        findings.wrong("totals", says, "a signed correction", "another entry", _RULE)
    chips = fact.info["chips"]
    _within(table, chips, findings)
    if fact.cents != chips * terms(table).bet_cents:
        expected = f"{chips} × {terms(table).bet_cents} cents"
        findings.wrong("totals", "no whole chips", expected, f"{fact.cents} cents", _RULE)
    covers_winners(chips, len(table.declared), findings)
    return ()


def _within(table: Table, chips: int, findings: Findings) -> None:
    most = terms(table).boxes * terms(table).bets_per_box
    if not 0 <= chips <= most:
        findings.wrong("totals", "more than the boxes hold", f"0 to {most} chips", chips, _RULE)


def total_withdrawn(table: Table, _: Fact, findings: Findings) -> Sequence[Due]:
    """There is one."""
    _something_entered(table, findings)
    return ()


def _something_entered(table: Table, findings: Findings) -> None:
    if table.total is None:
        findings.wrong("totals", "no total was entered", "an entered total", "none", _RULE)


def total_final(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """The officer repeats what was entered."""
    _something_entered(table, findings)
    if table.total is None:
        return ()
    if fact.info["chips"] != table.total[0]:
        says = "another total confirmed than entered"
        findings.wrong("totals", says, table.total[0], fact.info["chips"], _RULE)
    return _accepted(table, *table.total)


def total_time_up(table: Table, fact: Fact, _: Findings) -> Sequence[Due]:
    """Nothing follows if another total was entered since, or none stands any more."""
    named = (fact.info["hand"], fact.info["entry"])
    if table.phase != TOTAL or table.total is None or named != (table.hand, table.totals_entered):
        return ()
    return _accepted(table, *table.total)


def _accepted(table: Table, chips: int, cents: int) -> list[Due]:
    """The percentage of the whole, once; then the hand ends, unless its awards come later."""
    return [
        ("total_accepted", None, cents, None, f'{{"chips":{chips}}}'),
        *into_pools("total_contributed", contribution(terms(table), table.pools, cents)),
        *(() if table.how is None else ended(table, table.how)),
    ]


def total_corrected(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Only the difference moves, at the rates of that hand."""
    entry(fact, findings)
    info = fact.info
    known = table.hand_totals.get(info["hand"])
    if known is None:
        says = "a correction of a total that is not known"
        findings.wrong("totals", says, sorted(table.hand_totals)[-5:], info["hand"], _RULE)
        return ()
    if info["chips_before"] != known.chips:
        says = "another total corrected than recorded"
        findings.wrong("totals", says, known.chips, info["chips_before"], _RULE)
    after = info["chips_after"]
    nothing_to_correct(after - info["chips_before"], findings)
    _within(table, after, findings)
    covers_winners(after, known.winning_bets, findings)
    cents = (after - info["chips_before"]) * known.bet_cents
    adjusted = text({"hand": info["hand"], "chips": after})
    rows: list[Due] = [("total_adjusted", None, cents, None, adjusted)]
    if cents > 0:
        rates = msgspec.structs.replace(
            terms(table), jackpot_ppm=known.jackpot_ppm, reserve_ppm=known.reserve_ppm
        )
        return rows + into_pools("total_contributed", contribution(rates, table.pools, cents))
    return rows + _less(table, known, -cents)


def _less(table: Table, known: HandTotal, cents: int) -> list[Due]:
    """Out of the jackpot that those bets fed; what it lacks, or all if it is gone, the house bears."""
    share, reserve = cents * known.jackpot_ppm, cents * known.reserve_ppm
    taken: Sequence[tuple[str, int]] = ()
    if known.jackpot == table.jackpots:
        taken = reversal(table.pools, ((OVERFLOW, share), (RESERVE, reserve)), ())
    lacking = share + reserve - sum(amount for _, amount in taken)
    return into_pools("total_reversed", taken) + (house_settled(lacking) if lacking else [])
