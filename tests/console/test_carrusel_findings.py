"""What is wrong in a carrusel has a name and values; its recorded sentence is read back to them (CAN-9)."""

from __future__ import annotations

import re

import pytest

from jackpot.console.carrusel_findings import FINDINGS, finding_text
from jackpot.law.words import Language
from jackpot.table.carrusel_finding import SAID, SENTENCES, Finding, finding, read_finding

PLACES = {reason: re.findall(r"\{(\w+)\}", sentence) for reason, sentence in SENTENCES.items()}


@pytest.mark.parametrize("reason", [reason for reason in SENTENCES if reason != SAID])
def test_each_sentence_is_read_back_to_its_name_and_values(reason: str) -> None:
    found = finding(reason, **{name: f"{name} 12" for name in PLACES[reason]})
    assert read_finding(found.text()) == found


def test_the_words_of_a_person_stand_for_themselves() -> None:
    assert read_finding("box is lost") == Finding("said", {"text": "box is lost"})
    assert finding_text("box is lost", Language.ES) == "box is lost"


def test_the_sentence_that_an_earlier_version_recorded_is_shown_as_it_stands() -> None:
    old = "the carrusel has 1 operations of this box, its ledger 0"
    assert finding_text(old, Language.ES) == old


def test_a_restored_box_is_told_in_spanish_with_the_step_to_take() -> None:
    said = finding_text(finding("restored_copy", log=1, ledger=0), Language.ES)
    assert said.startswith(
        "El carrusel tiene la operación 1 de esta caja, su registro termina en la 0:"
    )
    assert said.endswith("Jefe de mesa y director vuelven a ingresar la mesa.")


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("reason", SENTENCES)
def test_every_finding_has_its_words_and_shows_its_values(reason: str, language: Language) -> None:
    values = {name: f"<{name}>" for name in PLACES[reason]}
    said = finding_text(Finding(reason, values), language)
    shown = {name for name in PLACES[reason] if f"<{name}>" in said}
    assert shown == set(PLACES[reason])
    assert "%" not in said


def test_no_words_are_left_for_a_finding_that_is_none() -> None:
    assert FINDINGS.keys() == SENTENCES.keys()
