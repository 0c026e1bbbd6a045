"""Blocks as plain text: 100 columns, or 42 on a roll of 80 mm."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from jackpot.audit.table_book.blocks import Block, Grid, Heading, Note, PageEnd, Pair, Signatures

WIDE, NARROW = 100, 42
"""A page of A4 in a readable type; an 80 mm printer in its usual type."""


def plain(blocks: Iterable[Block], *, narrow: bool) -> str:
    """The whole text."""
    width = NARROW if narrow else WIDE
    lines = [line.rstrip() for block in blocks for line in _lines(block, width)]
    return "\n".join(lines) + "\n"


def _lines(block: Block, width: int) -> Iterator[str]:
    if isinstance(block, Heading):
        yield from ("", block.text, ("=" if block.level == 1 else "-") * width)
    elif isinstance(block, Pair):
        yield from _pair(block, width)
    elif isinstance(block, Note):
        yield from textwrap.wrap(block.text, width)
    elif isinstance(block, Grid):
        yield from _grid(block, width)
    elif isinstance(block, Signatures):
        for label in block.labels:
            yield from ("", "", f"{label}: ".ljust(width, "."))
    elif isinstance(block, PageEnd):
        yield "\f"


def _pair(pair: Pair, width: int) -> Iterator[str]:
    room = width - len(pair.value) - 1
    if len(pair.label) <= room:
        yield f"{pair.label.ljust(room)} {pair.value}"
    else:
        yield from textwrap.wrap(pair.label, width)
        yield pair.value.rjust(width)


def _grid(grid: Grid, width: int) -> Iterator[str]:
    parts, gaps = sum(grid.widths), len(grid.widths) - 1
    columns = [(width - gaps) * part // parts for part in grid.widths]
    rows = [grid.titles, *grid.rows, *([grid.sums] if grid.sums else [])]
    for row in rows:
        cells = [
            cell.rjust(columns[at]) if at in grid.right else cell.ljust(columns[at])
            for at, cell in enumerate(row)
        ]
        yield " ".join(cells)
