"""What an officer picked as a reason is read in Spanish wherever an auditor or a table chief reads it."""

from __future__ import annotations

from jackpot.audit.field_words import fields_text
from jackpot.audit.reasons import PICKED, reason_text
from jackpot.console import language, words
from jackpot.console.carrusel_forms import ALL_FORMS
from jackpot.console.pit_forms import Shape
from jackpot.law.words import Language
from jackpot.table.state import INITIAL


def offered() -> set[str]:
    """Every reason that a form or a key of the console offers."""
    fields = [field for form in ALL_FORMS.values() for field in form.fields]
    picked = [
        option.value
        for field in fields
        if field.shape is Shape.WHY
        for option in field.options(INITIAL)
    ]
    return {*words.VOID_REASONS, *words.REJECT_REASONS, *words.BOX_REASONS, *picked}


def test_every_reason_that_the_console_offers_has_its_spanish_and_no_other_has() -> None:
    assert offered() == PICKED.keys()


def test_the_spanish_is_that_of_the_key_which_was_pressed() -> None:
    assert {reason: language.gettext(Language.ES, reason) for reason in PICKED} == dict(PICKED)


def test_a_picked_reason_is_told_in_the_language_of_the_reader() -> None:
    assert reason_text("Counted wrongly", "es") == "Mal contado"
    assert reason_text("Counted wrongly", "en") == "Counted wrongly"
    assert list(fields_text({"by": "c1", "why": "Card twice"}, "es"))[1] == "motivo Carta repetida"


def test_what_an_officer_typed_stays_as_typed() -> None:
    assert reason_text("faltaba una carta", "es") == "faltaba una carta"
