"""An Alpha sign at the end of its line: takes packets apart as strictly as a sign does.

Source: Alpha Sign Communications Protocol, form 9708-8061F, section 5.1.
"""

from __future__ import annotations

from firmware_sim.signs.alpha_files import Memory
from firmware_sim.signs.tally import Tally

NUL, SOH, STX, ETX, EOT = 0x00, 0x01, 0x02, 0x03, 0x04
WAKE_UP = 5  # NULs before a packet: by them the sign finds the baud rate
TYPES = b"Z^"  # everybody, and a BetaBrite
EVERYBODY = b"00"
CLEAR_FACTOR = 10  # after a clear a sign needs about a second, else a tenth
PATIENCE_MS = 1_000  # after it was stuck a sign finds everything at once, which is no fault
MOST_COMMAND_BYTES = 4_096  # a packet without end is noise


class AlphaSign:
    """Feed it bytes; ``picture`` is what people see. Times are milliseconds from any beginning."""

    def __init__(self, rows: int, columns: int, address: str = "01", gap_ms: int = 0) -> None:
        self.tally = Tally()
        self.memory = Memory(rows, columns, self.tally)
        self._addresses = (EVERYBODY, address.encode("ascii"))
        self._gap_ms = gap_ms
        self._ready_ms = 0
        self._excused_until_ms = 0
        self._nuls = 0
        self._packet: bytearray | None = None
        self._deaf = False

    def feed(self, data: bytes, now_ms: int) -> None:
        """What arrived on the line."""
        for byte in data:
            self._byte(byte, now_ms)

    def excuse(self, now_ms: int) -> None:
        """It was stuck: what waited meanwhile is not too early."""
        self._ready_ms = 0
        self._excused_until_ms = now_ms + PATIENCE_MS

    def picture(self) -> list[str]:
        """The rows."""
        return self.memory.picture()

    def contents(self) -> dict[str, object]:
        """The files, for tests."""
        files = {
            chr(label): {"string": file.is_string, "size": file.size, "data": file.data.hex()}
            for label, file in self.memory.files.items()
        }
        return {"files": files, "sequence": self.memory.sequence.decode("ascii", "replace")}

    def _byte(self, byte: int, now_ms: int) -> None:
        if byte >= 0x80:
            self._drop("a byte of 8 bits")
        elif byte == SOH:
            self._begin(now_ms)
        elif self._packet is None:
            if byte == NUL:
                self._nuls += 1
            else:
                self._nuls = 0
                self.tally.complain("noise between packets")
        elif byte == EOT:
            self._end(bytes(self._packet), now_ms)
        else:
            self._packet.append(byte)
            if len(self._packet) > MOST_COMMAND_BYTES:
                self._drop("a packet without end")

    def _begin(self, now_ms: int) -> None:
        if self._packet is not None:
            self._drop("a packet within a packet")
        self._deaf = True
        if self._nuls < WAKE_UP:
            self.tally.complain("too few NULs")
        elif now_ms < self._ready_ms and now_ms >= self._excused_until_ms:
            self.tally.complain("too early")
        else:
            self._deaf = False
        self._packet = bytearray()
        self._nuls = 0

    def _end(self, packet: bytes, now_ms: int) -> None:
        self._packet = None
        self._nuls = 0
        if self._deaf:
            return
        type_code, address, start, command = packet[:1], packet[1:3], packet[3:4], packet[4:]
        if start != bytes([STX]) or type_code not in TYPES:
            self.tally.complain("header")
            return
        if address not in self._addresses:
            return
        command, etx, checksum = command.partition(bytes([ETX]))
        if etx and checksum != b"%04X" % (sum(packet[3:4] + command + etx) & 0xFFFF):
            self.tally.complain("checksum")
            return
        if NUL in command or STX in command:
            self.tally.complain("a control byte within a command")
            return
        cleared = self.memory.execute(command)
        self._ready_ms = now_ms + self._gap_ms * (CLEAR_FACTOR if cleared else 1)

    def _drop(self, reason: str) -> None:
        self._packet = None
        self._nuls = 0
        self.tally.complain(reason)
