"""Checker and replay, two programs that share no rule, on evenings made from seeds.

Run for a thousand: ``PYTHONPATH=.:tests:tests/audit .venv/bin/python tests/audit/agreement.py 1000``;
``agreement.py 701 1000`` for the last of them.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random

from anything import Anything
from both_ways import verify_both_ways
from forgery import CENTS, KIND, MICROCENTS, OF_BATCH, Forgery, Row
from layouts import LAYOUTS, later_terms
from scripted import opened

from jackpot.audit.replay import Result, replay
from jackpot.audit.source import Source
from jackpot.table.outcomes import OUTCOMES

STEPS = 150
"""About ten hands with whatever goes wrong in them; more ledgers say more than longer ones."""


class Disagreement(AssertionError):
    """One of the two sees what the other does not."""


def evening(path: Path, seed: int) -> Path:
    """A ledger of anything that may happen at a table; one seed, one evening."""
    terms = tuple(LAYOUTS.values())[seed % len(LAYOUTS)]
    table = opened(path, terms, group=64)
    Anything(table, seed, later_terms(terms)).run(STEPS)
    return table.close()


def replayed(path: Path) -> Result:
    with Source(path) as source:
        return replay(source)


def agree(folder: Path, seed: int) -> None:
    """On the evening as it was, and on one with a wrong amount. Raises ``Disagreement``."""
    path = evening(folder / f"{seed}", seed)
    report, result = verify_both_ways(path), replayed(path)
    pools = None if report.summary is None else report.summary.pools_microcents
    if report.findings or not result.equal or pools != result.pools_microcents:
        raise Disagreement(f"seed {seed}, clean: {report.as_text()}{result.differences}")
    forged, batch = _with_a_wrong_amount(path, folder / f"{seed}-forged", Random(seed))
    report, result = verify_both_ways(forged), replayed(forged)
    places = {finding.batch for finding in report.findings}
    first = result.differences[0].batch if result.differences else None
    if batch not in places or batch != first:
        raise Disagreement(f"seed {seed}, batch {batch}: {report.as_text()}{result.differences}")


def _with_a_wrong_amount(path: Path, copy: Path, random: Random) -> tuple[Path, int]:
    """An outcome's amount is one more than it was, hashed and signed again; and its batch."""
    forgery = Forgery(path, copy)
    amounts: list[tuple[Row, int]] = [
        (row, column)
        for row in forgery.events
        for column in (CENTS, MICROCENTS)
        if row[KIND] in OUTCOMES and row[column] is not None
    ]
    row, column = random.choice(amounts)
    row[column] += 1
    return forgery.well_made(), row[OF_BATCH]


def main(first: int, last: int) -> None:
    """Seeds ``first`` to ``last``."""
    for seed in range(first, last + 1):
        with tempfile.TemporaryDirectory() as folder:
            agree(Path(folder), seed)
        if seed % 20 == 0:
            print(f"{seed} of {last}", flush=True)
    print(
        f"{last - first + 1} evenings, each as it was and with a wrong amount: checker and replay agree"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 2 else 1, int(sys.argv[-1]))
