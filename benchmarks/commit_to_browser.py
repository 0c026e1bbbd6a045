"""From the commit of a bet to the new amount in the page of a visor, in a real browser.

Run: ``.venv/bin/python benchmarks/commit_to_browser.py [--hands 30]``.

Headless Chromium follows the visor of a whole table on this machine; chips fall every tenth of a second.
A hook of the desk notes when a bet was committed, a mutation observer in the page when its element got
the new amount (the odometer then climbs for the eye). The page's clock is ``performance.timeOrigin`` plus
``performance.now()``, which is this machine's wall clock. Beside it, the bare HTTP round trip of the same
browser to the same server. Target: 50 ms for 99 of 100.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from playwright.async_api import Page, async_playwright
from tools import Keys, report, table_on_a_wire, until

from jackpot.daemon.demo.headless import QUICK
from jackpot.daemon.demo.mechanism import Mechanism
from jackpot.daemon.table_desk import TableDesk
from jackpot.money import cents_rounded_down
from jackpot.table.state import bets_in_box

TARGET_MS = 50
GAP_S = 0.1
WARM_UP_S = 2
ROUND_TRIPS = 50
CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

WATCH = """() => {
  window.seen = {};
  const amount = document.getElementById("amount");
  new MutationObserver(() => {
    const cents = amount.dataset.cents;
    if (cents && !(cents in window.seen))
      window.seen[cents] = performance.timeOrigin + performance.now();
  }).observe(amount, { attributes: true, attributeFilter: ["data-cents"] });
}"""

ROUND_TRIP = """async () => {
  const began = performance.now();
  await (await fetch("/visor/state", { cache: "no-store" })).text();
  return performance.now() - began;
}"""


class Commits:
    """When each amount of the jackpot was committed, by the wall clock."""

    def __init__(self, desk: TableDesk) -> None:
        self._desk = desk
        self.at_ms: dict[int, float] = {}
        desk.on_change(self._look)

    def _look(self) -> None:
        cents = cents_rounded_down(self._desk.state.pools.jackpot_microcents)
        self.at_ms.setdefault(cents, time.time_ns() / 1_000_000)


async def play(desk: TableDesk, mechanism: Mechanism, keys: Keys, hands: int) -> None:
    """Seven chips a hand, one after the other."""
    for _ in range(hands):
        await keys.start_hand()
        for box in range(1, 8):
            await asyncio.sleep(GAP_S)
            await asyncio.gather(*mechanism.send([f"await {box}", f"chip {box}"]))
            await until(desk, lambda box=box: bets_in_box(desk.state, box) == 1)  # type: ignore[misc]
        await asyncio.sleep(GAP_S)
        await keys.end_hand()


async def round_trip_ms(page: Page) -> float:
    """The median of a bare request of the page to the server."""
    return statistics.median([float(await page.evaluate(ROUND_TRIP)) for _ in range(ROUND_TRIPS)])


async def measure(folder: Path, hands: int) -> tuple[list[float], float]:
    """Milliseconds from each commit to the page, and the bare round trip."""
    async with (
        table_on_a_wire(folder, QUICK, screens=True) as (table, mechanism),
        async_playwright() as playwright,
    ):
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        page = await browser.new_page(viewport={"width": 1920, "height": 1080})
        await page.goto(table.url)
        keys = Keys(table.desk)
        await keys.open_day()
        await page.evaluate(WATCH)
        await asyncio.sleep(WARM_UP_S)
        bare_ms = await round_trip_ms(page)
        commits = Commits(table.desk)
        await play(table.desk, mechanism, keys, hands)
        await asyncio.sleep(WARM_UP_S)
        seen: dict[str, float] = await page.evaluate("window.seen")
        await browser.close()
    took = [
        seen[str(cents)] - at_ms for cents, at_ms in commits.at_ms.items() if str(cents) in seen
    ]
    missed = 7 * hands - len(took)
    if missed:
        raise RuntimeError(f"{missed} amounts never reached the page")
    return took, bare_ms


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        took_ms, bare_ms = asyncio.run(measure(Path(name) / "t", options.hands))
    median_ms = statistics.median(took_ms)
    p99_ms = statistics.quantiles(took_ms, n=100)[98]
    print(f"commit to browser  {median_ms:6.1f} ms median of {len(took_ms)}")
    print(f"                   {p99_ms:6.1f} ms for 99 of 100   (target {TARGET_MS})")
    print(f"bare round trip    {bare_ms:6.1f} ms")
    report(
        "commit_to_browser",
        p99_ratio=round(p99_ms / TARGET_MS, 3),
        median_to_round_trip=round(median_ms / bare_ms, 2),
        longest_ms=round(max(took_ms), 1),
        commits=len(took_ms),
    )


if __name__ == "__main__":
    main()
