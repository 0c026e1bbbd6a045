"""The same movements checked by ``jackpot verify`` and, as a journal, by three bookkeepers' programs.

Run: ``.venv/bin/python benchmarks/journal_peers.py [--hands 10000]``, with hledger, ledger and
beancount installed (``.ci/system-packages test``).

Every program is run as a command, its start included, and CPU seconds count; writing the journals does
not, nor does compiling our modules, which an installation does once. All four must end on equal balances:
hledger and ledger print that of each pool, bean-check holds the one that the journal states, ``verify``
folds its own. The checker also looks at hashes, signatures and every rule, the others only at sums.
Targets: five times as fast as hledger and bean-check, not slower than ledger.
"""

from __future__ import annotations

import argparse
import compileall
import csv
import io
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from tools import report
from verify import make

import jackpot
from jackpot.audit.books.formats import JournalFormat
from jackpot.audit.books.journal import journal
from jackpot.audit.books.movements import pool_account
from jackpot.audit.source import Source

MICROCENTS_PER_EURO = 100_000_000
POOLS = "Liabilities:Pools"


def run(*command: str) -> tuple[str, float]:
    """What a command printed, and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{command[0]}: {done.stderr or done.stdout}")
    return done.stdout, sum(after[:2]) - sum(before[:2])


def microcents(amount: str) -> int:
    """``-10002.50 EUR`` to the micro-cent; a journal has what is owed with a minus."""
    euros, _, decimals = (
        amount.removesuffix(" EUR").replace(",", "").removeprefix("-").partition(".")
    )
    return int(euros) * MICROCENTS_PER_EURO + int(decimals.ljust(8, "0"))


def written(ledger: Path, form: JournalFormat, folder: Path) -> str:
    """The journal as a file."""
    path = folder / f"{form.value}.journal"
    with Source(ledger) as source, path.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in journal(source, form))
    return str(path)


def by_verify(ledger: Path) -> tuple[dict[str, int], float]:
    """The pools by the checker, one process."""
    command = (sys.executable, "-m", "jackpot.cli", "verify")
    text, seconds = run(*command, "--jobs", "1", "--json", str(ledger))
    pools = json.loads(text)["summary"]["pools_microcents"]
    return {pool_account(*name.split("/")): held for name, held in pools.items() if held}, seconds


def by_hledger(file: str) -> tuple[dict[str, int], float]:
    """The pools by hledger, which checks every assertion of the journal."""
    text, seconds = run("hledger", "-f", file, "balance", POOLS, "--flat", "-N", "-O", "csv")
    rows = list(csv.reader(io.StringIO(text)))[1:]
    return {account: microcents(amount) for account, amount in rows}, seconds


def by_ledger(file: str) -> tuple[dict[str, int], float]:
    """The pools by ledger, which checks every assertion too."""
    form = "%(account)|%(quantity(scrub(display_total)))\n"
    text, seconds = run(
        "ledger", "--args-only", "-f", file, "balance", POOLS, "--flat", "--no-total", "--format", form
    )  # fmt: skip
    rows = (line.split("|") for line in text.splitlines() if line)
    return {account: microcents(amount) for account, amount in rows}, seconds


def main() -> None:
    """Make a ledger and its journals, run the four, compare."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--hands", type=int, default=10_000)
    hands: int = options.parse_args().hands
    compileall.compile_dir(Path(jackpot.__file__).parent, quiet=1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ledger = folder / "table.ledger"
        make(ledger, hands)
        pools, verify_s = by_verify(ledger)
        hledger_pools, hledger_s = by_hledger(written(ledger, JournalFormat.HLEDGER, folder))
        ledger_pools, ledger_s = by_ledger(written(ledger, JournalFormat.LEDGER, folder))
        stated = written(ledger, JournalFormat.BEANCOUNT, folder)
        _, beancount_s = run("bean-check", "--no-cache", stated)
    if not pools == hledger_pools == ledger_pools:
        raise SystemExit(f"other balances: {pools}, {hledger_pools}, {ledger_pools}")
    peers = {"hledger": hledger_s, "ledger": ledger_s, "bean-check": beancount_s}
    print(f"{hands:,} hands, all end on {pools}\nverify     {verify_s:6.2f} s of CPU")
    for peer, seconds in peers.items():
        print(f"{peer:10} {seconds:6.2f} s of CPU   {seconds / verify_s:.1f} times as long")
    ratios = {name.replace("-", "_"): round(s / verify_s, 1) for name, s in peers.items()}
    report("journal_peers", hands=hands, **ratios)


if __name__ == "__main__":
    main()
