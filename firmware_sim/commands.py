"""The commands of the simulator: one line of text in, one JSON object out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from firmware_sim.acceptor import Acceptor
from firmware_sim.bus import Bus
from firmware_sim.device import FIRST_FREE_ADDRESS, LAST_ADDRESS
from firmware_sim.identity import COIN_POSITIONS

Result = dict[str, Any]

MS_NS = 1_000_000
MAX_CHIPS = 600  # more than twice round the event counter: no test needs more at once
MAX_MS = 60_000  # a minute: longer than any time-out of a host
REPLACED_SERIAL_STEP = 1000  # a replaced unit's number is its brother's plus this


class Plug(Protocol):
    """The line as the commands see it."""

    @property
    def is_plugged(self) -> bool:
        """Whether the host can reach the bus."""
        ...

    @property
    def device(self) -> str:
        """The device behind the link."""
        ...

    def plug(self) -> None:
        """Put the adapter in."""

    def unplug(self) -> None:
        """Pull the adapter out."""


class CommandError(Exception):
    """A command that cannot be understood; nothing was done."""


@dataclass(frozen=True, slots=True)
class Command:
    """``usage`` after the name, the numbers of arguments allowed, a line of help, the action."""

    usage: str
    arguments: range
    meaning: str
    run: Callable[[Console, list[str], int], Result]


class Console:
    """Carries commands out on a bus and its line; ``done`` after ``quit``."""

    def __init__(self, bus: Bus, line: Plug, token_position: int) -> None:
        self.bus = bus
        self.line = line
        self.token_position = token_position
        self.done = False

    def execute(self, text: str, now_ns: int) -> Result:
        """The answer to one line; an error is an answer too and changes nothing."""
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

    def box(self, word: str) -> int:
        """The number of a box of this table."""
        return number(word, 1, len(self.bus.acceptors), "a box")

    def acceptor(self, word: str) -> tuple[int, Acceptor]:
        """A box and what is in it."""
        box = self.box(word)
        return box, self.bus.acceptors[box - 1]


def number(word: str, low: int, high: int, what: str) -> int:
    """A whole number within bounds, or ``CommandError``."""
    if not (word.isascii() and word.isdigit() and low <= int(word) <= high):
        raise CommandError(f"expected {what} {low} to {high}, found {word!r}")
    return int(word)


def _probability(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise CommandError(f"expected a probability 0 to 1, found {word!r}")
    return value


def _switch(word: str) -> bool:
    if word not in ("on", "off"):
        raise CommandError(f"expected on or off, found {word!r}")
    return word == "on"


def _position(console: Console, words: list[str]) -> int:
    if not words:
        return console.token_position
    return number(words[0], 1, COIN_POSITIONS, "a coin position")


def _chip(console: Console, words: list[str], now_ns: int) -> Result:
    box, acceptor = console.acceptor(words[0])
    done = acceptor.insert(_position(console, words[1:]), now_ns)
    return {
        "box": box,
        "position": done.position,
        "accepted": done.accepted,
        "event": list(done.event),
        "counter": done.counter,
        "at_ns": now_ns,
    }


def _await(console: Console, words: list[str], now_ns: int) -> Result:
    """Whether the slot takes the chip now; ``CommandQueue`` asks again until it does."""
    box, acceptor = console.acceptor(words[0])
    return {"box": box, "open": acceptor.takes(_position(console, words[1:]), now_ns)}


def _leave(_console: Console, _words: list[str], _now_ns: int) -> Result:
    """``CommandQueue`` knows what is held up; alone there is nothing."""
    return {"left": True}


def _events(console: Console, words: list[str], now_ns: int) -> Result:
    box, acceptor = console.acceptor(words[0])
    count = number(words[1], 1, MAX_CHIPS, "a number of chips")
    position = _position(console, words[2:])
    done = [acceptor.insert(position, now_ns) for _ in range(count)]
    accepted = sum(one.accepted for one in done)
    return {"box": box, "accepted": accepted, "returned": count - accepted, **_counter(acceptor)}


def _fault(console: Console, words: list[str], _now_ns: int) -> Result:
    box, acceptor = console.acceptor(words[0])
    code = number(words[1], 1, 255, "an error code")
    check = number(words[2], 0, 255, "a self-check code") if len(words) > 2 else None
    acceptor.fault(code, check)
    return {"box": box, **_standing(acceptor), **_counter(acceptor)}


def _jam(console: Console, words: list[str], _now_ns: int) -> Result:
    box, acceptor = console.acceptor(words[0])
    acceptor.jam()
    return {"box": box, **_standing(acceptor), **_counter(acceptor)}


def _clear(console: Console, words: list[str], _now_ns: int) -> Result:
    box, acceptor = console.acceptor(words[0])
    acceptor.clear()
    return {"box": box, **_standing(acceptor)}


def _optos(console: Console, words: list[str], _now_ns: int) -> Result:
    box, acceptor = console.acceptor(words[0])
    acceptor.standing.optos = number(words[1], 0, 255, "an opto mask")
    return {"box": box, **_standing(acceptor)}


def _reset(console: Console, words: list[str], now_ns: int) -> Result:
    box, acceptor = console.acceptor(words[0])
    deaf = number(words[1], 0, MAX_MS, "milliseconds") * MS_NS if len(words) > 1 else None
    acceptor.reset(now_ns, deaf)
    return {"box": box, **_counter(acceptor)}


def _address(console: Console, words: list[str], _now_ns: int) -> Result:
    box, acceptor = console.acceptor(words[0])
    acceptor.address = number(words[1], FIRST_FREE_ADDRESS, LAST_ADDRESS, "an address")
    return {"box": box, "address": acceptor.address}


def _replace(console: Console, words: list[str], now_ns: int) -> Result:
    box, acceptor = console.acceptor(words[0])
    old = acceptor.identity
    serial = (old.serial + REPLACED_SERIAL_STEP) % (1 << 8 * old.serial_bytes)
    acceptor.replace(replace(old, serial=serial), now_ns)
    return {"box": box, "serial": acceptor.identity.serial, **_counter(acceptor)}


def _silent(console: Console, words: list[str], _now_ns: int) -> Result:
    box = console.box(words[0])
    console.bus.troubles[box - 1].silent = True
    return {"box": box, "silent": True}


def _mute(console: Console, words: list[str], _now_ns: int) -> Result:
    box = console.box(words[0])
    console.bus.troubles[box - 1].mute = True
    return {"box": box, "mute": True}


def _speak(console: Console, words: list[str], _now_ns: int) -> Result:
    box = console.box(words[0])
    trouble = console.bus.troubles[box - 1]
    trouble.silent = trouble.mute = False
    return {"box": box, "silent": False, "mute": False}


def _late(console: Console, words: list[str], _now_ns: int) -> Result:
    box = console.box(words[0])
    late_ms = number(words[1], 0, MAX_MS, "milliseconds")
    console.bus.troubles[box - 1].late_ns = late_ms * MS_NS
    return {"box": box, "late_ms": late_ms}


def _badsum(console: Console, words: list[str], _now_ns: int) -> Result:
    box = console.box(words[0])
    count = number(words[1], 0, MAX_CHIPS, "a number of answers") if len(words) > 1 else 1
    console.bus.troubles[box - 1].bad_sums = count
    return {"box": box, "bad_sums": count}


def _busy(console: Console, words: list[str], _now_ns: int) -> Result:
    box, acceptor = console.acceptor(words[0])
    count = number(words[1], 0, MAX_CHIPS, "a number of answers") if len(words) > 1 else 1
    acceptor.refusals.busy = count
    return {"box": box, "busy": count}


def _nak(console: Console, words: list[str], _now_ns: int) -> Result:
    box, acceptor = console.acceptor(words[0])
    count = number(words[1], 0, MAX_CHIPS, "a number of answers") if len(words) > 1 else 1
    acceptor.refusals.nak = count
    return {"box": box, "nak": count}


def _masks(console: Console, words: list[str], _now_ns: int) -> Result:
    box, acceptor = console.acceptor(words[0])
    lengths = {"1": {1}, "2": {2}, "both": {1, 2}}.get(words[1])
    if lengths is None or words[2:] not in ([], ["nak"]):
        raise CommandError(f"expected 1, 2 or both, then perhaps nak; found {words[1:]}")
    acceptor.model.mask_lengths = frozenset(lengths)
    acceptor.model.wrong_mask_gets_nak = len(words) > 2
    return {"box": box, "mask_bytes": sorted(lengths), "nak": len(words) > 2}


def _swap(console: Console, words: list[str], _now_ns: int) -> Result:
    box, acceptor = console.acceptor(words[0])
    acceptor.model.swapped_events = _switch(words[1])
    return {"box": box, "swapped": acceptor.model.swapped_events}


def _noise(console: Console, words: list[str], _now_ns: int) -> Result:
    console.bus.noise = _probability(words[0])
    return {"noise": console.bus.noise}


def _drop(console: Console, words: list[str], _now_ns: int) -> Result:
    console.bus.drop = _probability(words[0])
    return {"drop": console.bus.drop}


def _glitch(console: Console, _words: list[str], _now_ns: int) -> Result:
    console.bus.glitch_armed = True
    return {"inserts": console.bus.glitch_bytes().hex(" ")}


def _unplug(console: Console, _words: list[str], _now_ns: int) -> Result:
    console.line.unplug()
    return {"plugged": False}


def _plug(console: Console, _words: list[str], _now_ns: int) -> Result:
    console.line.plug()
    return {"plugged": True, "device": console.line.device}


def _counter(acceptor: Acceptor) -> Result:
    return {"counter": acceptor.buffer.counter}


def _standing(acceptor: Acceptor) -> Result:
    return {"self_check": acceptor.standing.self_check, "optos": acceptor.standing.optos}


def _totals(acceptor: Acceptor) -> Result:
    totals = acceptor.totals
    return {
        **_counter(acceptor),
        "inserted": totals.inserted,
        "accepted": totals.accepted,
        "rejected": totals.rejected,
        "frauds": totals.frauds,
    }


def _show_counter(console: Console, words: list[str], _now_ns: int) -> Result:
    box, acceptor = console.acceptor(words[0])
    return {"box": box, **_totals(acceptor)}


def _state(console: Console, _words: list[str], now_ns: int) -> Result:
    bus, line = console.bus, console.line
    return {
        "plugged": line.is_plugged,
        "device": line.device,
        "echo": bus.setup.echo,
        "paced": bus.setup.paced,
        "crc16": bus.setup.crc16,
        "noise": bus.noise,
        "drop": bus.drop,
        "glitch": bus.glitch_armed,
        "slots": [_slot(console, box, now_ns) for box in range(1, len(bus.acceptors) + 1)],
    }


def _slot(console: Console, box: int, now_ns: int) -> Result:
    acceptor, trouble = console.bus.acceptors[box - 1], console.bus.troubles[box - 1]
    volatile = acceptor.volatile
    return {
        "box": box,
        "address": acceptor.address,
        "serial": acceptor.identity.serial,
        "mask": volatile.mask,
        "master_on": volatile.master_on,
        "starved": acceptor.is_starved(now_ns),
        "events": [list(pair) for pair in acceptor.buffer.pairs],
        "silent": trouble.silent,
        "mute": trouble.mute,
        "late_ms": trouble.late_ns // MS_NS,
        "bad_sums": trouble.bad_sums,
        **_standing(acceptor),
        **_totals(acceptor),
    }


def _help(_console: Console, _words: list[str], _now_ns: int) -> Result:
    usage = {f"{name} {one.usage}".strip(): one.meaning for name, one in COMMANDS.items()}
    return {"commands": usage}


def _quit(console: Console, _words: list[str], _now_ns: int) -> Result:
    console.done = True
    return {"bye": True}


def _arguments(least: int, most: int | None = None) -> range:
    return range(least, (least if most is None else most) + 1)


_BOX, _BOX_N = _arguments(1), _arguments(1, 2)

COMMANDS: dict[str, Command] = {
    "chip": Command("BOX [POSITION]", _BOX_N, "drop one chip in (the jackpot chip)", _chip),
    "await": Command("BOX [POSITION]", _BOX_N, "wait until the slot takes the chip", _await),
    "leave": Command("", _arguments(0), "commands held up by await are dropped", _leave),
    "events": Command("BOX N [POSITION]", _arguments(2, 3), "N chips before any poll", _events),
    "fault": Command(
        "BOX CODE [SELF_CHECK]", _arguments(2, 3), "report an error code of table 2", _fault
    ),
    "jam": Command("BOX", _BOX, "a chip stuck over the credit sensor", _jam),
    "clear": Command("BOX", _BOX, "somebody has cleared fault and optos", _clear),
    "optos": Command("BOX MASK", _arguments(2), "set the opto states, 1 = blocked", _optos),
    "reset": Command("BOX [MS]", _BOX_N, "power lost and back, deaf for MS", _reset),
    "address": Command("BOX N", _arguments(2), "its address switches are set to N", _address),
    "replace": Command("BOX", _BOX, "another unit with another serial number", _replace),
    "silent": Command("BOX", _BOX, "its wire is cut: hears nothing, says nothing", _silent),
    "mute": Command("BOX", _BOX, "hears everything, is never heard", _mute),
    "speak": Command("BOX", _BOX, "ends silent and mute", _speak),
    "late": Command("BOX MS", _arguments(2), "extra delay of every answer, 0 ends it", _late),
    "badsum": Command("BOX [N]", _BOX_N, "its next N answers have wrong checksums", _badsum),
    "busy": Command("BOX [N]", _BOX_N, "its next N answers are BUSY", _busy),
    "nak": Command("BOX [N]", _BOX_N, "its next N answers are NAK", _nak),
    "masks": Command(
        "BOX 1|2|both [nak]",
        _arguments(2, 3),
        "inhibit mask lengths it takes, else silence",
        _masks,
    ),
    "swap": Command("BOX on|off", _arguments(2), "send the two bytes of events swapped", _swap),
    "noise": Command("P", _arguments(1), "probability that a byte is corrupted", _noise),
    "drop": Command("P", _arguments(1), "probability that a byte is lost", _drop),
    "glitch": Command("", _arguments(0), "turn a host packet into a broadcast reset", _glitch),
    "unplug": Command("", _arguments(0), "pull the serial adapter out", _unplug),
    "plug": Command("", _arguments(0), "put it back, under another device name", _plug),
    "counter": Command("BOX", _BOX, "event counter and totals of one acceptor", _show_counter),
    "state": Command("", _arguments(0), "everything about wire and acceptors", _state),
    "help": Command("", _arguments(0), "these lines", _help),
    "quit": Command("", _arguments(0), "end the simulator", _quit),
}
