"""docs/carrusel.asyncapi.yaml says what the code does: topics, payloads, what is retained."""

from __future__ import annotations

from pathlib import Path

import asyncapi
import msgspec
import yaml  # type: ignore[import-untyped]

from jackpot.law.terms import Terms
from jackpot.link import messages as m
from jackpot.link import topics, wire

FILE = Path(__file__).parents[2] / "docs" / "carrusel.asyncapi.yaml"


def test_the_document_is_what_the_code_makes() -> None:
    assert FILE.read_text("utf-8") == asyncapi.written()


def test_every_message_has_a_channel_and_every_subscription_too() -> None:
    described = {channel.message for channel in asyncapi.CHANNELS.values()}
    assert described == set(m.Message.__subclasses__())
    addresses = {
        channel["address"].replace("{carrusel}", "sala")
        for channel in yaml.safe_load(FILE.read_text("utf-8"))["channels"].values()
    }
    heard = {*topics.of_node("sala", "{table}"), *topics.of_coordinator("sala")}
    as_parameter = {
        topic.replace("node/+", "node/{table}").replace("/+", "/{name}") for topic in heard
    }
    assert as_parameter == addresses


def test_a_payload_has_the_fields_of_its_schema_and_its_amounts_in_digits() -> None:
    schemas = yaml.safe_load(FILE.read_text("utf-8"))["components"]["schemas"]
    ack = m.Ack(
        table="7",
        position=9,
        incarnation=1,
        joined_position=2,
        joined_decision=0,
        joined_meter_microcents=2**60,
        left_position=0,
        operation=3,
        hash="aa",
        decision=0,
    )
    sent = msgspec.json.decode(wire.encode(ack))
    assert set(sent) == set(schemas["Ack"]["properties"])
    assert sent["joined_meter_microcents"] == "1152921504606846976"
    assert schemas["Ack"]["properties"]["joined_meter_microcents"]["type"] == "string"


def test_only_what_a_latecomer_needs_is_retained() -> None:
    operations = yaml.safe_load(FILE.read_text("utf-8"))["operations"]
    kept = {name for name, one in operations.items() if one["bindings"]["mqtt"]["retain"]}
    assert kept == {"ack", "total", "members", "head"}


def test_only_what_is_said_again_each_second_goes_without_an_answer() -> None:
    operations = yaml.safe_load(FILE.read_text("utf-8"))["operations"]
    unanswered = {name for name, one in operations.items() if not one["bindings"]["mqtt"]["qos"]}
    assert unanswered == {"nodeBeat", "coordinatorBeat", "ack"}
    assert {one["bindings"]["mqtt"]["qos"] for one in operations.values()} == {0, 1}


def test_the_terms_that_tables_compare_are_in_a_birth() -> None:
    schemas = yaml.safe_load(FILE.read_text("utf-8"))["components"]["schemas"]
    assert set(schemas["Terms"]["properties"]) == set(Terms.__struct_fields__)
