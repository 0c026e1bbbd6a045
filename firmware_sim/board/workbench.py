"""The firmware as a child process in virtual time: it runs only when it is told that time passed."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

END_TIMEOUT_S = 10.0
MAX_STEP_MS = 3_600_000  # an hour at once: no simulation needs more in one command


class WorkbenchError(Exception):
    """The firmware stopped: a mistake in it, or in what it was told."""


class Workbench:
    """One board. ``gates`` and ``lamps`` are its outputs as masks; bytes it sends are returned."""

    def __init__(self, program: Path, serial: int = 1, boots: int = 0, slots: int = 7) -> None:
        self.gates = self.lamps = 0
        self._fell_in = False
        self._child = subprocess.Popen(  # noqa: S603 - built from our own sources
            [str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.replace(serial, boots, slots)

    def replace(self, serial: int, boots: int = 0, slots: int = 7) -> None:
        """Another board, which has started ``boots`` times before; it starts now."""
        self.serial, self.slots = serial, slots
        self._tell(f"new {serial} {boots} {slots}")

    def restart(self) -> None:
        """Power lost and back."""
        self._tell("on")

    def wear_out(self, worn: bool) -> None:
        """Its memory of starts fails (or works again); seen at the next start."""
        self._tell(f"wear {worn:d}")

    def advance(self, ms: int) -> bytes:
        """Time passes; the bytes that the board sends in it."""
        if not 0 <= ms <= MAX_STEP_MS:
            raise WorkbenchError(f"expected 0 to {MAX_STEP_MS} ms, found {ms}")
        return self._tell(f"t {ms}")

    def receive(self, data: bytes) -> bytes:
        """Bytes from the host; the answer."""
        answer = b""
        for start in range(0, len(data), 1024):
            answer += self._tell(f"rx {data[start : start + 1024].hex()}")
        return answer

    def chip(self, slot: int, pulse_ms: int = 60, fall_ms: int = 0) -> bool:
        """A chip, now. Whether the gate let it in: then its credit pulse comes after ``fall_ms``,
        behind those of the chips before it, also if the gate shuts in the same millisecond. Else the
        player has it."""
        self._tell(f"chip {slot} {pulse_ms} {fall_ms}")
        return self._fell_in

    def stack(self, slot: int, chips: int, pulse_ms: int = 60) -> None:
        """Chips one behind the other: each looks at the gate when its turn comes."""
        self._tell(f"stack {slot} {pulse_ms} {chips}")

    def hold_line(self, slot: int, active: bool) -> None:
        """Hold the credit line of a slot, as a stuck chip does, or let go."""
        self._tell(f"line {slot} {active:d}")

    def hold_key(self, down: bool) -> None:
        """The croupier's key."""
        self._tell(f"key {down:d}")

    def close(self) -> int:
        """End the child; its status, which is 0 unless the firmware made a mistake."""
        if self._child.stdin is not None and not self._child.stdin.closed:
            self._child.stdin.close()
        try:
            status = self._child.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._child.kill()
            status = self._child.wait()
        if self._child.stdout is not None:
            self._child.stdout.close()
        return status

    def _tell(self, line: str) -> bytes:
        if self._child.stdin is None or self._child.stdout is None:
            raise WorkbenchError("the workbench has no pipes")
        try:
            self._child.stdin.write(line + "\n")
            self._child.stdin.flush()
        except OSError as error:
            raise WorkbenchError(f"{line!r}: the firmware stopped") from error
        answer = self._child.stdout.readline().split()
        if len(answer) != 4:
            raise WorkbenchError(f"{line!r}: the firmware stopped, status {self._child.wait()}")
        self.gates, self.lamps = int(answer[0]), int(answer[1])
        self._fell_in = answer[2] == "1"
        return b"" if answer[3] == "-" else bytes.fromhex(answer[3])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
