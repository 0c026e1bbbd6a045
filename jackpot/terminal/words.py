"""The few sentences that only a terminal says; all others come with the pages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sentences:
    """Of one language. ``hold`` stands on a key that a browser wants kept pressed."""

    hold: str
    again: str
    first: str
    no_answer: str
    quit: str
    cards: str


_SPANISH = Sentences(
    hold="dos pulsaciones",
    again="Pulse otra vez: {key}",
    first="Falta: {field}",
    no_answer="El controlador no responde en {url}.",
    quit="Ctrl+Q: salir del programa",
    cards="cartas",
)
_ENGLISH = Sentences(
    hold="press twice",
    again="Press again: {key}",
    first="Missing: {field}",
    no_answer="The controller does not answer at {url}.",
    quit="Ctrl+Q: leave the program",
    cards="cards",
)


def sentences(language: str) -> Sentences:
    """Those of a page's language; Spanish where it names none."""
    return _ENGLISH if language == "en" else _SPANISH
