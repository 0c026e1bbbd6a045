"""The AsyncAPI document of the carrusel, made from the code: topics, messages, what is retained.

``python tests/contract/asyncapi.py > docs/carrusel.asyncapi.yaml`` writes it anew.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import yaml  # type: ignore[import-untyped]

from jackpot.link import messages as m
from jackpot.link import topics

SCHEMAS = "#/components/schemas/{name}"
AMOUNT = {"type": "string", "pattern": "^-?[0-9]+$", "description": "Micro-cents, in digits."}


class Channel(NamedTuple):
    """One topic: the function that makes it, its message, and whether tables write it."""

    topic: Callable[..., str]
    message: type[m.Message]
    by_tables: bool
    parameters: tuple[str, ...]


CHANNELS: dict[str, Channel] = {
    "birth": Channel(topics.birth, m.Birth, True, ("table",)),
    "up": Channel(topics.up, m.Up, True, ("table",)),
    "nodeBeat": Channel(topics.node_beat, m.NodeBeat, True, ("table",)),
    "resync": Channel(topics.resync, m.Resync, True, ("table",)),
    "head": Channel(topics.head, m.Head, True, ("name",)),
    "ack": Channel(topics.ack, m.Ack, False, ("table",)),
    "total": Channel(topics.total, m.Total, False, ()),
    "decision": Channel(topics.decision, m.Entry, False, ()),
    "members": Channel(topics.members, m.Members, False, ()),
    "coordinatorBeat": Channel(topics.coordinator_beat, m.CoordinatorBeat, False, ("name",)),
}

PARAMETERS = {
    "carrusel": "The carrusel's name: small letters, digits, hyphens.",
    "table": "A table's number, the name in its certificate.",
    "name": "A table or a coordinator.",
}


def document() -> dict[str, Any]:
    """The whole document, as seen from a table."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "The carrusel: linked tables",
            "version": f"{m.FORMAT}.0.0",
            "description": "What tables and coordinators say over MQTT 5 or 3.1.1. "
            "Written from a table's side: a coordinator receives what a table sends. Nothing counts "
            "on a quality of service: operations and decisions are numbered and said again.",
        },
        "defaultContentType": "application/json",
        "channels": {name: _channel(name, channel) for name, channel in CHANNELS.items()},
        "operations": {name: _operation(name, channel) for name, channel in CHANNELS.items()},
        "components": {
            "messages": {
                c.message.__name__: {
                    "payload": {"$ref": SCHEMAS.format(name=c.message.__name__)},
                    "description": _text(c.message),
                }
                for c in CHANNELS.values()
            },
            "schemas": _schemas(),
        },
    }


def _channel(name: str, channel: Channel) -> dict[str, Any]:
    wanted = ("carrusel", *channel.parameters)
    address = channel.topic(*(f"{{{parameter}}}" for parameter in wanted))
    message = channel.message.__name__
    return {
        "address": address,
        "description": _text(channel.topic),
        "parameters": {one: {"description": PARAMETERS[one]} for one in wanted},
        "messages": {message: {"$ref": f"#/components/messages/{message}"}},
    }


def _operation(name: str, channel: Channel) -> dict[str, Any]:
    example = channel.topic("c", *("x" for _ in channel.parameters))
    return {
        "action": "send" if channel.by_tables else "receive",
        "channel": {"$ref": f"#/channels/{name}"},
        "bindings": {
            "mqtt": {"qos": topics.qos_of(example), "retain": topics.is_retained(example)}
        },
    }


def _schemas() -> dict[str, Any]:
    _, found = msgspec.json.schema_components(
        [channel.message for channel in CHANNELS.values()], ref_template=SCHEMAS
    )
    return {name: _written(found[name]) for name in sorted(found)}


def _written(schema: Any) -> Any:
    """A schema as it goes over the wire: amounts as digits, descriptions on one line."""
    if isinstance(schema, list):
        return [_written(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    written = {key: _written(value) for key, value in schema.items()}
    if isinstance(written.get("description"), str):
        written["description"] = _one_line(written["description"])
    for name, value in written.get("properties", {}).items():
        if name.endswith("_microcents") and isinstance(value, dict):
            written["properties"][name] = {**AMOUNT}
    return written


def _text(what: object) -> str:
    return _one_line(inspect.getdoc(what) or "")


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("``", "")).strip()


def written() -> str:
    """The document as the file has it."""
    head = "# Made from the code by tests/contract/asyncapi.py, and held against it by the tests.\n"
    text: str = yaml.safe_dump(document(), sort_keys=False, allow_unicode=True, width=100)
    return head + text


if __name__ == "__main__":
    sys.stdout.write(written())
