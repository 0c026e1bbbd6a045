"""Which frame a sign gets when: pauses, pages in turn, repeats; time is an argument."""

from __future__ import annotations

from jackpot.visor.sign_flow import SignFlow
from jackpot.visor.sign_frames import Frame
from jackpot.visor.sign_text import Page

ONE, TWO, THREE = ("1",), ("2",), ("3",)


class Plain:
    """Two frames of setup, then the page's first line; 250 ms after each."""

    def setup(self) -> tuple[Frame, ...]:
        return (Frame(b"clear", 2_000), Frame(b"memory", 250))

    def write(self, page: Page) -> Frame:
        return Frame(page[0].encode(), 250)


def sent(flow: SignFlow, until_ms: int, step_ms: int = 50) -> list[tuple[int, bytes]]:
    """Every frame up to a time, asking at regular times."""
    found = []
    for now_ms in range(0, until_ms + 1, step_ms):
        frame = flow.next(now_ms)
        if frame is not None:
            found.append((now_ms, frame.data))
    return found


def test_the_setup_goes_out_with_its_pauses_and_then_the_page_of_that_moment() -> None:
    flow = SignFlow(Plain(), [ONE])
    assert sent(flow, 2_200) == [(0, b"clear"), (2_000, b"memory")]
    flow.show([TWO])
    assert flow.next(2_250) == Frame(b"2", 250)


def test_there_is_no_queue_a_busy_sign_skips_what_came_between() -> None:
    flow = SignFlow(Plain(), [ONE])
    sent(flow, 2_250)
    for page in (TWO, THREE, ONE, THREE):
        flow.show([page])
        assert flow.next(2_300) is None, "the pause is not over"
    assert flow.next(2_500) == Frame(b"3", 250)
    assert flow.next(2_750) is None


def test_a_page_is_repeated_after_ten_seconds() -> None:
    flow = SignFlow(Plain(), [ONE])
    assert sent(flow, 12_250)[2:] == [(2_250, b"1"), (12_250, b"1")]


def test_several_pages_are_shown_in_turn_for_three_seconds_each() -> None:
    flow = SignFlow(Plain(), [ONE])
    sent(flow, 2_950)
    flow.show([TWO, THREE])
    times = [(ms, frame.data) for ms in range(3_000, 12_001, 50) if (frame := flow.next(ms))]
    assert times == [(3_000, b"2"), (6_000, b"3"), (9_000, b"2"), (12_000, b"3")]


def test_the_same_pages_again_do_not_begin_anew() -> None:
    flow = SignFlow(Plain(), [ONE])
    sent(flow, 2_950)
    flow.show([TWO, THREE])
    assert flow.next(3_000) == Frame(b"2", 250)
    flow.show([TWO, THREE])
    assert flow.next(6_000) == Frame(b"3", 250)


def test_the_deadline_is_when_something_is_due() -> None:
    flow = SignFlow(Plain(), [ONE])
    flow.next(0)
    assert flow.deadline_ms(10) == 2_000
    sent(flow, 2_500)
    assert flow.deadline_ms(2_600) == 12_250
    flow.show([TWO, THREE])
    flow.next(2_600)
    assert flow.deadline_ms(2_900) == 5_600


def test_a_sign_that_came_back_gets_everything_again() -> None:
    flow = SignFlow(Plain(), [ONE])
    sent(flow, 2_500)
    assert flow.is_settled(2_500)
    flow.restart()
    assert not flow.is_settled(2_500)
    assert flow.next(2_500) == Frame(b"clear", 2_000)


def test_settled_means_the_page_of_this_moment_is_on_the_sign() -> None:
    flow = SignFlow(Plain(), [ONE])
    sent(flow, 2_300)
    assert not flow.is_settled(2_300), "the sign still needs its pause"
    assert flow.is_settled(2_500)
    flow.show([TWO])
    assert not flow.is_settled(2_500)
