"""The report of a period as PDF, on A4, with the fonts that every reader of PDF has.

All lengths are whole points (1/72 inch). The fonts are written in Windows-1252, which has the euro,
«», dashes and every letter of Spanish; another character of a typed reason shows as a question mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from fpdf import FPDF
from fpdf.enums import XPos, YPos

from jackpot.audit.books.curve import BLACK, GREY, draw_curve
from jackpot.audit.books.period import Drop, Listed, Period
from jackpot.audit.books.report_words import WORDS
from jackpot.audit.casino_time import both_times, casino_zone
from jackpot.audit.field_words import fields_text
from jackpot.audit.reasons import reason_text
from jackpot.audit.source import Source
from jackpot.audit.words import HANDS, KINDS
from jackpot.law.words import Language, cents_text, microcents_text

MARGIN, WIDTH = 40, 515
"""A4 is 595 points wide."""

TEXT, HEADING, TITLE, LINE = 9, 12, 18, 13
_NS_PER_S = 1_000_000_000
_ENCODING = "windows-1252"


def report_pdf(source: Source, figures: Period, language: str) -> bytes:
    """The whole report in ``es`` or ``en``. The same ledger and period give the same bytes."""
    paper = _Paper(source, figures, language)
    paper.all()
    return bytes(paper.output())


def _day_signers(day: Mapping[str, Any], what: str) -> str:
    """Who signed the opening or the closing of a day; empty where nobody has."""
    signers = (day[f"{what}_by"], day[f"{what}_second"])
    return " ".join(str(signer) for signer in signers if signer is not None)


class _Paper(FPDF):
    """The sheets, section by section."""

    def __init__(self, source: Source, figures: Period, language: str) -> None:
        super().__init__(unit="pt", format="A4")
        self.core_fonts_encoding = _ENCODING
        self.source, self.figures, self.language = source, figures, language
        self.zone = casino_zone(source)
        last = source.rows("SELECT at_ns FROM batch WHERE batch = ?", (source.batch,))
        at_s = last[0][0] // _NS_PER_S if last else 0
        self.set_creation_date(datetime.fromtimestamp(at_s, UTC))
        self.set_title(self.word("title"))
        self.set_lang("es-ES" if language == "es" else "en-GB")
        self.set_margin(MARGIN)
        self.set_auto_page_break(True, MARGIN)

    def word(self, name: str, **values: object) -> str:
        """A text in the language of the report."""
        text = WORDS[name].text(self.language)
        return text.format(**values) if values else text

    def footer(self) -> None:
        """Which ledger, and which page of how many."""
        self.set_y(-MARGIN)
        self.set_font("Helvetica", size=TEXT - 2)
        page = self.word("page", page=self.page_no())
        self.cell(WIDTH, LINE, f"{self.source.about.get('origin', '')} - {page}", align="C")

    def all(self) -> None:
        """Every section."""
        self.add_page()
        self._head()
        self._summary()
        self._days()
        self._chips()
        self._awards()
        self._settlements()
        self._faults()
        self._corrections()
        self._signatures()

    # ---- sections --------------------------------------------------------------------------------

    def _head(self) -> None:
        about = self.source.about
        self.set_font("Helvetica", "B", TITLE)
        self._line(self.word("title"), 2 * LINE)
        self.set_font("Helvetica", size=HEADING)
        self._line(self.word("period", first=self.figures.first, last=self.figures.last), 2 * LINE)
        if warning := self.source.standing.warning(Language(self.language)):
            self.set_font("Helvetica", "B", TEXT)
            self._paragraph(warning)
        end = self.word("end_is", batch=self.source.batch, hash=self.source.hash)
        for name, value in (
            ("table", about.get("origin", "")),
            ("ledger", about.get("id", "")),
            ("key", about.get("vkey", "")),
            ("end", end),
            ("times_are", self.word("beside_utc", zone=self.zone.key)),
        ):
            self.set_font("Helvetica", size=TEXT)
            self._paragraph(f"{self.word(name)}: {value}")
        self._paragraph(self.word("proof"))

    def _summary(self) -> None:
        figures = self.figures
        self._heading("summary")
        if not figures.meters:
            self._paragraph(self.word("no_days"))
            return
        ends: list[tuple[str, str]] = []
        for layout, meter in sorted(figures.meters.items()):
            for word, held in (("start", meter.start_microcents), ("finish", meter.end_microcents)):
                amount = "-" if held is None else self._microcents(held)
                ends.append((f"{self.word(word)} {layout}", amount))
        self._table(
            None,
            [
                *ends,
                (self.word("hands"), str(self._sum("hands"))),
                (self.word("bets"), str(self._sum("bets"))),
                (self.word("bets_amount"), self._cents(self._sum("bets_cents"))),
                (self.word("awards_amount"), self._cents(self._sum("paid_cents"))),
            ],
            (3, 2),
            "LR",
        )
        self._heading("curve")
        for layout, meter in sorted(figures.meters.items()):
            if len(figures.meters) > 1:
                self._paragraph(layout)
            draw_curve(self, meter, self.language, MARGIN, WIDTH)

    def _days(self) -> None:
        self._heading("days")
        rows = [
            (
                day["day"],
                str(day["hands"]),
                str(day["bets"]),
                self._cents(day["bets_cents"]),
                self._cents(day["paid_cents"]),
                self._cents(day["opening_cents"]),
                self._cents(day["closing_cents"]),
                f"{_day_signers(day, 'opened')} / {_day_signers(day, 'closed') or self.word('open')}",
            )
            for day in self.figures.days
        ]
        names = (
            "day",
            "hands",
            "bets",
            "bets_amount",
            "awards_amount",
            "opening",
            "closing",
            "signed",
        )
        self._table(names, rows, (9, 7, 8, 11, 11, 11, 11, 12), "LRRRRRRL")

    def _chips(self) -> None:
        drops = self.figures.drops
        self._heading("by_box")
        if all(drop.counted is None for drop in drops):
            self._paragraph(self.word("no_drop"))
            rows = [
                (str(box), str(chips)) for box, chips in sorted(self.figures.bets_by_box.items())
            ]
            self._table(("box", "detected"), rows, (1, 1), "LR")
            return
        numbers = ("detected", "own_counter", "counted", "difference")
        self._paragraph(self.word("counted_in_all"))
        in_all = [self._drop(drop)[1:-1] for drop in self.figures.counted_by_box()]
        self._table(("box", *numbers), in_all, (2, 1, 1, 1, 1), "LRRRR")
        self.ln(LINE)
        self._paragraph(self.word("counted_by_day"))
        of_days = [self._drop(drop) for drop in drops]
        self._table(("day", "box", *numbers, "signed"), of_days, (3, 2, 2, 2, 2, 2, 3), "LLRRRRL")

    def _drop(self, drop: Drop) -> tuple[str, ...]:
        """Day, box, detected, accepted, counted, counted less detected, signatures."""
        counted = drop.counted
        return (
            drop.day,
            self.word("whole_table") if drop.box is None else str(drop.box),
            str(drop.detected),
            "-" if drop.accepted is None else str(drop.accepted),
            "-" if counted is None else str(counted),
            "-" if counted is None else _signed(counted - drop.detected),
            drop.signed or "-",
        )

    def _awards(self) -> None:
        self._heading("awards")
        awards = self.figures.awards
        rows = [
            (
                self._number(award["award"]),
                str(award["hand"]),
                self._time(award["at_utc"]),
                self._microcents(award["base_microcents"]),
                self._cents(award["total_cents"]),
                f"{award['declared_by']} / {award['confirmed_by']}",
            )
            for award in awards.rows
        ]
        names = ("number", "hand", "time", "base", "total", "officers")
        self._table(names, rows, (4, 3, 8, 6, 5, 5), "LRLRRL", awards)
        self._heading("payments")
        payments = self.figures.payments
        paid = [
            (
                self._number(payment["award"]),
                str(payment["hand"]),
                str(payment["box"]),
                HANDS[payment["combination"]].text(self.language),
                payment["cards"] or "-",
                payment["rule"],
                self._cents(payment["cents"]),
            )
            for payment in payments.rows
        ]
        columns = ("number", "hand", "box", "combination", "cards", "rule", "amount")
        self._table(columns, paid, (4, 3, 3, 6, 6, 4, 5), "LRRLLLR", payments)

    def _number(self, award: int) -> str:
        """Of an award; one that was taken back says so."""
        undone = f" ({self.word('undone')})" if award in self.figures.undone else ""
        return f"{award}{undone}"

    def _settlements(self) -> None:
        """Between the tables of a carrusel (CAN-9); nothing at a table alone."""
        listed = self.figures.settlements
        if not listed.in_all:
            return
        self._heading("settlements")
        rows = [
            (
                str(share["decision"]),
                self._time(share["at_utc"]),
                f"{share['won_by']} ({share['won_in_hand']})",
                share["table"],
                self._microcents(share["deducted_microcents"] + share["from_seed_microcents"]),
                "-" if share["undoes"] is None else str(share["undoes"]),
            )
            for share in listed.rows
        ]
        names = ("decision", "time", "won_by", "gives", "amount", "takes_back")
        self._table(names, rows, (3, 8, 6, 3, 6, 4), "RLLLRR", listed)

    def _faults(self) -> None:
        self._heading("faults")
        counts = sorted(
            self.figures.fault_counts.items(), key=lambda item: (item[0][0], item[0][1] or 0)
        )
        rows = [
            (self._kind(kind), "-" if box is None else str(box), str(times))
            for (kind, box), times in counts
        ]
        self._table(("event", "box", "times"), rows, (6, 1, 1), "LRR")
        listed = self.figures.faults
        lines = [
            (self._time(fault["at_utc"]), str(fault["hand"] or "-"), str(fault["box"] or "-"),
             self._kind(fault["kind"]), self._fields(fault["info"]))
            for fault in listed.rows
        ]  # fmt: skip
        if lines:
            self.ln(LINE)
            self._table(
                ("time", "hand", "box", "event", "why"), lines, (7, 2, 2, 5, 10), "LRRLL", listed
            )

    def _corrections(self) -> None:
        self._heading("corrections")
        listed = self.figures.corrections
        rows = [
            (
                self._time(entry["at_utc"]),
                str(entry["hand"] or "-"),
                self._kind(entry["kind"]),
                self._amount(entry["cents"], entry["microcents"]),
                f"{entry['by']} / {entry['second']}",
                reason_text(entry["why"], self.language),
            )
            for entry in listed.rows
        ]
        names = ("time", "hand", "event", "amount", "signed", "why")
        self._table(names, rows, (8, 2, 6, 4, 4, 7), "LRLRLL", listed)

    def _signatures(self) -> None:
        if self.get_y() > self.h - 5 * MARGIN:
            self.add_page()
        self._heading("signatures")
        self.ln(2 * LINE)
        top = self.get_y()
        for number, name in enumerate(("director", "inspector", "place")):
            left = MARGIN + number * (WIDTH // 3)
            self.line(left, top, left + WIDTH // 3 - LINE, top)
            self.set_xy(left, top)
            self.set_font("Helvetica", size=TEXT)
            self.cell(WIDTH // 3, LINE, self.word(name))

    # ---- pieces ----------------------------------------------------------------------------------

    def _heading(self, name: str) -> None:
        self.ln(LINE)
        if self.get_y() > self.h - 3 * MARGIN:
            self.add_page()
        self.set_font("Helvetica", "B", HEADING)
        self._line(self.word(name), HEADING + LINE // 2)
        self.set_font("Helvetica", size=TEXT)

    def _line(self, text: str, height: int) -> None:
        self.cell(WIDTH, height, _encodable(text), new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def _paragraph(self, text: str) -> None:
        self.set_font("Helvetica", size=TEXT)
        self.multi_cell(WIDTH, LINE, _encodable(text), new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def _table(
        self,
        names: Sequence[str] | None,
        rows: Iterable[Sequence[str]],
        widths: Sequence[int],
        aligns: str,
        listed: Listed | None = None,
    ) -> None:
        """A table whose heading is repeated on every page; a word where there is nothing."""
        lines = list(rows)
        if not lines:
            self._paragraph(self.word("none"))
            return
        align = tuple({"L": "LEFT", "R": "RIGHT"}[letter] for letter in aligns)
        self.set_font("Helvetica", size=TEXT - 1)
        self.set_draw_color(GREY)
        with self.table(
            width=WIDTH,
            col_widths=tuple(widths),
            text_align=align,
            line_height=LINE - 2,
            padding=(1, 3),
            first_row_as_headings=names is not None,
            borders_layout="HORIZONTAL_LINES",
        ) as table:
            if names is not None:
                table.row([self.word(name) for name in names])
            for line in lines:
                table.row([_encodable(cell) for cell in line])
        self.set_draw_color(BLACK)
        if listed is not None and listed.in_all > len(listed.rows):
            self._paragraph(self.word("more", more=listed.in_all - len(listed.rows)))

    def _time(self, at_utc: str) -> str:
        """The casino's time and UTC, to the second."""
        return both_times(datetime.fromisoformat(at_utc), self.zone)

    def _fields(self, info: str | None) -> str:
        """``motivo no responde`` of an event's JSON."""
        fields = {} if info is None else msgspec.json.decode(info)
        return ", ".join(fields_text(fields, self.language))

    def _sum(self, name: str) -> int:
        return sum(day[name] for day in self.figures.days)

    def _kind(self, kind: str) -> str:
        return KINDS[kind].text(self.language) if kind in KINDS else kind.replace("_", " ")

    def _cents(self, cents: int | None) -> str:
        return "-" if cents is None else cents_text(cents, self.language)

    def _microcents(self, microcents: int | None) -> str:
        return "-" if microcents is None else microcents_text(microcents, self.language)

    def _amount(self, cents: int | None, microcents: int | None) -> str:
        return self._cents(cents) if microcents is None else self._microcents(microcents)


def _signed(difference: int) -> str:
    return f"{difference:+d}" if difference else "0"


def _encodable(text: str) -> str:
    return text.encode(_ENCODING, "replace").decode(_ENCODING)
