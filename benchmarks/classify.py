"""How many hands of five cards one core classifies in a minute, and how much of that is our own work.

Run: ``.venv/bin/python benchmarks/classify.py [--hands 400000]``.

The hands are dealt beforehand. The ratio compares with a plain look at the same five cards (ranks
sorted, suits counted), below which no evaluation can go in this language.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence

from tools import report

from jackpot.law.cards import DECK, Card
from jackpot.law.hands import classify

Hand = Sequence[Card]


def look(cards: Hand) -> tuple[list[int], int]:
    """The least that any evaluation must do."""
    return sorted(card.rank for card in cards), len({card.suit for card in cards})


def by_the_law(cards: Hand) -> object:
    """As the console, the awards and the croupier of the demonstration do it (CAN-2.1)."""
    return classify(cards, ace_low_in_straights=False)


def per_minute(work: Callable[[Hand], object], hands: Sequence[Hand]) -> float:
    """Hands a minute of this process's own time."""
    began_ns = time.process_time_ns()
    for hand in hands:
        work(hand)
    return len(hands) * 60e9 / (time.process_time_ns() - began_ns)


def main() -> None:
    """Print both rates and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=400_000)
    options = parser.parse_args()
    pack, chance = list(DECK), random.Random(1)  # noqa: S311 - repeatable
    hands = [chance.sample(pack, 5) for _ in range(options.hands)]
    per_minute(by_the_law, hands[: options.hands // 10])
    law, plain = per_minute(by_the_law, hands), per_minute(look, hands)
    print(f"classified  {law / 1e6:7.1f} million hands a minute")
    print(f"plain look  {plain / 1e6:7.1f} million hands a minute")
    print(f"ratio       {law / plain:7.2f}")
    report("classify", ratio=round(law / plain, 3), hands_a_minute=round(law))


if __name__ == "__main__":
    main()
