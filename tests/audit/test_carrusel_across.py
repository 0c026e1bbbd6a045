"""`jackpot verify` over several ledgers and the carrusel's log: whoever cut or rewrote one is found.

Two tables played in a real carrusel; then somebody with time and tools works on the files (CAN-9).
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from support.brokers import mosquitto
from support.linked_floor import FOUR_ACES, agree, floor
from typer.testing import CliRunner

from jackpot.audit.checker import verify
from jackpot.audit.checker.carrusel_across import heads_in, verify_carrusel
from jackpot.audit.checker.carrusel_file import is_carrusel_log
from jackpot.audit.checker.report import Report
from jackpot.cli import build_app
from jackpot.ledger.decision_log import DecisionFile, read_log
from jackpot.ledger.keys import load_key
from jackpot.link import entries as e
from jackpot.link.log import entry_of, seal_all
from jackpot.link.signing import signer


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two ledgers and the log of a short evening with one award."""
    folder = tmp_path_factory.mktemp("evening")

    async def evening() -> None:
        async with floor(folder, broker.port, mqtt="3.1.1") as (coordinator, tables):
            seven, eight = tables
            await eight.play_a_hand(chips=3)
            await agree(coordinator, tables)
            await seven.lock_a_hand()
            await seven.claim(FOUR_ACES)
            await seven.pay()
            await seven.end_the_hand(chips=1)
            await eight.play_a_hand(chips=2)
            await agree(coordinator, tables)
            for table in tables:
                await table.running.desk.checkpoint()
            await agree(coordinator, tables)
            async with asyncio.timeout(20):
                while len(coordinator.core.state.heads) < 2:
                    await asyncio.sleep(0.05)

    broker = mosquitto(folder)
    broker.start()
    try:
        asyncio.run(evening())
    finally:
        broker.stop()
    return folder


class Evening(NamedTuple):
    """Copies of the ledgers of tables 7 and 8, of the log, and of the coordinator's key."""

    seven: Path
    eight: Path
    log: Path
    key: Path

    def verified(self) -> Report:
        return verify_carrusel(self.log, [self.seven, self.eight])


@pytest.fixture
def files(played: Path, tmp_path: Path) -> Evening:
    copied = {
        "seven": played / "table-7" / "record" / "table.ledger",
        "eight": played / "table-8" / "record" / "table.ledger",
        "log": played / "coordinator-c1" / "carrusel.log",
        "key": played / "coordinator-c1" / "signing.key",
    }
    return Evening(*(Path(shutil.copy(file, tmp_path / name)) for name, file in copied.items()))


def says(report: Report) -> str:
    return "\n".join(finding.text() for finding in report.findings)


def freely(path: Path, *statements: str) -> None:
    """Whoever has the file can drop its triggers."""
    connection = sqlite3.connect(path)
    for (name,) in connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
    ).fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def entries_of(log: Path) -> list[e.LogEntry]:
    return [entry_of(sealed) for sealed in read_log(log, "sala", 0, 10_000)]


def sealed_anew(log: Path, entries: list[e.LogEntry], key: Ed25519PrivateKey) -> None:
    """The whole log written again, a second later."""
    for old in log.parent.glob(f"{log.name}*"):  # its write-ahead log, too
        old.unlink()
    with DecisionFile.create(log, "sala") as file:
        file.append(seal_all("sala", entries, "", 0, "c1", 1_000, signer(key)), 0)


# ---- what somebody does --------------------------------------------------------------------------


def entry_changed(evening: Evening) -> None:
    freely(
        evening.log, "UPDATE entry SET body = replace(body, '\"paid_cents\":', '\"paid_cents\":1')"
    )


def entry_taken_out(evening: Evening) -> None:
    freely(evening.log, "DELETE FROM entry WHERE position = 4")


def signature_of_another_entry(evening: Evening) -> None:
    first = "(SELECT signature FROM entry WHERE position = 1)"
    freely(evening.log, f"UPDATE entry SET signature = {first} WHERE position = 4")


def signed_with_another_key(evening: Evening) -> None:
    sealed_anew(evening.log, entries_of(evening.log), Ed25519PrivateKey.generate())


def signed_by_nobody_known(evening: Evening) -> None:
    freely(evening.log, "UPDATE entry SET author = 'c2' WHERE position = 4")


def decided_otherwise(change: str, by: int) -> Callable[[Evening], None]:
    """The whole log sealed anew by somebody with the coordinator's key; one amount is another."""

    def plant(evening: Evening) -> None:
        rewritten: list[e.LogEntry] = []
        for entry in entries_of(evening.log):
            if isinstance(entry, e.AwardDecided):
                first, *others = entry.shares
                first = msgspec.structs.replace(first, **{change: getattr(first, change) + by})
                entry = msgspec.structs.replace(entry, shares=(first, *others))
            rewritten.append(entry)
        sealed_anew(evening.log, rewritten, load_key(evening.key))

    return plant


