"""The jackpot's curve as SVG: drawn here, in whole numbers, without a script.

Hands stand side by side in their own order; a clock that stepped bends nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jackpot.money import MICROCENTS_PER_CENT

WIDTH, HEIGHT = 1_200, 260
LEFT, RIGHT, TOP, BOTTOM = 118, 14, 18, 34
GRID_LINES = 5
"""At most; as round amounts as there are."""

ROUND_STEPS = tuple(cents * 10**power for power in range(13) for cents in (1, 2, 5))
"""Cents between two lines: 0.01, 0.02, 0.05, 0.10 … of a euro, up to more than a meter can hold."""

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
    ends = [(dot.x, dot.y) for dot in dots]
    if len(ends) == 1:  # one hand alone: its level, as wide as the drawing
        ends.append((WIDTH - RIGHT, dots[0].y))
    line = " ".join(f"{x},{y}" for x, y in ends)
    base = HEIGHT - BOTTOM
    return Curve(
        width=WIDTH,
        height=HEIGHT,
        bottom=base,
        line=line,
        area=f"{dots[0].x},{base} {line} {ends[-1][0]},{base}",
        dots=tuple(dots),
        grid=tuple(Line(y_of(amount), amount) for amount in round_amounts(low, high)),
        labels=tuple((min(x_of(index), WIDTH - LABEL_WIDTH), text) for index, text in labels),
    )


def round_amounts(low_microcents: int, high_microcents: int) -> list[int]:
    """Round amounts from the lowest to the highest one; the lowest itself where there is none."""
    steps = (cents * MICROCENTS_PER_CENT for cents in ROUND_STEPS)
    step = next(s for s in steps if s * GRID_LINES > high_microcents - low_microcents)
    first = -(-low_microcents // step) * step
    return list(range(first, high_microcents + 1, step)) or [low_microcents]
