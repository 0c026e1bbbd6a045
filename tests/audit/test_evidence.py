"""Evidence of a hand: made, checked by us and by the shell, and tampered with in every file."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import apsw
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from scripted import KEY, opened
from typer.testing import CliRunner

from jackpot.audit.books.evidence import evidence_pack
from jackpot.audit.checker.pack import is_pack, verify_pack
from jackpot.audit.source import Source
from jackpot.cli import build_app
from jackpot.errors import Refused

PAGE = Path(__file__).parents[2] / "docs" / "evidence.md"
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))

FILES = {
    "README.txt", "SHA256SUMS", "SHA256SUMS.sig", "context.json", "evidence.sqlite",
    "hand.en.txt", "hand.es.txt", "public.pem", "table.pem",
}  # fmt: skip


def packed(ledger: Path, hand: int, to: Path, key: Ed25519PrivateKey = KEY) -> Path:
    with Source(ledger) as source:
        to.write_bytes(evidence_pack(source, hand, key))
    return to


@pytest.fixture
def pack(story: Path, tmp_path: Path) -> Path:
    """Hand 2 of the long story: 1,000.25 and 450.11 paid."""
    return packed(story, 2, tmp_path / "hand-2.zip")


def contents(pack: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(pack) as opened_zip:
        return {name: opened_zip.read(name) for name in opened_zip.namelist()}


def rewritten(pack: Path, files: dict[str, bytes], key: Ed25519PrivateKey | None = None) -> Path:
    """The pack with other contents; with ``key`` also summed and signed again."""
    if key is not None:
        listed = {n: c for n, c in files.items() if not n.startswith("SHA256SUMS")}
        sums = "".join(f"{hashlib.sha256(c).hexdigest()}  {n}\n" for n, c in sorted(listed.items()))
        files = {**listed, "SHA256SUMS": sums.encode(), "SHA256SUMS.sig": key.sign(sums.encode())}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as written:
        for name, content in files.items():
            written.writestr(name, content)
    pack.write_bytes(made.getvalue())
    return pack


PROGRAMS = (
    "python3",  # in the place of unzip, as the page says
    *("openssl", "sha256sum", "sqlite3"),
    *("sh", "sed", "grep", "cut", "tail", "tr", "od", "base64", "rm"),  # every shell has them
)
"""All that the recipe may call."""


def by_shell(pack: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """The recipe of the page, as it stands there, where nothing of ours can be called."""
    recipe = PAGE.read_text("utf-8").split("```sh\n")[2].split("```")[0]
    folder.mkdir()
    programs = folder.with_name(f"{folder.name}-programs")
    programs.mkdir()
    for name in PROGRAMS:
        found = shutil.which(name, path=os.defpath) or shutil.which(name)
        assert found is not None, name
        (programs / name).symlink_to(found)
    environment = {"PATH": str(programs), "PACK": str(pack)}
    return subprocess.run(
        ["sh", "-c", recipe], cwd=folder, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def validators(pack: Path) -> set[str]:
    return {finding.validator for finding in verify_pack(pack).findings}


def test_a_pack_holds_a_piece_of_the_chain_and_is_clean(pack: Path) -> None:
    names = set(contents(pack))
    assert names >= FILES
    notes = names - FILES
    assert len(notes) == 3  # the creation, the award of this hand, and that of the next one
    assert "checkpoint-0.note" in notes
    report = verify_pack(pack)
    assert report.findings == (), report.as_text()
    assert report.unreadable is None


def test_the_shell_alone_finds_it_whole(pack: Path, tmp_path: Path) -> None:
    done = by_shell(pack, tmp_path / "unpacked")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("the evidence holds\n")


def test_a_later_hand_begins_at_the_checkpoint_before_it(story: Path, tmp_path: Path) -> None:
    """Hand 6, the royal flush: from the checkpoint of hand 3's awards over its own to the closing."""
    pack = packed(story, 6, tmp_path / "six.zip")
    notes = sorted(name for name in contents(pack) if name.startswith("checkpoint-"))
    assert len(notes) == 3
    assert "checkpoint-0.note" not in notes
    assert verify_pack(pack).findings == ()
    done = by_shell(pack, tmp_path / "unpacked")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "the evidence holds")


def test_the_words_tell_the_award_in_both_languages(pack: Path) -> None:
    """CAN-8.5: 10 % of 10,002.50 is 1,000.25; 5 % of 9,002.25 is 450.1125, paid 450.11."""
    spanish = contents(pack)["hand.es.txt"].decode()
    assert "Jugada 2" in spanish
    assert "CAN-8.5" in spanish
    assert "450,1125 €" in spanish
    english = contents(pack)["hand.en.txt"].decode()
    assert "450.1125 €" in english
    assert "1,000.25 €" in english


