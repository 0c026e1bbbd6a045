"""The machine as the doctor reads it: files below a root, and a few programs. Tests give another one."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROGRAM_TIMEOUT_S = 5.0
"""``timedatectl`` starts a service; longer means that it hangs."""

LONGEST_FILE_BYTES = 1_000_000
MOST_PROCESSES = 10_000
"""More than a small box can have; the rest is not looked at."""


@dataclass(frozen=True)
class Machine:
    """``root`` stands before every absolute path."""

    root: Path = Path("/")

    def path(self, absolute: str) -> Path:
        """Where an absolute path is on this machine."""
        return self.root / absolute.lstrip("/")

    def read(self, absolute: str) -> str | None:
        """A file's text, None if it cannot be read."""
        try:
            with self.path(absolute).open(encoding="utf-8", errors="replace") as file:
                return file.read(LONGEST_FILE_BYTES)
        except OSError:
            return None

    def processes(self) -> Iterator[str]:
        """The names of the running programs."""
        folders = sorted(self.path("/proc").glob("[0-9]*"))[:MOST_PROCESSES]
        for folder in folders:
            try:
                yield (folder / "comm").read_text(encoding="utf-8").strip()
            except OSError:
                continue  # it has just ended

    def udev_rules(self) -> dict[str, str]:
        """Text of each rule file by name; one in ``/etc`` hides its namesake in ``/lib``."""
        rules: dict[str, str] = {}
        for folder in ("/usr/lib/udev/rules.d", "/lib/udev/rules.d", "/run/udev/rules.d"):
            self._rules_of(folder, rules)
        self._rules_of("/etc/udev/rules.d", rules)
        return rules

    def _rules_of(self, folder: str, rules: dict[str, str]) -> None:
        try:
            files = sorted(self.path(folder).glob("*.rules"))
        except OSError:
            return
        for file in files:
            try:
                rules[file.name] = file.read_text(encoding="utf-8", errors="replace")
            except OSError:
                rules[file.name] = ""

    def output(self, *command: str) -> str | None:
        """What a program says, None if it is not there or fails."""
        program = shutil.which(command[0])
        if program is None or self.root != Path("/"):
            return self.read(f"/doctor/{command[0]}")  # a test's answer
        try:
            done = subprocess.run(  # noqa: S603 - fixed commands of ours
                [program, *command[1:]],
                capture_output=True,
                text=True,
                timeout=PROGRAM_TIMEOUT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout if done.returncode == 0 else None

    def may_use(self, path: Path) -> bool:
        """Whether this user may read and write a file."""
        return os.access(path, os.R_OK | os.W_OK)
