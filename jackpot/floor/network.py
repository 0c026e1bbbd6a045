"""A network that loses, doubles, delays and reorders, with a broker that forgets.

It promises less than MQTT does: no order, no second try. Whatever holds here holds over every broker.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from jackpot.floor.world import World
from jackpot.link import messages as m
from jackpot.link import topics, wire

CODED_EVERY = 50
"""So many messages pass by name for one that is written out as bytes and read again."""

LONG_DELAY_MS = 4_000
"""Longer than a lease: old words arrive when new ones are long there."""


class Weather(msgspec.Struct):
    """How bad the network is; each in a thousand messages."""

    lost: int = 0
    doubled: int = 0
    delayed: int = 0


class Endpoint(Protocol):
    """Somebody on the network."""

    name: str
    is_coordinator: bool
    is_connected: bool

    def heard(self, message: m.Message) -> None:
        """A message arrived."""


class Network:
    """The broker and the wires. ``delivered`` counts every message that arrived somewhere."""

    def __init__(self, world: World, weather: Weather) -> None:
        self.world, self.weather = world, weather
        self.delivered = 0
        self.endpoints: dict[str, Endpoint] = {}
        self.overheard: Callable[[m.Message], None] = lambda _: None
        """Hears every message that is published, for those who judge."""
        self._retained: dict[str, m.Message] = {}
        self._sent = 0

    def publish(self, topic: str, message: m.Message) -> None:
        """From a connected endpoint to everybody who listens to the topic."""
        self._sent += 1
        if self._sent % CODED_EVERY == 0:
            message = wire.decode(wire.encode(message))
        self.overheard(message)
        if topics.is_retained(topic):
            self._retained[topic] = message
        for endpoint in self._listeners(message):
            self._carry(endpoint, message)

    def _listeners(self, message: m.Message) -> list[Endpoint]:
        if isinstance(message, m.Ack):
            return [self.endpoints[message.table]]
        upward = isinstance(message, m.Up | m.Birth | m.NodeBeat | m.Resync)
        return [one for one in self.endpoints.values() if one.is_coordinator == upward]

    def _carry(self, endpoint: Endpoint, message: m.Message) -> None:
        """Perhaps not at all, perhaps twice, perhaps much later."""
        weather, world = self.weather, self.world
        if weather.lost and world.chance(weather.lost):
            return
        copies = 2 if weather.doubled and world.chance(weather.doubled) else 1
        for _ in range(copies):
            delay_ms = world.some_ms(1, 6)
            if weather.delayed and world.chance(weather.delayed):
                delay_ms = world.some_ms(0, LONG_DELAY_MS)
            world.after(delay_ms, lambda: self._arrive(endpoint, message))

    def _arrive(self, endpoint: Endpoint, message: m.Message) -> None:
        if endpoint.is_connected:
            self.delivered += 1
            endpoint.heard(message)

    def connected(self, endpoint: Endpoint) -> None:
        """What the broker has kept goes to somebody who is there again."""
        for message in list(self._retained.values()):
            if endpoint in self._listeners(message):
                self._carry(endpoint, message)

    def forget(self) -> None:
        """The broker was killed, and its file is gone."""
        self._retained.clear()
