"""The officers of a table and their PINs: one small file that nobody but the controller reads.

The ledger learns ids and roles only. PINs are kept as Argon2id hashes; the file has mode 0600 and
is replaced in one step, so that a power cut leaves the old book or the new one. How often each
officer has missed stands in a second file beside it, so that a restart gives nobody quick tries.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from jackpot.authority.pins import MAX_PIN_DIGITS, check_new_pin, check_officer_id, wait_s
from jackpot.authority.roles import Role
from jackpot.errors import Refused

FILE_NAME = "officers.json"
MISSES_NAME = "officers.misses"
"""Beside the book: ids of officers and how many wrong PINs in a row; its age tells when the last was."""
MOST_OFFICERS = 200
"""More than any casino employs at one table; a longer book is a mistake."""
MOST_TOKENS = 4
"""Of one officer: the one on the key ring, the one in the safe, and two that are being replaced."""
MOST_STRANGERS = 256
"""Ids that are in no book and whose misses are remembered, the newest; so nobody fills the memory."""

_HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""OWASP's parameters for small machines: 19 MiB, about 30 ms; one at a time."""


class BookUnreadable(Refused):
    """The officer book is missing, damaged, or others could read it."""


class Token(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The public half of an officer's cryptographic token: the name of the host that it was
    registered under, and its credential (id and public key, base64url)."""

    host: str
    credential: str


class Officer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One entry of the book."""

    roles: tuple[Role, ...]
    pin_hash: str
    tokens: tuple[Token, ...] = ()


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    officers: dict[str, Officer]
    version: int = 1


@dataclass(frozen=True)
class TooSoon:
    """Nobody looked at the PIN: the next try counts in ``wait_s`` seconds (rounded up)."""

    wait_s: int


@dataclass
class _Misses:
    count: int = 0
    last_s: float = 0.0

    def left_s(self, now_s: float) -> int:
        """Whole seconds until the next try counts, rounded up; 0 when it counts now."""
        left = self.last_s + wait_s(self.count) - now_s
        return max(0, -int(-left // 1))


class OfficerBook:
    """The book in memory, and the only thing that writes its file.

    Made directly it is a new one, for an installation; else use ``open``.
    """

    def __init__(self, path: Path, officers: Mapping[str, Officer] | None = None) -> None:
        self._path = path
        self._stamp = file_stamp(path)
        self._officers = dict(officers or {})
        self._misses: dict[str, _Misses] = {}
        self._strangers: OrderedDict[str, _Misses] = OrderedDict()
        self._one_at_a_time = asyncio.Lock()
        self._nobody = _HASHER.hash("no officer has this PIN")
        """Compared with when the id is unknown: an unknown id takes as long as a known one."""

    @classmethod
    def open(cls, path: Path, now_s: float | None = None) -> OfficerBook:
        """The book at ``path``, and the misses that were counted before ``now_s`` (as in ``check``;
        left out: now). Raises ``BookUnreadable``: a missing book is not an empty one."""
        stamp = file_stamp(path)
        try:
            mode = path.stat().st_mode & 0o777
            if mode & 0o077:
                raise BookUnreadable(
                    reason="officer_book_open_to_others",
                    expected=f"{path} with mode 600",
                    found=f"mode {mode:o}",
                    to_do="run chmod 600 on it, and ask who has read it",
                )
            officers = msgspec.json.decode(path.read_bytes(), type=_File).officers
        except FileNotFoundError as error:
            raise BookUnreadable(
                reason="officer_book_missing",
                expected=f"the officer book {path}",
                found="no such file",
                to_do="put it back from the backup of this folder, or use `jackpot officers restore`",
            ) from error
        except OSError as error:
            raise _damaged(path, error.strerror or str(error)) from error
        except (msgspec.MsgspecError, RecursionError, ValueError) as error:
            raise _damaged(path, str(error)) from error
        if not officers:
            raise _damaged(path, "a book without a single officer")
        book = cls(path, officers)
        book._stamp = stamp
        book._recall_misses(time.monotonic() if now_s is None else now_s)
        return book

    def roles(self) -> dict[str, tuple[Role, ...]]:
        """Ids and roles: what the fact ``OfficersListed`` tells the ledger."""
        return {officer: entry.roles for officer, entry in sorted(self._officers.items())}

    def tokens(self, officer: str) -> tuple[Token, ...]:
        """The officer's tokens; none of somebody unknown."""
        entry = self._officers.get(officer)
        return () if entry is None else entry.tokens

    def check(self, officer: str, pin: str, now_s: float) -> bool | TooSoon:
        """Whether ``pin`` is the officer's; an unknown id behaves like a wrong PIN in every way.

        ``now_s`` is a monotonic clock in seconds. A right PIN forgets the misses.
        """
        misses = self._misses_of(officer)
        left_s = misses.left_s(now_s)
        if left_s:
            return TooSoon(left_s)
        entry = self._officers.get(officer)
        right = (
            _matches(self._nobody if entry is None else entry.pin_hash, pin) and entry is not None
        )
        before, misses.count = misses.count, 0 if right else misses.count + 1
        misses.last_s = now_s
        if entry is not None and misses.count != before:
            self._record_misses()
        return right

    async def verify(self, officer: str, pin: str) -> bool | TooSoon:
        """``check`` beside the event loop, one at a time: hashing must not hold up a table."""
        async with self._one_at_a_time:
            return await asyncio.to_thread(self.check, officer, pin, time.monotonic())

    def add(self, officer: str, roles: tuple[Role, ...], pin: str) -> None:
        """A new entry, saved at once. Raises ``Refused``: bad id, weak PIN, or there already."""
        check_officer_id(officer)
        check_new_pin(pin)
        if officer.lower() in {known.lower() for known in self._officers}:
            raise _refused("officer_exists", "an id that is not in the book", officer)
        if not roles:
            raise _refused("no_role", "at least one role", "none")
        if len(self._officers) >= MOST_OFFICERS:
            raise _refused("book_full", f"at most {MOST_OFFICERS} officers", "a full book")
        self._save({**self._officers, officer: Officer(roles, _HASHER.hash(pin))})

    def remove(self, officer: str) -> None:
        """Take an entry out, saved at once; what the officer signed stays in the ledger."""
        self._known(officer)
        self._save({name: entry for name, entry in self._officers.items() if name != officer})

    def set_pin(self, officer: str, pin: str) -> None:
        """A new PIN, saved at once; the misses are forgotten."""
        check_new_pin(pin)
        entry = self._known(officer)
        self._enter(officer, msgspec.structs.replace(entry, pin_hash=_HASHER.hash(pin)))
        if self._misses.pop(officer, None) is not None:
            self._record_misses()

    def add_token(self, officer: str, token: Token) -> None:
        """One more token, saved at once."""
        entry = self._known(officer)
        if len(entry.tokens) >= MOST_TOKENS:
            raise Refused(
                reason="too_many_tokens",
                expected=f"at most {MOST_TOKENS} tokens of one officer",
                found="as many already",
                to_do="remove the old ones first",
            )
        self._enter(officer, msgspec.structs.replace(entry, tokens=(*entry.tokens, token)))

    def remove_tokens(self, officer: str) -> None:
        """Take all tokens of an officer out, saved at once."""
        self._enter(officer, msgspec.structs.replace(self._known(officer), tokens=()))

    def keep_misses_of(self, older: OfficerBook) -> None:
        """The wrong tries that an earlier reading of the same book counted."""
        self._misses, self._strangers = older._misses, older._strangers

    @property
    def _misses_file(self) -> Path:
        return self._path.with_name(MISSES_NAME)

    def _record_misses(self) -> None:
        """For the next start. Ids of this book alone: another may be a PIN in the wrong field. What
        cannot be written still slows down until then."""
        counts = {name: each.count for name, each in self._misses.items() if each.count}
        with contextlib.suppress(OSError):
            _replace(self._misses_file, msgspec.json.encode(counts))

    def _recall_misses(self, now_s: float) -> None:
        """As if each had missed when the last one did: never too early. A clock that went back has
        them wait anew; a lost or damaged file costs the slowing down and stops no table."""
        with contextlib.suppress(OSError, msgspec.MsgspecError, ValueError):
            counts = msgspec.json.decode(self._misses_file.read_bytes(), type=dict[str, int])
            age_s = max(0.0, time.time() - self._misses_file.stat().st_mtime)
            known = {name: count for name, count in counts.items() if name in self._officers}
            self._misses = {name: _Misses(count, now_s - age_s) for name, count in known.items()}

    def _enter(self, officer: str, entry: Officer) -> None:
        self._save({**self._officers, officer: entry})

    def _known(self, officer: str) -> Officer:
        entry = self._officers.get(officer)
        if entry is None:
            raise _refused("no_such_officer", "an officer of this book", officer)
        return entry

    def _misses_of(self, officer: str) -> _Misses:
        if officer in self._officers:
            return self._misses.setdefault(officer, _Misses())
        misses = self._strangers.setdefault(officer, _Misses())
        self._strangers.move_to_end(officer)
        while len(self._strangers) > MOST_STRANGERS:
            self._strangers.popitem(last=False)
        return misses

    def _save(self, officers: dict[str, Officer]) -> None:
        """Refuses (``officer_book_changed``) to undo what somebody else entered meanwhile."""
        if file_stamp(self._path) != self._stamp:
            raise Refused(
                reason="officer_book_changed",
                expected="the officer book as it was read",
                found="one that was changed meanwhile",
                to_do="do it again",
            )
        data = msgspec.json.format(msgspec.json.encode(_File(officers)), indent=2)
        _replace(self._path, data + b"\n")
        self._officers = officers
        self._stamp = file_stamp(self._path)


def _replace(path: Path, data: bytes) -> None:
    """A new file beside the old one, renamed over it: the old content or the new, for us alone."""
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def file_stamp(path: Path) -> tuple[int, int]:
    """What a replaced file changes; zeros where there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return 0, 0
    return status.st_ino, status.st_mtime_ns


def _damaged(path: Path, found: str) -> BookUnreadable:
    return BookUnreadable(
        reason="officer_book_damaged",
        expected=f"{path} as `jackpot officers` wrote it",
        found=found,
        to_do="put it back from the backup of this folder",
    )


def _matches(pin_hash: str, pin: str) -> bool:
    try:
        return _HASHER.verify(pin_hash, pin[: MAX_PIN_DIGITS + 1])
    except (VerificationError, InvalidHashError):
        return False


def _refused(reason: str, expected: str, found: str) -> Refused:
    return Refused(
        reason=reason, expected=expected, found=found, to_do="look at the list of officers"
    )
