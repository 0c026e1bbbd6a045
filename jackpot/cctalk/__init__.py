"""THE WIRE: seven chip acceptors on a ccTalk bus. Sans-IO: bytes and a time in; events, bytes and
a deadline out. No clock, no socket, no thread; ``jackpot.daemon.bus`` gives it those."""

from __future__ import annotations

from jackpot.cctalk.host import BusHost
from jackpot.cctalk.setup import Echo, LineSetup, SlotSetup
from jackpot.mechanism.resume import Resume
from jackpot.mechanism.wire_events import (
    Continuity,
    Credit,
    Diagnosis,
    Down,
    Drained,
    Fault,
    Identified,
    LineFault,
    Lost,
    Polled,
    Restarted,
    Up,
    WireEvent,
)

__all__ = [
    "BusHost",
    "Continuity",
    "Credit",
    "Diagnosis",
    "Down",
    "Drained",
    "Echo",
    "Fault",
    "Identified",
    "LineFault",
    "LineSetup",
    "Lost",
    "Polled",
    "Restarted",
    "Resume",
    "SlotSetup",
    "Up",
    "WireEvent",
]
