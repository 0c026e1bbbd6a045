"""Payloads: what is written is read again, and nothing else is."""

from __future__ import annotations

import json
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from jackpot.errors import Refused
from jackpot.link import messages as m
from jackpot.link import topics
from jackpot.link.wire import decode, encode
from jackpot.table.outcomes.carrusel import Stage

TOTAL = m.Total(position=7, total_microcents=9_007_199_254_740_993, decision=2, pending=("t1",))


def test_micro_cents_travel_as_strings_of_digits() -> None:
    """JavaScript would read 9007199254740993 as ...992."""
    written = json.loads(encode(TOTAL))
    assert written["total_microcents"] == "9007199254740993"
    assert (written["position"], written["format"], written["type"]) == (7, 1, "total")
    assert decode(encode(TOTAL)) == TOTAL


def test_a_negative_amount_and_a_tricky_text_pass_unchanged() -> None:
    """A text that looks like an amount stays the text that it is."""
    operation = m.Operation(
        number=1,
        previous='x_microcents":5,["a_microcents",7]',
        hash="h",
        stage=Stage.MOVED,
        delta_microcents=-50_000_000,
    )
    message = m.Up(table="t1", incarnation=1, operations=(operation,))
    assert b'"delta_microcents":"-50000000"' in encode(message)
    assert decode(encode(message)) == message


def reason(payload: bytes, *expected: type[m.Message]) -> str:
    """Why a payload is refused."""
    with pytest.raises(Refused) as caught:
        decode(payload, *expected)
    return caught.value.reason


def changed(**changes: Any) -> bytes:
    """The total with other fields."""
    return json.dumps(json.loads(encode(TOTAL)) | changes).encode()


def test_bad_payloads_are_refused_by_name() -> None:
    """Oversized, malformed, of another version, of another type than the topic carries."""
    assert reason(b"x" * (m.MAX_MESSAGE_BYTES + 1)) == "payload_too_long"
    assert reason(b"\xff\x00") == "payload_malformed"
    assert reason(b"[" * 100_000) == "payload_malformed"
    assert reason(changed(format=2, new="field")) == "payload_of_another_format"
    assert reason(changed(extra=1)) == "payload_malformed"
    assert reason(changed(position="seven")) == "payload_malformed"
    assert reason(changed(type="gift")) == "payload_malformed"
    assert reason(encode(TOTAL), m.Ack) == "payload_out_of_place"


@given(st.binary(max_size=200) | st.text().map(str.encode))
def test_whatever_arrives_is_a_message_or_a_refusal(payload: bytes) -> None:
    """Nothing else escapes."""
    try:
        decode(payload)
    except Refused:
        return


@pytest.mark.parametrize("name", ["", "Mesa", "a.b", "a b", "a/b", "+", "#", "-a", "x" * 41])
def test_names_that_brokers_read_differently_are_refused(name: str) -> None:
    """Plain ids stand in topics."""
    with pytest.raises(Refused):
        topics.check_id(name, "table")


def test_a_box_writes_under_its_own_name_only() -> None:
    """So that a broker's access list can say so in one line."""
    own = [
        topic("norte", "mesa-1")
        for topic in (topics.up, topics.resync, topics.birth, topics.node_beat)
    ]
    assert all(topic.startswith("carrusel/norte/node/mesa-1/") for topic in own)
    assert topics.check_id("mesa-1", "table") == "mesa-1"


def test_what_a_late_comer_needs_is_retained() -> None:
    """Acknowledgement, total, members and heads; never an operation or a decision."""
    kept = [topics.ack("n", "t"), topics.total("n"), topics.members("n"), topics.head("n", "t")]
    gone = [topics.up("n", "t"), topics.decision("n"), topics.coordinator_beat("n", "k")]
    assert all(topics.is_retained(topic) for topic in kept)
    assert not any(topics.is_retained(topic) for topic in gone)
