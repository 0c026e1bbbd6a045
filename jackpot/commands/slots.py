"""``jackpot slots``: the technician at the wire. ``jackpot slots CONFIG`` is ``jackpot slots show CONFIG``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from jackpot.errors import Refused

if TYPE_CHECKING:
    from jackpot.cctalk.setup import LineSetup
    from jackpot.cctalk.wording import Piece
    from jackpot.config import Config

ConfigArgument = Annotated[Path, typer.Argument(help="The table's configuration (TOML).")]
ConfigOrNot = Annotated[
    Path | None, typer.Argument(help="The table's configuration; or give --port.")
]
Port = Annotated[str | None, typer.Option("--port", help="The serial port, without a table.")]
Crc16 = Annotated[bool, typer.Option("--crc16", help="CRC frames instead of simple checksums.")]
Baud = Annotated[int, typer.Option("--baud", help="Of --port.")]
AsJson = Annotated[bool, typer.Option("--json", help="Answer as JSON, for programs.")]

HIGHEST_CODE = 255

LONGEST_CAPTURE_BYTES = 16_000_000
"""Of text: an evening of a busy line."""


class _ShowByDefault(TyperGroup):
    """A word that is no command is a configuration to show."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            args = ["show", *args]
        return super().parse_args(ctx, args)


def register(app: typer.Typer) -> None:
    """Mount ``slots`` on the command line's app."""
    slots = typer.Typer(
        cls=_ShowByDefault, help="The slots at the wire: look, scan, test.", no_args_is_help=True
    )
    slots.command("show")(show)
    slots.command("scan")(scan)
    slots.command("test")(slot_test)
    slots.command("sniff")(sniff)
    slots.command("decode")(decode)
    slots.command("codes")(codes)
    address = typer.Typer(help="Addresses on the bus.", no_args_is_help=True)
    address.command("clash")(address_clash)
    address.command("resolve")(address_resolve)
    address.command("change")(address_change)
    slots.add_typer(address, name="address")
    app.add_typer(slots, name="slots")


def show(
    config: ConfigArgument,
    as_json: AsJson = False,
    once: Annotated[bool, typer.Option("--once", help="One look, then end.")] = False,
) -> None:
    """Every slot as it stands: live on a terminal, one look elsewhere. Ctrl-C ends it.

    A running table is asked; otherwise the port is opened, all slots stay closed, nothing counts.
    Exit status 1 if a slot is out of service.
    """
    from jackpot.commands.slots_view import LiveView, print_once
    from jackpot.daemon.technician.commands import show as look

    loaded = _load(config)
    if as_json or once or not sys.stdout.isatty():
        healthy: list[bool] = []
        look(loaded, lambda r, source: healthy.append(print_once(r, source, as_json)), once=True)
        if not all(healthy):
            raise typer.Exit(1)
        return
    with LiveView() as view:
        look(loaded, view.update, once=False)


def scan(
    config: ConfigOrNot = None,
    port: Port = None,
    crc16: Crc16 = False,
    baud: Baud = 9600,
    as_json: AsJson = False,
) -> None:
    """Who answers on the line: addresses 2 to 32, and whoever shares one. The table must not be running.

    Exit status 1 if nobody answers or an address is shared.
    """
    from jackpot.daemon.technician.commands import scan_line

    found = scan_line(*_line(config, port, crc16, baud))
    if as_json:
        _print_json(found)
    for device in () if as_json else found:
        serial = "" if device.serial is None else f", serial number {device.serial}"
        what = " ".join(part for part in (device.maker, device.product) if part)
        if device.devices > 1:
            what = (
                f"{device.devices} devices share this address: "
                f"`jackpot slots address resolve {device.address}`"
            )
        typer.echo(f"{device.address:3}  {device.category or 'no category'}  {what}{serial}")
    if not found:
        if not as_json:
            typer.echo("nobody answers: look at power, wiring, checksum mode (--crc16) and baud")
        raise typer.Exit(1)
    if any(device.devices > 1 for device in found):
        raise typer.Exit(1)


