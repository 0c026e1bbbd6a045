"""What has to follow from the acts within a hand: bets, awards, payments, the end, a void."""

from __future__ import annotations

from collections.abc import Sequence

from jackpot.audit.checker.acts import different
from jackpot.audit.checker.awards import Decision, Declared, decide
from jackpot.audit.checker.cards import awarded, cards_of
from jackpot.audit.checker.due import (
    Due,
    Fact,
    Info,
    bet,
    hands_left,
    in_service,
    into_pools,
    item,
    reversals,
    started,
    terms,
    terms_row,
    text,
)
from jackpot.audit.checker.findings import Findings, owed, place
from jackpot.audit.checker.membership import claimed, plays
from jackpot.audit.checker.pools import reversal
from jackpot.audit.checker.state import BETTING, Chip, Table


def hand_started(table: Table, _fact: Fact, findings: Findings) -> Sequence[Due]:
    """Not after the last announced hand (CAN-7.3b), not with a slot out of service (CAN-8.b2)
    or under test (CAN-7.1)."""
    if table.hands_left is not None and table.hands_left <= 0:
        findings.wrong(
            "countdown", "a hand after the last one", "the table to close", "a hand", "CAN-7.3b"
        )
    in_service(table, "hand_started", findings)
    if table.test is not None:
        findings.wrong(
            "slot_tests", "a hand during a slot's test", "its end", table.test, "CAN-7.1"
        )
    plays(table, findings)
    down = set() if table.manual else table.slots_down()
    if down:
        findings.wrong(
            "slots",
            "a hand with a slot out of service",
            "every open box with a working slot",
            f"boxes {sorted(down)} down",
            "CAN-8.b2",
        )
    return ()


def lock_pressed(table: Table, _fact: Fact, findings: Findings) -> Sequence[Due]:
    """A chip that waits for this hand is decided before the lock (CAN-8.1)."""
    room = terms(table).bets_per_box
    undecided = [chip.box for chip in table.waiting if table.bets_in(chip.box) < room]
    if undecided:
        findings.wrong(
            "bets",
            "locked with chips undecided",
            "a decision on each",
            f"boxes {undecided}",
            "CAN-8.1",
        )
    if not table.manual:
        return ()
    if table.waits_for_view:
        says = "locked without a total to show"
        findings.wrong("carrusel", says, "carrusel_viewed", "none", "CAN-9")
    return [("hand_locked", None, 0, table.shown_microcents, None)]


