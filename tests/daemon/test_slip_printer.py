"""Slips of a running table, read from its committed ledger by a process of its own (CAN-8.7)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from daemon_process import TEXT, installed

from jackpot.daemon.running import Surroundings, running_table
from jackpot.daemon.slip_printer import SlipPrinter
from jackpot.errors import Refused
from jackpot.table import facts as f

MANUAL = TEXT.replace("[jackpot]", '[jackpot]\nmode = "manual"').replace(
    '[slots]\nport = "line"\n', ""
)
FOUR_ACES = f.DeclaredHand(box=3, cards="As Ah Ad Ac 2d")


def _text(page: bytes) -> str:
    done = subprocess.run(["pdftotext", "-layout", "-", "-"], input=page, capture_output=True)
    return done.stdout.decode()


async def test_CAN_8_7_the_slip_of_a_running_table_on_both_papers(tmp_path: Path) -> None:
    config = installed(tmp_path, MANUAL)
    around = Surroundings(screens=False, lock_directory=tmp_path)
    printer = SlipPrinter(config.ledger.file, "Atlantic/Canary")
    acts = (
        f.DayOpened(by="c1", second="j1", day="2026-11-30", displayed_cents=1_000_000),
        f.HandStarted(by="c1", hand=1),
        f.AwardsDeclared(by="c1", hand=1, hands=(FOUR_ACES,)),
        f.AwardsConfirmed(by="j1", hand=1),
        f.AwardPaid(by="c1", hand=1, box=3, cents=50_000),  # 5 % of 10,000.00
    )
    async with running_table(config, around) as table:
        for number, act in enumerate(acts, 1):
            await table.desk.act(act, form=f"s.{number}")
        original = _text(await printer.slip(1, 3, 1, a4=False, copy=False))
        copy = _text(await printer.slip(1, 3, 1, a4=True, copy=True))
        with pytest.raises(Refused, match="slip_failed"):
            await printer.slip(2, 3, 1, a4=False, copy=False)
    assert "500,00" in original
    assert "quinientos euros" in original
    assert "COPIA" not in original
    assert "COPIA - REIMPRESIÓN" in copy
