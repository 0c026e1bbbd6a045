"""The memory of an Alpha sign: TEXT and STRING files, the run sequence, the priority message.

Source: Alpha Sign Communications Protocol, form 9708-8061F, sections 6.1 to 6.3, appendices A, D, G.
Where the text is silent it does what a BetaBrite was seen to do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from firmware_sim.signs.tally import Tally

ENTRY = re.compile(rb"([\x20-\x7e])(?:A[UL]([0-9A-F]{4})[0-9A-F]{4}|(BL)([0-9A-F]{4})0000)")
ENTRY_BYTES = 11
OVERHEAD_BYTES = 11  # table 15: each file costs that much besides its size
POOL_BYTES = 0x7000  # what a small one-line sign has
STRING_MOST = 125
PRIORITY_BYTES = 125
TEXT = re.compile(rb"\x1b([ \x220&12])([a-z])(.*)", re.DOTALL)
HOLD = b"b"
NO_STRING_LABELS = b"0?"
CALL, NEW_LINE, FIXED_ON, FIXED_OFF = 0x10, 0x0D, b"\x1e1", b"\x1e0"


@dataclass
class File:
    """A file: its kind, its size, what is in it."""

    is_string: bool
    size: int
    data: bytes = b""


class Memory:
    """Carries commands out (the bytes between STX and ETX) and draws what runs."""

    def __init__(self, rows: int, columns: int, tally: Tally) -> None:
        self._rows, self._columns, self._tally = rows, columns, tally
        self.files: dict[int, File] = {ord("A"): File(is_string=False, size=POOL_BYTES)}
        self.sequence = b"A"
        self.priority: bytes | None = None
        self._cleared = True
        self._displays = True

    def execute(self, command: bytes) -> bool:
        """Whether the command was a clear, after which the sign needs time."""
        code, rest = command[:1], command[1:]
        if command == b"E$":
            self.files, self.sequence, self.priority = {}, b"", None
            self._cleared = True
        elif command.startswith(b"E$"):
            self._configure(rest[1:])
        elif command.startswith(b"E."):
            self._run(rest[1:])
        elif code == b"A":
            self._write_text(rest)
        elif code == b"G":
            self._write_string(rest)
        else:
            self._tally.complain(f"unknown command {command[:2]!r}")
            return False
        self._tally.good += 1
        return command == b"E$"

    def _configure(self, entries: bytes) -> None:
        files: dict[int, File] = {}
        for at in range(0, len(entries), ENTRY_BYTES):
            match = ENTRY.fullmatch(entries[at : at + ENTRY_BYTES])
            if match is None:
                self._tally.complain("memory entry")
                return
            label, is_string = match[1][0], match[3] is not None
            size = int(match[4] if is_string else match[2], 16)
            if label in files or (
                is_string and (label in NO_STRING_LABELS or not 0 < size <= STRING_MOST)
            ):
                self._tally.complain("memory entry")
                return
            files[label] = File(is_string, size)
        if sum(file.size + OVERHEAD_BYTES for file in files.values()) > POOL_BYTES:
            self._tally.complain("memory pool")
            return
        self.files = files
        # Measured: without a clear before it the sign stores the table and shows nothing of it.
        self._displays, self._cleared = self._cleared, False
        if not self._displays:
            self._tally.complain("memory without a clear before it")

    def _run(self, data: bytes) -> None:
        if len(data) < 2 or data[:1] not in b"TSD" or data[1:2] not in b"UL":
            self._tally.complain("run sequence")
            return
        self.sequence = data[2:]

    def _write_text(self, data: bytes) -> None:
        label, body = data[:1], data[1:]
        if label == b"0":
            # Only a bare write lets go; an empty message would hold the sign blank.
            self.priority = body[:PRIORITY_BYTES] if body else None
            return
        file = self.files.get(label[0]) if label else None
        if file is None or file.is_string:
            self._tally.complain("no such TEXT file")
        elif TEXT.fullmatch(body) is None:
            self._tally.complain("TEXT without position and mode")
        else:
            self._fill(file, body)

    def _write_string(self, data: bytes) -> None:
        file = self.files.get(data[0]) if data else None
        if file is None or not file.is_string:
            self._tally.complain("no such STRING file")
        elif any(byte not in range(0x20, 0x7E) and byte != NEW_LINE for byte in data[1:]):
            self._tally.complain("a byte that no STRING may hold")
        else:
            self._fill(file, data[1:])

    def _fill(self, file: File, data: bytes) -> None:
        """Measured: past its size a file is not cut but emptied."""
        if len(data) > file.size:
            self._tally.complain("file past its size")
            data = b""
        file.data = data

    def picture(self) -> list[str]:
        """The rows as a person sees them, each as long as the sign is wide."""
        match = TEXT.fullmatch(self._running())
        if match is None:
            return [" " * self._columns] * self._rows
        if match[2] != HOLD:
            self._tally.complain("a mode that moves")
        body = self._called(match[3])
        fixed = body.startswith(FIXED_ON)
        text = body.replace(FIXED_ON, b"").replace(FIXED_OFF, b"").decode("ascii", "replace")
        lines = (text.split("\r") + [""] * self._rows)[: self._rows]
        return [self._row(line, fixed) for line in lines]

    def _row(self, line: str, fixed: bool) -> str:
        """Fixed width begins at the left, anything else stands in the middle (appendix D)."""
        shown = line if fixed else line.strip().center(self._columns)
        return shown[: self._columns].ljust(self._columns)

    def _running(self) -> bytes:
        if self.priority is not None:
            return self.priority
        if not self._displays:
            return b""
        labels = (label for label in self.sequence if label in self.files)
        return next((self.files[label].data for label in labels), b"")

    def _called(self, body: bytes) -> bytes:
        """The STRINGs in their places; a call to nothing draws nothing."""
        drawn, at = b"", 0
        while at < len(body):
            if body[at] == CALL and at + 1 < len(body):
                file = self.files.get(body[at + 1])
                drawn += file.data if file is not None and file.is_string else b""
                at += 2
            else:
                drawn += body[at : at + 1]
                at += 1
        return drawn