def slot_decided(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Only a box whose slot stayed silent at the lock may be told by the croupier (CAN-8.b2)."""
    box = fact.box
    if box not in table.unknown:
        findings.wrong(
            "bets", "a bet asserted where the slot spoke", sorted(table.unknown), box, "CAN-8.b2"
        )
    return bet(table, box, "asserted") if fact.info["bet"] else ()


def _nothing_unknown(table: Table, findings: Findings) -> None:
    if table.unknown:
        findings.wrong(
            "bets",
            "a silent box was not looked into",
            "a decision on each",
            f"boxes {sorted(table.unknown)}",
            "CAN-8.b2",
        )


def awards_declared(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Each declared hand has a bet and earns an award; no card lies in two boxes."""
    _nothing_unknown(table, findings)
    declared = declared_of(fact.info)
    total_before_awards(table, len(declared), findings)
    if not declared:
        findings.wrong("cards", "nothing declared", "at least one hand", "none", "CAN-8.2")
    if len({(one.box, one.bet) for one in declared}) != len(declared):
        findings.wrong("cards", "a bet declared twice", "each once", fact.info["hands"], "CAN-8.2")
    there = {(one.box, one.number) for one in table.bets}
    hands: dict[int, frozenset[tuple[int, str]]] = {}
    for one in declared:
        if (one.box, one.bet) not in there and not table.hand_manual:
            bets = "; ".join(place(*each) for each in sorted(there)) or "nothing"
            findings.wrong("bets", "a winner without a bet", bets, one, "CAN-8.b2")
        award = awarded(one.cards, terms(table).ace_low_in_straights)
        if award is None or award[0] not in terms(table).award_shares_ppm:
            findings.wrong(
                "cards", "a declared hand that earns nothing", "an awarded hand", one, "CAN-8.3"
            )
        cards = cards_of(one.cards)
        if hands.setdefault(one.box, cards) != cards:
            findings.wrong("cards", "two hands in one box", "the same cards", one, "CAN-8.2")
    every = [card for cards in hands.values() for card in cards]
    if len(set(every)) != len(every):
        findings.wrong(
            "cards", "a card lies twice", "52 different cards", fact.info["hands"], "CAN-2.1"
        )
    return ()


def declared_of(info: Info) -> list[Declared]:
    """The declared hands of an event."""
    return [Declared(one["box"], one["bet"], one["cards"]) for one in info["hands"]]


def no_awards_declared(table: Table, _fact: Fact, findings: Findings) -> Sequence[Due]:
    """The hand is over."""
    _nothing_unknown(table, findings)
    total_before_awards(table, 0, findings)
    return closes(table, "no_awards")


def total_before_awards(table: Table, winning_bets: int, findings: Findings) -> None:
    """Under ``before_awards`` the total is final first, and not below the winning bets (CAN-8.b1)."""
    if not table.hand_manual or terms(table).policies.manual_total != "before_awards":
        return
    if table.total is None or not table.total_is_final:
        says = "awards declared before the total"
        findings.wrong("totals", says, "a final total", "none", "CAN-8.b1")
    else:
        covers_winners(table.total[0], winning_bets, findings)


def covers_winners(chips: int, winning_bets: int, findings: Findings) -> None:
    """There are no more winning bets than bets (CAN-8.b1)."""
    if chips < winning_bets:
        says = "a total below the winning bets"
        findings.wrong("totals", says, f"at least {winning_bets}", chips, "CAN-8.b1")


def closes(table: Table, how: str) -> list[Due]:
    """The end of a hand; in manual mode its last step is the total, if that is not final."""
    if table.hand_manual and not table.total_is_final:
        return [("total_due", None, None, None, f'{{"how":"{how}"}}')]
    return ended(table, how)


def ended(table: Table, how: str) -> list[Due]:
    """The end of a hand, and the countdown of CAN-7.3b; a voided hand is played again."""
    rows: list[Due] = [("hand_ended", None, None, None, f'{{"hand":{table.hand},"how":"{how}"}}')]
    if table.hands_left is not None and how != "voided":
        rows.append(hands_left(table.hands_left - 1))
    return rows


def base_of(table: Table) -> int:
    """The amount that this hand's awards are computed on (policy ``base_of_hand``), never more than
    the meter holds."""
    policy = terms(table).policies.base_of_hand
    locked = table.lock_meter_microcents
    if locked is None and table.hand_manual:
        locked = table.start_meter_microcents  # shown since the last hand; the key is optional
    base = {
        "at_lock": locked,
        "at_hand_start": table.start_meter_microcents,
        "at_payment": table.meter_microcents,
    }[policy]
    if base is None:
        raise ValueError("an award in a hand that was not locked")
    return min(base, table.meter_microcents)


def awards_confirmed(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Frozen, decided, deducted, restarted: all of it recomputed from the cards; or, in a carrusel,
    claimed."""
    different("declaring and confirming an award", table.declared_by, fact.info["by"], findings)
    if table.carrusel is not None:
        return claimed(table, findings)
    force, base = terms(table), base_of(table)
    after = force if table.pending is None else table.pending.terms
    decision = decide(force, after, base, table.pools, table.declared)
    award = table.awards + 1
    frozen = {"award": award, "meter_microcents": table.meter_microcents}
    return [
        ("awards_frozen", None, None, base, text(frozen)),
        *_payments(decision),
        _decided(decision, award, force.second_signature_over_cents),
        *_restarted(table, decision),
        *(closes(table, "paid") if decision.total_cents == 0 else ()),
    ]


def _payments(decision: Decision) -> list[Due]:
    return [
        (
            "payment_decided",
            paid.box,
            paid.cents,
            None,
            text({"hand": paid.award, "rule": paid.rule, "bet": paid.bet}),
        )
        for paid in decision.payments
    ]


def _decided(decision: Decision, award: int, over_cents: int) -> Due:
    info = {
        "award": award,
        "house_microcents": decision.house,
        "restart": decision.restart is not None,
        "second_signature": decision.total_cents > over_cents,
    }
    return ("awards_decided", None, decision.total_cents, decision.from_base, text(info))


def _restarted(table: Table, decision: Decision) -> list[Due]:
    """After the whole was taken the next jackpot starts, with the terms that waited for it."""
    if decision.restart is None:
        return []
    rows = [] if table.pending is None else [terms_row("terms_in_force", table.pending)]
    rows.append(started(decision.restart))
    if decision.from_seed:
        rows.append(("paid_from_seed", None, None, decision.from_seed, None))
    return rows


def awards_signed(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Somebody who neither declared nor confirmed signs the decided amount."""
    for earlier in (table.declared_by, table.confirmed_by):
        different("signing an award", earlier, fact.info["by"], findings)
    if fact.cents != table.hand_total_cents:
        expected, found = f"{table.hand_total_cents} cents", f"{fact.cents} cents"
        findings.wrong("signed_amounts", "another amount signed", expected, found, "CAN-8.7")
    return ()


def award_paid(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """What is handed over was decided and is not paid yet; with the last one the hand ends."""
    box = fact.box
    where = (box, fact.info["bet"])
    if table.unpaid.get(where) != fact.cents:
        expected, found = owed(table.unpaid), owed({where: fact.cents or 0})
        findings.wrong("payments", "paid what is not owed", expected, found, "CAN-8.7")
    rest = len(table.unpaid) - (where in table.unpaid)
    return closes(table, "paid") if rest == 0 else ()


def slip_printed(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """Of a payment that was handed over; and there is one original of it (CAN-8.7)."""
    where, award = (fact.box, fact.info["bet"]), fact.info["award"]
    payment = table.payment(award, where)
    if payment is None or payment.open:
        says = "a slip of what was not paid"
        found = f"award {award}, {place(*where)}"
        findings.wrong("payments", says, "a payment", found, "CAN-8.7")
    elif payment.printed and not fact.info["copy"]:
        says = "a second original of a slip"
        findings.wrong("payments", says, "a copy", place(*where), "CAN-8.7")
    return ()


def hand_voided(table: Table, _fact: Fact, _: Findings) -> Sequence[Due]:
    """A misdeal (CAN-10.1): every bet is taken back exactly, or waits with its contribution."""
    if table.hand_manual:
        return [*_total_back(table), *ended(table, "voided")]
    if terms(table).policies.void_bets == "carry":
        carried: list[Due] = [
            ("bet_carried", one.box, one.cents, None, f'{{"bet":{one.number}}}')
            for one in table.bets
        ]
        return [*carried, *ended(table, "voided")]
    rows: list[Due] = []
    pools = dict(table.pools)
    for ahead, one in enumerate(reversed(table.bets)):
        taken = reversal(pools, one.moved, ())
        for pool, amount in taken:
            pools[pool] -= amount
        rows += reversals(one.box, taken)
        rows.append(("bet_returned", one.box, one.cents, None, None))
        rows.append(item(table, one.box, "hand_back_chip", ahead))
    return [*rows, *ended(table, "voided")]


def _total_back(table: Table) -> list[Due]:
    """A final total of a voided hand is taken back; the replayed hand has its own."""
    if table.total is None or not table.total_is_final:
        return []
    chips, cents = table.total
    taken = reversal(table.pools, table.total_moved, ())
    back: Due = ("total_returned", None, cents, None, f'{{"chips":{chips}}}')
    return [*into_pools("total_reversed", taken), back]


def chip_decided(table: Table, fact: Fact, findings: Findings) -> Sequence[Due]:
    """A waiting chip plays once its initial bet is there (CAN-8.1); else it goes back."""
    box = fact.box
    chip = table.waiting_in(box)
    if chip is None:
        findings.wrong("bets", "a decision on no chip", "a waiting chip", f"box {box}", "CAN-8.1")
        return ()
    if not fact.info["plays"]:
        return chip_goes_back(table, chip)
    if table.phase != BETTING:
        findings.wrong("phases", "a waiting chip plays", BETTING, table.phase, "CAN-8.1")
    if table.bets_in(box) >= terms(table).bets_per_box:
        says = "a waiting chip plays in a box that has its bet"
        findings.wrong("bets", says, terms(table).bets_per_box, table.bets_in(box) + 1, "CAN-8.1")
    return bet(table, box, chip.source)


def chip_goes_back(table: Table, chip: Chip) -> list[Due]:
    """A waiting chip that does not play; a carried one takes back what it had moved."""
    later = [step for other in table.waiting if other is not chip for step in other.moved]
    later += [step for one in table.bets for step in one.moved]
    rows = reversals(chip.box, reversal(table.pools, chip.moved, later))
    if chip.source == "carried":
        rows.append(("bet_returned", chip.box, chip.cents, None, None))
    return [*rows, item(table, chip.box, "hand_back_chip")]
