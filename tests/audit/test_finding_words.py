"""Whatever the checker says, an inspector reads in Spanish: by its source, and by planted faults."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from checker_sentences import checker_sentences, spoken
from forgery import Forgery
from test_planted_faults import CARRUSEL_FAULTS, FAULTS, PIT_FAULTS, Fault

from jackpot.audit.checker import verify
from jackpot.audit.checker.findings import Finding
from jackpot.audit.finding_sentences import SENTENCES
from jackpot.audit.finding_text import finding_line, note_line, said, unreadable_text
from jackpot.audit.finding_values import NAMES, PHRASES, UNREADABLE
from jackpot.law.words import Language

ES, EN = Language.ES, Language.EN

THE_SAME = re.compile(r"(CAN-|policy:)[\w.]+|--public-key|(table|public)\.pem|(\{\})+")
"""What has no words: rules, an option, names of files, a value alone."""

MADE_OF_PIECES = {
    "the database holds more than tables",
    "award {}, {}",
    "the derived {} of {}",
}
"""Sentences that the checker puts together in a second step; the planted faults show them whole."""

ENGLISH = re.compile(
    r"\b(the|of|an|is|not|what|with|without|another|than|and|was|were|at|nothing|none|micro-cents|"
    r"cents|box|boxes|bet|hand|table|meter|award|to|from|it|in|once|paid|signed)\b"
)
"""Words that no Spanish sentence has."""


def with_holes(text: str) -> str:
    return re.sub(r"\{\w+\}", "{}", text)


def test_every_sentence_of_the_checker_has_its_spanish_one() -> None:
    known = {with_holes(text) for text in (*SENTENCES, *PHRASES, *NAMES, *UNREADABLE)}
    missing = {
        text: module
        for text, module in checker_sentences().items()
        if with_holes(text) not in known | MADE_OF_PIECES and not THE_SAME.fullmatch(text)
    }
    assert missing == {}


def test_no_spanish_sentence_is_left_without_its_english_one() -> None:
    said_by_checker = {with_holes(text) for text in checker_sentences()}
    left = {text for text in SENTENCES if with_holes(text) not in said_by_checker}
    assert left == {
        "the derived meter of {name}",
        "the derived source of {name}",
        "boxes",
        "bets_per_box",
        "ace_low_in_straights",
        "closing_hands",
    }, "those whose name is looked up on the way"


def test_a_new_sentence_would_be_missed() -> None:
    source = "findings.wrong('bets', f'a bet of box {box} in a hat', 'no hat', found)"
    assert set(spoken(source)) == {"a bet of box {} in a hat", "no hat"}


@pytest.mark.parametrize("english", [*SENTENCES, *PHRASES, *UNREADABLE])
def test_both_have_the_same_holes(english: str) -> None:
    spanish = {**SENTENCES, **PHRASES, **UNREADABLE}[english]
    assert set(re.findall(r"\{(\w+)\}", english)) == set(re.findall(r"\{(\w+)\}", spanish))


def assert_spanish(findings: tuple[Finding, ...]) -> None:
    for finding in findings:
        words = said(finding, ES)
        for text in words:
            plain = re.sub(r"\{.*|«[^»]*»|\b\w*[_/+]\w*\b|[\"'][^\"']*[\"']", "", text)
            assert ENGLISH.search(plain) is None, (finding.text(), text)


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_what_is_said_of_a_planted_fault_is_spanish(fault: Fault, forgery: Forgery) -> None:
    fault.plant(forgery)
    report = verify(forgery.well_made())
    assert_spanish((*report.findings, *report.notes))


@pytest.mark.parametrize("fault", PIT_FAULTS, ids=[fault.name for fault in PIT_FAULTS])
def test_what_is_said_of_a_fault_around_the_hands_is_spanish(
    fault: Fault, pit_ledger: Path, tmp_path: Path
) -> None:
    bench = Forgery(pit_ledger, tmp_path / "forged")
    fault.plant(bench)
    assert_spanish(verify(bench.well_made()).findings)


@pytest.mark.parametrize("fault", CARRUSEL_FAULTS, ids=[fault.name for fault in CARRUSEL_FAULTS])
def test_CAN_9_what_is_said_of_a_fault_in_a_carrusel_is_spanish(
    fault: Fault, carrusel_ledger: Path, tmp_path: Path
) -> None:
    bench = Forgery(carrusel_ledger, tmp_path / "forged")
    fault.plant(bench)
    assert_spanish(verify(bench.well_made()).findings)


WORDED = (
    (
        Finding(
            "contributions",
            "contributed is not what the rules say",
            "box 1, 50000000 micro-cents",
            "box 1, 50000001 micro-cents",
            "CAN-8.b",
            13,
            24,
        ),
        "lote 13, seq 24: El incremento no es el debido (contributions): no es lo que dicen las reglas: "
        "«Incremento»; se esperaba: casilla 1, 0,50 €; se encontró: casilla 1, 0,50000001 € [CAN-8.b]",
    ),
    (
        Finding("phases", "award_paid at the wrong moment", "betting or locked", "closed", None, 9),
        "lote 9: El acto no era de ese momento (phases): en un momento que no toca: «Premio pagado»; "
        "se esperaba: «Hagan juego» o «No va más»; se encontró: «Mesa cerrada»",
    ),
    (
        Finding(
            "payments",
            "paid what is not owed",
            "box 2, bet 1: 100025 cents; box 1, bet 1: 45011 cents",
            "nothing",
        ),
        "registro: Se pagó lo que no se debía (payments): se pagó lo que no se debía; se esperaba: "
        "casilla 2, apuesta 1: 1.000,25 €; casilla 1, apuesta 1: 450,11 €; se encontró: nada",
    ),
    (
        Finding("times", "the clock went back and no step was recorded", "0 ns or later", "-1"),
        "registro: El reloj retrocedió (times): el reloj retrocedió y no se registró ningún salto; "
        "se esperaba: 0 o después; se encontró: -1",
    ),
    (
        Finding(
            "bets",
            "bet_accepted is missing",
            'bet_accepted: box 1, 200 cents, {"bet":1,"source":"chip"}',
            "nothing",
        ),
        "registro: Una apuesta no tiene su ficha (bets): falta: «Apuesta»; se esperaba: «Apuesta»: "
        "casilla 1, 2,00 €, apuesta 1, origen ficha; se encontró: nada",
    ),
    (
        Finding("carrusel_member", "table 3: decision 4 is the log's own", "its hash", "ab12"),
        "registro: La mesa y el registro del carrusel no dicen lo mismo (carrusel_member): mesa 3: la "
        "decisión 4 es la del propio carrusel; se esperaba: su huella; se encontró: ab12",
    ),
)


@pytest.mark.parametrize(("finding", "spanish"), WORDED)
def test_a_finding_is_told_with_its_values(finding: Finding, spanish: str) -> None:
    assert finding_line(finding, ES) == spanish


def test_a_note_does_not_say_that_something_is_wrong() -> None:
    note = Finding("checkpoints", "no checkpoint yet at an award", "a checkpoint", "none", None, 7)
    assert note_line(note, ES) == (
        "lote 7: checkpoints: todavía sin punto firmado de un premio; "
        "se esperaba: un punto firmado; se encontró: ninguno"
    )
    assert note_line(note, EN) == note.text()


def test_english_is_the_checkers_own() -> None:
    finding = WORDED[0][0]
    assert finding_line(finding, EN) == finding.text()
    assert said(finding, EN) == (finding.says, finding.expected, finding.found)


def test_what_the_checker_has_never_said_stays_as_it_is() -> None:
    assert said(Finding("bets", "something new", "x9", "y 1"), ES) == ("something new", "x9", "y 1")


def test_why_a_file_is_no_ledger_is_told_in_spanish(tmp_path: Path) -> None:
    report = verify(tmp_path / "nowhere")
    assert report.unreadable is not None
    told = unreadable_text(report.unreadable, ES)
    assert told == (
        f"se esperaba un registro en {tmp_path / 'nowhere'}; se encontró: no existe ese archivo; "
        "compruebe la ruta, deje un archivo dañado como está y verifique la última copia"
    )
    assert unreadable_text(report.unreadable, EN) == report.unreadable
