"""The hands that the croupier declared: checked, valued and put in order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import msgspec

from jackpot.errors import Refused
from jackpot.law.cards import Card, check_five_cards, hand_text
from jackpot.law.hands import HandValue, awarded_hand, classify
from jackpot.law.terms import AwardedHand, Terms


class Winner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One declared bet: its box, the player's own five cards (CAN-8.2), which bet in the box."""

    box: int
    cards: tuple[Card, ...]
    bet: int = 1


class Ranked(msgspec.Struct, frozen=True):
    """A winner with the value of its hand and the award, if these terms give one for it."""

    winner: Winner
    value: HandValue
    award: AwardedHand | None


def ranked_winners(terms: Terms, winners: Sequence[Winner]) -> list[Ranked]:
    """Every declared bet, the highest hand first, equal ones by box and bet (CAN-8.5).

    Raises ``Refused``, in this order: ``box_out_of_range``, ``bet_out_of_range``,
    ``not_five_cards``, ``card_twice`` (in one hand), ``box_twice``, ``box_with_two_hands``,
    ``card_twice`` (in two hands).
    """
    for winner in winners:
        _check_place(terms, winner)
        check_five_cards(winner.cards, terms.citations)
    _check_each_bet_once(terms, winners)
    _check_each_card_once(terms, winners)
    ranked = [_rank(terms, winner) for winner in winners]
    ranked.sort(key=lambda entry: (entry.winner.box, entry.winner.bet))
    ranked.sort(key=lambda entry: entry.value, reverse=True)
    return ranked


class Group(msgspec.Struct, frozen=True):
    """Hands of equal value that earn one and the same award."""

    award: AwardedHand
    entries: tuple[Ranked, ...]


def groups_of_equals(ranked: Sequence[Ranked]) -> list[Group]:
    """The hands that earn an award, in groups of equal value, the highest first."""
    groups: list[Group] = []
    for _, entries in groupby(ranked, key=lambda entry: entry.value):
        equals = tuple(entries)
        award = equals[0].award
        if award is not None:
            groups.append(Group(award, equals))
    return groups


def _rank(terms: Terms, winner: Winner) -> Ranked:
    value = classify(winner.cards, ace_low_in_straights=terms.ace_low_in_straights)
    award = awarded_hand(value.kind)
    return Ranked(winner, value, award if award in terms.award_shares_ppm else None)


def _check_place(terms: Terms, winner: Winner) -> None:
    if not 1 <= winner.box <= terms.boxes:
        raise Refused(
            reason="box_out_of_range",
            expected=f"a box from 1 to {terms.boxes}",
            found=str(winner.box),
            to_do="pick the box again",
            rule=terms.citations.boxes,
        )
    if not 1 <= winner.bet <= terms.bets_per_box:
        raise Refused(
            reason="bet_out_of_range",
            expected=f"at most {terms.bets_per_box} in a box",
            found=f"bet {winner.bet} in box {winner.box}",
            to_do="name only bets that the box may hold",
            rule=terms.citations.bet,
        )


def _check_each_bet_once(terms: Terms, winners: Sequence[Winner]) -> None:
    seen: set[tuple[int, int]] = set()
    for winner in winners:
        if (winner.box, winner.bet) in seen:
            raise Refused(
                reason="box_twice",
                expected="each bet once",
                found=f"box {winner.box}, bet {winner.bet} twice",
                to_do="take one of the two entries out",
                rule=terms.citations.bet,
            )
        seen.add((winner.box, winner.bet))


def _check_each_card_once(terms: Terms, winners: Sequence[Winner]) -> None:
    """A card lies in one box only; the bets of one box are bets on the same five cards."""
    hands: dict[int, frozenset[Card]] = {}
    for winner in winners:
        if hands.setdefault(winner.box, frozenset(winner.cards)) != frozenset(winner.cards):
            raise Refused(
                reason="box_with_two_hands",
                expected=f"the same five cards for every bet in box {winner.box}",
                found=hand_text(winner.cards),
                to_do="look at the cards of this box again",
                rule=terms.citations.own_cards,
            )
    boxes: dict[Card, int] = {}
    for box, cards in hands.items():
        for card in sorted(cards, key=str):
            if card in boxes:
                raise Refused(
                    reason="card_twice",
                    expected="each of the 52 cards once in a deal",
                    found=f"{card} in box {boxes[card]} and in box {box}",
                    to_do="look at both hands again; a card twice voids the deal",
                    rule=terms.citations.cards,
                )
            boxes[card] = box
