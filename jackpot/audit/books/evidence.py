"""The evidence of one hand: a signed zip that anyone checks with openssl, sha256sum and sqlite3.

Inside are the batches from the last checkpoint before the hand to the first one after it, so that
both ends of this piece of the chain are signed by the table. ``SHA256SUMS`` lists every file, and
``SHA256SUMS.sig`` signs that list (Ed25519). Docs: docs/evidence.md.

There is no PIN, no name and no player in a ledger, so there is none here either.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, NamedTuple

import apsw
import msgspec
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from jackpot.audit.books.evidence_text import hand_text
from jackpot.audit.checker.one_line import one_line
from jackpot.audit.source import Source
from jackpot.errors import Refused
from jackpot.law.words import Language, Text
from jackpot.ledger.note import verifier_from_vkey

MOST_BATCHES = 200_000
"""A busy hour, the longest time between two checkpoints, has a few thousand; a hundred megabytes."""

SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.sig"
FIXED_TIME = (1980, 1, 1, 0, 0, 0)
"""The oldest date of the zip format: the same evidence is the same file, whenever it is made."""

_SIGNED_END = Text(
    (
        "un punto firmado firma el lote {last}, el final de este tramo",
        "a checkpoint signs batch {last}, the end of this piece",
    )
)
_UNSIGNED_END = Text(
    (
        "el lote {last} NO ESTÁ FIRMADO TODAVÍA: no le ha seguido ningún punto firmado",
        "batch {last} is NOT SIGNED YET: no checkpoint has followed it",
    )
)

_TABLES = (
    "CREATE TABLE about(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE batch(batch INTEGER PRIMARY KEY, at_ns INTEGER NOT NULL, hand INTEGER,"
    " rules TEXT NOT NULL, cause TEXT NOT NULL, first_seq INTEGER NOT NULL,"
    " events INTEGER NOT NULL, hash TEXT NOT NULL) STRICT",
    "CREATE TABLE event(seq INTEGER PRIMARY KEY, batch INTEGER NOT NULL, kind TEXT NOT NULL,"
    " box INTEGER, cents INTEGER, microcents INTEGER, info TEXT) STRICT",
    "CREATE TABLE checkpoint(batch INTEGER PRIMARY KEY, at_ns INTEGER NOT NULL,"
    " note TEXT NOT NULL) STRICT",
)


class Span(NamedTuple):
    """Batches: those of the hand itself, and those of the pack with its signed ends."""

    hand_first: int
    hand_last: int
    first: int
    last: int


def evidence_pack(source: Source, hand: int, key: Ed25519PrivateKey) -> bytes:
    """The zip for a hand that has ended. Raises ``Refused``."""
    span = _span(source, hand)
    notes = source.rows(
        "SELECT batch, at_ns, note FROM checkpoint WHERE batch BETWEEN ? AND ? ORDER BY batch",
        (span.first, span.last),
    )
    contents = {
        "README.txt": _readme(hand, span, source),
        "context.json": msgspec.json.format(msgspec.json.encode(_context(source, hand, span))),
        "evidence.sqlite": _database(source, span, notes),
        "hand.en.txt": hand_text(source, hand, span.hand_first, span.hand_last, "en").encode(),
        "hand.es.txt": hand_text(source, hand, span.hand_first, span.hand_last, "es").encode(),
        "public.pem": _pem(key.public_key()),
        "table.pem": _table_pem(source),
    }
    for batch, _, note in notes:
        contents[f"checkpoint-{batch}.note"] = str(note).encode()
    sums = "".join(
        f"{hashlib.sha256(content).hexdigest()}  {name}\n"
        for name, content in sorted(contents.items())
    ).encode()
    return _zipped({**contents, SUMS: sums, SIGNATURE: key.sign(sums)})


def _span(source: Source, hand: int) -> Span:
    def batch_of(kind: str) -> int | None:
        found = source.rows(
            "SELECT min(batch) FROM event WHERE batch <= ? AND kind = ? AND info ->> 'hand' = ?",
            (source.batch, kind, hand),
        )
        return found[0][0] if found else None

    first, last = batch_of("hand_started"), batch_of("hand_ended")
    if first is None or last is None:
        raise Refused(
            reason="no_such_hand",
            expected=f"a hand {hand} that has ended",
            found="none in this ledger" if first is None else "one that is still running",
            to_do="see the hands with `jackpot export`",
        )
    before = source.rows("SELECT max(batch) FROM checkpoint WHERE batch < ?", (first,))[0][0]
    after = source.rows(
        "SELECT min(batch) FROM checkpoint WHERE batch BETWEEN ? AND ?", (last, source.batch)
    )[0][0]
    span = Span(first, last, before or 0, after or last)
    if span.last - span.first > MOST_BATCHES:
        raise Refused(
            reason="too_much_evidence",
            expected=f"at most {MOST_BATCHES} batches between two checkpoints",
            found=str(span.last - span.first),
            to_do="hand over a snapshot of the whole ledger instead",
        )
    return span


def _context(source: Source, hand: int, span: Span) -> dict[str, Any]:
    """What was in force when the hand began, and where in the ledger that stands."""
    context: dict[str, Any] = {
        "hand": hand,
        "batches_of_hand": [span.hand_first, span.hand_last],
        "batches_of_pack": [span.first, span.last],
        "ledger": source.about,
        "ledger_end": {"batch": source.batch, "hash": source.hash},
    }
    for kind in ("controller_started", "terms_in_force", "officers_listed", "day_opened"):
        rows = source.rows(
            "SELECT seq, batch, cents, info FROM event WHERE batch < ? AND kind = ? "
            "ORDER BY seq DESC LIMIT 1",
            (span.hand_first, kind),
        )
        if rows:
            seq, batch, cents, info = rows[0]
            context[kind] = {"seq": seq, "batch": batch, "cents": cents, "info": _parsed(info)}
    return context


def _parsed(info: str | None) -> Any:
    return None if info is None else msgspec.json.decode(info)


def _database(source: Source, span: Span, notes: list[Any]) -> bytes:
    database = apsw.Connection(":memory:")
    try:
        for statement in _TABLES:
            database.execute(statement)
        with database:
            database.executemany("INSERT INTO about VALUES (?, ?)", source.about.items())
            database.executemany("INSERT INTO checkpoint VALUES (?, ?, ?)", notes)
            for header, rows in source.batches(max(span.first, 1), span.last):
                database.execute("INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?, ?, ?)", header)
                if header[0] > span.first:  # the first one is there for its signed hash only
                    database.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        return bytes(database.serialize("main"))
    finally:
        database.close()


def _pem(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def _table_pem(source: Source) -> bytes:
    """The key that signs the ledger's checkpoints, as the ledger itself names it."""
    verifier = verifier_from_vkey(source.about["vkey"])
    return _pem(Ed25519PublicKey.from_public_bytes(verifier.public))


