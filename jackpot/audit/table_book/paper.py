"""Blocks as PDF, on A4 or on a roll of 80 mm, with the fonts that every reader of PDF has.

All lengths are whole points (1/72 inch).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from fpdf import FPDF

from jackpot.audit.table_book.blocks import Block, Grid, Heading, Note, PageEnd, Pair, Signatures

A4 = (595, 842)
ROLL_WIDTH = 227
"""80 mm."""
ROLL_LONGEST = 14_000
"""PDF pages end at 14,400 points; a longer roll goes on with a second piece."""

_ENCODING = "windows-1252"  # the euro, «» and every Spanish letter


def pdf(blocks: Sequence[Block], *, narrow: bool, at_ns: int, title: str) -> bytes:
    """The file; the same blocks give the same bytes. ``at_ns`` is the time it says it was made."""
    if not narrow:
        return bytes(_set(blocks, A4, 36, 9, at_ns, title).output())
    longest = _set(blocks, (ROLL_WIDTH, ROLL_LONGEST), 8, 7, at_ns, title)
    used = int(longest.get_y()) + 16 if longest.page == 1 else ROLL_LONGEST
    return bytes(_set(blocks, (ROLL_WIDTH, max(used, 100)), 8, 7, at_ns, title).output())


class _Paper(FPDF):
    """A page of ``size`` points with a margin on every side."""

    def __init__(self, size: tuple[int, int], margin: int, type_size: int) -> None:
        super().__init__(unit="pt", format=size)
        self.core_fonts_encoding = _ENCODING
        self.type_size = type_size
        self.height = type_size + 3
        self.numbered = size == A4
        self.set_margin(margin)
        self.set_auto_page_break(True, margin + (12 if self.numbered else 0))
        self.inside = size[0] - 2 * margin

    def footer(self) -> None:
        if self.numbered:
            self.set_y(-30)
            self.letters("")
            self.cell(0, self.height, f"Página {self.page_no()} de {{nb}}", align="R")

    def letters(self, style: str, more: int = 0) -> None:
        """Helvetica in the size of the page."""
        self.set_font("Helvetica", style, self.type_size + more)

    def put(self, block: Block) -> None:
        """Set one block."""
        if isinstance(block, Heading):
            self._heading(block)
        elif isinstance(block, Pair):
            self._pair(block)
        elif isinstance(block, Note):
            self.letters("")
            self._lines(block.text)
        elif isinstance(block, Grid):
            self._grid(block)
        elif isinstance(block, Signatures):
            self._signatures(block)
        elif isinstance(block, PageEnd):
            self.add_page()

    def _lines(self, text: str, align: str = "L") -> None:
        self.multi_cell(0, self.height, _known(text), align=align, new_x="LMARGIN", new_y="NEXT")

    def _heading(self, block: Heading) -> None:
        self.ln(self.height // 2)
        more = 4 if block.level == 1 else 1
        self.letters("B", more)
        high = self.height + more
        self.multi_cell(0, high, _known(block.text), align="L", new_x="LMARGIN", new_y="NEXT")
        y = int(self.get_y()) + 1
        self.line_across(y)
        self.set_y(y + 2)

    def line_across(self, y: int) -> None:
        """A rule over the whole width."""
        self.line(self.l_margin, y, self.l_margin + self.inside, y)

    def _pair(self, block: Pair) -> None:
        self.letters("B" if block.strong else "")
        label, value = _known(block.label), _known(block.value)
        room = self.inside - int(self.get_string_width(value)) - 6
        if room < int(self.get_string_width(label)):
            self._lines(block.label)
            self._lines(block.value, "R")
            return
        self.cell(room, self.height, label)
        self.cell(0, self.height, value, align="R", new_x="LMARGIN", new_y="NEXT")

    def _grid(self, grid: Grid) -> None:
        parts = sum(grid.widths)
        columns = [self.inside * part // parts for part in grid.widths]
        self._row(grid.titles, columns, grid.right, "B")
        for row in grid.rows:
            if self.will_page_break(self.height):
                self.add_page()
                self._row(grid.titles, columns, grid.right, "B")
            self._row(row, columns, grid.right, "")
        if grid.sums is not None:
            self._row(grid.sums, columns, grid.right, "B")

    def _row(
        self, row: tuple[str, ...], columns: list[int], right: frozenset[int], style: str
    ) -> None:
        self.letters(style)
        for at, text in enumerate(row):
            self.cell(columns[at], self.height, _known(text), align="R" if at in right else "L")
        self.ln(self.height)

    def _signatures(self, block: Signatures) -> None:
        """Room for a hand, and the line below it."""
        self.letters("")
        for label in block.labels:
            self.ln(self.height * 3)
            y = int(self.get_y())
            self.line_across(y)
            self._lines(label)


def _known(text: str) -> str:
    """What the fonts do not have becomes a question mark; the minus sign a hyphen."""
    return text.replace("−", "-").encode("cp1252", "replace").decode("cp1252")


def _set(
    blocks: Sequence[Block],
    size: tuple[int, int],
    margin: int,
    type_size: int,
    at_ns: int,
    title: str,
) -> _Paper:
    paper = _Paper(size, margin, type_size)
    paper.set_title(title)
    paper.set_lang("es")
    paper.set_creation_date(datetime.fromtimestamp(at_ns // 1_000_000_000, UTC))
    paper.add_page()
    for block in blocks:
        paper.put(block)
    return paper
