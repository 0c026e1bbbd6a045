"""The report of a period, read back with pdftotext."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from scripted import opened
from typer.testing import CliRunner

from jackpot.audit.books import period as period_module
from jackpot.audit.books.curve import thinned
from jackpot.audit.books.period import Drop, Period, period
from jackpot.audit.books.report import report_pdf
from jackpot.audit.books.report_words import WORDS
from jackpot.audit.source import Source
from jackpot.cli import build_app
from jackpot.errors import Refused
from jackpot.table import facts as f

DAY, NEXT_DAY = date(2026, 11, 30), date(2026, 12, 1)
"""The gaming days of the long story."""
PAGE = Path(__file__).parents[2] / "docs" / "report.md"


def figures(ledger: Path, first: date = DAY, last: date = NEXT_DAY) -> Period:
    with Source(ledger) as source:
        return period(source, first, last)


def text_of(ledger: Path, folder: Path, language: str = "es") -> str:
    """The report as a person reads it, words apart by single spaces."""
    with Source(ledger) as source:
        content = report_pdf(source, period(source, DAY, NEXT_DAY), language)
    (folder / "report.pdf").write_bytes(content)
    done = subprocess.run(
        ["pdftotext", "-layout", str(folder / "report.pdf"), "-"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return " ".join(done.stdout.split())


def test_awards_and_sums_are_those_worked_out_by_hand(story: Path, tmp_path: Path) -> None:
    """CAN-8.5: 1,450.36; CAN-8.6: twice 855.31; CAN-8.3: 6,844.52. In all 10,005.50."""
    text = text_of(story, tmp_path)
    assert "Informe del Jackpot Del 2026-11-30 al 2026-12-01" in text
    assert "1 2 2027-01-15 08:00:25 (08:00:25) 10.002,50 € 1.450,36 € C1 / J1" in text
    assert "2 3 2 Escalera de Color 9h 8h 7h 6h 5h CAN-8.6 855,31 €" in text
    assert "Premios pagados 10.005,50 €" in text
    assert "Acumulado al final 2A 12.002,00 €" in text
    assert "2026-11-30 8 14 28,00 € 10.005,50 € 10.000,00 € 12.001,50 € C1 J1 / C1 J1" in text


def test_faults_and_voids_are_told(story: Path, tmp_path: Path) -> None:
    text = text_of(story, tmp_path)
    assert "Ficha rechazada 6 1" in text
    assert "Ficha rechazada motivo otra ficha" in text
    assert "Jugada anulada - C1 / J1 misdeal" in text


def test_euro_quotes_accents_and_dashes_are_shown(tmp_path: Path) -> None:
    table = opened(tmp_path / "ledger")
    table.hand(1)
    why = "«Sí» — ¿un 5 € ñ? 中"
    table.play(f.HandVoided(by="C1", second="J1", hand=table.number, why=why))
    text = text_of(table.close(), tmp_path)
    assert "C1 / J1 «Sí» — ¿un 5 € ñ? ?" in text


def test_it_speaks_english(story: Path, tmp_path: Path) -> None:
    text = text_of(story, tmp_path, "en")
    assert "Jackpot report From 2026-11-30 to 2026-12-01" in text
    assert "10,002.50 €" in text
    assert "Four of a kind As Ah Ad Ac 3h CAN-8.5 450.11 €" in text


def test_a_day_that_is_not_closed_says_so_where_signatures_would_stand(tmp_path: Path) -> None:
    table = opened(tmp_path / "ledger")
    table.hand(1).lock().no_awards()
    text = text_of(table.close(), tmp_path)
    assert "C1 J1 / abierta" in text
    assert "None" not in text


def test_a_period_without_a_day_says_so(story: Path) -> None:
    empty = figures(story, date(2020, 1, 1), date(2020, 12, 31))
    assert (empty.days, empty.meters, empty.awards.in_all) == ([], {}, 0)
    with Source(story) as source:
        assert report_pdf(source, empty, "es").startswith(b"%PDF-")


def test_only_days_of_the_period_count(tmp_path: Path) -> None:
    table = opened(tmp_path / "ledger")
    table.hand(1, 2).lock().no_awards()
    table.close_day()
    cents = table.meter_microcents // 1_000_000
    table.play(f.DayOpened(by="C1", second="J1", day="2026-12-01", displayed_cents=cents))
    table.hand(3).lock().no_awards()
    ledger = table.close()
    second = figures(ledger, date(2026, 12, 1), date(2026, 12, 31))
    assert [day["day"] for day in second.days] == ["2026-12-01"]
    meter = second.meters["2A"]
    assert meter.start_microcents == 1_000_100_000_000  # the seed and two bets of fifty cents
    assert meter.curve_microcents == [1_000_150_000_000]
    assert dict(second.bets_by_box) == {3: 1}
    both = figures(ledger, DAY, NEXT_DAY)
    assert len(both.days) == 2
    assert both.meters["2A"].day_starts == [0, 3]


def test_the_curve_has_no_point_between_an_award_and_its_seed(story: Path) -> None:
    """Hand 6: the royal flush leaves 0.00, and in the same batch the jackpot starts again."""
    curve = figures(story).meters["2A"].curve_microcents
    assert min(curve) == 684_252_000_000  # 8,553.14 less twice 855.31, after hand 3
    assert curve[-1] == 1_200_200_000_000


def test_chips_of_a_void_are_not_in_the_drop_and_carried_ones_are_once(
    story: Path, carried: Path
) -> None:
    """Story: hand 4 (boxes 1 and 4) went back. Carried: box 1's chip went back, 2 and 3 stay."""
    assert dict(figures(story).bets_by_box) == {1: 7, 2: 4, 3: 3, 4: 1}
    by_box = {box: chips for box, chips in figures(carried).bets_by_box.items() if chips}
    assert by_box == {2: 1, 3: 1}


