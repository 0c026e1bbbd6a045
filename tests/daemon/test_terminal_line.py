"""The terminal's way to a table over TLS: the table's own certificate, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from daemon_process import TEXT, installed
from support.certificate import self_signed

from jackpot.daemon.running import Surroundings, running_table
from jackpot.terminal.line import ControllerLost, Line


async def test_no_other_certificate_is_taken(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    for folder in (tmp_path, tmp_path / "other"):
        self_signed(folder)
    text = TEXT.replace("port = 0", 'port = 0\ntls_cert = "c.pem"\ntls_key = "k.pem"')
    around = Surroundings(lock_directory=tmp_path)
    async with running_table(installed(tmp_path, text), around) as table:
        assert table.url.startswith("https://127.0.0.1:")
        right = Line(table.url, tmp_path / "c.pem")
        page = await right.get("/console")
        assert "Mesa 7" in page.title
        await right.close()
        wrong = Line(table.url, tmp_path / "other" / "c.pem")
        with pytest.raises(ControllerLost, match="certificate verify failed"):
            await wrong.get("/console")
        await wrong.close()


async def test_nobody_at_the_address_is_a_lost_controller() -> None:
    line = Line("http://127.0.0.1:1/")
    with pytest.raises(ControllerLost):
        await line.get("/console")
    with pytest.raises(ControllerLost):
        await anext(line.news())
    await line.close()
