"""Every validator has its words in both languages."""

from __future__ import annotations

from test_verify_page import validators_in_code

from jackpot.audit.words import VALIDATORS


def test_every_validator_has_its_words() -> None:
    assert VALIDATORS.keys() == validators_in_code()


def test_both_languages_say_something_of_their_own() -> None:
    for name, text in VALIDATORS.items():
        spanish, english = text
        assert spanish != english, name
        assert "" not in text, name
