"""The Alpha sign protocol (Adaptive, BetaBrite) as far as a jackpot needs it: bytes, no line.

Source: Alpha Sign Communications Protocol, form 9708-8061, revision F; its tables are named beside
what follows from them. What the text leaves open was measured by others on a BetaBrite:

* a memory configuration does not display unless a bare ``E$`` came before it;
* a STRING written past its size is not cut but emptied;
* an empty priority message holds the sign blank; only a bare ``A0`` lets go of it;
* packets 0.25 s apart all arrive, 0.1 s apart they do not.

The amount lives in a STRING file, since writing one does not blank the sign (a TEXT write does).
Both rows are in one STRING, with a new line between them: a caption is never seen beside the value
of another one. One TEXT file in hold mode calls it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jackpot.invariant import invariant
from jackpot.visor.sign_frames import Frame
from jackpot.visor.sign_text import Page

NUL, SOH, STX, ETX, EOT = b"\x00", b"\x01", b"\x02", b"\x03", b"\x04"
NEW_LINE = b"\x0d"
CALL_STRING = b"\x10"
START_OF_MODE = b"\x1b"
FIXED_WIDTH = b"\x1e1"
"""Appendix G: fixed width on. Digits keep their places, and the line begins at the left."""

WAKE_UP = 5 * NUL
"""Section 5.1: the sign finds the baud rate by them."""

ALL_TYPES = b"Z"
HOLD = b"b"
MIDDLE, FILL = b" ", b"0"
"""Display positions: one row in the middle, or as many rows as there are."""

TEXT_LABEL = b"A"
STRING_LABEL = b"a"
FORBIDDEN_STRING_LABELS = (b"0", b"?")
"""Appendix A: the priority file, and the wildcard."""

TEXT_BYTES = 64
"""More than mode, width and one call; the sign's memory is thousands."""

MOST_STRING_BYTES = 125
"""Section 6.3: a STRING is buffered, so it is small."""

PACKET_PAUSE_MS = 250
CLEAR_PAUSE_MS = 2_000
"""After a clear the sign starts anew; what comes a second later is taken, this is a margin."""

FIRST_SHOWN, LAST_SHOWN = 0x20, 0x7D
"""Printable in 7 bits; ``~`` is a half space here and 7FH is none."""


@dataclass(frozen=True, slots=True)
class File:
    """One entry of the memory configuration (table 15, ``$``): label, size in bytes, kind."""

    label: bytes
    size: int
    is_string: bool

    def entry(self) -> bytes:
        """Eleven characters: label, type, protection, size, times (a STRING's are place holders)."""
        kind = b"BL%04X0000" if self.is_string else b"AU%04XFF00"
        return self.label + kind % self.size


def packet(command: bytes, *, address: str = "00", checksum: bool = True) -> bytes:
    """One transmission with one command (section 5.1), to every sign at ``address`` on the line.

    Never nested: a second command in one packet would need a pause within it.
    """
    invariant(all(byte < 0x80 for byte in command), "an Alpha command has 7 bits a byte")
    tail = ETX + checksum_text(command) if checksum else b""
    return WAKE_UP + SOH + ALL_TYPES + address.encode("ascii") + STX + command + tail + EOT


def checksum_text(command: bytes) -> bytes:
    """The 16-bit sum of everything from STX to ETX, as four hexadecimal digits."""
    return b"%04X" % (sum(STX + command + ETX) & 0xFFFF)


def clear_memory() -> bytes:
    """Every file away; the sign starts anew."""
    return b"E$"


def memory(files: Sequence[File]) -> bytes:
    """The memory configuration; it replaces the one before."""
    for file in files:
        forbidden = file.is_string and file.label in FORBIDDEN_STRING_LABELS
        invariant(not forbidden, "0 and ? are no labels of a STRING")
    return b"E$" + b"".join(file.entry() for file in files)


def release_priority() -> bytes:
    """Whatever somebody left in the priority file would hide ours; exactly these two bytes."""
    return b"A0"


def run_only(label: bytes) -> bytes:
    """Run this TEXT file and no other, whatever times it has (table 15, ``.``)."""
    return b"E.SU" + label


def write_text(label: bytes, body: bytes, position: bytes) -> bytes:
    """A TEXT file in hold mode. It blanks the sign for a moment."""
    return b"A" + label + START_OF_MODE + position + HOLD + body


def write_string(label: bytes, data: bytes, size: int) -> bytes:
    """A STRING file, cut at its size: written past it the sign would empty it."""
    return b"G" + label + data[:size]


def shown_bytes(text: str) -> bytes:
    """The text in bytes that a sign shows; anything else as a space."""
    return bytes(
        ord(sign) if FIRST_SHOWN <= ord(sign) <= LAST_SHOWN else FIRST_SHOWN for sign in text
    )


@dataclass(frozen=True, slots=True)
class AlphaFrames:
    """Frames for one sign, or for all signs at ``address`` (``00`` is everybody) on one line."""

    rows: int
    columns: int
    address: str = "00"
    checksums: bool = True

    @property
    def string_bytes(self) -> int:
        """The size of the STRING: all rows and the new lines between them."""
        return min(self.rows * (self.columns + 1), MOST_STRING_BYTES)

    def setup(self) -> tuple[Frame, ...]:
        """Memory, nothing in the way, the one TEXT file that calls the STRING."""
        files = (
            File(TEXT_LABEL, TEXT_BYTES, is_string=False),
            File(STRING_LABEL, self.string_bytes, is_string=True),
        )
        body = FIXED_WIDTH + CALL_STRING + STRING_LABEL
        position = MIDDLE if self.rows == 1 else FILL
        return (
            self._frame(clear_memory(), CLEAR_PAUSE_MS),
            self._frame(memory(files)),
            self._frame(release_priority()),
            self._frame(run_only(TEXT_LABEL)),
            self._frame(write_text(TEXT_LABEL, body, position)),
        )

    def write(self, page: Page) -> Frame:
        """The page into the STRING; the sign does not blank."""
        data = NEW_LINE.join(shown_bytes(line) for line in page)
        return self._frame(write_string(STRING_LABEL, data, self.string_bytes))

    def _frame(self, command: bytes, pause_ms: int = PACKET_PAUSE_MS) -> Frame:
        return Frame(packet(command, address=self.address, checksum=self.checksums), pause_ms)
