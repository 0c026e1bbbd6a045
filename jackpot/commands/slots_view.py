"""How `jackpot slots` shows a bus: a table that moves on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from types import TracebackType

import msgspec
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from jackpot.mechanism.fault_codes import fault_code
from jackpot.mechanism.report import BusReport, SlotReport

_SOURCES = {"daemon": "read from the running table", "port": "read from the port; slots closed"}


def healthy(report: BusReport) -> bool:
    """Whether the line and every slot work."""
    return report.line_up and all(slot.state == "ready" for slot in report.slots)


def print_once(report: BusReport, source: str, as_json: bool) -> bool:
    """One look; whether all is well."""
    if as_json:
        whole = {"source": source, "ok": healthy(report), **msgspec.to_builtins(report)}
        text = msgspec.json.format(msgspec.json.encode(whole), indent=2).decode()
        sys.stdout.write(text + "\n")
    else:
        sys.stdout.write("\n".join(plain_lines(report, source)) + "\n")
    return healthy(report)


def plain_lines(report: BusReport, source: str) -> list[str]:
    """The bus as text."""
    lines = [head(report, source)]
    for slot in report.slots:
        lines.append(f"box {slot.box}{_place(slot)}: {_state(slot)}")
        lines += [f"    {name}: {value}" for name, value in _figures(slot) if value]
    return lines


def head(report: BusReport, source: str) -> str:
    """The line in a sentence."""
    echo = {None: "echo not found out yet", True: "echo found", False: "no echo"}[report.echo]
    up = "up" if report.line_up else "GONE"
    return f"{report.port}: {up}, {echo}, {report.unasked_bytes} unasked bytes ({_SOURCES[source]})"


def _place(slot: SlotReport) -> str:
    return "" if slot.address is None else f", address {slot.address}"


def _state(slot: SlotReport) -> str:
    if slot.down:
        return f"{slot.state}, OUT OF SERVICE: {slot.down} {slot.detail}".rstrip()
    return f"{slot.state}, {'open' if slot.accepting else 'closed'}"


def _figures(slot: SlotReport) -> list[tuple[str, str]]:
    """Name and value of everything that is known."""
    coins = ", ".join(f"{n} {name}" for n, name in slot.coins.items() if name != "......")
    return [
        ("who", _who(slot)),
        ("made", _made(slot)),
        ("chip", "" if slot.chip_position is None else f"channel {slot.chip_position}"),
        ("coins", coins),
        ("optos", _optos(slot)),
        ("inhibits", _inhibits(slot)),
        ("sorter", "" if slot.sorter_path is None else f"path {slot.sorter_path}"),
        ("its counters", _counters(slot)),
        ("newest events", _events(slot)),
        ("to do", _to_do(slot)),
        ("round trip", _times(slot)),
        ("errors", _errors(slot)),
        ("its own errors", _own_errors(slot)),
    ]


def _who(slot: SlotReport) -> str:
    if slot.serial is None:
        return ""
    parts = (slot.maker, slot.product, slot.software, f"serial number {slot.serial}")
    return ", ".join(part for part in parts if part)


def _made(slot: SlotReport) -> str:
    named = (
        (slot.made, slot.made),
        (slot.changed, f"changed {slot.changed}"),
        (slot.rom_checksum, f"ROM {slot.rom_checksum}"),
        (slot.protocol, f"ccTalk {slot.protocol}"),
    )
    return ", ".join(text for told, text in named if told)


def _own_errors(slot: SlotReport) -> str:
    """An acceptor that has heard everything has none, and then it is not worth a line."""
    if not any(slot.comms_errors):
        return ""
    names = ("time-outs", "ignored bytes", "bad checksums")
    return ", ".join(f"{name} {n}" for name, n in zip(names, slot.comms_errors, strict=False))


def _optos(slot: SlotReport) -> str:
    if slot.optos_blocked is None:
        return ""
    return f"blocked {slot.optos_blocked:#04x}" if slot.optos_blocked else "clear"


def _inhibits(slot: SlotReport) -> str:
    parts = []
    if slot.mask is not None:
        parts.append(f"mask {slot.mask:016b}")
    if slot.master_on is not None:
        parts.append("accepting" if slot.master_on else "accepting nothing")
    return ", ".join(parts)


def _counters(slot: SlotReport) -> str:
    named = (
        ("inserted", slot.acceptor_inserted),
        ("accepted", slot.acceptor_accepted),
        ("rejected", slot.acceptor_rejected),
        ("frauds", slot.acceptor_frauds),
    )
    return ", ".join(f"{name} {value}" for name, value in named if value is not None)


def _events(slot: SlotReport) -> str:
    said = []
    for a, b in slot.pairs:
        if a:
            said.append(f"credit {a}")
        elif b:
            said.append(f"{b} {fault_code(b).en}")
    return "; ".join(said)


def _to_do(slot: SlotReport) -> str:
    """About the newest event, if it is an error."""
    (a, b) = slot.pairs[0] if slot.pairs else (0, 0)
    return fault_code(b).to_do.en if b and not a else ""


def _times(slot: SlotReport) -> str:
    if not slot.replies:
        return ""
    p50, p95, p99 = (
        us / 1000 for us in (slot.round_trip_p50_us, slot.round_trip_p95_us, slot.round_trip_p99_us)
    )
    longest = slot.longest_poll_gap_ms
    return (
        f"{p50:.1f} / {p95:.1f} / {p99:.1f} ms (50, 95, 99 of 100), longest poll gap {longest} ms"
    )


def _errors(slot: SlotReport) -> str:
    named = (
        ("no reply", slot.timeouts),
        ("no echo", slot.no_echoes),
        ("collisions", slot.collisions),
        ("checksum", slot.checksum_errors),
        ("refused", slot.refusals),
        ("restarts", slot.restarts),
        ("lost events", slot.lost_events),
    )
    return ", ".join(f"{name} {value}" for name, value in named if value)


class LiveView:
    """A moving table on the terminal; a context manager."""

    def __init__(self, console: Console | None = None) -> None:
        self._live = Live(console=console or Console(), auto_refresh=False, screen=False)

    def __enter__(self) -> LiveView:
        """Begin."""
        self._live.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        """End; Ctrl-C is how a person ends it."""
        self._live.__exit__(kind, error, trace)
        return kind is KeyboardInterrupt

    def update(self, report: BusReport, source: str) -> None:
        """Show this."""
        self._live.update(Group(Text(head(report, source)), _table(report)), refresh=True)


def _table(report: BusReport) -> Table:
    table = Table(show_lines=True)
    for name in ("box", "state", "acceptor", "figures"):
        table.add_column(name)
    for slot in report.slots:
        style = "red" if slot.down else "green" if slot.state == "ready" else "yellow"
        figures = [f"{name}: {value}" for name, value in _figures(slot)[1:] if value]
        address = "" if slot.address is None else f"address {slot.address}\n"
        who = address + _who(slot)
        table.add_row(str(slot.box), Text(_state(slot), style=style), who, "\n".join(figures))
    return table
