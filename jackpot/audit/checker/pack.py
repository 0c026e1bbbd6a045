"""Evidence of one hand (docs/evidence.md): signatures, sums, and the piece of the chain in it."""

from __future__ import annotations

import hashlib
import re
import zipfile
import zlib
from pathlib import Path
from typing import Any

import apsw
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from jackpot.audit.checker.chain import Chain, genesis
from jackpot.audit.checker.findings import Findings
from jackpot.audit.checker.notes import Checkpoint, Key, Unsigned, key_of, read
from jackpot.audit.checker.outcomes import show
from jackpot.audit.checker.report import Report

SUMS, SIGNATURE, DATABASE = "SHA256SUMS", "SHA256SUMS.sig", "evidence.sqlite"
NEEDED = frozenset({SUMS, SIGNATURE, DATABASE, "public.pem", "table.pem"})

MOST_FILES = 1_000
"""A pack has a dozen files; a thousand are no pack."""

MOST_BYTES = 512 * 1024 * 1024
"""Unpacked, all files together: far above the longest hour, and no machine runs out of memory."""

_ZIP = b"PK\x03\x04"
"""The first bytes of a zip with something in it (APPNOTE 4.3.7)."""

_HASH_AND_GAP = 66
"""``sha256sum`` writes 64 hex digits and two spaces before a name."""

_NOTE = re.compile(r"checkpoint-(0|[1-9][0-9]{0,17})\.note")
_UNUSABLE = (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, EOFError, zlib.error)
"""What the standard library says of a damaged, encrypted or foreign zip."""


def is_pack(path: Path) -> bool:
    """Whether a file begins as a zip, and so is no ledger; a ledger may *hold* the bytes of a zip."""
    try:
        with path.open("rb") as file:
            return file.read(len(_ZIP)) == _ZIP
    except OSError:
        return False


def verify_pack(path: Path, *, public_key: str | None = None) -> Report:
    """Check an evidence pack; never raises for what is in the file.

    ``public_key`` is the table's, printed at installation; without it the one in the pack is
    believed, and a note says so.
    """
    findings = Findings()
    try:
        contents = _contents(path)
    except (*_UNUSABLE, ValueError) as error:
        return Report(summary=None, findings=(), unreadable=f"no evidence pack: {show(error)}")
    if missing := NEEDED - contents.keys():
        found = f"a zip without {', '.join(sorted(missing))}"
        return Report(summary=None, findings=(), unreadable=f"no evidence pack: {found}")
    _check_sums(contents, findings)
    try:
        _Piece(contents, findings, public_key).check()
    except (apsw.Error, ValueError, TypeError, KeyError, IndexError) as error:
        findings.at(None)
        findings.wrong("pack", "the rows cannot be read", "rows of a ledger", show(error))
    return Report(
        summary=None,
        findings=tuple(findings.findings),
        notes=tuple(findings.notes),
        more_findings=findings.more,
    )


def _contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as pack:
        infos = pack.infolist()
        if len(infos) > MOST_FILES or sum(info.file_size for info in infos) > MOST_BYTES:
            raise ValueError("too many files, or too large ones")
        contents = {info.filename: pack.read(info) for info in infos}
        if len(contents) != len(infos):
            raise ValueError("two files of one name")
        return contents


def _check_sums(contents: dict[str, bytes], findings: Findings) -> None:
    """Every file is listed with its hash, and the list is signed by the key in the pack."""
    sums = contents[SUMS]
    try:
        key = load_pem_public_key(contents["public.pem"])
        if not isinstance(key, Ed25519PublicKey):
            raise ValueError("no Ed25519 key")
        key.verify(contents[SIGNATURE], sums)
    except (InvalidSignature, ValueError) as error:
        says = "the list of files is not what was signed"
        findings.wrong("pack", says, "a signature of public.pem", show(error) or "another text")
    lines = sums.decode(errors="replace").splitlines()
    listed = {line[_HASH_AND_GAP:]: line[:64] for line in lines if line}
    for name in sorted((contents.keys() | listed.keys()) - {SUMS, SIGNATURE}):
        content = contents.get(name)
        found = "no such file" if content is None else hashlib.sha256(content).hexdigest()
        if found != listed.get(name):
            expected = listed.get(name, "no file that is not listed")
            findings.wrong("pack", f"{name} is not as listed", expected, found)
    if contents["public.pem"] != contents["table.pem"]:
        says = "the pack was signed by another key than the table's: ask whose it is"
        findings.note("pack", says, "table.pem", "public.pem")


