"""Who may import what: the layers of the house as a table, and where the outside world is let in.

Every function takes one parsed source and returns its findings, one line each.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from source_tree import Source

GROUND = {"money", "errors", "invariant"}
LAW = GROUND | {"law"}
AUTHORITY = LAW | {"authority"}
TABLE = AUTHORITY | {"table"}
LEDGER = TABLE | {"ledger"}
EVERYTHING = LEDGER | {
    "audit",
    "board",
    "cctalk",
    "checker",
    "config",
    "console",
    "daemon",
    "floor",
    "link",
    "mechanism",
    "terminal",
    "visor",
}

MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "money": {"errors"},
    "invariant": {"errors"},
    "law": LAW,
    "authority": AUTHORITY,
    "table": TABLE,
    # A carrusel's log is kept as durably as a ledger, and by the same hands.
    "ledger": LEDGER | {"link"},
    # The checker shares nothing with what it checks: a mistake there cannot hide here.
    "checker": {"errors", "checker"},
    # Replay, table book and exports decide again with the controller's own rules, and show a hand
    # as the players saw it.
    "audit": LEDGER | {"link", "checker", "audit", "visor"},
    "mechanism": GROUND | {"mechanism"},
    "cctalk": GROUND | {"mechanism", "cctalk"},
    "board": GROUND | {"mechanism", "board"},
    "link": TABLE | {"link"},
    # The floor plays the real table and the real link; who judges them imports only the table's words.
    "floor": TABLE | {"link", "floor"},
    "visor": TABLE | {"visor"},
    # The screens read; they act only through facts of the table.
    "console": TABLE | {"visor", "console"},
    # The terminal shows the pages of a running table: it has no rule of its own to get wrong.
    "terminal": {"terminal"},
    "config": AUTHORITY | {"board", "cctalk", "config"},
    "daemon": EVERYTHING,
    "cli": EVERYTHING | {"cli"},
}
"""For each part of ``jackpot``, the parts that it may import (its own name: its own modules)."""

DAEMON = ("jackpot.daemon", "firmware_sim")
TERMINAL = ("jackpot.terminal",)

ONLY_IN: dict[str, tuple[str, ...]] = {
    "aiomqtt": DAEMON,
    "amqtt": DAEMON,
    "anyio": DAEMON,
    "apsw": ("jackpot.audit",),
    "asyncio": DAEMON,
    "bs4": TERMINAL,
    "concurrent": DAEMON,
    "fido2": DAEMON,
    "gpiod": DAEMON,
    "http.client": DAEMON,
    "http.server": DAEMON,
    "httpx": TERMINAL,
    "multiprocessing": DAEMON,
    "nats": DAEMON,
    "numpy": (
        "jackpot.audit.checker.columns",
        "jackpot.audit.checker.swift",
        "jackpot.audit.checker.usual",
    ),
    "paho": DAEMON,
    "random": (*DAEMON, "jackpot.floor"),
    "sched": DAEMON,
    "select": DAEMON,
    "selectors": DAEMON,
    "serial": DAEMON,
    "signal": DAEMON,
    "socket": DAEMON,
    "socketserver": DAEMON,
    "sqlite3": ("jackpot.ledger",),
    "sqlite_utils": ("jackpot.ledger.database",),
    "ssl": (*DAEMON, *TERMINAL),
    "subprocess": DAEMON,
    "termios": DAEMON,
    "textual": TERMINAL,
    "threading": DAEMON,
    "time": DAEMON,
    "urllib.request": DAEMON,
    "uvicorn": DAEMON,
}
"""Modules that bring in time, chance, threads, wires or a database, and the only places for them."""

WALL_CLOCK_CALLS = {
    ("datetime", "now"),
    ("datetime", "utcnow"),
    ("datetime", "today"),
    ("date", "today"),
}


def part_of(module: str) -> str:
    """``jackpot.law.awards`` belongs to ``law``; the commands belong to ``cli``."""
    names = module.split(".")
    if names[1:2] == ["commands"]:
        return "cli"
    if names[1:3] == ["audit", "checker"]:
        return "checker"
    return names[1] if len(names) > 1 else ""


def imported(source: Source) -> Iterator[tuple[int, str]]:
    """Line and full name of everything that a file imports, also inside functions."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = _origin(source, node)
            yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names)


def _origin(source: Source, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = source.module.split(".")
    if source.path.endswith("/__init__.py"):
        package.append("")  # a package's own dot means the package itself
    package = package[: -node.level]
    return ".".join([*package, node.module] if node.module else package)


def wrong_direction(source: Source) -> list[str]:
    """Imports of ``jackpot`` against the table, and any between it and the simulator."""
    findings = []
    for line, name in imported(source):
        top = name.split(".")[0]
        if top not in {"jackpot", "firmware_sim"}:
            continue
        if top != source.module.split(".")[0]:
            findings.append(f"{source.path}:{line}: imports {name}; the two share no code")
        elif top == "jackpot":
            here, there = part_of(source.module), part_of(name)
            if here and there not in MAY_IMPORT.get(here, set()):
                findings.append(f"{source.path}:{line}: {here!r} may not import {name}")
    return findings


def out_of_place(source: Source) -> list[str]:
    """The outside world (clocks, chance, threads, wires, databases) let in at the wrong door."""
    findings = []
    for line, name in imported(source):
        for module, places in ONLY_IN.items():
            if _within(name, module) and not any(_within(source.module, at) for at in places):
                findings.append(f"{source.path}:{line}: {module} only in {' and '.join(places)}")
    return findings


def wall_clock(source: Source) -> list[str]:
    """Calls such as ``datetime.now()`` anywhere but where clocks are allowed."""
    if any(_within(source.module, place) for place in DAEMON):
        return []
    return [
        f"{source.path}:{node.lineno}: reads the wall clock; take the time as an argument"
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute)
        and (_last_name(node.value), node.attr) in WALL_CLOCK_CALLS
    ]


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _within(name: str, module: str) -> bool:
    return name == module or name.startswith(module + ".")
