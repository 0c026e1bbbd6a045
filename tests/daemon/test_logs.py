"""Secrets never reach a log."""

from __future__ import annotations

import subprocess
import sys

import pytest

from jackpot.daemon.log_format import LogFormat

PROGRAM = """
import logging
import structlog
from jackpot.daemon.log_format import LogFormat
from jackpot.daemon.logs import set_up_logs
set_up_logs(LogFormat("{style}"))
def sign(pin):
    raise KeyError("no such officer")
for log in (structlog.get_logger("ours"), logging.getLogger("theirs")):
    try:
        sign("".join(["39", "17", "26"]))
    except KeyError:
        log.exception("a form failed")
"""


@pytest.mark.parametrize("style", LogFormat)
def test_an_exception_tells_where_it_happened_and_no_value_that_was_at_hand(
    style: LogFormat,
) -> None:
    """The PIN is never written in the program, so only a local variable could tell it."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(style=style.value)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.count("a form failed") == 2
    assert "no such officer" in done.stderr
    assert "391726" not in done.stderr
