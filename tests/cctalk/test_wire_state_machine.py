"""Anything that can happen between host and mechanism, in any order: chips, faults, restarts of either
side, cut wires, noise, a pulled adapter. The host never tells what did not happen, nor anything twice."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from support.virtual_table import MS, S, VirtualTable

BOXES = st.integers(1, 3)


class Wire(RuleBasedStateMachine):
    """Three acceptors are enough to talk out of turn."""

    def __init__(self) -> None:
        super().__init__()
        self.table = VirtualTable(boxes=3, seed=1)
        self.table.run(3 * S)

    @rule(box=BOXES)
    def a_chip(self, box: int) -> None:
        self.table.chip(box)

    @rule(box=BOXES, number=st.integers(2, 300))
    def a_hand_faster_than_the_poll(self, box: int, number: int) -> None:
        for _ in range(number % 255):
            self.table.chip(box)

    @rule(box=BOXES, code=st.sampled_from([1, 3, 8, 20, 128, 255]))
    def an_error(self, box: int, code: int) -> None:
        self.table.fault(box, code)

    @rule(box=BOXES)
    def a_restart_of_an_acceptor(self, box: int) -> None:
        self.table.reset(box)

    @rule(box=BOXES, cut=st.booleans())
    def its_wire(self, box: int, cut: bool) -> None:
        self.table.bus.troubles[box - 1].silent = cut

    @rule(box=BOXES, number=st.integers(1, 5))
    def wrong_checksums(self, box: int, number: int) -> None:
        self.table.bus.troubles[box - 1].bad_sums = number

    @rule(box=BOXES, late_ms=st.sampled_from([0, 5, 40, 80]))
    def late_answers(self, box: int, late_ms: int) -> None:
        self.table.bus.troubles[box - 1].late_ns = late_ms * MS

    @rule(noise=st.sampled_from([0.0, 0.01, 0.05]))
    def noise(self, noise: float) -> None:
        self.table.bus.noise = noise

    @rule()
    def a_restart_of_the_daemon(self) -> None:
        self.table.restart_host()

    @rule()
    def the_adapter(self) -> None:
        if self.table.plugged:
            self.table.unplug()
        else:
            self.table.plug()

    @rule()
    def a_look_of_the_technician(self) -> None:
        self.table.host.inspect(self.table.now_ns)

    @rule(ms=st.sampled_from([1, 30, 200, 1000, 5000]))
    def time(self, ms: int) -> None:
        self.table.run(ms * MS)

    @invariant()
    def nothing_is_told_that_did_not_happen(self) -> None:
        assert self.table.false_credits == []

    def teardown(self) -> None:
        """Everything mended: every slot works again, and nothing waits to be told."""
        table = self.table
        table.bus.noise = 0.0
        for trouble in table.bus.troubles:
            trouble.silent, trouble.late_ns, trouble.bad_sums = False, 0, 0
        if not table.plugged:
            table.plug()
        table.run(15 * S)
        assert table.false_credits == []
        assert [table.unread(box) for box in (1, 2, 3)] == [0, 0, 0]
        assert {slot.state for slot in table.host.report().slots} == {"ready"}


TestWire = Wire.TestCase
TestWire.settings = settings(
    max_examples=8,
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow],
)
