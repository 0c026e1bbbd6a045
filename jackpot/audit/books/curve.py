"""The curve of the jackpot over a period, drawn with whole points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fpdf import FPDF

from jackpot.audit.books.period import Meter
from jackpot.law.words import cents_text
from jackpot.money import cents_rounded_down

HEIGHT = 150
LABEL = 7
GREY, BLACK = 170, 0

MOST_DAY_LINES = 40
"""More vertical lines than this would hide the curve."""


def draw_curve(paper: FPDF, meter: Meter, language: str, left: int, width: int) -> None:
    """The meter after every movement, in the order of the ledger; grey lines begin a gaming day."""
    values = meter.curve_microcents
    if not values:
        return
    if int(paper.get_y()) + HEIGHT + 3 * LABEL > int(paper.h) - left:
        paper.add_page()
    top = int(paper.get_y()) + LABEL + 1
    least, most = min(values), max(values)
    paper.set_draw_color(GREY)
    paper.rect(left, top, width, HEIGHT)
    if len(meter.day_starts) <= MOST_DAY_LINES:
        for start in meter.day_starts[1:]:
            at = left + start * width // len(values)
            paper.line(at, top, at, top + HEIGHT)
    paper.set_draw_color(BLACK)
    points = [
        (left + x, top + HEIGHT - (value - least) * HEIGHT // max(most - least, 1))
        for x, value in thinned(values, width)
    ]
    paper.polyline(points if len(points) > 1 else points * 2)
    paper.set_font("Helvetica", size=LABEL)
    for value, y in ((most, top - LABEL - 1), (least, top + HEIGHT)):
        paper.set_xy(left, y)
        paper.cell(width, LABEL + 1, cents_text(cents_rounded_down(value), language))
    paper.set_y(top + HEIGHT + 2 * LABEL)


def thinned(values: Sequence[int], width: int) -> Iterator[tuple[int, int]]:
    """At most four values for each of ``width`` points: first, least, most, last of its stretch."""
    for x in range(width):
        stretch = values[x * len(values) // width : (x + 1) * len(values) // width]
        if stretch:
            kept = (stretch[0], min(stretch), max(stretch), stretch[-1])
            yield from ((x, value) for value in dict.fromkeys(kept))
