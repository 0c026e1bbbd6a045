"""A forger's bench: rewrites a ledger row by row, hashes it again, signs it again.

With the key a forgery hashes and signs well, so that only the rules can find it. The hashes are
made with SQLite's own ``json_array``: neither the store's code nor the checker's.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import apsw
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from scripted import KEY

BATCH, AT_NS, HAND, RULES, CAUSE, FIRST_SEQ, EVENTS, HASH = range(8)
"""The columns of a batch."""
SEQ, OF_BATCH, KIND, BOX, CENTS, MICROCENTS, INFO = range(7)
"""The columns of an event."""

Row = list[Any]
OWN_TABLES = ("batch", "event", "checkpoint", "latest", "state", "about")


class Forgery:
    """A whole ledger in lists; change them, ``renumber``, ``rehash``, ``resign``, ``save``."""

    def __init__(self, path: Path, copy: Path) -> None:
        shutil.copyfile(path, copy)
        self.path = copy
        self.db = apsw.Connection(str(copy))
        self.db.execute("PRAGMA synchronous = OFF")  # a test needs no durable forgery
        self.triggers = [
            (name, sql)
            for name, sql in self.db.execute(
                "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
            )
        ]
        self.batches = self._rows("batch")
        self.events = self._rows("event")
        self.checkpoints = self._rows("checkpoint")
        self.latest = self._rows("latest")
        self.states = self._rows("state")
        self.about = self._rows("about")

    def _rows(self, table: str) -> list[Row]:
        return [list(row) for row in self.db.execute(f"SELECT * FROM {table} ORDER BY 1")]

    # ---- finding -----------------------------------------------------------------------------------

    def event(self, kind: str, nth: int = 0) -> Row:
        """The ``nth`` event of a kind (from 0; -1 is the last)."""
        return [row for row in self.events if row[KIND] == kind][nth]

    def batch_of(self, event: Row) -> Row:
        return next(row for row in self.batches if row[BATCH] == event[OF_BATCH])

    # ---- changing ----------------------------------------------------------------------------------

    def tell(self, event: Row, **fields: Any) -> None:
        """Change fields of ``info``."""
        info = {**json.loads(event[INFO] or "{}"), **fields}
        event[INFO] = json.dumps(info, separators=(",", ":"))

    def drop(self, *events: Row) -> None:
        """Take events out; batches that become empty go too."""
        self.events = [row for row in self.events if not any(row is one for one in events)]
        left = {row[OF_BATCH] for row in self.events}
        self.batches = [row for row in self.batches if row[BATCH] in left]

    def drop_batch(self, batch: Row) -> None:
        self.drop(*[row for row in self.events if row[OF_BATCH] == batch[BATCH]])

    def add_after(self, event: Row, *rows: tuple[Any, ...]) -> None:
        """More events of the same batch; each ``(kind, box, cents, microcents, info)``."""
        at = next(index for index, row in enumerate(self.events) if row is event) + 1
        self.events[at:at] = [[event[SEQ], event[OF_BATCH], *row] for row in rows]

    def repeat_batch(self, batch: Row, before: Row) -> None:
        """The same batch again, under a cause of its own, before another one."""
        mark = object()
        copies = [[row[SEQ], mark, *row[2:]] for row in self.events if row[1] == batch[BATCH]]
        at = next(i for i, row in enumerate(self.events) if row[OF_BATCH] == before[BATCH])
        self.events[at:at] = copies
        here = next(index for index, row in enumerate(self.batches) if row is before)
        again = [mark, *batch[1:]]
        again[CAUSE] = f"again#{len(self.batches)}"
        self.batches.insert(here, again)

    def renumber(self) -> Forgery:
        """Batches and events without gaps again; checkpoints and states follow their batches."""
        numbers = {0: 0} | {row[BATCH]: n for n, row in enumerate(self.batches, 1)}
        for rows in (self.checkpoints, self.states):
            rows[:] = [[numbers[row[0]], *row[1:]] for row in rows if row[0] in numbers]
        for seq, row in enumerate(self.events, 1):
            row[SEQ], row[OF_BATCH] = seq, numbers[row[OF_BATCH]]
        for row in self.batches:
            row[BATCH] = numbers[row[BATCH]]
            own = [event[SEQ] for event in self.events if event[OF_BATCH] == row[BATCH]]
            row[FIRST_SEQ], row[EVENTS] = own[0], len(own)
        return self

    def rehash(self) -> Forgery:
        """A chain that holds."""
        previous = self._sha256("".join(self._json(*row) for row in sorted(self.about)))
        for row in self.batches:
            events = [event for event in self.events if event[OF_BATCH] == row[BATCH]]
            lines = [self._json(*row[:HASH]), *(self._json(*event) for event in events)]
            previous = self._sha256(previous + "\n" + "".join(lines))
            row[HASH] = previous
        return self

    def _sha256(self, text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()

    def _json(self, *values: Any) -> str:
        marks = ", ".join("?" * len(values))
        text = next(iter(self.db.execute(f"SELECT json_array({marks})", values)))[0]
        return str(text) + "\n"

    def resign(self, key: Ed25519PrivateKey = KEY) -> Forgery:
        """Checkpoints that lie on the chain, with ``key``."""
        ends = {row[BATCH]: (row[HASH], row[FIRST_SEQ] + row[EVENTS] - 1) for row in self.batches}
        for row in self.checkpoints:
            text, _, signature = str(row[2]).rpartition("\n\n")
            origin, _, head, state, seq, at = text.split("\n")
            if row[0]:
                hash_hex, last = ends[row[0]]
                head, seq = b64encode(bytes.fromhex(hash_hex)).decode(), f"seq {last}"
            text = f"{origin}\n{row[0]}\n{head}\n{state}\n{seq}\n{at}\n"
            key_id = b64decode(signature.split(" ")[2])[:4]
            signed = b64encode(key_id + key.sign(text.encode())).decode()
            row[2] = f"{text}\n— {origin} {signed}\n"
        return self

    def well_made(self) -> Path:
        """Numbers, hashes and signatures all in order."""
        return self.renumber().rehash().resign().save()

    def save(self) -> Path:
        """Write it, the triggers as they were; the path of the copy."""
        with self.db:
            for name, _ in self.triggers:
                self.db.execute(f"DROP TRIGGER {name}")
            for table, rows in zip(OWN_TABLES, self._tables(), strict=True):
                self.db.execute(f"DELETE FROM {table}")
                for row in rows:
                    marks = ", ".join("?" * len(row))
                    self.db.execute(f"INSERT INTO {table} VALUES ({marks})", row)
            for _, sql in self.triggers:
                self.db.execute(sql)
        self.db.close()
        return self.path

    def _tables(self) -> tuple[list[Row], ...]:
        return (
            self.batches,
            self.events,
            self.checkpoints,
            self.latest,
            self.states,
            self.about,
        )
