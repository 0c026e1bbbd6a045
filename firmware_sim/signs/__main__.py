"""``python -m firmware_sim.signs KIND``: a text sign behind a pseudo terminal or a TCP port."""

from __future__ import annotations

import argparse
import select
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

from firmware_sim.__main__ import USAGE_EXIT, CommandInput, say
from firmware_sim.pty_line import LinkTakenError, PtyLine
from firmware_sim.signs.alpha import AlphaSign
from firmware_sim.signs.cd5220 import PoleDisplay
from firmware_sim.signs.tally import Tally
from firmware_sim.signs.tcp_line import TcpLine

MOST_ROWS, MOST_COLUMNS = 4, 80


class Sign(Protocol):
    """What both kinds of sign do."""

    tally: Tally

    def feed(self, data: bytes, now_ms: int) -> None:
        """What arrived on the line."""

    def excuse(self, now_ms: int) -> None:
        """It was stuck until now."""

    def picture(self) -> list[str]:
        """The rows as a person sees them."""

    def contents(self) -> dict[str, object]:
        """What is in its memory."""


class PtyEnd:
    """A pseudo terminal with the interface of ``TcpLine``."""

    def __init__(self, link: Path) -> None:
        self._line = PtyLine(link)
        self.plug, self.unplug, self.close = self._line.plug, self._line.unplug, self._line.close

    @property
    def device(self) -> str:
        """The device behind the link."""
        return self._line.device

    def filenos(self) -> list[int]:
        """The end to wait on, if there is one."""
        end = self._line.fileno()
        return [] if end is None else [end]

    def read(self, ready: list[int]) -> bytes:
        """What the host has written."""
        return self._line.read() if self._line.fileno() in ready else b""


class Console:
    """Commands in, one JSON object each; and a line whenever the picture changes."""

    def __init__(self, sign: Sign, line: PtyEnd | TcpLine) -> None:
        self._sign, self._line = sign, line
        self._shown: list[str] = []
        self.is_stuck = False
        self.done = False

    def changes(self, now_ms: int) -> list[dict[str, object]]:
        """The picture, if it is another one than the last time."""
        picture = self._sign.picture()
        if picture == self._shown:
            return []
        self._shown = picture
        return [{"event": "shown", "lines": picture, "at_ms": now_ms}]

    def execute(self, command: str, now_ms: int) -> dict[str, Any]:
        """The answer to one command."""
        name = command.strip()
        if name in ("plug", "unplug"):
            getattr(self._line, name)()
        elif name == "stick":
            self.is_stuck = True
        elif name == "free":
            self.is_stuck = False
            self._sign.excuse(now_ms)
        elif name == "bad":
            return {"ok": True, **self._sign.tally.report()}
        elif name == "memory":
            return {"ok": True, **self._sign.contents()}
        elif name == "quit":
            self.done = True
        elif name != "show":
            return {
                "ok": False,
                "error": "expected show, bad, memory, plug, unplug, stick, free, quit",
            }
        return {"ok": True, "lines": self._sign.picture()}


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of the command line; exits with a message on a wrong one."""
    parser = argparse.ArgumentParser(prog="firmware_sim.signs", description=__doc__)
    add = parser.add_argument
    add("kind", choices=("alpha", "cd5220"))
    add("--link", type=Path, help="where the host finds the line")
    add("--tcp", type=int, metavar="PORT", help="at 127.0.0.1; 0: any free port")
    add("--rows", type=int, default=1, help="of an Alpha sign, 1 to 4")
    add("--columns", type=int, default=15, help="of an Alpha sign, 5 to 80")
    add("--sign-address", default="01", help="of an Alpha sign")
    add("--gap-ms", type=int, default=0, help="packets that come earlier are lost")
    add("--stay", action="store_true", help="go on when standard input ends")
    options = parser.parse_args(arguments)
    if (options.link is None) == (options.tcp is None):
        parser.error("expected --link or --tcp, one of the two")
    if not 1 <= options.rows <= MOST_ROWS or not 5 <= options.columns <= MOST_COLUMNS:
        parser.error("expected --rows 1 to 4, --columns 5 to 80")
    return options


def build_sign(options: argparse.Namespace) -> Sign:
    """The sign that the options describe."""
    if options.kind == "cd5220":
        return PoleDisplay()
    return AlphaSign(options.rows, options.columns, options.sign_address, options.gap_ms)


def run(sign: Sign, line: PtyEnd | TcpLine, commands: CommandInput, *, stay: bool) -> None:
    """Show what is written, answer what is asked, until ``quit`` or the end of input."""
    console = Console(sign, line)
    say(console.changes(_now_ms()))
    while (commands.is_open or stay) and not console.done:
        ends = [] if console.is_stuck else line.filenos()
        waiting = [*ends, *([commands.descriptor] if commands.is_open else [])]
        ready = select.select(waiting, [], [])[0]
        now_ms = _now_ms()
        if any(end in ready for end in ends):
            sign.feed(line.read(ready), now_ms)
            say(console.changes(now_ms))
        if commands.descriptor in ready:
            say([console.execute(command, now_ms) for command in commands.read_lines()])


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the sign; the exit status (2 when its place is taken)."""
    options = parse(sys.argv[1:] if arguments is None else arguments)
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    try:
        line = PtyEnd(options.link) if options.link is not None else TcpLine(options.tcp)
    except (LinkTakenError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return USAGE_EXIT
    try:
        path = line.device if options.link is None else str(options.link)
        say([{"ok": True, "ready": True, "path": path, "device": line.device}])
        run(build_sign(options), line, CommandInput(sys.stdin.fileno()), stay=options.stay)
    finally:
        line.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
