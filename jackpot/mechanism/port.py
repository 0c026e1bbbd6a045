"""The port behind which any mechanism sits: bytes and the time in; events, bytes, a deadline out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from jackpot.mechanism.report import BusReport
from jackpot.mechanism.statistics import BoxStatistics
from jackpot.mechanism.wire_events import WireEvent


class MechanismHost(Protocol):
    """The host of one serial line; all times in nanoseconds of one monotonic clock.

    After every call write ``bytes_to_send`` and take ``take_events``; call ``advance`` by
    ``deadline_ns`` at the latest.
    """

    def receive(self, data: bytes, now_ns: int) -> None:
        """Bytes came from the line."""

    def advance(self, now_ns: int) -> None:
        """Time passed."""

    def bytes_to_send(self) -> bytes:
        """What is to be written now; handed out once."""

    def deadline_ns(self) -> int | None:
        """When ``advance`` wants to be called; in the past: at once; None: not by time."""

    def take_events(self) -> list[WireEvent]:
        """What happened since the last call, in order; handed out once."""

    def committed(self, box: int, epoch: int, count: int) -> None:
        """The ledger holds the news of ``box`` up to ``count``."""

    def accept(self, box: int, on: bool, now_ns: int) -> None:
        """Open or close the slot of ``box``."""

    def drain(self, now_ns: int) -> None:
        """The lock: close every slot, hear each once more, then say ``Drained``."""

    def read_counters(self, boxes: Iterable[int], now_ns: int) -> None:
        """Ask these boxes' own life-long counters, then say ``CountersRead``."""

    def line_lost(self, now_ns: int, detail: str) -> None:
        """The adapter is gone."""

    def line_restored(self, now_ns: int) -> None:
        """The adapter is back."""

    def statistics(self) -> Mapping[int, BoxStatistics]:
        """What was counted, by box; to be read only."""

    def inspect(self, now_ns: int) -> None:
        """A technician looks: ask for what only people want to know."""

    def report(self) -> BusReport:
        """The mechanism as it stands, for people."""
