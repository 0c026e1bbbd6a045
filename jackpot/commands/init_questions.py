"""The questions of ``jackpot init``, in Spanish and English, and how an answer is looked at at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import typer

from jackpot.errors import Refused
from jackpot.law.words import Language, Text
from jackpot.money import cents_from_text, ppm_from_percent_text

QUESTIONS: Mapping[str, Text] = {
    "casino-name": Text(("Nombre del casino", "Name of the casino")),
    "casino-id": Text(("Su identificador, como casino.example", "Its id, as casino.example")),
    "profile": Text(("Normativa", "Profile of the law")),
    "table": Text(("Número de la mesa", "Number of the table")),
    "layout": Text(("Número del paño", "Number of the layout")),
    "minimum": Text(("Apuesta mínima de la mesa en euros", "Table minimum in euros")),
    "kind": Text(
        ("Jackpot: progressive (progresivo) o fixed (fijo)", "Jackpot: progressive or fixed")
    ),
    "mode": Text(
        (
            "Modo: automatic (ranuras) o manual (total de cada jugada)",
            "Mode: automatic (slots) or manual (the total of each hand)",
        )
    ),
    "bet": Text(("Apuesta del jackpot en euros", "Jackpot bet in euros")),
    "percentage": Text(("Parte de cada apuesta en tanto por ciento", "Share of a bet in percent")),
    "house-deduction": Text(
        ("Deducción previa de la casa en tanto por ciento", "Deduction of the house in percent")
    ),
    "seed": Text(("Importe inicial en euros", "Starting amount in euros")),
    "authorisation": Text(("Número de la autorización", "Number of the authorisation")),
    "award royal_flush": Text(
        ("Escalera Real, en tanto por ciento de la base", "Royal flush, in percent of the base")
    ),
    "award straight_flush": Text(
        (
            "Escalera de Color, en tanto por ciento de la base (0: ninguno)",
            "Straight flush, in percent of the base (0: none)",
        )
    ),
    "award four_of_a_kind": Text(
        (
            "Póker, en tanto por ciento de la base (0: ninguno)",
            "Four of a kind, in percent of the base (0: none)",
        )
    ),
    "port": Text(
        ("Puerto serie (/dev/serial/by-path/...)", "Serial port (/dev/serial/by-path/...)")
    ),
    "croupier": Text(
        ("Número de personal del primer croupier", "Staff number of the first croupier")
    ),
    "table_chief": Text(
        ("Número de personal del primer jefe de mesa", "Staff number of the first table chief")
    ),
    "games_director": Text(
        ("Número de personal del director de juegos", "Staff number of the games director")
    ),
    "pin": Text(("PIN de {officer}", "PIN of {officer}")),
}
"""By the option that answers them without being asked."""

AMOUNTS = frozenset({"minimum", "bet", "seed"})
PERCENTAGES = frozenset(
    {
        "percentage",
        "house-deduction",
        "award royal_flush",
        "award straight_flush",
        "award four_of_a_kind",
    }
)
CHOICES: Mapping[str, tuple[str, ...]] = {
    "kind": ("progressive", "fixed"),
    "mode": ("automatic", "manual"),
}

MADE = Text(
    (
        "configuración: {file}\nregistro:      {ledger}\nclave pública: {key}\n"
        "Guarde la clave pública en otro lugar: prueba después que el registro no se ha reescrito.\n"
        "Para abrir la mesa: jackpot run {file}",
        "configuration: {file}\nledger:        {ledger}\npublic key:    {key}\n"
        "Keep the public key apart: it proves later that the ledger was not rewritten.\n"
        "Start the table: jackpot run {file}",
    )
)
"""What is told at the end."""


@dataclass(frozen=True)
class Questions:
    """Asks in one language what the options have not ``given``; with ``silent`` nothing, and only
    what has a default may be left out."""

    language: Language
    silent: bool
    given: Mapping[str, str | None]

    def ask(self, name: str, default: str | None = None) -> str:
        """The option, else the answer of the person at the terminal, else the default.

        Refuses ``answer_missing`` where nobody is asked and no lawful default is known."""
        given = self.given.get(name)
        if given is not None:
            return given
        if not self.silent:
            question = QUESTIONS[name].text(self.language)
            return str(typer.prompt(question, default=default, value_proc=_checked(name)))
        if default is None:
            raise Refused(
                reason="answer_missing",
                expected=f"--{name}, for which there is no lawful default",
                found="nothing",
                to_do="give the option, or leave --yes out and be asked",
            )
        return default

    def ask_pin(self, officer: str) -> str:
        """Twice, and not shown."""
        question = QUESTIONS["pin"].text(self.language).format(officer=officer)
        return str(typer.prompt(question, hide_input=True, confirmation_prompt=True))


def _checked(name: str) -> Callable[[str], str]:
    """A bad amount, percentage or word is asked for again at once."""

    def check(answer: str) -> str:
        try:
            if name in AMOUNTS:
                cents_from_text(answer)
            elif name in PERCENTAGES:
                ppm_from_percent_text(answer)
        except Refused as refused:
            raise typer.BadParameter(f"{refused.expected}; {refused.found}") from refused
        if name in CHOICES and answer not in CHOICES[name]:
            raise typer.BadParameter(" / ".join(CHOICES[name]))
        return answer

    return check
