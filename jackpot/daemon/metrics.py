"""``/metrics`` for this machine alone. Amounts are not metrics: those come from the ledger."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterable, Mapping

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from jackpot.daemon.table_desk import TableDesk
from jackpot.mechanism.statistics import BoxStatistics
from jackpot.table.state import Phase

Statistics = Callable[[], Mapping[int, BoxStatistics]]

_COUNTED = (
    ("polls", "Polls of an acceptor (header 229)"),
    ("replies", "Right answers of an acceptor"),
    ("timeouts", "Questions without an answer"),
    ("no_echoes", "Questions whose echo did not come back"),
    ("collisions", "Questions whose echo was not what was sent"),
    ("checksum_errors", "Answers with a wrong checksum"),
    ("restarts", "Restarts of an acceptor"),
    ("lost_events", "Events that an acceptor counted and could not tell"),
)


class TableCollector(Collector):
    """Reads a running table whenever it is asked."""

    def __init__(self, desk: TableDesk, statistics: Statistics) -> None:
        self._desk = desk
        self._statistics = statistics

    def collect(self) -> Iterable[Metric]:
        """Every figure, now."""
        desk, state, status = self._desk, self._desk.state, self._desk.status
        yield _gauge("ready", "Amounts may be shown", status.ready)
        yield _gauge("halted", "The table has locked itself", bool(status.halted))
        yield _gauge("disk_full", "The last commit found no room", desk.disk_is_full)
        yield _gauge("line_fault", "The serial line is in trouble", bool(status.line_fault))
        yield _gauge("open", "The gaming day is open", state.phase is not Phase.CLOSED)
        yield _gauge("hand", "Number of the newest hand", state.hand_number)
        yield _gauge("alarms", "Alarms that stand", len(state.alarms))
        yield _gauge("open_items", "Things for an officer to see to", len(state.items))
        yield CounterMetricFamily("jackpot_awards", "Awards decided", value=state.awards)
        yield from self._slots()

    def _slots(self) -> Iterable[Metric]:
        up = GaugeMetricFamily("jackpot_slot_up", "The slot works", labels=["box"])
        for box, slot in enumerate(self._desk.state.slots, 1):
            up.add_metric([str(box)], int(slot.up))
        yield up
        boxes = self._statistics()
        for name, text in _COUNTED:
            counter = CounterMetricFamily(f"jackpot_slot_{name}", text, labels=["box"])
            for box, statistics in boxes.items():
                counter.add_metric([str(box)], getattr(statistics, name))
            yield counter


def _gauge(name: str, text: str, value: int) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"jackpot_{name}", text, value=int(value))


class WithMetrics:
    """An application with ``/metrics`` before it, for clients on this machine."""

    def __init__(self, app: ASGIApp, desk: TableDesk, statistics: Statistics) -> None:
        self._app = app
        self._registry = CollectorRegistry()
        self._registry.register(TableCollector(desk, statistics))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or hand the request on."""
        if scope["type"] != "http" or scope["path"] != "/metrics":
            await self._app(scope, receive, send)
            return
        response: Response = PlainTextResponse("not found", status_code=404)
        if _is_here(scope.get("client")):
            body = generate_latest(self._registry)
            response = Response(body, media_type=CONTENT_TYPE_LATEST)
        await response(scope, receive, send)


def _is_here(client: tuple[str, int] | None) -> bool:
    return client is not None and ipaddress.ip_address(client[0]).is_loopback
