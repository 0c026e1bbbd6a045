"""Events to rows and back (docs/ledger.md, "Rows")."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ledger_counter import MACHINE, Filled, Knocked, Noted, Paid

from jackpot.invariant import InvariantBroken
from jackpot.ledger.codec import Codec
from jackpot.ledger.errors import LedgerUnreadable
from jackpot.ledger.table_ledger import TABLE
from jackpot.table.event import Event
from jackpot.table.facts import AwardsDeclared, ChipSeen, DeclaredHand

CODEC = Codec(MACHINE.events)


@pytest.mark.parametrize(
    ("event", "row"),
    [
        (Knocked(), ("knocked", None, None, None, None)),
        (Filled(box=3, microcents=25), ("filled", 3, None, 25, None)),
        (Paid(cents=500, to="a"), ("paid", None, 500, None, '{"to":"a","cards":[]}')),
        (
            Noted(text='ñ "q" \n', tags={"b": 1, "a": 2}),
            ("noted", None, None, None, '{"text":"ñ \\"q\\" \\n","tags":{"a":2,"b":1}}'),
        ),
    ],
)
def test_an_event_is_its_kind_its_amounts_and_one_json_object(
    event: Event, row: tuple[str, int | None, int | None, int | None, str | None]
) -> None:
    assert CODEC.pack(event) == row
    assert CODEC.unpack(*row) == event


def test_a_table_s_events_have_the_rows_that_auditors_query() -> None:
    codec = Codec(TABLE.events)
    chip = ChipSeen(box=4, expected=True, a=1, b=2)
    assert codec.pack(chip) == ("chip_seen", 4, None, None, '{"expected":true,"a":1,"b":2}')
    declared = AwardsDeclared(hand=7, by="c1", hands=(DeclaredHand(box=2, cards="Kd Qd Jd Td 9d"),))
    assert codec.unpack(*codec.pack(declared)) == declared


@given(
    st.text(st.characters(codec="utf-8")),
    st.dictionaries(st.text(st.characters(codec="utf-8")), st.integers(-(2**63), 2**63 - 1)),
)
def test_every_text_and_number_comes_back_as_it_was(text: str, tags: dict[str, int]) -> None:
    event = Noted(text=text, tags=tags)
    assert CODEC.unpack(*CODEC.pack(event)) == event


def test_a_field_that_an_older_release_did_not_write_takes_its_default() -> None:
    assert CODEC.unpack("noted", None, None, None, '{"text":"old"}') == Noted(text="old")


@pytest.mark.parametrize(
    ("kind", "info"),
    [
        ("unheard_of", None),
        ("noted", None),
        ("noted", "{}"),
        ("noted", '{"text":1}'),
        ("noted", '{"text":"a","more":1}'),
        ("noted", '{"text":"a"'),
    ],
)
def test_an_unknown_kind_or_other_fields_are_refused(kind: str, info: str | None) -> None:
    with pytest.raises(LedgerUnreadable, match="unknown_event"):
        CODEC.unpack(kind, None, None, None, info)


def test_an_event_of_another_machine_is_our_own_fault() -> None:
    with pytest.raises(InvariantBroken):
        CODEC.pack(ChipSeen(box=4, expected=True, a=1, b=2))


def test_a_class_registered_under_another_name_is_our_own_fault() -> None:
    with pytest.raises(InvariantBroken):
        Codec({"filled.2": Filled})
