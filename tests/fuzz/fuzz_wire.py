"""Fuzzing of the frame reader and the bus host, guided by coverage where atheris is installed.

Run: ``.venv/bin/python tests/fuzz/fuzz_wire.py reader|host [--runs 1000000] [--seed 1]``; ``make fuzz`` runs
both. Without atheris (it is made for some Pythons only) hypothesis chooses the inputs. The end of a
run that found something is its traceback, and the input beside it.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st

from jackpot.cctalk import BusHost, Credit, Echo, LineSetup, Polled, SlotSetup
from jackpot.cctalk.frame import LONGEST_FRAME_BYTES, Checksum, Frame, FrameReader
from jackpot.cctalk.wording import Interpreter, Splitter

MS = 1_000_000
LONGEST_INPUT_BYTES = 2_000
"""Several of the longest frames."""


def reader(data: bytes) -> None:
    """Any bytes: never an error, bounded memory, the same frames however they arrive, and every one
    of them really stood in the stream."""
    if not data:
        return
    mode = Checksum.CRC16 if data[0] & 1 else Checksum.SUM8
    destination = 1 if data[0] & 2 else None
    body = data[1:]
    whole = FrameReader(mode, destination=destination)
    frames = whole.feed(body, 0)
    bytewise = FrameReader(mode, destination=destination)
    single = [f for i in range(len(body)) for f in bytewise.feed(body[i : i + 1], i)]
    check(single == frames, "bytewise and at once are the same")
    check(whole.pending_bytes < LONGEST_FRAME_BYTES, "never more than one frame is held")
    for frame in frames:
        check(destination in (None, frame.destination), "only frames to the address")
        check(_stands_in(frame, body, mode), "a frame is in the stream as it was read")
    splitter, words = Splitter(mode), Interpreter(mode)
    pieces = [*splitter.feed(body, 0), *splitter.flush()]
    check(b"".join(piece.raw for piece in pieces) == body, "no byte is left unsaid")
    check(all(words.words(piece) for piece in pieces), "every piece has words")


def _stands_in(frame: Frame, body: bytes, mode: Checksum) -> bool:
    sources = range(256) if mode is Checksum.CRC16 else (frame.source,)
    return any(
        Frame(frame.destination, source, frame.header, frame.data).encode(mode) in body
        for source in sources
    )


def host(data: bytes) -> None:
    """A line that says anything at any time: never an error, always a deadline, at most one request
    under way, every told event once and in order."""
    line = LineSetup(echo=(Echo.AUTO, Echo.ON, Echo.OFF)[len(data) % 3], crc16=bool(len(data) & 4))
    slots = [SlotSetup(box, 10 + box, None if box == 1 else 1) for box in (1, 2, 3)]
    bus, now_ns, counts = BusHost(slots, line, {}, 0), 0, dict[tuple[int, int], int]()
    asked, at = b"", 0
    while at < len(data):
        op, at = data[at], at + 1
        now_ns += (op >> 4) * 3 * MS
        at = _play(bus, op, data, at, asked, line, now_ns)
        bus.advance(now_ns)
        asked = _drain(bus, now_ns, counts) or asked
        check(bus.deadline_ns() is not None, "the host always has something to wait for")


def _play(
    bus: BusHost, op: int, data: bytes, at: int, asked: bytes, line: LineSetup, now_ns: int
) -> int:
    """One thing that happens, chosen by ``op``; returns where the script goes on."""
    size = data[at] % 40 if at < len(data) else 0
    chunk = data[at + 1 : at + 1 + size]
    match op & 0x0F:
        case 0 | 1 | 2:
            bus.receive(chunk, now_ns)
            return at + 1 + size
        case 3 | 4 | 5 | 6 | 7 | 8 | 9 if asked:  # a well-formed answer to the last question
            answer = Frame(1, asked[0], 0, chunk).encode(line.checksum)
            bus.receive((asked if op & 1 else b"") + answer, now_ns)
            return at + 1 + size
        case 10:
            bus.receive(asked, now_ns)
        case 11:
            bus.accept(1 + op % 3, bool(op & 16), now_ns)
        case 12:
            bus.drain(now_ns)
        case 13:
            bus.line_lost(now_ns)
            bus.line_restored(now_ns)
        case 14:
            bus.inspect(now_ns)
        case 15:
            bus.read_counters((1, 2, 3), now_ns)
    return at


def _drain(bus: BusHost, now_ns: int, counts: dict[tuple[int, int], int]) -> bytes:
    """Take what the host says, and look at it."""
    for event in bus.take_events():
        if not isinstance(event, Polled):
            continue
        before = counts.get((event.box, event.epoch), -1)
        for one in event.events:
            check(one.count > before, "no event is told twice")
            check(not isinstance(one, Credit) or one.coin > 0, "a credit has a coin")
            before = one.count
        counts[event.box, event.epoch] = event.count
        bus.committed(event.box, event.epoch, event.count)
    bus.report()
    return bus.bytes_to_send()


def check(holds: bool, what: str) -> None:
    """What must hold; an error of its own kind, so that ``-O`` changes nothing."""
    if not holds:
        raise RuntimeError(f"does not hold: {what}")


TARGETS: dict[str, Callable[[bytes], None]] = {"reader": reader, "host": host}


def by_hypothesis(target: Callable[[bytes], None], runs: int, first: int) -> None:
    """Inputs by hypothesis: no guidance, but everywhere."""

    @seed(first)
    @settings(max_examples=runs, deadline=None, database=None, phases=(Phase.generate,))
    @given(st.binary(max_size=LONGEST_INPUT_BYTES))
    def run(data: bytes) -> None:
        target(data)

    run()


def by_atheris(target: Callable[[bytes], None], runs: int, first: int) -> None:
    """Inputs by libFuzzer, guided by what they reach; the process ends with it."""
    atheris: Any = importlib.import_module("atheris")
    for function in _functions_of_the_wire():
        atheris.instrument_func(function)
    options = [f"-atheris_runs={runs}", f"-seed={first}", f"-max_len={LONGEST_INPUT_BYTES}"]
    atheris.Setup([sys.argv[0], *options, "-verbosity=0"], target)
    atheris.Fuzz()


def _functions_of_the_wire() -> list[FunctionType]:
    """Everything that is written in Python in ``jackpot.cctalk``."""
    modules = [m for name, m in sys.modules.items() if name.startswith("jackpot.cctalk")]
    members = [one for module in modules for one in vars(module).values()]
    classes = [one for one in members if isinstance(one, type)]
    members += [one for cls in classes for one in vars(cls).values()]
    members = [one.fget if isinstance(one, property) else one for one in members]
    found = [one for one in members if isinstance(one, FunctionType)]
    return [one for one in dict.fromkeys(found) if "cctalk" in one.__code__.co_filename]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Fuzz the frame reader or the bus host.")
    parser.add_argument("target", choices=sorted(TARGETS))
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--by", choices=("atheris", "hypothesis"), default=None)
    asked = parser.parse_args()
    there = importlib.util.find_spec("atheris") is not None
    by = asked.by or ("atheris" if there else "hypothesis")
    print(f"{asked.target}: {asked.runs} runs by {by}, seed {asked.seed}", flush=True)
    run = by_atheris if by == "atheris" else by_hypothesis
    run(TARGETS[asked.target], asked.runs, asked.seed)


if __name__ == "__main__":
    main()
