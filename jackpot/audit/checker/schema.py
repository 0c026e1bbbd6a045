"""Every table, view and trigger of a ledger, word for word: there is nothing else in the file.

A trigger or a view more could write or show what no event says; a table without its order would
take a second row for an old key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jackpot.audit.checker.findings import Findings
from jackpot.audit.checker.outcomes import show

_TABLES = {
    "migration": "(version INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT",
    "about": "(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "batch": """( batch INTEGER PRIMARY KEY, at_ns INTEGER NOT NULL, hand INTEGER,
        rules TEXT NOT NULL, cause TEXT NOT NULL, first_seq INTEGER NOT NULL,
        events INTEGER NOT NULL, hash TEXT NOT NULL ) STRICT""",
    "event": """( seq INTEGER PRIMARY KEY, batch INTEGER NOT NULL, kind TEXT NOT NULL,
        box INTEGER, cents INTEGER, microcents INTEGER, info TEXT ) STRICT""",
    "checkpoint": "(batch INTEGER PRIMARY KEY, at_ns INTEGER NOT NULL, note TEXT NOT NULL) STRICT",
    "state": "(batch INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT",
    "latest": """( what TEXT NOT NULL CHECK (what IN ('meter', 'source')), key TEXT NOT NULL,
        value INTEGER NOT NULL, PRIMARY KEY (what, key) ) STRICT, WITHOUT ROWID""",
}
_VIEWS = {
    "source": "(source, number) AS SELECT key, value FROM latest WHERE what = 'source'",
    "meter": "(pool, microcents) AS SELECT key, value FROM latest WHERE what = 'meter'",
}
_APPEND_ONLY = ("batch", "event", "checkpoint", "about")
_NEXT = {
    "batch": ("batch", "SELECT coalesce(max(batch), 0) + 1 FROM batch"),
    "event": ("seq", "SELECT coalesce(max(seq), 0) + 1 FROM event"),
    "checkpoint": (
        "batch",
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM checkpoint WHERE batch = NEW.batch) "
        "THEN NULL ELSE (SELECT coalesce(max(batch), 0) FROM batch) END",
    ),
}
"""The only key that a table takes, so that nothing is written over or left out."""


def _statements() -> Iterator[tuple[str, str]]:
    for name, rest in _TABLES.items():
        yield name, f"CREATE TABLE {name}{rest}"
    for name, rest in _VIEWS.items():
        yield name, f"CREATE VIEW {name}{rest}"
    for table in _APPEND_ONLY:
        for verb in ("UPDATE", "DELETE"):
            name = f"{table}_no_{verb.lower()}"
            abort = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            yield name, f"CREATE TRIGGER {name} BEFORE {verb} ON {table} {abort}"
    for table, (key, expected) in _NEXT.items():
        name = f"{table}_in_order"
        when = f"BEFORE INSERT ON {table} WHEN NEW.{key} IS NOT ({expected})"
        abort = f"BEGIN SELECT RAISE(ABORT, '{table} takes only the next {key}'); END"
        yield name, f"CREATE TRIGGER {name} {when} {abort}"
    yield (
        "about_complete",
        "CREATE TRIGGER about_complete BEFORE INSERT ON about "
        "WHEN EXISTS (SELECT 1 FROM migration) "
        "BEGIN SELECT RAISE(ABORT, 'about is append-only'); END",
    )


SCHEMA = {name: " ".join(sql.split()) for name, sql in _statements()}
"""What each name was made by, its spaces made one."""


def check_names(rows: Iterable[tuple[object, object]], findings: Findings) -> None:
    """``rows``: name and SQL of everything in the file. More, less, or other words are findings."""
    found = {str(name): " ".join(str(sql).split()) for name, sql in rows}
    for name in sorted(SCHEMA.keys() | found.keys()):
        if SCHEMA.get(name) == found.get(name):
            continue
        says = f"{name} is not as the first migration made it"
        if name not in SCHEMA:
            says = f"{name} does not belong to a ledger"
        elif name not in found:
            says = f"{name} is gone"
        findings.wrong(
            "schema", says, SCHEMA.get(name, "nothing"), show(found.get(name, "nothing"))
        )