def slot_test(
    box: Annotated[int, typer.Argument(help="The box, 1 to 7.")],
    config: ConfigArgument,
    by: Annotated[str, typer.Option("--by", help="The technician's id.")],
    seconds: Annotated[int, typer.Option("--seconds", help="How long to wait, 60 at most.")] = 30,
    pin_stdin: Annotated[
        bool, typer.Option("--pin-stdin", help="Read the PIN from standard input.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Test one slot of the running table with a real chip, between hands; signed into its ledger.

    The chip is no bet. Exit status 1 if no chip was told.
    """
    from jackpot.daemon.technician.commands import require_running, run_slot_test
    from jackpot.daemon.technician.tester import Asked

    loaded = _load(config)
    require_running(loaded)
    pin = sys.stdin.readline().strip() if pin_stdin else typer.prompt("PIN", hide_input=True)
    if not as_json:
        typer.echo(f"box {box}: put one jackpot chip in, within {seconds} s")
    told = run_slot_test(loaded, Asked(box=box, by=by, pin=pin, seconds=seconds))
    if as_json:
        _print_json(told)
    else:
        why = f"; the slot is out of service: {told.fault}" if told.fault else ""
        typer.echo(f"box {told.box}: {told.result}, {told.chips} chip(s), signed by {told.by}{why}")
    if not told.chips:
        raise typer.Exit(1)


def address_clash(
    address: Annotated[int, typer.Argument(help="The address.")],
    config: ConfigOrNot = None,
    port: Port = None,
    crc16: Crc16 = False,
    baud: Baud = 9600,
    as_json: AsJson = False,
) -> None:
    """How many devices share one address (header 252). Exit status 1 unless it is one."""
    from jackpot.daemon.technician.commands import clash

    where, line = _line(config, port, crc16, baud)
    number = clash(where, line, address)
    if as_json:
        _print_json({"address": address, "devices": number})
    else:
        typer.echo(f"address {address}: {number} device(s)")
        if number > 1:
            typer.echo(f"tell them apart with `jackpot slots address resolve {address}`")
    if number != 1:
        raise typer.Exit(1)


def address_resolve(
    address: Annotated[int, typer.Argument(help="The address that several share.")],
    config: ConfigOrNot = None,
    port: Port = None,
    crc16: Crc16 = False,
    baud: Baud = 9600,
    as_json: AsJson = False,
) -> None:
    """Give each device that shares an address one of its own (headers 252, 250, 253, 251).

    The lowest serial number keeps the address, the others get those that the table's configuration
    names and nobody has. The table must not be running. It takes some ten seconds.
    """
    from jackpot.daemon.technician.commands import resolve

    where, line = _line(config, port, crc16, baud)
    placed = resolve(where, line, address, _addresses(config))
    if as_json:
        _print_json(placed)
        return
    for one in placed:
        serial = "serial number unknown" if one.serial is None else f"serial number {one.serial}"
        typer.echo(f"address {one.address}: {serial}")
    typer.echo("which box is which, nobody can know: try each with `jackpot slots test`")


def address_change(
    old: Annotated[int, typer.Argument(help="The present address.")],
    new: Annotated[int, typer.Argument(help="The new one.")],
    config: ConfigOrNot = None,
    port: Port = None,
    crc16: Crc16 = False,
    baud: Baud = 9600,
    as_json: AsJson = False,
) -> None:
    """Give an acceptor another address (header 251); refused if it is taken or shared."""
    from jackpot.daemon.technician.commands import change

    where, line = _line(config, port, crc16, baud)
    change(where, line, old, new)
    if as_json:
        _print_json({"old": old, "new": new})
    else:
        typer.echo(f"address {old} is now {new}")


def sniff(
    config: ConfigOrNot = None,
    port: Port = None,
    crc16: Crc16 = False,
    baud: Baud = 9600,
    seconds: Annotated[
        float | None, typer.Option("--seconds", help="End after so long; else at Ctrl-C.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Listen to a line that another host drives: hex, and what it means. Sends nothing."""
    from jackpot.daemon.technician import commands

    start_ns: list[int] = []

    def tell(at_ns: int, piece: Piece, words: str) -> None:
        start_ns.append(at_ns) if not start_ns else None
        _print_piece(piece, words, as_json, (at_ns - start_ns[0]) // 1_000_000)

    where, line = _line(config, port, crc16, baud)
    commands.sniff(where, line, tell, seconds=seconds)
    if not start_ns and not as_json:
        typer.echo("nobody said anything: does another host drive this line? (--baud)")


def decode(
    hexes: Annotated[
        list[str] | None, typer.Argument(help="Hex bytes; without any, standard input is read.")
    ] = None,
    file: Annotated[Path | None, typer.Option("--file", help="A capture: hex text.")] = None,
    crc16: Crc16 = False,
    as_json: AsJson = False,
) -> None:
    """Hex to words. Exit status 1 if some bytes are no frame."""
    from jackpot.cctalk.frame import Checksum
    from jackpot.cctalk.wording import Interpreter, Splitter, hex_bytes

    if hexes:
        text = " ".join(hexes)
    elif file is not None:
        text = file.read_text(encoding="utf-8")[:LONGEST_CAPTURE_BYTES]
    else:
        text = sys.stdin.read(LONGEST_CAPTURE_BYTES)
    try:
        data = hex_bytes(text)
    except ValueError as error:
        raise Refused(
            reason="no_hex",
            expected='hex bytes, as in "02 00 01 FE FF"',
            found=str(error),
            to_do="take the line out, or begin it with #",
        ) from error
    mode = Checksum.CRC16 if crc16 else Checksum.SUM8
    splitter, words = Splitter(mode), Interpreter(mode)
    clean = True
    for piece in (*splitter.feed(data, 0), *splitter.flush()):
        clean = clean and piece.frame is not None
        _print_piece(piece, words.words(piece), as_json)
    if not clean:
        raise typer.Exit(1)


def codes(
    code: Annotated[int | None, typer.Argument(help="One error code; without it, all.")] = None,
    language: Annotated[str, typer.Option("--language", help="en or es.")] = "en",
) -> None:
    """What an acceptor's error codes (header 229) mean, and what to do about each."""
    from jackpot.law.words import Language
    from jackpot.mechanism.fault_codes import fault_code, known_codes

    if language not in set(Language):
        raise typer.BadParameter("expected en or es", param_hint="--language")
    if code is not None and not 1 <= code <= HIGHEST_CODE:
        raise typer.BadParameter(f"expected a code from 1 to {HIGHEST_CODE}", param_hint="CODE")
    for one in known_codes() if code is None else (fault_code(code),):
        if language == Language.ES:
            typer.echo(f"{one.code:3}  {one.es}. {one.to_do.es}")
        else:
            typer.echo(f"{one.code:3}  {one.en}. {one.to_do.en}")


def _print_piece(piece: Piece, words: str, as_json: bool, at_ms: int | None = None) -> None:
    if as_json:
        frame = piece.frame
        line = {"hex": piece.raw.hex(" "), "words": words, "frame": frame is not None}
        if frame is not None:
            line |= {"destination": frame.destination, "header": frame.header}
        if at_ms is not None:
            line["at_ms"] = at_ms
        _print_json(line, indent=0)
        return
    at = "" if at_ms is None else f"{at_ms / 1000:9.3f}  "
    typer.echo(f"{at}{piece.raw.hex(' ')}\n{' ' * len(at)}    {words}")


def _print_json(what: object, indent: int = 2) -> None:
    import msgspec

    text = msgspec.json.encode(what)
    typer.echo((msgspec.json.format(text, indent=indent) if indent else text).decode())


def _load(config: Path) -> Config:
    from jackpot.config import load_config_file

    return load_config_file(config)


def _addresses(config: Path | None) -> tuple[int, ...]:
    """The addresses that a table's slots should have, by box."""
    from jackpot.board.setup import BoardSetup

    slots = None if config is None else _load(config).slots
    if slots is None or isinstance(slots.mechanism, BoardSetup):
        return ()
    return tuple(slot.address for slot in slots.mechanism.slots)


def _line(config: Path | None, port: str | None, crc16: bool, baud: int) -> tuple[str, LineSetup]:
    """The port and its line: the table's, or the one that is named."""
    from jackpot.board.setup import BoardSetup
    from jackpot.cctalk.setup import LineSetup

    if port is not None:
        return port, LineSetup(crc16=crc16, baud=baud)
    if config is None:
        raise typer.BadParameter("give a configuration or --port")
    slots = _load(config).slots
    if slots is None:
        raise typer.BadParameter("this table has no slots: give --port")
    if isinstance(slots.mechanism, BoardSetup):
        raise typer.BadParameter("this table has a slot board, no ccTalk line: give --port")
    return str(slots.port), slots.mechanism.line
