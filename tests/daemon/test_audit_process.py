"""``jackpot audit`` as a process: started, asked, ended; it leaves nothing behind."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from support.audit_process import AuditProcess

sys.path.insert(0, str(Path(__file__).parents[1] / "audit"))
from stories import long_story


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return long_story(tmp_path_factory.mktemp("audited") / "table.ledger")


@pytest.fixture
def process(ledger: Path, tmp_path: Path) -> Iterator[AuditProcess]:
    process = AuditProcess(ledger, temporary=tmp_path)
    yield process
    process.kill()


def test_it_checks_and_replays_beside_the_pages_and_shows_both_verdicts(
    process: AuditProcess,
) -> None:
    first = httpx.get(process.url, follow_redirects=True)
    assert first.status_code == 200
    process.wait_until_checked()
    page = httpx.get(f"{process.url}1/").text
    assert page.count('class="good"') == 4
    assert httpx.get(f"{process.url}1/hand/2").status_code == 200


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_quietly_and_nothing_stays_behind(
    ledger: Path, tmp_path: Path, sent: signal.Signals
) -> None:
    before, folder = ledger.read_bytes(), sorted(ledger.parent.iterdir())
    process = AuditProcess(ledger, temporary=tmp_path)
    process.wait_until_checked()
    assert len(list(tmp_path.iterdir())) == 1
    assert process.end(sent) == (0, "")
    assert list(tmp_path.iterdir()) == []
    assert ledger.read_bytes() == before
    assert sorted(ledger.parent.iterdir()) == folder


def test_it_is_reached_with_its_token_only_and_each_start_has_another(
    process: AuditProcess, ledger: Path, tmp_path: Path
) -> None:
    other = AuditProcess(ledger, temporary=tmp_path)
    try:
        token = other.url.rstrip("/").rpartition("/")[2]
        assert len(token) == 22
        origin = process.url.rstrip("/").rpartition("/")[0]
        assert httpx.get(f"{origin}/{token}/1/").status_code == 404
        assert httpx.get(f"{process.url}1/").status_code == 200
    finally:
        other.kill()


def test_a_file_that_is_no_ledger_is_refused_before_anything_is_served(tmp_path: Path) -> None:
    from jackpot.daemon.audit_room import open_audit_room
    from jackpot.errors import Refused

    said: list[str] = []
    with pytest.raises(Refused, match="no such file"):
        open_audit_room(
            [tmp_path / "none"], port=0, public_key=None, browser=False, say=said.append
        )
    assert said == []


def test_a_port_that_is_taken_is_refused(
    process: AuditProcess, ledger: Path, tmp_path: Path
) -> None:
    from jackpot.daemon.audit_room import open_audit_room
    from jackpot.errors import Refused

    taken = httpx.URL(process.url).port
    assert taken is not None
    with pytest.raises(Refused, match="screens_address_taken"):
        open_audit_room([ledger], port=taken, public_key=None, browser=False, say=print)


def test_a_worker_that_dies_is_said_and_the_site_stands(ledger: Path, tmp_path: Path) -> None:
    """An index in a place that is none: the replay's process ends early."""
    import time

    from jackpot.daemon.audit_workers import Workers

    workers = Workers(ledger, tmp_path / "index", 105, "not a key")
    (tmp_path / "index").unlink()
    (tmp_path / "index").mkdir()
    assert workers.work().in_all == 105
    workers.start()
    try:
        end = time.monotonic() + 30
        while not workers.work().failed and time.monotonic() < end:
            time.sleep(0.02)  # a process, not a clock of ours
        assert workers.work().failed != ""
    finally:
        workers.stop()
