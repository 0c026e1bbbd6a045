"""From a topic and its payload to a message that may be believed to come from there.

The broker lets each box publish under its own name only; so a message is taken only if the name in
it is the one in its topic, and only of the kind that belongs there.
"""

from __future__ import annotations

from jackpot.errors import Refused
from jackpot.link import messages as m
from jackpot.link import wire

_OF_A_NODE: dict[str, type[m.Message]] = {
    "up": m.Up,
    "birth": m.Birth,
    "beat": m.NodeBeat,
    "resync": m.Resync,
    "ack": m.Ack,
}
_OF_ALL: dict[str, type[m.Message]] = {
    "total": m.Total,
    "members": m.Members,
    "decision": m.Entry,
}


def message_of(carrusel: str, topic: str, payload: bytes) -> m.Message:
    """The message. Raises ``Refused``: what ``wire.decode`` refuses, ``payload_out_of_place``."""
    match topic.split("/"):
        case ["carrusel", of, kind] if of == carrusel and kind in _OF_ALL:
            return wire.decode(payload, _OF_ALL[kind])
        case ["carrusel", of, "node", name, kind] if of == carrusel and kind in _OF_A_NODE:
            message = wire.decode(payload, _OF_A_NODE[kind])
            return _from(name, getattr(message, "table", ""), message)
        case ["carrusel", of, "coordinator", name, "beat"] if of == carrusel:
            message = wire.decode(payload, m.CoordinatorBeat)
            return _from(name, getattr(message, "coordinator", ""), message)
        case ["carrusel", of, "heads", name] if of == carrusel:
            message = wire.decode(payload, m.Head)
            return _from(name, getattr(message, "name", ""), message)
    raise _out_of_place(f"a topic of carrusel {carrusel}", topic)


def _from(name: str, claimed: str, message: m.Message) -> m.Message:
    if claimed != name:
        raise _out_of_place(f"a message of {name}", f"one of {claimed}")
    return message


def _out_of_place(expected: str, found: str) -> Refused:
    return Refused(
        reason="payload_out_of_place",
        expected=expected,
        found=found,
        to_do="look who publishes to this topic, and at the broker's access list",
    )
