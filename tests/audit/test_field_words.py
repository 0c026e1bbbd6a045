"""Every field of an event has its word, and a machine's values have theirs."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, get_args, get_type_hints

import pytest

from jackpot.audit.field_words import FIELDS, REASONS, TOLD_ELSEWHERE, VALUES, fields_text
from jackpot.console.words import ALARMS, CHIP_REASONS
from jackpot.daemon.restored_book import OFFICERS_RESTORED
from jackpot.mechanism.wire_events import Diagnosis
from jackpot.table.event import Event
from jackpot.table.facts import FACTS
from jackpot.table.outcomes import OUTCOMES


def in_info(cls: type[Event]) -> dict[str, Any]:
    """The fields of an event that stand in ``info``, with their types."""
    types = get_type_hints(cls)
    return {name: types[name] for name in cls.__struct_fields__ if name not in cls.columns}


EVENTS: dict[str, type[Event]] = {**FACTS, **OUTCOMES}


@pytest.mark.parametrize("kind", EVENTS)
def test_every_field_has_its_word(kind: str) -> None:
    assert in_info(EVENTS[kind]).keys() - FIELDS.keys() - TOLD_ELSEWHERE == set()


@pytest.mark.parametrize("kind", EVENTS)
def test_every_value_of_a_fixed_few_has_its_word(kind: str) -> None:
    for name, hint in in_info(EVENTS[kind]).items():
        for each in (hint, *get_args(hint)):
            if isinstance(each, type) and issubclass(each, StrEnum):
                assert {member.value for member in each} <= VALUES[name].keys(), name


def test_no_word_is_left_without_its_field() -> None:
    assert (
        FIELDS.keys() == {name for cls in EVENTS.values() for name in in_info(cls)} - TOLD_ELSEWHERE
    )


def test_every_diagnosis_of_the_wire_has_its_word() -> None:
    assert {diagnosis.value for diagnosis in Diagnosis} <= REASONS.keys()


def test_every_reason_for_a_chip_to_go_back_has_its_word() -> None:
    assert CHIP_REASONS.keys() <= REASONS.keys()


def test_every_alarm_has_its_word() -> None:
    assert VALUES["alarm"].keys() == {*ALARMS, OFFICERS_RESTORED}


@pytest.mark.parametrize(
    ("info", "spanish"),
    [
        ({"by": "c1", "hand": 12}, ["responsable c1", "jugada 12"]),
        ({"why": "no_reply"}, ["motivo no responde"]),
        ({"by": "c1", "why": "late"}, ["responsable c1", "motivo late"]),
        ({"pool": "jackpot", "house_microcents": 1_000_000}, ["fondo acumulado", "la casa 0,01 €"]),
        ({"clean": False, "unknown_boxes": [], "accepted": None},
         ["parada en orden no", "casillas mudas ninguna", "aceptadas por la ranura ninguna"]),
        ({"hands": [{"box": 3, "cards": "Kd Qd Jd Td 9d", "bet": 1}]},
         ["jugadas casilla 3: Kd Qd Jd Td 9d"]),
        ({"operation": 7, "stage": "claimed", "hand": 12},
         ["operación 7", "paso premio pendiente", "jugada 12"]),
        ({"decision": 3, "undoes": 2, "shares": [], "signature": "aGFzaA=="},
         ["decisión 3", "deshace la decisión 2"]),
        ({"officer": "d1", "token": "0123456789abcdef"},
         ["responsable d1", "llave de seguridad 0123456789abcdef"]),
        ({"terms": {}, "new_field": "x"}, ["new_field x"]),
    ],
)  # fmt: skip
def test_fields_are_told_in_words_and_an_officers_own_stay(
    info: dict[str, object], spanish: list[str]
) -> None:
    assert list(fields_text(info, "es")) == spanish
