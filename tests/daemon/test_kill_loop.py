"""The daemon is killed again and again while chips arrive; no chip is lost, none counts twice.

The simulator's own acceptance counters are the witness: they know nothing of the ledger.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from daemon_process import (
    SOON_S,
    Console,
    Daemon,
    at_console,
    counted,
    final_state,
    installed,
    recorded,
    wait_until,
)

from firmware_sim.process import SimulatedMechanism
from jackpot.config import Config
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.state import conserved

KILLS = 12
"""Two seconds each, most of it Python starting."""

BOXES = range(1, 8)
ONE_BET_MICROCENTS = 50_000_000
SEED_MICROCENTS = 1_000_000_000_000


def next_hand(config: Config, console: Console) -> int:
    """Finish whatever hand the kill left behind, wherever it stands, and start the next one."""
    done = counted(config)
    hand = done["hand_started"]
    if hand > done["hand_ended"]:
        if done["lock_pressed"] < hand:
            assert console.press("lock", hand=hand).status_code == 303
        wait_until(config, "hand_locked", hand)
        for box in unknown_boxes(config, hand):
            console.press("slot", hand=hand, box=box, bet="no")
        answer = console.press("no-awards", hand=hand)
        assert answer.status_code == 303, answer.text
    start(console, hand + 1)
    return hand + 1


def start(console: Console, hand: int) -> None:
    """Start a hand as soon as every slot works: on a busy machine one may be slow to answer."""
    end = time.monotonic() + SOON_S
    while (answer := console.press("start", hand=hand)).status_code != 303:
        assert 'data-reason="slot_down"' in answer.text, answer.text
        assert time.monotonic() < end, "a slot never came back"
        time.sleep(0.05)


def unknown_boxes(config: Config, hand: int) -> tuple[int, ...]:
    """Boxes whose slot stayed silent at the lock of a hand."""
    reached = [
        event
        for batch in recorded(config)
        for event in batch.events
        if batch.hand == hand and isinstance(event, f.LockReached)
    ]
    return reached[-1].unknown_boxes if reached else ()


def test_kill_loop(tmp_path: Path) -> None:
    chance = random.Random(234_1997)
    config = installed(tmp_path)
    with SimulatedMechanism(tmp_path / "line", "--no-pace") as slots:
        with Daemon(config) as daemon, at_console(daemon) as console:
            wait_until(config, "slot_up", 7)
            console.open_day()
            daemon.kill()
        for _ in range(KILLS):
            with Daemon(config) as daemon, at_console(daemon) as console:
                hand = next_hand(config, console)
                boxes = chance.sample(BOXES, 7)
                before = chance.randrange(1, 8)
                for box in boxes[:before]:
                    slots.command(f"await {box}")
                    slots.chip(box)
                if chance.random() < 0.3:
                    console.press("lock", hand=hand)
                time.sleep(chance.random() * 0.04)
                daemon.kill()
                for box in boxes[before:]:
                    slots.chip(box)  # the acceptors stay open for a second without their host
        accepted = {box: slots.command(f"counter {box}")["accepted"] for box in BOXES}
        with Daemon(config) as daemon:
            wait_until(config, "chip_seen", sum(accepted.values()))
            wait_until(config, "slot_identified", 7 * (KILLS + 2))
            assert daemon.stop() == 0
    events = [event for batch in recorded(config) for event in batch.events]
    chips = Counter(event.box for event in events if isinstance(event, f.ChipSeen))
    assert {box: chips[box] for box in BOXES} == accepted
    assert sum(accepted.values()) > 3 * KILLS
    bets = sum(isinstance(event, o.BetAccepted) for event in events)
    refused = sum(isinstance(event, o.ChipRefused) for event in events)
    assert bets + refused == sum(accepted.values())
    state = final_state(config)
    assert state.pools.jackpot_microcents == SEED_MICROCENTS + bets * ONE_BET_MICROCENTS
    assert conserved(state)
    assert not any(isinstance(event, f.SlotEventsLost | f.SlotRestarted) for event in events)
    doubtful = [e for e in events if isinstance(e, f.SlotIdentified) and e.continuity == "doubtful"]
    assert doubtful == []
    verdict = subprocess.run(
        [sys.executable, "-m", "jackpot.cli", "verify", str(config.ledger.file)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert verdict.returncode == 0, verdict.stdout + verdict.stderr
