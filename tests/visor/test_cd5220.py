"""CD5220: the manual's commands byte by byte, and a strict display draws exactly the page."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_sim.signs.cd5220 import PoleDisplay
from jackpot.visor.cd5220 import Cd5220Frames
from jackpot.visor.sign_text import plain


def test_the_setup_leaves_the_string_mode_first() -> None:
    frames = Cd5220Frames().setup()
    assert [frame.data.hex(" ") for frame in frames] == ["0c 1b 40", "0c 1b 5f 00"]


def test_a_page_is_two_lines_of_twenty_characters() -> None:
    frame = Cd5220Frames().write(("JACKPOT MESA 7", "10.000,00 EUR"))
    assert frame.data == b"\x1bQAJACKPOT MESA 7      \x0d\x1bQB10.000,00 EUR       \x0d"


@given(st.lists(st.text(max_size=50), min_size=2, max_size=2))
def test_a_strict_display_takes_every_page_and_draws_it(lines: list[str]) -> None:
    frames, display = Cd5220Frames(), PoleDisplay()
    for frame in (*frames.setup(), frames.write(("OLD", "TEXT")), *frames.setup()):
        display.feed(frame.data, 0)
    display.feed(frames.write(tuple(lines)).data, 0)
    assert display.picture() == [plain(line)[:20].ljust(20) for line in lines]
    assert display.tally.report()["bad"] == 0
