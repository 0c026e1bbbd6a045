"""A CD5220 pole display: two rows of twenty characters.

Source: CD5220 user manual, "CD5220 standard mode command list". Strict: what it cannot use is
counted. In the string mode (after ESC Q A or B) it hears only ESC Q, CLR and CAN.
"""

from __future__ import annotations

from firmware_sim.signs.tally import Tally

ROWS, COLUMNS = 2, 20
CLR, CR, CAN, ESC = 0x0C, 0x0D, 0x18, 0x1B
UPPER, LOWER = ord("A"), ord("B")
SAME_EVERYWHERE = range(0x20, 0x7F)
NATIONAL = frozenset(b"#$@[\\]^`{|}~")  # other glyphs, depending on the national set


class PoleDisplay:
    """Feed it bytes; ``picture`` is what people see."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._rows = [" " * COLUMNS] * ROWS
        self._string_mode = False
        self._command = bytearray()

    def feed(self, data: bytes, now_ms: int) -> None:
        """What arrived on the line; this display does not care when."""
        del now_ms
        for byte in data:
            if self._command:
                self._command.append(byte)
                self._continued()
            elif byte == ESC:
                self._command.append(byte)
            else:
                self._single(byte)

    def excuse(self, now_ms: int) -> None:
        """It was stuck; nothing follows from that."""

    def picture(self) -> list[str]:
        """The rows."""
        return list(self._rows)

    def contents(self) -> dict[str, object]:
        """The mode, for tests."""
        return {"string_mode": self._string_mode}

    def _single(self, byte: int) -> None:
        if byte == CLR:
            self._rows = [" " * COLUMNS] * ROWS
            self._string_mode = False
            self.tally.good += 1
        elif byte == CAN:
            self._string_mode = False
            self.tally.good += 1
        else:
            # Free text at the cursor is not simulated: nobody here should send it.
            self.tally.complain("a character outside of a command")

    def _continued(self) -> None:
        command = bytes(self._command)
        if command == b"\x1bQ":
            return
        if command.startswith(b"\x1bQ"):
            self._line(command)
        elif command == b"\x1b_":
            return
        elif self._string_mode:
            self._end(f"{command[1:2]!r} in the string mode")
        elif command == b"\x1b@":
            self._rows = [" " * COLUMNS] * ROWS
            self._end()
        elif command[:2] == b"\x1b_" and command[2] in (0, 1):
            self._end()
        else:
            self._end(f"unknown command {command[1:3]!r}")

    def _line(self, command: bytes) -> None:
        row, text = command[2], command[3:]
        if row not in (UPPER, LOWER):
            self._end("unknown ESC Q")
        elif text.endswith(bytes([CR])):
            self._string_mode = True
            if len(text) != COLUMNS + 1:
                self._end(f"a line of {len(text) - 1} characters")
                return
            self._rows[row - UPPER] = text[:-1].decode("ascii")
            self._end()
        elif text and (text[-1] not in SAME_EVERYWHERE or text[-1] in NATIONAL):
            self._end(f"character {text[-1]:02X}")
        elif len(text) > COLUMNS:
            self._end("a line without end")

    def _end(self, complaint: str = "") -> None:
        self._command.clear()
        if complaint:
            self.tally.complain(complaint)
        else:
            self.tally.good += 1
