"""The jackpot's curve as SVG: drawn here, in whole numbers, without a script.

Hands stand side by side in their own order; a clock that stepped bends nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 1_200, 260
LEFT, RIGHT, TOP, BOTTOM = 118, 14, 18, 34
GRID_LINES = 4
LABEL_WIDTH = 76
"""A date of ten characters fits, from its beginning."""


@dataclass(frozen=True)
class Point:
    """One hand on the curve: its meter, what it says when pointed at, where it leads."""

    meter_microcents: int
    title: str
    href: str
    award: bool = False


@dataclass(frozen=True)
class Dot:
    """A point in whole pixels of the drawing."""

    x: int
    y: int
    left: int
    width: int
    point: Point


@dataclass(frozen=True)
class Line:
    """A line of the grid with the amount that it stands for."""

    y: int
    amount_microcents: int


@dataclass(frozen=True)
class Curve:
    """What the template draws."""

    width: int
    height: int
    bottom: int
    line: str
    area: str
    dots: tuple[Dot, ...]
    grid: tuple[Line, ...]
    labels: tuple[tuple[int, str], ...]
    """Where each begins, and what it says."""


def curve(points: Sequence[Point], labels: Sequence[tuple[int, str]] = ()) -> Curve | None:
    """The drawing of some hands in order; None without any. ``labels`` name points by index."""
    if not points:
        return None
    amounts = [point.meter_microcents for point in points]
    low, high = min(amounts), max(amounts)
    span = max(high - low, 1)
    across, up = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    steps = max(len(points) - 1, 1)

    def x_of(index: int) -> int:
        return LEFT + across * index // steps

    def y_of(amount_microcents: int) -> int:
        return HEIGHT - BOTTOM - up * (amount_microcents - low) // span

    dots = []
    for index, point in enumerate(points):
        x = x_of(index)
        left = (x + x_of(index - 1)) // 2 if index else LEFT
        right = (x + x_of(index + 1)) // 2 if index + 1 < len(points) else WIDTH - RIGHT
        dots.append(Dot(x, y_of(point.meter_microcents), left, max(right - left, 1), point))
    line = " ".join(f"{dot.x},{dot.y}" for dot in dots)
    base = HEIGHT - BOTTOM
    lines = tuple(
        Line(y_of(low + span * step // GRID_LINES), low + span * step // GRID_LINES)
        for step in range(GRID_LINES + 1)
    )
    return Curve(
        width=WIDTH,
        height=HEIGHT,
        bottom=base,
        line=line,
        area=f"{dots[0].x},{base} {line} {dots[-1].x},{base}",
        dots=tuple(dots),
        grid=lines if high > low else lines[:1],
        labels=tuple((min(x_of(index), WIDTH - LABEL_WIDTH), text) for index, text in labels),
    )
