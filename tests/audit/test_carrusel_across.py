"""`jackpot verify` over several ledgers and the carrusel's log: whoever cut or rewrote one is found.

Two tables played in a real carrusel; then somebody with time and tools works on the files (CAN-9).
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from pathlib import Path

import msgspec
import pytest
from support.brokers import free_port
from support.linked_floor import FOUR_ACES, agree, floor

from jackpot.audit.checker import verify
from jackpot.audit.checker.carrusel_across import heads_in, verify_carrusel
from jackpot.audit.checker.carrusel_file import is_carrusel_log
from jackpot.audit.checker.report import Report
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
        async with floor(folder, free_port(), mqtt="3.1.1", embedded=True) as (coordinator, tables):
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

    asyncio.run(evening())
    return folder


@pytest.fixture
def files(played: Path, tmp_path: Path) -> tuple[Path, Path, Path]:
    """Copies: the ledgers of tables 7 and 8, and the log."""
    copies = []
    for name, file in (
        ("seven", played / "table-7" / "record" / "table.ledger"),
        ("eight", played / "table-8" / "record" / "table.ledger"),
        ("log", played / "coordinator-c1" / "carrusel.log"),
    ):
        copies.append(Path(shutil.copy(file, tmp_path / name)))
    return copies[0], copies[1], copies[2]


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


def test_an_honest_evening_is_clean(files: tuple[Path, Path, Path]) -> None:
    seven, eight, log = files
    assert is_carrusel_log(log)
    assert not is_carrusel_log(seven)
    report = verify_carrusel(log, [seven, eight])
    assert (says(report), report.exit_status) == ("", 0)
    for ledger in (seven, eight):
        witnesses = heads_in(log, ledger)
        assert witnesses
        assert verify(ledger, witnesses=witnesses).findings == ()


def test_a_missing_ledger_is_noted(files: tuple[Path, Path, Path]) -> None:
    seven, _, log = files
    report = verify_carrusel(log, [seven])
    assert report.exit_status == 0
    assert "that of table 8" in "\n".join(note.text() for note in report.notes)


def test_a_ledger_that_was_cut_lacks_what_the_log_holds(files: tuple[Path, Path, Path]) -> None:
    seven, eight, log = files
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
    found = says(verify_carrusel(log, [seven, eight]))
    assert "is as the log holds it: else the ledger was rewritten or cut" in found
    assert verify(eight, witnesses=heads_in(log, eight)).findings


def test_an_amount_that_was_rewritten_contradicts_the_log(files: tuple[Path, Path, Path]) -> None:
    seven, eight, log = files
    freely(
        eight,
        "UPDATE event SET microcents = microcents + 1 WHERE kind = 'carrusel_operation' "
        "AND microcents > 0",
    )
    assert "table 8: operation" in says(verify_carrusel(log, [seven, eight]))


def test_a_meter_that_took_a_decision_twice_is_found(files: tuple[Path, Path, Path]) -> None:
    seven, eight, log = files
    freely(eight, "UPDATE latest SET value = value - 50003750000 WHERE key = '1/jackpot'")
    found = says(verify_carrusel(log, [seven, eight]))
    assert "table 8: the meter is what the log and the ledger's own operations say" in found


def test_a_ledger_of_another_key_is_found(files: tuple[Path, Path, Path]) -> None:
    seven, eight, log = files
    freely(eight, "UPDATE about SET value = 'casino.example/table-8-1+00+AA' WHERE key = 'vkey'")
    assert "the ledger's key is the one that joined" in says(verify_carrusel(log, [seven, eight]))


def test_an_entry_that_was_changed_breaks_the_chain(files: tuple[Path, Path, Path]) -> None:
    seven, eight, log = files
    freely(log, "UPDATE entry SET body = replace(body, '\"paid_cents\":', '\"paid_cents\":1')")
    found = says(verify_carrusel(log, [seven, eight]))
    assert "carrusel_chain: the entry is not what was hashed" in found


def forged(played: Path, log: Path, change: str, by: int) -> Path:
    """The whole log sealed anew by somebody with the coordinator's key; one amount is another."""
    rewritten: list[e.LogEntry] = []
    for sealed in read_log(log, "sala", 0, 10_000):
        entry = entry_of(sealed)
        if isinstance(entry, e.AwardDecided):
            first, *others = entry.shares
            first = msgspec.structs.replace(first, **{change: getattr(first, change) + by})
            entry = msgspec.structs.replace(entry, shares=(first, *others))
        rewritten.append(entry)
    sign = signer(load_key(played / "coordinator-c1" / "signing.key"))
    path = log.with_name("forged")
    with DecisionFile.create(path, "sala") as file:
        file.append(seal_all("sala", rewritten, "", 0, "c1", 1_000, sign), 0)
    return path


@pytest.mark.parametrize(
    ("change", "by", "finding"),
    [
        ("deducted_microcents", 1, "what all tables give is what is paid"),
        ("base_microcents", 1_000_000, "the base of table 7"),
        ("view_microcents", 1_000_000, "the view of table 7"),
    ],
)
def test_a_log_sealed_anew_by_a_coordinator_is_found_by_its_arithmetic(
    played: Path, files: tuple[Path, Path, Path], change: str, by: int, finding: str
) -> None:
    seven, eight, log = files
    assert finding in says(verify_carrusel(forged(played, log, change, by), [seven, eight]))


def test_a_log_sealed_anew_without_any_change_is_not_the_one_that_the_tables_applied(
    played: Path, files: tuple[Path, Path, Path]
) -> None:
    """Other times, so other hashes: every ledger holds those of the real log."""
    seven, eight, log = files
    found = says(verify_carrusel(forged(played, log, "base_microcents", 0), [seven, eight]))
    assert "table 7: decision 1 is the log's own" in found
    assert "table 8: decision 1 is the log's own" in found