def amount_rewritten(evening: Evening) -> None:
    freely(
        evening.eight,
        "UPDATE event SET microcents = microcents + 1 WHERE kind = 'carrusel_operation' "
        "AND microcents > 0",
    )


def decision_taken_twice(evening: Evening) -> None:
    freely(evening.eight, "UPDATE latest SET value = value - 50003750000 WHERE key = '1/jackpot'")


def ledger_of_another_key(evening: Evening) -> None:
    another = "casino.example/table-8-1+00+AA"
    freely(evening.eight, f"UPDATE about SET value = '{another}' WHERE key = 'vkey'")


class Fault(NamedTuple):
    """What somebody did, and what must be said of it."""

    validator: str
    plant: Callable[[Evening], None]
    says: str


FAULTS_ACROSS = {
    "entry changed": Fault("carrusel_chain", entry_changed, "the entry is not what was hashed"),
    "entry taken out": Fault("carrusel_chain", entry_taken_out, "do not follow one another"),
    "signature moved": Fault("carrusel_signature", signature_of_another_entry, "signed the entry"),
    "another key": Fault("carrusel_signature", signed_with_another_key, "signed the entry"),
    "unknown author": Fault("carrusel_signature", signed_by_nobody_known, "signed the entry"),
    "deducted more": Fault(
        "carrusel_log",
        decided_otherwise("deducted_microcents", 1),
        "what all tables give is what is paid",
    ),
    "higher base": Fault(
        "carrusel_log", decided_otherwise("base_microcents", 1_000_000), "the base of table 7"
    ),
    "higher view": Fault(
        "carrusel_log", decided_otherwise("view_microcents", 1_000_000), "the view of table 7"
    ),
    "amount rewritten": Fault("carrusel_member", amount_rewritten, "table 8: operation"),
    "decision taken twice": Fault(
        "carrusel_member",
        decision_taken_twice,
        "table 8: the meter is what the log and the ledger's own operations say",
    ),
    "another ledger": Fault(
        "carrusel_member", ledger_of_another_key, "the ledger's key is the one that joined"
    ),
}


# ---- what is said of it --------------------------------------------------------------------------


def test_an_honest_evening_is_clean(files: Evening) -> None:
    seven, eight, log, _ = files
    assert is_carrusel_log(log)
    assert not is_carrusel_log(seven)
    report = files.verified()
    assert (says(report), report.exit_status) == ("", 0)
    for ledger in (seven, eight):
        witnesses = heads_in(log, ledger)
        assert witnesses
        assert verify(ledger, witnesses=witnesses).findings == ()


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_log_alone_is_checked_too(files: Evening, times: int, jobs: str) -> None:
    """Its own chain, signatures and sums; that ledgers are missing is a note."""
    _, _, log, _ = files
    command = ["verify", *[str(log)] * times, "--jobs", jobs]
    done = CliRunner().invoke(build_app(["verify"]), command)
    assert (done.exit_code, done.stdout.count("limpio")) == (0, times), done.output


def test_a_missing_ledger_is_noted(files: Evening) -> None:
    seven, _, log, _ = files
    report = verify_carrusel(log, [seven])
    assert report.exit_status == 0
    assert "that of table 8" in "\n".join(note.text() for note in report.notes)


def test_a_ledger_that_was_cut_lacks_what_the_log_holds(files: Evening) -> None:
    _, eight, log, _ = files
    connection = sqlite3.connect(eight)
    (last,) = connection.execute(
        "SELECT batch FROM event WHERE kind = 'carrusel_operation' ORDER BY seq DESC LIMIT 1"
    ).fetchone()
    connection.close()
    freely(
        eight,
        f"DELETE FROM event WHERE batch >= {last}",
        f"DELETE FROM batch WHERE batch >= {last}",
        f"DELETE FROM checkpoint WHERE batch >= {last}",
    )
    found = says(files.verified())
    assert "is as the log holds it: else the ledger was rewritten or cut" in found
    assert verify(eight, witnesses=heads_in(log, eight)).findings


@pytest.mark.parametrize("name", FAULTS_ACROSS)
def test_whatever_somebody_did_is_found_by_its_validator(name: str, files: Evening) -> None:
    fault = FAULTS_ACROSS[name]
    fault.plant(files)
    found = [one for one in files.verified().findings if one.validator == fault.validator]
    assert fault.says in "\n".join(one.text() for one in found)


def test_a_log_sealed_anew_without_any_change_is_not_the_one_that_the_tables_applied(
    files: Evening,
) -> None:
    """Other times, so other hashes: every ledger holds those of the real log."""
    sealed_anew(files.log, entries_of(files.log), load_key(files.key))
    found = says(files.verified())
    assert "table 7: decision 1 is the log's own" in found
    assert "table 8: decision 1 is the log's own" in found
