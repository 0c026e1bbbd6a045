"""The commands of the board's simulator: one line of text in, one JSON object out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from firmware_sim.board.wire import NS_PER_MS, Wire
from firmware_sim.board.workbench import MAX_STEP_MS, Workbench
from firmware_sim.pty_line import PtyLine

Result = dict[str, Any]

MAX_CHIPS = 600
MAX_MS = 60_000
PULSE_MS = 60  # what a selector's credit pulse usually lasts
KEY_MS = 100  # a quick finger
REPLACED_SERIAL_STEP = 1000


class CommandError(Exception):
    """A command that cannot be understood; nothing was done."""


class Simulation:
    """A board, its line, and the real time that it lives in. Call ``catch_up`` before anything."""

    def __init__(self, bench: Workbench, wire: Wire, line: PtyLine, now_ns: int) -> None:
        self.bench, self.wire, self.line = bench, wire, line
        self.done = False
        self._lived_ns = now_ns
        self._off_until_ns: int | None = None

    def catch_up(self, now_ns: int) -> None:
        """The board lives up to now. It says nothing unasked, so nothing is sent."""
        if self._off_until_ns is not None:
            if now_ns < self._off_until_ns:
                return
            self._lived_ns, self._off_until_ns = self._off_until_ns, None
            self.bench.restart()
        while (ms := (now_ns - self._lived_ns) // NS_PER_MS) > 0:
            self.pass_time(min(ms, MAX_STEP_MS))

    def hear(self, data: bytes, now_ns: int) -> None:
        """Bytes of the host."""
        self.catch_up(now_ns)
        if self._off_until_ns is None:
            self.line.write(self.wire.to_host(self.bench.receive(self.wire.to_board(data))))

    def switch_off(self, ms: int, now_ns: int) -> None:
        """Power is lost for so long."""
        self._off_until_ns = now_ns + ms * NS_PER_MS
        self.catch_up(now_ns)

    def is_open(self, slot: int) -> bool:
        """Whether the gate of a slot lets a chip in."""
        return self._off_until_ns is None and bool(self.bench.gates >> (slot - 1) & 1)

    def chip(self, slot: int, pulse_ms: int, fall_ms: int) -> bool:
        """Whether the selector keeps this chip. Without power every gate is held shut."""
        return self._off_until_ns is None and self.bench.chip(slot, pulse_ms, fall_ms)

    def pass_time(self, ms: int) -> None:
        """The board lives so long ahead of the clock, which then catches up with it."""
        self.bench.advance(ms)
        self._lived_ns += ms * NS_PER_MS

    def execute(self, text: str, now_ns: int) -> Result:
        """The answer to one line; an error is an answer too and changes nothing."""
        self.catch_up(now_ns)
        words = text.split()
        try:
            command = COMMANDS.get(words[0]) if words else None
            if command is None:
                raise CommandError(f"expected a command, found {text.strip()!r}; try help")
            if len(words) - 1 not in command.arguments:
                usage = f"{words[0]} {command.usage}".strip()
                raise CommandError(f"expected `{usage}`, found {text.strip()!r}")
            return {"ok": True, **command.run(self, words[1:], now_ns)}
        except CommandError as error:
            return {"ok": False, "error": str(error)}


@dataclass(frozen=True, slots=True)
class Command:
    """``usage`` after the name, the numbers of arguments allowed, a line of help, the action."""

    usage: str
    arguments: range
    meaning: str
    run: Callable[[Simulation, list[str], int], Result]


def number(word: str, low: int, high: int, what: str) -> int:
    """A whole number within bounds, or ``CommandError``."""
    if not (word.isascii() and word.isdigit() and low <= int(word) <= high):
        raise CommandError(f"expected {what} {low} to {high}, found {word!r}")
    return int(word)


def _box(sim: Simulation, word: str) -> int:
    return number(word, 1, sim.bench.slots, "a box")


def _probability(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise CommandError(f"expected a probability 0 to 1, found {word!r}")
    return value


def _chip(sim: Simulation, words: list[str], now_ns: int) -> Result:
    box = _box(sim, words[0])
    pulse_ms = number(words[1], 1, MAX_MS, "milliseconds") if words[1:] else PULSE_MS
    fall_ms = number(words[2], 0, MAX_MS, "milliseconds") if words[2:] else 0
    return {"box": box, "accepted": sim.chip(box, pulse_ms, fall_ms), "at_ns": now_ns}


def _chips(sim: Simulation, words: list[str], _: int) -> Result:
    box, chips = _box(sim, words[0]), number(words[1], 1, MAX_CHIPS, "chips")
    sim.bench.stack(box, chips, PULSE_MS)
    return {"box": box, "queued": chips}


def _await(sim: Simulation, words: list[str], _: int) -> Result:
    box = _box(sim, words[0])
    return {"box": box, "open": sim.is_open(box)}


def _hold(active: bool) -> Callable[[Simulation, list[str], int], Result]:
    def run(sim: Simulation, words: list[str], _: int) -> Result:
        box = _box(sim, words[0])
        sim.bench.hold_line(box, active)
        return {"box": box}

    return run


def _lock(sim: Simulation, _words: list[str], _: int) -> Result:
    sim.bench.hold_key(True)
    sim.pass_time(KEY_MS)
    sim.bench.hold_key(False)
    return {}


def _reset(sim: Simulation, words: list[str], now_ns: int) -> Result:
    sim.switch_off(number(words[0], 0, MAX_MS, "milliseconds") if words else 0, now_ns)
    return {}


def _replace(sim: Simulation, _words: list[str], _: int) -> Result:
    sim.bench.replace(sim.bench.serial + REPLACED_SERIAL_STEP, 0, sim.bench.slots)
    return {"serial": sim.bench.serial}


def _wear(sim: Simulation, _words: list[str], _: int) -> Result:
    sim.bench.wear_out(True)
    return {}


def _cut(*, silent: bool, mute: bool) -> Callable[[Simulation, list[str], int], Result]:
    def run(sim: Simulation, _words: list[str], _: int) -> Result:
        sim.wire.silent, sim.wire.mute = silent, mute
        return {}

    return run


def _spoil(name: str) -> Callable[[Simulation, list[str], int], Result]:
    def run(sim: Simulation, words: list[str], _: int) -> Result:
        setattr(sim.wire, name, _probability(words[0]))
        return {}

    return run


def _plug(sim: Simulation, _words: list[str], _: int) -> Result:
    sim.line.plug()
    return {"device": sim.line.device}


def _unplug(sim: Simulation, _words: list[str], _: int) -> Result:
    sim.line.unplug()
    return {}


def _state(sim: Simulation, _words: list[str], _: int) -> Result:
    boxes = range(1, sim.bench.slots + 1)
    return {
        "serial": sim.bench.serial,
        "open": [box for box in boxes if sim.is_open(box)],
        "lamps": sim.bench.lamps,
        "plugged": sim.line.is_plugged,
        "lost_bytes": sim.line.lost_bytes,
    }


def _help(_sim: Simulation, _words: list[str], _: int) -> Result:
    lines = [f"{name} {c.usage}".strip() + f": {c.meaning}" for name, c in COMMANDS.items()]
    return {"commands": lines}


def _quit(sim: Simulation, _words: list[str], _: int) -> Result:
    sim.done = True
    return {}


_NONE, _ONE, _TWO, _ONE_TO_THREE = range(1), range(1, 2), range(2, 3), range(1, 4)
_NONE_OR_ONE = range(2)

COMMANDS = {
    "chip": Command("BOX [MS [FALL_MS]]", _ONE_TO_THREE, "a chip, its pulse so long", _chip),
    "chips": Command("BOX N", _TWO, "N chips, one behind the other", _chips),
    "await": Command("BOX", _ONE, "answered as soon as the slot is open", _await),
    "leave": Command("", _NONE, "nobody waits any longer", _state),
    "jam": Command("BOX", _ONE, "the credit line stays active", _hold(True)),
    "clear": Command("BOX", _ONE, "somebody has seen to it", _hold(False)),
    "lock": Command("", _NONE, "the croupier's key is pressed", _lock),
    "reset": Command("[MS]", _NONE_OR_ONE, "power lost, for MS", _reset),
    "replace": Command("", _NONE, "another board", _replace),
    "wear": Command("", _NONE, "its memory of starts fails from the next start on", _wear),
    "silent": Command("", _NONE, "the board hears nothing", _cut(silent=True, mute=False)),
    "mute": Command("", _NONE, "the board is not heard", _cut(silent=False, mute=True)),
    "speak": Command("", _NONE, "ends silent and mute", _cut(silent=False, mute=False)),
    "noise": Command("P", _ONE, "probability of a wrong bit in a byte", _spoil("noise")),
    "drop": Command("P", _ONE, "probability that a byte is lost", _spoil("drop")),
    "twice": Command("P", _ONE, "probability that a burst comes twice", _spoil("twice")),
    "unplug": Command("", _NONE, "the adapter is pulled out", _unplug),
    "plug": Command("", _NONE, "the adapter is back", _plug),
    "state": Command("", _NONE, "gates and lamps", _state),
    "help": Command("", _NONE, "these lines", _help),
    "quit": Command("", _NONE, "ends the simulator", _quit),
}