def _readme(hand: int, span: Span, source: Source) -> bytes:
    text = (files("jackpot.audit.books") / "evidence_readme.txt").read_text("utf-8")
    signed_end = source.rows("SELECT count(*) FROM checkpoint WHERE batch = ?", (span.last,))[0][0]
    end = _SIGNED_END if signed_end else _UNSIGNED_END
    warnings = {one: source.standing.warning(one) for one in Language}
    values = {
        "HAND": str(hand),
        "HAND_FIRST": str(span.hand_first),
        "HAND_LAST": str(span.hand_last),
        "FIRST": str(span.first),
        "LAST": str(span.last),
        "END": end.text("en").format(last=span.last),
        "END_ES": end.text("es").format(last=span.last),
        "WARNING": _paragraph(warnings[Language.EN]),
        "WARNING_ES": _paragraph(warnings[Language.ES]),
        "LEDGER": one_line(source.about.get("id", "")),
        "ORIGIN": one_line(source.about.get("origin", "")),
        "VKEY": one_line(source.about.get("vkey", "")),
    }
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text.encode()


def _paragraph(text: str) -> str:
    return f"\n{text}\n" if text else ""


def _zipped(contents: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, content in sorted(contents.items()):
            info = zipfile.ZipInfo(name, FIXED_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            pack.writestr(info, content)
    return made.getvalue()
