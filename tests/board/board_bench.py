"""The host against the real firmware in virtual time, with a wire to spoil and a ledger to keep.

``ask`` talks to the firmware without any of the host's code: COBS and CRC are done anew here, from
``docs/board.md`` and ``binascii``.
"""

from __future__ import annotations

import binascii
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from firmware_sim.board.wire import Wire
from firmware_sim.board.workbench import Workbench
from jackpot.board import BoardHost, BoardSetup
from jackpot.mechanism.resume import Resume
from jackpot.mechanism.wire_events import (
    Continuity,
    Credit,
    Fault,
    Identified,
    Lost,
    Polled,
    Restarted,
    WireEvent,
)

MS = 1_000_000
S = 1_000 * MS
SERIAL = 4711
BOXES = (1, 2, 3, 4, 5, 6, 7)
ANSWER_MS = 2
"""A request and its answer on the wire at 115200 baud, about."""


def framed(raw: bytes) -> bytes:
    """``raw`` (version, type, number, payload) as it goes over the line."""
    raw += binascii.crc_hqx(raw, 0xFFFF).to_bytes(2, "little")
    stuffed, block = bytearray(), bytearray()
    for byte in (*raw, 0):
        if byte:
            block.append(byte)
        else:
            stuffed += bytes((len(block) + 1,)) + block
            block.clear()
    return b"\x00" + bytes(stuffed) + b"\x00"


def unframed(line: bytes) -> list[bytes]:
    """Every frame on the line, checked and without its CRC."""
    found = []
    for piece in filter(None, line.split(b"\x00")):
        raw, at = bytearray(), 0
        while at < len(piece):
            raw += piece[at + 1 : at + piece[at]] + b"\x00"
            at += piece[at]
        raw.pop()
        assert binascii.crc_hqx(bytes(raw[:-2]), 0xFFFF) == int.from_bytes(raw[-2:], "little")
        found.append(bytes(raw[:-2]))
    return found


def address(serial: int = SERIAL, boot: int = 1) -> bytes:
    return serial.to_bytes(8, "little") + boot.to_bytes(4, "little")


def ask(bench: Workbench, kind: int, payload: bytes = b"", seq: int = 1, version: int = 1) -> bytes:
    """One question, one answer: its type and payload. The number must be the question's."""
    frames = unframed(bench.receive(framed(bytes((version, kind, seq)) + payload)))
    assert len(frames) == 1, "one question, one answer"
    assert frames[0][0] == 1
    assert frames[0][2] == seq
    return frames[0][1:2] + frames[0][3:]


@dataclass
class Ledger:
    """Commits in order; what is not committed is gone when the controller stops."""

    records: dict[int, Resume] = field(default_factory=dict)
    waiting: deque[WireEvent] = field(default_factory=deque)
    credits: list[tuple[int, int, int, int]] = field(default_factory=list)
    faults: list[tuple[int, int]] = field(default_factory=list)
    lost: int = 0
    breaks: int = 0

    def commit(self) -> WireEvent:
        """The next thing is on the disk."""
        event = self.waiting.popleft()
        match event:
            case Identified():
                if event.continuity is not Continuity.CONTINUED:
                    self.breaks += event.continuity is Continuity.DOUBTFUL
                    self._set(event.box, event.serial, event.epoch, event.count)
            case Restarted():
                self.breaks += 1
                self._set(event.box, self.records[event.box].serial, event.epoch, 0)
            case Polled():
                self._polled(event)
        return event

    def _set(self, box: int, serial: int, epoch: int, count: int) -> None:
        before = self.records.get(box)
        assert before is None or epoch >= before.epoch, "an epoch never goes down"
        self.records[box] = Resume(serial, epoch, count, ())

    def _polled(self, news: Polled) -> None:
        record = self.records[news.box]
        assert news.epoch == record.epoch
        for event in news.events:
            if event.count <= record.count:
                continue  # told before its acknowledgement was lost
            match event:
                case Credit():
                    self.credits.append((news.box, record.serial, news.epoch, event.count))
                case Fault():
                    self.faults.append((news.box, event.code))
                case Lost():
                    self.lost += event.lost
        count = max(record.count, news.count)
        self.records[news.box] = Resume(record.serial, record.epoch, count, ())


class Rig:
    """Host, wire, firmware and ledger. ``commits``: the ledger commits at once."""

    def __init__(
        self, bench: Workbench, *, seed: int = 0, commits: bool = True, slots: int = 7
    ) -> None:
        bench.replace(SERIAL, 0, slots)
        self.bench, self.wire, self.ledger = bench, Wire(seed), Ledger()
        self.setup = BoardSetup(BOXES[:slots])
        self.commits = commits
        self.now_ns = 1_000 * S
        self.events: list[WireEvent] = []
        self.late = False
        self._held = b""
        self.host = BoardHost(self.setup, {}, self.now_ns)

    def run(self, ms: int) -> None:
        """So much time passes."""
        end_ns = self.now_ns + ms * MS
        while self.now_ns < end_ns:
            sent = self.host.bytes_to_send()
            if sent:
                self._exchange(sent)
            else:
                deadline_ns = self.host.deadline_ns()
                until_ns = end_ns if deadline_ns is None else min(end_ns, deadline_ns)
                self._pass(max(1, -(-(until_ns - self.now_ns) // MS)))
                self.host.advance(self.now_ns)
            self.take()

    def _exchange(self, sent: bytes) -> None:
        answer = self.bench.receive(self.wire.to_board(sent))
        self._pass(ANSWER_MS)
        heard = self.wire.to_host(answer)
        if self.late:
            heard, self._held = self._held, heard
        self.host.receive(heard, self.now_ns)

    def _pass(self, ms: int) -> None:
        assert self.bench.advance(ms) == b"", "the board says nothing unasked"
        self.now_ns += ms * MS

    def take(self) -> None:
        told = self.host.take_events()
        self.events += told
        self.ledger.waiting += told
        while self.commits and self.ledger.waiting:
            self.commit()

    def commit(self) -> None:
        """The ledger commits one thing, and the host learns it."""
        event = self.ledger.commit()
        if isinstance(event, Polled):
            self.host.committed(event.box, event.epoch, event.count)

    def restart_controller(self) -> list[WireEvent]:
        """Killed and started again; what was not committed, and is forgotten, is returned."""
        forgotten = list(self.ledger.waiting)
        self.ledger.waiting.clear()
        self.host = BoardHost(self.setup, dict(self.ledger.records), self.now_ns)
        return forgotten

    def open(self, *boxes: int) -> None:
        """In service, and these slots open."""
        self.run(300)
        for box in boxes or self.setup.boxes:
            self.host.accept(box, True, self.now_ns)
        self.run(100)

    def chip(self, box: int) -> bool:
        """A chip, and whether the slot takes it."""
        return self.bench.chip(box)

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def inner(self, kind: type) -> list[Any]:
        return [e for polled in self.of(Polled) for e in polled.events if isinstance(e, kind)]
