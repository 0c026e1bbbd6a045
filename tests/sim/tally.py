"""What an onlooker with a pencil writes down of one layout: bets, chips, awards, entries.

It knows the rules of the day as a person knows them (bet 2.00, of which 12.3457 % go onto the meter)
and shares no line with the table. Amounts are micro-cents, a euro being 100,000,000 of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

CENT = 1_000_000
BET = 200 * CENT
PER_BET = 24_691_400
"""12.3457 % of 2.00: 24.6914 cents."""

SEED = 1_000_000 * CENT
"""10,000.00."""

SIGNED_ABOVE = 300_000 * CENT
"""3,000.00."""


@dataclass
class Tally:
    """One layout. ``accounts``: what came stands above zero, what is owed or earned below."""

    accounts: dict[str, int] = field(default_factory=dict)
    bets: int = 0
    paid_cents: int = 0
    in_the_boxes: int = 0
    jackpot: int = 0

    def move(self, debit: str, credit: str, microcents: int) -> None:
        """One entry, twice."""
        for account, amount in ((debit, microcents), (credit, -microcents)):
            self.accounts[account] = self.accounts.get(account, 0) + amount

    @property
    def meter(self) -> int:
        """What the house owes on the visor."""
        return -self.accounts.get("meter", 0)

    @property
    def shown_cents(self) -> int:
        """What the visor says: whole cents, never more than is owed."""
        return self.meter // CENT

    # ---- bets ------------------------------------------------------------------------------------

    def bet(self, bets: int = 1) -> None:
        """Bets that count; below zero: that were taken back."""
        self.bets += bets
        self.move("chips", "bets", bets * BET)
        self.move("contributions", "meter", bets * PER_BET)

    def carried(self) -> None:
        """A bet of a voided hand waits; what it has added stays."""
        self.bets -= 1
        self.move("bets", "waiting", BET)

    def carried_plays(self) -> None:
        """It plays, counted once."""
        self.bets += 1
        self.move("waiting", "bets", BET)

    def carried_goes_back(self) -> None:
        """It does not play: chip and contribution are taken back."""
        self.move("waiting", "chips", BET)
        self.move("meter", "contributions", PER_BET)

    # ---- awards ----------------------------------------------------------------------------------

    def start_jackpot(self) -> None:
        """The house pays the seed."""
        self.jackpot += 1
        self.move("seeds", "meter", SEED)

    def decided(self, microcents: int, *, royal: bool) -> None:
        """Off the meter, owed to the players; after a royal flush the next jackpot starts."""
        self.move("meter", "owed", microcents)
        if royal:
            self.start_jackpot()

    def undone(self, microcents: int, *, royal: bool) -> None:
        """As if it had not been decided."""
        self.move("owed", "meter", microcents)
        if royal:
            self.jackpot -= 1
            self.move("meter", "seeds", SEED)

    def paid(self, microcents: int) -> None:
        """Handed over."""
        self.paid_cents += microcents // CENT
        self.move("owed", "cash", microcents)

    def struck(self, microcents: int) -> None:
        """It will not be handed over."""
        self.move("owed", "meter", microcents)

    # ---- entries ---------------------------------------------------------------------------------

    def corrected(self, microcents: int) -> None:
        """The meter by a signed amount; below zero it falls."""
        self.move("corrections", "meter", microcents)

    def borne(self, microcents: int) -> None:
        """The jackpot is gone, so the house pays."""
        self.move("borne", "corrections", microcents)

    def added(self, microcents: int) -> None:
        """By the house."""
        self.move("seeds", "meter", microcents)


def awards(base: int, hands: list[str], unit: int = CENT) -> list[int]:
    """What hands are paid of ``base``, the highest first, as article 8 says it to a person.

    ``royal``: all of it, shared. ``flush``: a tenth of what is left. ``twin``: equal straight
    flushes, a tenth of the base each. ``four``: a twentieth of what is left.
    """
    royals = hands.count("royal")
    left, paid = base, []
    for hand in hands:
        if hand == "royal":
            amount = base // royals
        elif royals:
            amount = 0
        elif hand == "twin":
            amount = base // 10
        else:
            amount = left // (10 if hand == "flush" else 20)
        amount -= amount % unit
        paid.append(amount)
        left -= amount
    return paid