def test_it_tells_of_no_secret_and_no_person(pack: Path) -> None:
    """Officer ids only: no PIN hash, no name, no private key."""
    everything = b"".join(contents(pack).values())
    for word in (b"$argon2", b"PRIVATE KEY", b"pin_hash"):
        assert word not in everything


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_changed_file_is_found_by_us_and_by_the_shell(
    name: str, pack: Path, tmp_path: Path
) -> None:
    files = contents(pack)
    middle = len(files[name]) // 2
    files[name] = (
        files[name][:middle] + bytes([files[name][middle] ^ 1]) + files[name][middle + 1 :]
    )
    rewritten(pack, files)
    assert "pack" in validators(pack)
    done = by_shell(pack, tmp_path / "unpacked")
    assert done.returncode != 0
    assert "the evidence holds" not in done.stdout


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("UPDATE event SET cents = cents + 1 WHERE kind = 'award_paid'", "chain"),
        ("UPDATE batch SET at_ns = at_ns + 1 WHERE hand = 2", "chain"),
        ("DELETE FROM event WHERE kind = 'bet_accepted' AND box = 2", "chain"),
        ("DELETE FROM batch WHERE batch = (SELECT max(batch) FROM batch)", "pack"),
        ("UPDATE about SET value = 'x' WHERE key = 'id'", "checkpoints"),
        ("UPDATE checkpoint SET note = replace(note, 'seq ', 'seq 9')", "pack"),
        ("CREATE VIEW x AS SELECT 1", "pack"),
    ],
)
def test_changed_rows_are_found_though_the_pack_was_signed_again(
    change: str, expected: str, pack: Path, tmp_path: Path
) -> None:
    """Whoever makes a pack with a key of their own still has no signature of the table."""
    files = contents(pack)
    database = apsw.Connection(":memory:")
    database.deserialize("main", files["evidence.sqlite"])
    database.execute(change)
    files["evidence.sqlite"] = bytes(database.serialize("main"))
    database.close()
    files["public.pem"] = OTHER_KEY.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    rewritten(pack, files, OTHER_KEY)
    assert expected in validators(pack)


def test_another_hand_of_signing_is_told(story: Path, tmp_path: Path) -> None:
    pack = packed(story, 2, tmp_path / "pack.zip", OTHER_KEY)
    report = verify_pack(pack)
    assert report.findings == ()
    assert any("another key" in note.says for note in report.notes)


def test_a_given_key_must_be_the_tables(pack: Path) -> None:
    from jackpot.ledger.note import Signer

    own = Signer("casino.example/table-2", KEY).verifier.vkey
    assert verify_pack(pack, public_key=own).findings == ()
    other = Signer("casino.example/table-2", OTHER_KEY).verifier.vkey
    assert {wrong.validator for wrong in verify_pack(pack, public_key=other).findings} >= {
        "checkpoints"
    }


def test_the_readme_speaks_both_languages_and_leaves_no_gap(pack: Path) -> None:
    readme = contents(pack)["README.txt"].decode()
    explained, _, _ = readme.partition("--8<-- check.sh")
    assert "EVIDENCE OF HAND 2\n" in explained
    assert "EN ESPAÑOL: PRUEBA DE LA JUGADA 2\n" in explained
    assert "un punto firmado firma el lote " in explained
    assert "@" not in explained


def test_an_unsigned_end_is_told(tmp_path: Path) -> None:
    table = opened(tmp_path / "ledger")
    table.hand(1).lock().no_awards()
    pack = packed(table.close(), 1, tmp_path / "pack.zip")
    readme = contents(pack)["README.txt"].decode()
    assert "NOT SIGNED YET" in readme
    assert "NO ESTÁ FIRMADO TODAVÍA" in readme
    report = verify_pack(pack)
    assert report.findings == ()
    assert "tail" in {note.validator for note in report.notes}


def test_the_same_evidence_is_the_same_file(story: Path, tmp_path: Path) -> None:
    one, two = (packed(story, 2, tmp_path / name) for name in ("one.zip", "two.zip"))
    assert one.read_bytes() == two.read_bytes()


def test_a_hand_that_is_not_there_or_runs_is_refused(story: Path, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="none in this ledger"):
        packed(story, 99, tmp_path / "pack.zip")
    table = opened(tmp_path / "ledger")
    table.hand(1)
    with pytest.raises(Refused, match="still running"):
        packed(table.close(), 1, tmp_path / "pack.zip")


def test_the_command_line_makes_it_and_verify_reads_it(story: Path, tmp_path: Path) -> None:
    key = tmp_path / "signing.key"
    key.touch(0o600)
    key.write_bytes(
        KEY.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    pack = tmp_path / "pack.zip"
    words = ["evidence", str(story), "--hand", "2", "--out", str(pack), "--key", str(key)]
    app = build_app(("evidence", "verify"))
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    checked = CliRunner().invoke(app, ["verify", str(pack)])
    assert checked.exit_code == 0
    assert checked.stdout.endswith("limpio: sin hallazgos\n")
    again = CliRunner().invoke(app, words)
    assert isinstance(again.exception, Refused)
    assert again.exception.reason == "cannot_write"


def test_a_zip_that_is_no_pack_is_not_readable(tmp_path: Path) -> None:
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(other, "w") as written:
        written.writestr("letter.txt", "dear")
    assert verify_pack(other).exit_status == 2


def test_a_ledger_that_holds_the_bytes_of_a_zip_is_a_ledger(story: Path, tmp_path: Path) -> None:
    """The end record of an empty zip (PK 05 06 and 18 zeros) within the last 64 KiB of the file."""
    ledger = tmp_path / "ledger"
    ledger.write_bytes(story.read_bytes() + b"PK\x05\x06" + bytes(18))
    assert zipfile.is_zipfile(ledger)
    assert not is_pack(ledger)
    done = CliRunner().invoke(build_app(("verify",)), ["verify", str(ledger)])
    assert "no evidence pack" not in done.stdout


def test_an_auditor_without_the_key_of_the_table_is_told_to_sign_with_one_of_their_own(
    story: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copy(story, tmp_path / "copy.ledger"))
    out = tmp_path / "hand-2.zip"
    command = ["evidence", str(copy), "--hand", "2", "--out", str(out)]
    refused = CliRunner().invoke(build_app(), command).exception
    assert isinstance(refused, Refused)
    assert refused.reason == "no_key_to_sign_with"
    own = tmp_path / "own.pem"
    made = ["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(own)]
    subprocess.run(made, check=True, capture_output=True)
    own.chmod(0o600)
    assert CliRunner().invoke(build_app(), [*command, "--key", str(own)]).exit_code == 0
    assert verify_pack(out).exit_status == 0
