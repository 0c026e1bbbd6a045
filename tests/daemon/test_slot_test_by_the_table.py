"""A technician at a running table: `/slots.json`, and a test with a real chip that is signed and no bet."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
from daemon_process import PINS, TEXT, installed, recorded

from firmware_sim.process import AsyncMechanism
from jackpot.authority.roles import Role
from jackpot.daemon.officer_book import OfficerBook
from jackpot.daemon.running import RunningTable, Surroundings, running_table
from jackpot.table import facts as f

TECHNICIAN, PIN = "t1", "615243"


async def until_up(table: RunningTable) -> None:
    async with asyncio.timeout(20):
        while not all(slot.up for slot in table.desk.state.slots):
            await table.desk.changed(table.desk.version, 1)


async def test_the_running_table_shows_its_slots_and_tests_one_with_a_real_chip(
    tmp_path: Path,
) -> None:
    config = installed(tmp_path, TEXT)
    OfficerBook.open(config.ledger.officers_file).add(TECHNICIAN, (Role.TECHNICIAN,), PIN)
    around = Surroundings(lock_directory=tmp_path / "locks")
    async with (
        AsyncMechanism(tmp_path / "line", "--slots", "7", "--no-pace") as sim,
        running_table(config, around) as table,
        httpx.AsyncClient(base_url=table.url, timeout=30) as client,
    ):
        await until_up(table)
        bus = (await client.get("/slots.json")).json()
        assert [slot["serial"] for slot in bus["slots"]] == list(range(700_001, 700_008))
        asked = {"box": 3, "by": TECHNICIAN, "pin": PIN, "seconds": 20}
        before = table.desk.state.pools
        wrong = await client.post("/slots/test", json={**asked, "pin": "000000"})
        assert (wrong.status_code, wrong.json()["reason"]) == (409, "wrong_pin")
        chief = await client.post("/slots/test", json={**asked, "by": "j1", "pin": PINS["j1"]})
        assert chief.json()["reason"] == "role_missing"
        running = asyncio.create_task(client.post("/slots/test", json={**asked}))
        assert (await sim.send("await 3"))["open"]
        assert not (await sim.send("chip 4"))["accepted"]
        assert (await sim.send("chip 3"))["accepted"]
        told = (await running).json()
        assert (told["chips"], told["result"]) == (1, "passed")
        assert not (await sim.send("chip 3"))["accepted"]
        nothing = await client.post("/slots/test", json={**asked, "seconds": 1})
        assert nothing.json()["result"] == "failed"
        assert (table.desk.state.pools, table.desk.state.items) == (before, ())
        browser = await client.get("/slots.json", headers={"origin": "http://elsewhere.example"})
        assert browser.status_code == 404
    tests = [e for b in recorded(config) for e in b.events if isinstance(e, f.SlotTested)]
    assert [(t.by, t.box, t.chips, t.result.value) for t in tests] == [
        (TECHNICIAN, 3, 1, "passed"),
        (TECHNICIAN, 3, 0, "failed"),
    ]