class Fed:
    """Rows of an export as they would come from a table whose drop was counted."""

    def __init__(self, counted: dict[int | None, int]) -> None:
        self.counted = counted

    def rows(self, _: object) -> Iterator[tuple[str, tuple[Any, ...]]]:
        opened_info = json.dumps({"day": "2026-11-30"})
        yield "events", (1, 1, "day_opened", None, 0, None, opened_info)
        for bet_box in (1, 1, 2):
            yield "bets", (2, 2, "", 1, bet_box, "accepted", 1, 200, "chip")
        for box, chips in self.counted.items():
            info = json.dumps({"by": "C1", "second": "J1", "day": "2026-11-30", "chips": chips})
            yield "events", (3, 3, "drop_counted", box, None, None, info)
            detected = {1: 2, 2: 1, None: 3}[box]
            info = json.dumps({"counted": chips, "detected": detected, "accepted": None})
            yield "events", (4, 3, "drop_compared", box, None, None, info)


@pytest.mark.parametrize(
    ("counted", "expected"),
    [
        ({1: 2, 2: 2}, [(1, 2, 2), (2, 1, 2)]),
        ({None: 2}, [(None, 3, 2), (1, 2, None), (2, 1, None)]),
        ({}, [(1, 2, None), (2, 1, None)]),
    ],
)
def test_counted_chips_stand_beside_detected_ones(
    counted: dict[int | None, int],
    expected: list[tuple[int | None, int, int | None]],
    story: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two bets in box 1, one in box 2; a count of the whole table is compared with all three."""
    monkeypatch.setattr(period_module, "extract", Fed(counted).rows)
    drops = figures(story).drops
    assert [(drop.box, drop.detected, drop.counted) for drop in drops] == expected
    text = text_of(story, tmp_path)
    assert ("ningún recuento" in text) == (not counted)
    if counted == {1: 2, 2: 2}:
        assert text.count("2 1 - 2 +1") == 2  # the sums, then the days
        assert "2026-11-30 2 1 - 2 +1 C1 / J1" in text
    if None in counted:
        assert "2026-11-30 mesa 3 - 2 -1 C1 / J1" in text


def test_the_sums_of_a_box_are_those_of_the_days_on_which_it_was_counted() -> None:
    made = Period(DAY, NEXT_DAY)
    made.drops = [
        Drop("2026-11-30", 1, detected=10, accepted=10, counted=9),
        Drop("2026-11-30", 2, detected=4, accepted=None, counted=4),
        Drop("2026-12-01", 1, detected=5, accepted=6, counted=5),
        Drop("2026-12-01", 2, detected=3, accepted=3, counted=3),
        Drop("2026-12-02", 1, detected=8),
    ]
    assert made.counted_by_box() == [
        Drop("", 1, detected=15, accepted=16, counted=14),
        Drop("", 2, detected=7, accepted=None, counted=7),
    ]


def test_two_layouts_and_totals_stand_in_the_report(pit_ledger: Path, tmp_path: Path) -> None:
    """``pit_story``: each layout's meter for itself, and a count of the table with its totals."""
    made = figures(pit_ledger, DAY, date(2026, 12, 2))
    ends = {name: meter.end_microcents for name, meter in made.meters.items()}
    assert ends == {"2A": 500_000_000_007, "2B": 1_000_050_000_000}
    second = figures(pit_ledger, NEXT_DAY, NEXT_DAY).meters
    assert second["2B"].start_microcents is None
    assert second["2B"].curve_microcents[:3] == [
        1_000_000_000_000,
        1_000_050_000_000,
        950_048_000_000,
    ]
    table = [drop for drop in made.drops if drop.box is None]
    assert [(drop.day, drop.detected, drop.counted) for drop in table] == [("2026-11-30", 12, 12)]
    text = text_of(pit_ledger, tmp_path, "en")
    assert "Meter at the end 2A" in text
    assert "Meter at the end 2B 10,000.50 €" in text
    assert "1 (taken back) 1 2027-01-15 08:00:28 (08:00:28)" in text
    assert "1 (taken back) 1 3 Four of a kind" in text
    assert "table 12 - 12 0" in text


def test_a_long_list_is_cut_and_says_so(
    story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(period_module, "MOST_ROWS", 2)
    assert "… y 3 más; véase `jackpot export`." in text_of(story, tmp_path)


def test_the_same_period_is_the_same_file(story: Path) -> None:
    with Source(story) as source:
        one, two = (report_pdf(source, period(source, DAY, NEXT_DAY), "es") for _ in range(2))
    assert one == two


def test_thinning_keeps_every_peak() -> None:
    values = [0] * 1_000
    values[501] = 7
    kept = list(thinned(values, 10))
    assert len(kept) == 11
    assert (5, 7) in kept
    assert list(thinned([3], 10)) == [(9, 3)]


def test_a_period_that_ends_before_it_begins_is_refused(story: Path) -> None:
    with pytest.raises(Refused, match="the earlier one first"):
        figures(story, DAY, date(2026, 11, 29))


def test_the_command_line_makes_it_once(story: Path, tmp_path: Path) -> None:
    out = tmp_path / "winter.pdf"
    words = ["report", str(story), "--from", "2026-11-01", "--to", "2026-12-31", "--out", str(out)]
    app = build_app(("report",))
    done = CliRunner().invoke(app, [*words, "--lang", "en"])
    assert done.exit_code == 0, done.output
    assert "2 gaming days" in done.stdout
    assert out.read_bytes().startswith(b"%PDF-")
    again = CliRunner().invoke(app, words)
    assert isinstance(again.exception, Refused)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("es", "No se abrió ninguna jornada en este periodo.\n"),
        ("en", "No day was opened in this period.\n"),
    ],
)
def test_the_command_line_says_that_a_period_is_empty(
    language: str, said: str, story: Path, tmp_path: Path
) -> None:
    words = ["report", str(story), "--from", "2020-01-01", "--to", "2020-01-02"]
    out = str(tmp_path / "empty.pdf")
    done = CliRunner().invoke(build_app(("report",)), [*words, "--out", out, "--lang", language])
    assert (done.exit_code, done.stderr) == (0, said)


def test_every_word_is_in_both_languages_and_can_be_written() -> None:
    for name, text in WORDS.items():
        assert len(text) == 2, name
        for words in text:
            words.encode("windows-1252")
