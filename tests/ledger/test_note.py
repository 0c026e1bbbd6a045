"""Signed notes as others make them (C2SP signed-note, tlog-checkpoint)."""

import pytest
from ledger_counter import KEY, ORIGIN

from jackpot.ledger.note import (
    Checkpoint,
    NoteUnsigned,
    Signer,
    checkpoint_from_note,
    notes_in,
    verifier_from_vkey,
)

# From the documentation of Go's golang.org/x/mod/sumdb/note.
NEUMANN_VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
NEUMANN_TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
NEUMANN_NOTE = (
    f"{NEUMANN_TEXT}\n— PeterNeumann "
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
# From the documentation of another implementation (Elixir's signed_note).
FOO_VKEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
FOO_NOTE = (
    "This is an example message.\n\n— example.com/foo "
    "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)

SIGNER = Signer(ORIGIN, KEY)
CHECKPOINT = Checkpoint(ORIGIN, 3, "ab" * 32, "cd" * 32, 17, 1_796_068_800_000_000_000)


def test_notes_are_found_in_what_people_keep() -> None:
    note = SIGNER.sign(CHECKPOINT.text())
    for kept in (
        note,
        note.rstrip("\n"),
        f"{note}\n\n",
        f"Monday:\n{note}",
        note.replace("\n", "\r\n"),
    ):
        assert notes_in(kept) == [note], kept
    assert notes_in(f"1 batch\n{note}\n2 batches\n{note}") == [note, note]
    assert notes_in("") == notes_in("casino.example/table-7\n3\n") == []


@pytest.mark.parametrize(
    ("vkey", "note", "text"),
    [
        (NEUMANN_VKEY, NEUMANN_NOTE, NEUMANN_TEXT),
        (FOO_VKEY, FOO_NOTE, "This is an example message.\n"),
    ],
)
def test_notes_of_other_implementations_open(vkey: str, note: str, text: str) -> None:
    verifier = verifier_from_vkey(vkey)
    assert verifier.vkey == vkey
    assert verifier.open(note) == text


def test_signatures_of_unknown_keys_are_ignored() -> None:
    extra = FOO_NOTE.splitlines()[-1] + "\n"
    assert verifier_from_vkey(NEUMANN_VKEY).open(NEUMANN_NOTE + extra) == NEUMANN_TEXT


@pytest.mark.parametrize(
    "note",
    [
        NEUMANN_NOTE.replace("answer", "Answer"),
        NEUMANN_NOTE.replace("x08go/ZJ", "x08go/ZK"),
        NEUMANN_NOTE.replace("x08go/ZJ", "x08go/Z!"),
        NEUMANN_NOTE.replace("PeterNeumann", "Peter"),
        NEUMANN_NOTE.replace("\n\n", "\n"),
        NEUMANN_NOTE.rstrip("\n"),
        NEUMANN_NOTE + NEUMANN_NOTE.splitlines()[-1].replace("x08go/ZJ", "x08go/ZK") * 20,
        NEUMANN_TEXT,
        "",
    ],
)
def test_a_note_that_was_touched_is_refused(note: str) -> None:
    with pytest.raises(NoteUnsigned):
        verifier_from_vkey(NEUMANN_VKEY).open(note)


@pytest.mark.parametrize(
    "vkey",
    [
        NEUMANN_VKEY.replace("c74f20a3", "c74f20a4"),
        NEUMANN_VKEY.replace("+AR", "+AB"),
        NEUMANN_VKEY[:-4],
        "PeterNeumann",
        "PeterNeumann+c74f20a3+",
    ],
)
def test_a_verifier_key_whose_parts_do_not_fit_is_refused(vkey: str) -> None:
    with pytest.raises(NoteUnsigned):
        verifier_from_vkey(vkey)


def test_a_checkpoint_is_six_lines_and_one_signature() -> None:
    note = SIGNER.sign(CHECKPOINT.text())
    # base64 of 32 bytes 0xab: printf '\xab%.0s' $(seq 32) | base64
    assert note.startswith(
        "casino.example/table-7\n3\nq6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=\n"
        f"state {'cd' * 32}\nseq 17\nat 1796068800000000000\n\n— casino.example/table-7 "
    )
    assert checkpoint_from_note(note, SIGNER.verifier) == CHECKPOINT


def test_a_checkpoint_of_the_first_release_has_no_time_and_stays_good() -> None:
    text = CHECKPOINT.text().replace("at 1796068800000000000\n", "")
    told = checkpoint_from_note(SIGNER.sign(text), SIGNER.verifier)
    assert told == CHECKPOINT._replace(at_ns=None)
    assert told.text() == text


@pytest.mark.parametrize(
    "text",
    [
        CHECKPOINT.text().replace("\n3\n", "\n03\n"),
        CHECKPOINT.text().replace(ORIGIN, "casino.example/table-8"),
        CHECKPOINT.text() + "more\n",
        "casino.example/table-7\n3\n",
    ],
)
def test_a_signed_text_of_another_shape_is_no_checkpoint(text: str) -> None:
    with pytest.raises(NoteUnsigned, match="no checkpoint"):
        checkpoint_from_note(SIGNER.sign(text), SIGNER.verifier)


def test_one_key_under_two_names_is_two_keys() -> None:
    note = Signer("casino.example/table-8", KEY).sign(CHECKPOINT.text())
    with pytest.raises(NoteUnsigned):
        SIGNER.verifier.open(note)
