"""Logs in English on standard error: JSON for machines, or lines for people. Never a secret."""

from __future__ import annotations

import logging
import sys

import structlog

from jackpot.daemon.log_format import LogFormat

__all__ = ["LogFormat", "set_up_logs"]


def set_up_logs(style: LogFormat) -> None:
    """All of structlog, and warnings of libraries that log in the standard way."""
    renderer: structlog.typing.Processor = structlog.processors.JSONRenderer()
    if style is LogFormat.CONSOLE:
        renderer = structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    shared: list[structlog.typing.Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if style is LogFormat.JSON:
        # Without the local variables: a form's PIN and a session's token are among them.
        places = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        shared.append(structlog.processors.ExceptionRenderer(places))
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(processor=renderer, foreign_pre_chain=shared)
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
