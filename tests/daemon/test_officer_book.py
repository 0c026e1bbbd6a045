"""The officer book: its file, and PINs that neither lock out nor tell anything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jackpot.authority.roles import Role
from jackpot.daemon import officer_book
from jackpot.daemon.officer_book import MISSES_NAME, BookUnreadable, OfficerBook, Token, TooSoon
from jackpot.errors import Refused

PIN = "271828"
WRONG = "271829"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "officers.json"


@pytest.fixture
def book(file: Path) -> OfficerBook:
    book = OfficerBook(file)
    book.add("c1", (Role.CROUPIER,), PIN)
    return book


def test_what_was_added_is_there_after_a_restart_and_the_pin_is_not_in_the_file(
    book: OfficerBook, file: Path
) -> None:
    again = OfficerBook.open(file)
    assert again.roles() == {"c1": (Role.CROUPIER,)} == book.roles()
    assert again.check("c1", PIN, 0.0) is True
    assert PIN not in file.read_text()
    assert "$argon2id$" in file.read_text()


def test_the_file_is_the_owners_alone_and_one_that_others_read_is_refused(
    book: OfficerBook, file: Path
) -> None:
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o640)
    with pytest.raises(BookUnreadable, match="chmod 600"):
        OfficerBook.open(file)


def test_a_damaged_file_is_refused_and_not_taken_for_an_empty_one(file: Path) -> None:
    file.write_text('{"officers": {"c1": {"roles": ["owner"]}}}')
    file.chmod(0o600)
    with pytest.raises(BookUnreadable, match="officer_book_damaged"):
        OfficerBook.open(file)


def test_a_failed_write_leaves_the_old_book(
    book: OfficerBook, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = file.read_bytes()

    def no_room(_: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(OSError, match="no space"):
        book.add("j1", (Role.TABLE_CHIEF,), "314159")
    assert file.read_bytes() == before
    assert "j1" not in book.roles()


@pytest.mark.parametrize("officer", ["c1", "nobody"])
def test_ten_misses_slow_down_and_never_lock_out_and_an_unknown_id_behaves_the_same(
    book: OfficerBook, officer: str
) -> None:
    now_s, waits = 0.0, []
    for _ in range(10):
        assert book.check(officer, WRONG, now_s) is False
        answer = book.check(officer, WRONG, now_s)
        left_s = answer.wait_s if isinstance(answer, TooSoon) else 0
        waits.append(left_s)
        now_s += left_s
    assert waits == [0, 1, 2, 4, 8, 16, 30, 30, 30, 30]


def test_the_right_pin_too_soon_is_not_looked_at_and_later_forgets_all_misses(
    book: OfficerBook,
) -> None:
    for _ in range(3):
        assert book.check("c1", WRONG, 100.0) is False
    assert book.check("c1", PIN, 100.2) == TooSoon(1)
    assert book.check("c1", PIN, 101.0) is True
    assert book.check("c1", WRONG, 101.0) is False


def _missed(book: OfficerBook, times: int) -> None:
    """Each try as soon as it counts."""
    for tried in range(times):
        assert book.check("c1", WRONG, 60.0 * tried) is False


def test_misses_outlive_a_restart_and_the_time_since_the_last_one_counts(
    book: OfficerBook, file: Path
) -> None:
    """Five misses in a row: the next try counts after 4 s, whoever restarts the controller."""
    _missed(book, 5)
    misses = file.with_name(MISSES_NAME)
    assert OfficerBook.open(file, now_s=0.0).check("c1", PIN, 0.0) == TooSoon(4)
    last = misses.stat().st_mtime
    os.utime(misses, (last - 10, last - 10))
    again = OfficerBook.open(file, now_s=0.0)
    assert again.check("c1", WRONG, 0.0) is False
    assert again.check("c1", WRONG, 1.0) == TooSoon(7)  # the sixth: 8 s
    os.utime(misses, (last + 3600, last + 3600))  # the clock went back an hour
    assert OfficerBook.open(file, now_s=0.0).check("c1", PIN, 0.0) == TooSoon(8)


def test_the_right_pin_is_remembered_as_well(book: OfficerBook, file: Path) -> None:
    _missed(book, 5)
    assert book.check("c1", PIN, 300.0) is True
    assert OfficerBook.open(file, now_s=0.0).check("c1", PIN, 0.0) is True


def test_a_new_pin_forgets_the_misses_for_the_next_start_too(book: OfficerBook, file: Path) -> None:
    _missed(book, 5)
    book.set_pin("c1", "314159")
    assert OfficerBook.open(file, now_s=0.0).check("c1", "314159", 0.0) is True


def test_the_file_of_misses_holds_no_secret_and_is_the_owners_alone(
    book: OfficerBook, file: Path
) -> None:
    """An id that is in no book may be a PIN in the wrong field."""
    book.check(PIN, WRONG, 0.0)
    _missed(book, 1)
    misses = file.with_name(MISSES_NAME)
    assert misses.read_text() == '{"c1":1}'
    assert misses.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", ["", "[]", '{"c1":"many"}', "\xff"])
def test_a_damaged_file_of_misses_stops_no_table(
    book: OfficerBook, file: Path, content: str
) -> None:
    file.with_name(MISSES_NAME).write_text(content)
    assert OfficerBook.open(file).check("c1", PIN, 0.0) is True


def test_a_full_disk_keeps_the_misses_in_memory(
    book: OfficerBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(_: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    _missed(book, 3)
    assert book.check("c1", PIN, 120.0) == TooSoon(1)


def test_a_stranger_makes_no_hash_shorter_and_cannot_fill_the_memory(book: OfficerBook) -> None:
    hashed = []
    real = officer_book._HASHER

    class Counting:
        def verify(self, pin_hash: str, pin: str) -> bool:
            hashed.append(pin_hash.split("$")[3])
            return real.verify(pin_hash, pin)

    officer_book._HASHER = Counting()  # type: ignore[assignment]
    try:
        book.check("c1", WRONG, 0.0)
        book.check("nobody", WRONG, 0.0)
    finally:
        officer_book._HASHER = real
    assert hashed == ["m=19456,t=2,p=1"] * 2
    for stranger in range(officer_book.MOST_STRANGERS + 9):
        book._misses_of(f"stranger-{stranger}")
    assert len(book._strangers) == officer_book.MOST_STRANGERS


def test_an_id_that_differs_only_in_capitals_is_the_same_person(book: OfficerBook) -> None:
    with pytest.raises(Refused, match="officer_exists"):
        book.add("C1", (Role.CROUPIER,), "314159")


async def test_verify_hashes_beside_the_event_loop(book: OfficerBook) -> None:
    assert await book.verify("c1", PIN) is True
    assert await book.verify("c1", WRONG) is False


def test_two_who_change_the_book_at_once_do_not_undo_each_other(
    book: OfficerBook, file: Path
) -> None:
    other = OfficerBook.open(file)
    other.add_token("c1", Token("mesa-2.casino.example", "AAAA"))
    with pytest.raises(Refused, match="officer_book_changed"):
        book.add("j1", (Role.TABLE_CHIEF,), "314159")
    assert OfficerBook.open(file).tokens("c1") == (Token("mesa-2.casino.example", "AAAA"),)


def test_nobody_has_more_than_four_security_keys(book: OfficerBook) -> None:
    for number in range(4):
        book.add_token("c1", Token("mesa-2.casino.example", f"AAA{number}"))
    with pytest.raises(Refused, match="too_many_tokens"):
        book.add_token("c1", Token("mesa-2.casino.example", "AAAX"))
    book.remove_tokens("c1")
    assert book.tokens("c1") == ()


def test_a_new_pin_keeps_the_security_keys_and_a_changed_book_the_misses(
    book: OfficerBook, file: Path
) -> None:
    book.add_token("c1", Token("mesa-2.casino.example", "AAAA"))
    for _ in range(3):
        book.check("c1", WRONG, 0.0)
    again = OfficerBook.open(file)
    again.keep_misses_of(book)
    assert isinstance(again.check("c1", WRONG, 0.5), TooSoon)
    book.set_pin("c1", "739104")
    assert len(OfficerBook.open(file).tokens("c1")) == 1
