"""``python playing_table.py CONFIG SEED [AWARDS PAUSE_MS]``: a real table that plays by itself until SIGTERM.

``AWARDS`` of a hundred hands have one, ``PAUSE_MS`` lie between two acts. The table has no idea of
what fails around it; killed anywhere, it goes on from its ledger. Every line that it prints is one thing that
happened.
"""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from pathlib import Path

from support.linked_floor import FOUR_ACES, ROYAL_FLUSH, FloorTable

from jackpot.config import load_config_file
from jackpot.daemon.running import Surroundings, running_table
from jackpot.errors import Refused
from jackpot.table import facts as f
from jackpot.table.facts import DeclaredHand
from jackpot.table.state import Phase, unpaid

PAUSE_MS = 50
AWARD_PERCENT, ROYAL_PERCENT = 12, 10
"""Of the hands, those with an award unless told otherwise; of these, the royal flushes."""


class Staff:
    """Does whatever is due at the table, once."""

    def __init__(self, table: FloorTable, chance: random.Random, award_percent: int) -> None:
        self._table = table
        self._chance = chance
        self._award_percent = award_percent
        self.leaving = False

    async def step(self) -> bool:
        """Whether something was done. Raises ``Refused``: somebody has to wait."""
        table, state = self._table, self._table.state
        number = state.hand_number
        match state.phase:
            case Phase.CLOSED:
                await table.open()
            case Phase.BETWEEN_HANDS if state.carrusel is None:
                await table.act(
                    f.CarruselJoinAsked(
                        by="j1", second="d1", carrusel="sala", authorisation="2026/9"
                    )
                )
            case Phase.BETWEEN_HANDS if not self.leaving:
                await table.act(f.HandStarted(by="c1", hand=number + 1))
            case Phase.BETTING:
                await table.act(f.LockPressed(by="c1", hand=number))
            case Phase.LOCKED if self._chance.randrange(100) < self._award_percent:
                royal = self._chance.randrange(100) < ROYAL_PERCENT
                hand = DeclaredHand(1, ROYAL_FLUSH if royal else FOUR_ACES)
                await table.act(f.AwardsDeclared(by="c1", hand=number, hands=(hand,)))
            case Phase.LOCKED:
                await table.act(f.NoAwardsDeclared(by="c1", hand=number))
            case Phase.DECLARED:
                await table.act(f.AwardsConfirmed(by="j1", hand=number))
            case Phase.DECIDED:
                total = sum(payment.cents for payment in unpaid(state))
                await table.act(f.AwardsSigned(by="d1", hand=number, total_cents=total))
            case Phase.PAYABLE:
                one = unpaid(state)[0]
                paid = f.AwardPaid(by="c1", hand=number, box=one.box, cents=one.cents)
                await table.act(paid)
            case Phase.TOTAL:
                chips = self._chance.randrange(1, 8)
                await table.act(
                    f.TotalEntered(by="c1", hand=number, chips=chips, cents=200 * chips)
                )
                await table.act(f.TotalFinal(by="c1", hand=number, chips=chips))
            case _:
                return False
        return True

    @property
    def at_rest(self) -> bool:
        """Between two hands, with nothing open."""
        return self._table.state.phase is Phase.BETWEEN_HANDS


async def play(
    config: Path, seed: int, award_percent: int = AWARD_PERCENT, pause_ms: int = PAUSE_MS
) -> None:
    """Until SIGTERM; then the running hand is ended, and the link still has some seconds to tell."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    around = Surroundings(lock_directory=config.parent / "locks", screens=False)
    async with running_table(load_config_file(config), around) as running:
        print("ready", flush=True)
        staff = Staff(FloorTable(running), random.Random(seed), award_percent)
        while not (stop.is_set() and staff.at_rest):
            staff.leaving = stop.is_set()
            try:
                await staff.step()
            except Refused:
                await asyncio.sleep(pause_ms / 1_000)  # the link is lost, or an answer is due
            await asyncio.sleep(pause_ms / 1_000)
        print("at rest", flush=True)
        await asyncio.sleep(3600)  # until it is killed: it goes on telling and applying


if __name__ == "__main__":
    asyncio.run(play(Path(sys.argv[1]), *map(int, sys.argv[2:])))
