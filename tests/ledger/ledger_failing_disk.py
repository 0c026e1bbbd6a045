"""A folder on a disk that can fail: runs scenarios over the preloaded shim."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
POWERLOSS = HERE / "powerloss"


class FailingDisk:
    """Runs scenarios of ``powerloss_workload`` over the preloaded shim, on one folder."""

    def __init__(self, shim: Path, folder: Path) -> None:
        self._shim = shim
        self.folder = folder / "disk"
        self.folder.mkdir()
        self.trace = folder / "trace"

    def run(self, scenario: str, *, status: int = 0) -> list[str]:
        """The lines that the scenario prints; its trace goes on where the last one ended."""
        done = subprocess.run(
            [sys.executable, str(POWERLOSS / "powerloss_workload.py"), str(self.folder), scenario],
            env={
                **os.environ,
                "LD_PRELOAD": str(self._shim),
                "LOSS_FOLDER": str(self.folder),
                "LOSS_TRACE": str(self.trace),
                "PYTHONPATH": str(HERE),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stderr
        return done.stdout.splitlines()