class _Piece:
    """The piece of the chain between its checkpoints."""

    def __init__(
        self, contents: dict[str, bytes], findings: Findings, public_key: str | None
    ) -> None:
        self.findings = findings
        self.contents = contents
        self.db = apsw.Connection(":memory:")
        self.db.deserialize("main", contents[DATABASE])
        self.db.execute("PRAGMA trusted_schema = OFF")
        self.about = {str(k): str(v) for k, v in self.db.execute("SELECT key, value FROM about")}
        self.public_key = public_key

    def check(self) -> None:
        """Checkpoints, then every batch from one to the next."""
        try:
            self._only_tables()
            key = self._key()
            told = self._told(key)
            self._walk(told)
        finally:
            self.db.close()

    def _only_tables(self) -> None:
        """A view or trigger could show other rows than those that are stored."""
        found = self.db.execute("SELECT name FROM sqlite_schema WHERE type != 'table'").fetchall()
        if found:
            says = "the database holds more than tables"
            raise ValueError(f"{says}: {', '.join(str(name) for (name,) in found)}")

    def _key(self) -> Key:
        own = self.about.get("vkey", "")
        if self.public_key is None:
            says = (
                "no key was given, so the pack's own is believed: "
                "compare it with the one printed at installation"
            )
            self.findings.note("checkpoints", says, "--public-key", own)
        elif self.public_key.strip() != own:
            says = "the pack names another key"
            self.findings.wrong("checkpoints", says, self.public_key.strip(), own)
        key = key_of(self.public_key or own)
        table = load_pem_public_key(self.contents["table.pem"])
        if not isinstance(table, Ed25519PublicKey) or table.public_bytes_raw() != key.public:
            self.findings.wrong("pack", "table.pem is another key", show(key.public.hex()), "it")
        return key

    def _told(self, key: Key) -> dict[int, Checkpoint]:
        """What each note says, by batch; the files and the rows of the database are the same."""
        sql = "SELECT batch, note, at_ns FROM checkpoint"
        stored = {int(batch): (str(note), at_ns) for batch, note, at_ns in self.db.execute(sql)}
        rows = {batch: note for batch, (note, _) in stored.items()}
        in_files = {
            int(match[1]): content.decode(errors="replace")
            for name, content in self.contents.items()
            if (match := _NOTE.fullmatch(name))
        }
        if rows != in_files:
            self.findings.wrong("pack", "notes differ from rows", sorted(rows), sorted(in_files))
        told = {}
        for batch, note in sorted({**in_files, **rows}.items()):
            self.findings.at(batch)
            try:
                told[batch] = read(note, key)
            except Unsigned as error:
                says = "a checkpoint proves nothing"
                self.findings.wrong("checkpoints", says, "a signed note", error)
                continue
            if told[batch].batches != batch:
                says = "the note is about another batch than its name"
                self.findings.wrong("checkpoints", says, told[batch].batches, batch)
            at_ns = stored[batch][1] if batch in stored else told[batch].at_ns
            if told[batch].at_ns not in (None, at_ns):
                says = "the note was signed at another time than its row says"
                self.findings.wrong("checkpoints", says, told[batch].at_ns, at_ns)
        return told

    def _walk(self, told: dict[int, Checkpoint]) -> None:
        findings = self.findings
        batches: list[Any] = self.db.execute(
            "SELECT batch, at_ns, hand, rules, cause, first_seq, events, hash FROM batch"
            " ORDER BY batch"
        ).fetchall()
        findings.at(None)
        if not batches or min(told, default=-1) not in (0, batches[0][0]):
            says = "no signed checkpoint begins this piece"
            findings.wrong("pack", says, "a checkpoint of its first batch", sorted(told))
            return
        chain = self._start(batches, told)
        for row in batches:
            if row[0] > min(told):
                events = self._events(row[0])
                chain.add(row[:7], row[7], events)
                self._reached(chain, told)
        findings.at(None)
        last = batches[-1][0]
        if last not in told:
            says = "no checkpoint has signed the end of this piece yet"
            findings.note("tail", says, f"a checkpoint of batch {last}", sorted(told))
        for batch in sorted(told.keys() - {row[0] for row in batches} - {0}):
            findings.wrong("pack", "a checkpoint of a batch that is not here", batch, "no row")
        findings.note(
            "pack",
            "this is a piece of the chain",
            "the whole ledger",
            f"its batches {min(told)} to {last}",
        )

    def _start(self, batches: list[Any], told: dict[int, Checkpoint]) -> Chain:
        """A chain that stands at the first checkpoint."""
        begin = min(told)
        chain = Chain(genesis(self.about.items()), self.findings)
        if begin:
            chain.batch, chain.hash = begin, batches[0][7]
            chain.seq, chain.at_ns = batches[0][5] + batches[0][6] - 1, batches[0][1]
        self._reached(chain, told)
        return chain

    def _events(self, batch: int) -> list[Any]:
        return self.db.execute(
            "SELECT seq, batch, kind, box, cents, microcents, info FROM event"
            " WHERE batch = ? ORDER BY seq",
            (batch,),
        ).fetchall()

    def _reached(self, chain: Chain, told: dict[int, Checkpoint]) -> None:
        checkpoint = told.get(chain.batch)
        if checkpoint and (checkpoint.hash, checkpoint.seq) != (chain.hash, chain.seq):
            self.findings.at(chain.batch)
            self.findings.wrong(
                "checkpoints",
                "a checkpoint holds another history",
                f"seq {checkpoint.seq}, hash {checkpoint.hash}",
                f"seq {chain.seq}, hash {chain.hash}",
            )
