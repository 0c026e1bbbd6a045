"""``python -m jackpot.daemon CONFIG FORMAT``: what ``jackpot run`` becomes (``jackpot.daemon.become``)."""

from __future__ import annotations

import sys
from pathlib import Path

from jackpot.daemon.log_format import LogFormat
from jackpot.errors import JackpotError, exit_status

UNWANTED = "rich"
"""structlog loads it where it is there, for coloured tracebacks: 4 MiB that no table needs."""


def main(config: str, log_format: str) -> int:
    """Run the table until a signal; returns the exit status."""
    sys.modules[UNWANTED] = None  # type: ignore[assignment]  # Python's way to say: not there
    from jackpot.config import load_config_file
    from jackpot.daemon.logs import set_up_logs
    from jackpot.daemon.run import run_until_signal

    set_up_logs(LogFormat(log_format))
    try:
        run_until_signal(load_config_file(Path(config)), announce=_announce)
    except JackpotError as error:
        sys.stderr.write(f"jackpot: {error}\n")
        return exit_status(error)
    return 0


def _announce(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
