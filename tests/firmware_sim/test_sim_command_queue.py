"""Commands that wait for a slot to open, and those behind them."""

from firmware_sim.acceptor import Acceptor
from firmware_sim.bus import Bus, WireSetup
from firmware_sim.command_queue import AWAIT_NS, MAX_LINES, CommandQueue
from firmware_sim.commands import Console
from firmware_sim.identity import Identity


class FixedLine:
    is_plugged = True
    device = "/dev/pts/1"

    def plug(self) -> None: ...

    def unplug(self) -> None: ...


def bench() -> tuple[Acceptor, CommandQueue]:
    acceptor = Acceptor(11, Identity(serial=700_001))
    console = Console(Bus([acceptor], WireSetup(paced=False)), FixedLine(), token_position=1)
    return acceptor, CommandQueue(console)


def open_slot(acceptor: Acceptor, now_ns: int) -> None:
    volatile = acceptor.volatile
    volatile.mask, volatile.master_on, volatile.last_poll_ns = 0xFFFF, True, now_ns


def test_a_chip_behind_await_goes_in_once_the_slot_is_open() -> None:
    acceptor, queue = bench()
    queue.add(["await 1", "chip 1", "counter 1"])
    assert queue.answers(0) == []
    assert queue.deadline_ns() == AWAIT_NS
    open_slot(acceptor, now_ns=5)
    opened, chip, counter = queue.answers(5)
    assert opened == {"ok": True, "box": 1, "open": True}
    assert (chip["accepted"], chip["at_ns"]) == (True, 5)
    assert (counter["inserted"], counter["rejected"]) == (1, 0)
    assert queue.deadline_ns() is None


def test_a_slot_that_never_opens_is_told_after_ten_seconds() -> None:
    _, queue = bench()
    queue.add(["await 1", "counter 1"])
    assert queue.answers(1) == []
    assert queue.answers(AWAIT_NS) == []
    first, second = queue.answers(AWAIT_NS + 1)
    assert (first["open"], second["counter"]) == (False, 0)


def test_a_wrong_await_is_answered_at_once() -> None:
    _, queue = bench()
    queue.add(["await", "await 9"])
    assert [answer["ok"] for answer in queue.answers(0)] == [False, False]


def test_the_queue_says_when_it_is_full() -> None:
    _, queue = bench()
    queue.add(["await 1"] * MAX_LINES)
    assert queue.answers(0) == []
    assert not queue.has_room


def test_leave_drops_what_is_held_up_and_answers_every_line() -> None:
    acceptor, queue = bench()
    queue.add(["await 1", "chip 1"])
    assert queue.answers(0) == []
    queue.add(["leave", "counter 1"])
    *left, counter = queue.answers(5)
    assert left == [{"ok": True, "left": True}] * 3
    assert counter["inserted"] == 0
    queue.add(["await 1"])
    assert queue.answers(7) == []
    assert queue.deadline_ns() == 7 + AWAIT_NS
    open_slot(acceptor, now_ns=8)
    assert queue.answers(8) == [{"ok": True, "box": 1, "open": True}]
