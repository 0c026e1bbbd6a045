"""``python -m firmware_sim --link PATH``: the mechanism behind a pseudo terminal."""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from firmware_sim.acceptor import Acceptor
from firmware_sim.bus import Bus, WireSetup
from firmware_sim.command_queue import CommandQueue
from firmware_sim.commands import MAX_MS, MS_NS, Console
from firmware_sim.device import Model
from firmware_sim.identity import DEFAULT_COIN_IDS, DEFAULT_TOKEN_POSITION, Identity, coin_table
from firmware_sim.pty_line import LinkTakenError, PtyLine

MAX_SLOTS = 7  # a table has seven boxes
MAX_ADDRESS = 255
MAX_SERIAL = 0xFFFFFF  # part 2, 3.14: three bytes, also where four are sent
COMMAND_BYTES = 65_536  # what one read of standard input may bring
MAX_LINE_BYTES = 4_096  # no command is longer: a line without end is thrown away
USAGE_EXIT = 2


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of the command line; exits with a message on a wrong one."""
    parser = argparse.ArgumentParser(prog="firmware_sim", description=__doc__)
    switch = argparse.BooleanOptionalAction
    add = parser.add_argument
    add("--link", type=Path, required=True, help="where the host finds the line")
    add("--slots", type=int, default=MAX_SLOTS, help="acceptors on the bus, 1 to 7")
    add("--first-address", type=int, default=11, help="address of box 1, the others follow")
    add("--echo", action=switch, default=True, help="the interface echoes the host's bytes")
    add("--pace", action=switch, default=True, help="9600 baud, or as fast as it goes")
    add("--seed", type=int, default=0, help="of noise, losses and clash numbers")
    add("--crc16", action="store_true", help="CRC packets instead of simple checksums")
    add("--coins", default=",".join(DEFAULT_COIN_IDS), help="coin ids, the jackpot chip first")
    add("--token-position", type=int, default=DEFAULT_TOKEN_POSITION, help="of the jackpot chip")
    add("--mask-bytes", choices=("1", "2", "both"), default="both", help="inhibit masks taken")
    add("--inhibit-code", choices=("type", "plain"), default="type", help="128 and more, or 2")
    add("--reply-ms", type=int, default=0, help="every device's own delay before it answers")
    add("--boot-ms", type=int, default=0, help="deaf after a reset")
    add("--serial-base", type=int, default=700_000, help="serial number of box n is this plus n")
    add("--serial-bytes", type=int, choices=(3, 4), default=3, help="length of the serial number")
    add("--rom-bytes", type=int, choices=(3, 4), default=4, help="length of the ROM checksum")
    add("--stay", action="store_true", help="go on when standard input ends")
    options = parser.parse_args(arguments)
    _check(parser, options)
    return options


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Numbers within their bounds; the table of coins made."""
    last_address = options.first_address + options.slots - 1
    if not 1 <= options.slots <= MAX_SLOTS:
        parser.error(f"expected --slots 1 to {MAX_SLOTS}, found {options.slots}")
    if not 2 <= options.first_address <= last_address <= MAX_ADDRESS:
        parser.error(f"expected addresses 2 to {MAX_ADDRESS}, found up to {last_address}")
    for name in ("reply_ms", "boot_ms"):
        if not 0 <= getattr(options, name) <= MAX_MS:
            parser.error(f"expected --{name.replace('_', '-')} 0 to {MAX_MS}")
    if not 0 <= options.serial_base <= MAX_SERIAL - MAX_SLOTS:
        parser.error(f"expected --serial-base 0 to {MAX_SERIAL - MAX_SLOTS}")
    try:
        options.coin_ids = coin_table(tuple(options.coins.split(",")), options.token_position)
    except ValueError as error:
        parser.error(str(error))


def build_bus(options: argparse.Namespace) -> Bus:
    """The wire and its acceptors, as the options say."""
    clash = random.Random(options.seed)  # noqa: S311 - part 1, 20.2.2: repeatable, not secret
    lengths = {"1": {1}, "2": {2}, "both": {1, 2}}[options.mask_bytes]
    acceptors = [
        Acceptor(
            options.first_address + box - 1,
            Identity(
                serial=options.serial_base + box,
                coin_ids=options.coin_ids,
                serial_bytes=options.serial_bytes,
                rom_checksum=bytes.fromhex("5a17c0de")[: options.rom_bytes],
            ),
            Model(
                crc16=options.crc16,
                mask_lengths=frozenset(lengths),
                inhibited_by_type=options.inhibit_code == "type",
                boot_ns=options.boot_ms * MS_NS,
            ),
            clash_number=clash.randrange(256),
        )
        for box in range(1, options.slots + 1)
    ]
    setup = WireSetup(
        echo=options.echo,
        paced=options.pace,
        crc16=options.crc16,
        reply_ns=options.reply_ms * MS_NS,
        seed=options.seed,
    )
    return Bus(acceptors, setup)


class CommandInput:
    """Standard input cut into lines; ``is_open`` until it ends."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.is_open = True
        self._rest = b""

    def read_lines(self) -> list[str]:
        """The lines complete so far; call when the descriptor is readable."""
        data = os.read(self.descriptor, COMMAND_BYTES)
        if not data:
            self.is_open = False
        *lines, self._rest = (self._rest + data).split(b"\n")
        if not self.is_open and self._rest:
            lines.append(self._rest)
        if len(self._rest) > MAX_LINE_BYTES:
            self._rest = b""
        return [line.decode("utf-8", "replace") for line in lines if line.strip()]


def say(answers: list[dict[str, object]]) -> None:
    """One line of JSON each, all in one write."""
    if not answers:
        return
    sys.stdout.write("".join(json.dumps(answer) + "\n" for answer in answers))
    sys.stdout.flush()


def run(bus: Bus, line: PtyLine, console: Console, commands: CommandInput, *, stay: bool) -> None:
    """Turn the wheel until ``quit`` or the end of input; sleeps whenever nothing is due."""
    queue = CommandQueue(console)
    while commands.is_open or stay:
        now_ns = time.monotonic_ns()
        heard = bus.advance(now_ns)
        if heard:
            line.write(heard)
        say(queue.answers(now_ns))
        if console.done:
            return
        waiting = [commands.descriptor] if commands.is_open and queue.has_room else []
        end = line.fileno()
        if end is not None and bus.accepts_host_bytes(now_ns):
            waiting.append(end)
        deadlines_ns = [d for d in (bus.deadline_ns(), queue.deadline_ns()) if d is not None]
        wait_s = max(0, min(deadlines_ns) - now_ns) / 1e9 if deadlines_ns else None
        readable = select.select(waiting, [], [], wait_s)[0]
        now_ns = time.monotonic_ns()
        if end in readable:
            bus.receive(line.read(), now_ns)
        if commands.descriptor in readable and commands.is_open:
            queue.add(commands.read_lines())
    say(queue.answers(time.monotonic_ns()))


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the simulator; the exit status (2 when the link's path is somebody's file)."""
    options = parse(sys.argv[1:] if arguments is None else arguments)
    bus = build_bus(options)
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    try:
        line = PtyLine(options.link)
    except (LinkTakenError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return USAGE_EXIT
    try:
        say([{"ok": True, "ready": True, "path": str(options.link), "device": line.device}])
        console = Console(bus, line, options.token_position)
        run(bus, line, console, CommandInput(sys.stdin.fileno()), stay=options.stay)
    finally:
        line.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
