"""Whatever happens to line, board and controller: each chip once, or a question to a person."""

from __future__ import annotations

from pathlib import Path

import pytest
from board_bench import SERIAL, Rig
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from firmware_sim.board.workbench import Workbench
from jackpot.mechanism.wire_events import Continuity, Drained, Identified, Restarted

boxes = st.integers(1, 7)


class Evening(RuleBasedStateMachine):
    """``accepted``: chips that really fell in; ``excuse``: something that a person was told of."""

    program: Path
    board_may_break: bool

    def __init__(self) -> None:
        super().__init__()
        self.bench = Workbench(self.program, SERIAL)
        self.rig = Rig(self.bench)
        self.rig.run(100)
        self.serial = SERIAL
        self.accepted = 0
        self.board_broke = self.forgot_base_line = False
        self.locks = 0

    def teardown(self) -> None:
        try:
            self.end()
        finally:
            status = self.bench.close()
        assert status == 0, "the sanitizers found something"

    def end(self) -> None:
        """Everything is put right, and time passes: then the accounts must agree."""
        rig = self.rig
        wire = rig.wire
        wire.noise = wire.drop = wire.twice = 0.0
        wire.silent = wire.mute = rig.late = False
        rig.commits = True
        rig.host.line_restored(rig.now_ns)
        rig.run(8_000)
        assert len(rig.ledger.credits) <= self.accepted, "no chip from nowhere"
        if not self.board_broke and not self.forgot_base_line:
            assert len(rig.ledger.credits) == self.accepted, "none lost"
            assert rig.ledger.breaks == 0, "and nobody troubled"
        elif len(rig.ledger.credits) < self.accepted:
            assert self.forgot_base_line or rig.ledger.breaks > 0, "none lost without a word"
        assert len(rig.of(Drained)) == self.locks, "every lock is answered"
        assert self.bench.gates == sum(1 << (box - 1) for box in rig.host._wanted)

    @invariant()
    def no_chip_twice(self) -> None:
        credits = self.rig.ledger.credits
        assert len(credits) == len(set(credits))
        assert self.rig.ledger.lost == 0

    @rule(box=boxes)
    def chip(self, box: int) -> None:
        self.accepted += self.rig.chip(box)
        self.rig.run(100)

    @rule(box=boxes)
    def chip_unseen(self, box: int) -> None:
        """While the host does not run at all."""
        self.accepted += self.rig.chip(box)
        self.bench.advance(100)

    @rule(box=boxes)
    def chip_as_the_slot_closes(self, box: int) -> None:
        """In the same instant, so that the inhibit reaches the board before any time passes."""
        self.accepted += self.rig.chip(box)
        self.rig.host.accept(box, False, self.rig.now_ns)
        self.rig.run(100)

    @rule(box=boxes)
    def chip_as_the_controller_is_killed(self, box: int) -> None:
        """The next thing that the board hears is HELLO, which closes every slot."""
        self.accepted += self.rig.chip(box)
        self.controller_killed()

    @rule(box=boxes, on=st.booleans())
    def accept(self, box: int, on: bool) -> None:
        self.rig.host.accept(box, on, self.rig.now_ns)
        self.rig.run(10)

    @rule()
    def open_all(self) -> None:
        for box in range(1, 8):
            self.rig.host.accept(box, True, self.rig.now_ns)
        self.rig.run(50)

    @rule(ms=st.sampled_from((1, 10, 100, 500, 3_000)))
    def wait(self, ms: int) -> None:
        self.rig.run(ms)

    @rule()
    def slow_disk(self) -> None:
        self.rig.commits = False

    @rule()
    def one_commit(self) -> None:
        if self.rig.ledger.waiting:
            self.rig.commit()

    @rule()
    def quick_disk(self) -> None:
        self.rig.commits = True
        self.rig.take()

    @rule()
    def controller_killed(self) -> None:
        for event in self.rig.restart_controller():
            base_line = isinstance(event, Identified) and event.continuity is not (
                Continuity.CONTINUED
            )
            self.forgot_base_line |= base_line or isinstance(event, Restarted)
        self.locks = len(self.rig.of(Drained))
        self.rig.run(100)

    @rule(noise=st.sampled_from((0.0, 0.001, 0.01)), drop=st.sampled_from((0.0, 0.001, 0.01)))
    def bad_line(self, noise: float, drop: float) -> None:
        self.rig.wire.noise, self.rig.wire.drop = noise, drop

    @rule(twice=st.sampled_from((0.0, 0.5)), late=st.booleans())
    def odd_line(self, twice: float, late: bool) -> None:
        self.rig.wire.twice, self.rig.late = twice, late

    @rule(silent=st.booleans(), mute=st.booleans())
    def cut(self, silent: bool, mute: bool) -> None:
        self.rig.wire.silent, self.rig.wire.mute = silent, mute

    @rule(lost=st.booleans())
    def adapter(self, lost: bool) -> None:
        host, now_ns = self.rig.host, self.rig.now_ns
        if lost:
            host.line_lost(now_ns)
        else:
            host.line_restored(now_ns)

    @precondition(lambda self: self.board_may_break)
    @rule()
    def power_lost(self) -> None:
        self.board_broke = True
        self.bench.restart()

    @precondition(lambda self: self.board_may_break)
    @rule()
    def other_board(self) -> None:
        self.board_broke = True
        self.serial += 1
        self.bench.replace(self.serial)

    @rule()
    def lock(self) -> None:
        self.rig.host.drain(self.rig.now_ns)
        self.rig.run(1_010)
        self.locks += 1


@pytest.mark.parametrize("board_may_break", [True, False])
def test_exactly_once_whatever_happens(program: Path, board_may_break: bool) -> None:
    """Most evenings with a break end with a question, which excuses much; without one nothing is
    excused."""
    Evening.program, Evening.board_may_break = program, board_may_break
    run_state_machine_as_test(
        Evening,
        settings=settings(
            max_examples=60,
            stateful_step_count=40,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
