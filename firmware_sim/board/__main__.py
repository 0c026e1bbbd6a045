"""``python -m firmware_sim.board --link PATH``: the real firmware behind a pseudo terminal."""

from __future__ import annotations

import argparse
import select
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from firmware_sim.__main__ import USAGE_EXIT, CommandInput, say
from firmware_sim.board.build import BuildError, build
from firmware_sim.board.commands import Simulation
from firmware_sim.board.wire import Wire
from firmware_sim.board.workbench import Workbench
from firmware_sim.command_queue import CommandQueue
from firmware_sim.pty_line import LinkTakenError, PtyLine

MAX_SLOTS = 7
MAX_SERIAL = 2**53 - 1


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of the command line; exits with a message on a wrong one."""
    parser = argparse.ArgumentParser(prog="firmware_sim.board", description=__doc__)
    add = parser.add_argument
    add("--link", type=Path, required=True, help="where the host finds the line")
    add("--slots", type=int, default=MAX_SLOTS, help="selectors on the board, 1 to 7")
    add("--serial", type=int, default=900_000, help="serial number of the board")
    add("--boots", type=int, default=0, help="how often it has started before")
    add("--seed", type=int, default=0, help="of noise and losses")
    add("--stay", action="store_true", help="go on when standard input ends")
    options = parser.parse_args(arguments)
    for name, low, high in (("slots", 1, 7), ("serial", 1, MAX_SERIAL), ("boots", 0, 2**31)):
        if not low <= getattr(options, name) <= high:
            parser.error(f"expected --{name} {low} to {high}, found {getattr(options, name)}")
    return options


def run(sim: Simulation, commands: CommandInput, *, stay: bool) -> None:
    """Turn the wheel until ``quit`` or the end of input. The board only answers, so it need not
    live while nobody asks: it catches up when somebody does."""
    queue = CommandQueue(sim)
    while commands.is_open or stay:
        say(queue.answers(time.monotonic_ns()))
        if sim.done:
            return
        waiting = [commands.descriptor] if commands.is_open and queue.has_room else []
        end = sim.line.fileno()
        if end is not None:
            waiting.append(end)
        deadline_ns = queue.deadline_ns()
        wait_s = None if deadline_ns is None else max(0, deadline_ns - time.monotonic_ns()) / 1e9
        readable = select.select(waiting, [], [], wait_s)[0]
        if end in readable:
            sim.hear(sim.line.read(), time.monotonic_ns())
        if commands.descriptor in readable and commands.is_open:
            queue.add(commands.read_lines())
    say(queue.answers(time.monotonic_ns()))


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the simulator; the exit status (2 without a compiler, or when the link is a file)."""
    options = parse(sys.argv[1:] if arguments is None else arguments)
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    try:
        program = build()
        line = PtyLine(options.link)
    except (BuildError, LinkTakenError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return USAGE_EXIT
    try:
        with Workbench(program, options.serial, options.boots, options.slots) as bench:
            sim = Simulation(bench, Wire(options.seed), line, time.monotonic_ns())
            device = {"path": str(options.link), "device": line.device}
            say([{"ok": True, "ready": True, **device}])
            run(sim, CommandInput(sys.stdin.fileno()), stay=options.stay)
    finally:
        line.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
