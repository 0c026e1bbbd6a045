"""The topics of a carrusel: plain strings, the same for every MQTT version and for NATS.

Ids are ``[a-z0-9-]`` only: a space, a dot, a plus or a hash means something else to some broker.
"""

from __future__ import annotations

import re

from jackpot.errors import Refused

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""Forty characters name any table and fit every broker's limits, three times in one topic."""

EVERY_NODE = "+"
"""Stands for any table or coordinator in a subscription."""


def check_id(name: str, what: str) -> str:
    """``name``, if it may stand in a topic. Raises ``Refused`` (``not_an_id``)."""
    if _ID.fullmatch(name) is None:
        raise Refused(
            reason="not_an_id",
            expected=f"a {what} of small letters, digits and hyphens, at most forty",
            found=repr(name),
            to_do="choose a plain name; it stands in MQTT topics",
        )
    return name


def up(carrusel: str, table: str) -> str:
    """Numbered operations of a table."""
    return f"carrusel/{carrusel}/node/{table}/up"


def ack(carrusel: str, table: str) -> str:
    """The last operation of a table that is in the log, retained."""
    return f"carrusel/{carrusel}/node/{table}/ack"


def resync(carrusel: str, table: str) -> str:
    """A table misses a decision."""
    return f"carrusel/{carrusel}/node/{table}/resync"


def birth(carrusel: str, table: str) -> str:
    """Who the box of a table is."""
    return f"carrusel/{carrusel}/node/{table}/birth"


def node_beat(carrusel: str, table: str) -> str:
    """A table is alive."""
    return f"carrusel/{carrusel}/node/{table}/beat"


def total(carrusel: str) -> str:
    """What the visors show, retained."""
    return f"carrusel/{carrusel}/total"


def members(carrusel: str) -> str:
    """Who is in it, retained."""
    return f"carrusel/{carrusel}/members"


def head(carrusel: str, name: str) -> str:
    """A signed checkpoint of somebody's ledger or log, retained."""
    return f"carrusel/{carrusel}/heads/{name}"


def decision(carrusel: str) -> str:
    """Entries of the log that every member applies."""
    return f"carrusel/{carrusel}/decision"


def coordinator_beat(carrusel: str, name: str) -> str:
    """A coordinator is alive."""
    return f"carrusel/{carrusel}/coordinator/{name}/beat"


def is_retained(topic: str) -> bool:
    """Whether the broker keeps the last message of ``topic`` for those who come later."""
    return topic.endswith(("/ack", "/total", "/members")) or "/heads/" in topic


def qos_of(topic: str) -> int:
    """The quality of service of ``topic``: 0 for signs of life and acknowledgements, which are said again
    within a second whatever becomes of them and are half of all messages; 1 for everything else."""
    return 0 if topic.endswith(("/beat", "/ack")) else 1


def of_node(carrusel: str, table: str) -> tuple[str, ...]:
    """What a table listens to."""
    return (
        ack(carrusel, table),
        total(carrusel),
        members(carrusel),
        decision(carrusel),
        coordinator_beat(carrusel, EVERY_NODE),
        head(carrusel, EVERY_NODE),
    )


def of_coordinator(carrusel: str) -> tuple[str, ...]:
    """What a coordinator listens to."""
    return (
        up(carrusel, EVERY_NODE),
        resync(carrusel, EVERY_NODE),
        birth(carrusel, EVERY_NODE),
        node_beat(carrusel, EVERY_NODE),
        head(carrusel, EVERY_NODE),
    )
