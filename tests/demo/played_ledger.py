"""A ledger of the demonstration, read with plain SQL: what the tests compare with their own sums."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from jackpot.daemon.demo.game import Script
from jackpot.daemon.demo.headless import play_headless
from jackpot.daemon.demo.house import demo_house
from jackpot.daemon.demo.rigs import parse_rigs


def play(folder: Path, hands: int, rigs: str = "", seed: int = 1) -> list[str]:
    """Play headless; what it said."""
    said: list[str] = []
    script = Script(seed=seed, rigs=parse_rigs(rigs), hands=hands, speed=0)
    asyncio.run(play_headless(demo_house(folder, port=0), folder, script, said.append))
    return said


def ledger_of(folder: Path) -> Path:
    return folder / "ledger" / "table.ledger"


def rows(folder: Path, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{ledger_of(folder)}?mode=ro", uri=True)) as connection:
        return connection.execute(sql, values).fetchall()


def of_kind(folder: Path, kind: str) -> list[tuple[Any, ...]]:
    """``(hand, box, cents, microcents)`` of every event of one kind, in order."""
    return rows(
        folder,
        "SELECT hand, box, cents, microcents FROM event JOIN batch USING (batch) "
        "WHERE kind = ? ORDER BY seq",
        (kind,),
    )


def meter_microcents(folder: Path) -> int:
    return int(rows(folder, "SELECT microcents FROM meter WHERE pool = '1/jackpot'")[0][0])


def payments(folder: Path) -> list[tuple[int, int, int]]:
    """``(hand, box, cents)`` of every decided payment, in paying order."""
    return [(hand, box, cents) for hand, box, cents, _ in of_kind(folder, "payment_decided")]
