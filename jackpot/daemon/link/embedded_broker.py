"""A broker inside our own process (amqtt): for demonstrations and for a carrusel in one box.

It keeps nothing on the disk and redelivers nothing. That is enough, because nothing of money counts
on a broker: whatever it drops is said again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from amqtt.broker import Broker  # type: ignore[import-untyped]

from jackpot.errors import Refused

MOST_CONNECTIONS = 64
"""The tables of one box, its coordinator, a few visors."""

CLOSING_S = 0.1
"""amqtt does not wait for its own connections: they close their sockets some turns of the loop later."""


@asynccontextmanager
async def embedded_broker(host: str, port: int) -> AsyncIterator[None]:
    """A broker at ``host`` and ``port``, to this machine only. Raises ``Refused``: taken."""
    for name in ("amqtt", "transitions"):
        logging.getLogger(name).setLevel(
            logging.CRITICAL
        )  # it logs each packet, and what is raised here
    config = {
        "listeners": {
            "default": {
                "type": "tcp",
                "bind": f"{host}:{port}",
                "max_connections": MOST_CONNECTIONS,
            }
        },
        "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
    }
    broker = Broker(config)
    try:
        await broker.start()
    except Exception as error:  # amqtt wraps whatever kept it from listening
        raise Refused(
            reason="broker_address_taken",
            expected=f"to listen at {host} port {port}",
            found=str(error.__cause__ or error),
            to_do="stop the other broker, or set broker.embedded = false and use that one",
        ) from error
    try:
        yield
    finally:
        await broker.shutdown()
        await asyncio.sleep(CLOSING_S)
