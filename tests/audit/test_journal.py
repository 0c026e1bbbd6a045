"""The journal: hledger, ledger and beancount reach the balances that the ledger's meters have."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
from pathlib import Path
from typing import ClassVar

import pytest
from scripted import opened
from support.hledger import by_hledger, microcents, run, written
from support.table import FOUR_ACES, canarias

from jackpot.audit.books.formats import JournalFormat as Format
from jackpot.audit.books.journal import journal
from jackpot.audit.books.movements import MOVES, SETTLEMENT, Books, Posting, Row, pool_account
from jackpot.audit.source import Source
from jackpot.audit.standing import STANDS
from jackpot.money import MICROCENTS_PER_EURO
from jackpot.table import facts as f
from jackpot.table.outcomes import OUTCOMES

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/*.ledger"))

JACKPOT = "Liabilities:Pools:2A:Jackpot"
OVERFLOW = "Liabilities:Pools:2A:Overflow"


def by_ledger(file: Path) -> dict[str, int]:
    form = "%(account)|%(quantity(scrub(display_total)))\n"
    text = run(
        "ledger", "--args-only", "-f", str(file), "balance", "--flat", "--no-total",
        "--format", form,
    )  # fmt: skip
    rows = (line.split("|") for line in text.splitlines() if line)
    return {account: microcents(amount) for account, amount in rows}


def by_beancount(file: Path) -> dict[str, int]:
    query = "SELECT account, sum(number) GROUP BY account"
    rows = list(csv.reader(io.StringIO(run("bean-query", "-f", "csv", str(file), query))))[1:]
    held = ((account.strip(), number.strip()) for account, number in rows)
    return {account: microcents(number) for account, number in held if number != "0E-8"}


def by_us(ledger: Path) -> dict[str, int]:
    """The meters as the ledger keeps them, and all other accounts as we sum them."""
    sums: dict[str, int] = {}
    with Source(ledger) as source:
        for entry in Books().entries(source.batches()):
            for account, amount in entry.postings:
                sums[account] = sums.get(account, 0) + amount
        meters = {pool_account(*name.split("/")): -held for name, held in source.meters().items()}
    assert {account: sums.get(account, 0) for account in meters} == meters
    return {account: amount for account, amount in sums.items() if amount}


@pytest.mark.parametrize("name", ["story", "carried", "pit_ledger", "carrusel_ledger"])
def test_hledger_and_ledger_reach_the_balances_of_the_ledger(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    ledger = request.getfixturevalue(name)
    ours = by_us(ledger)
    assert by_hledger(written(ledger, Format.HLEDGER, tmp_path / "h.journal")) == ours
    assert by_ledger(written(ledger, Format.LEDGER, tmp_path / "l.journal")) == ours


@pytest.mark.parametrize("name", ["story", "carried", "pit_ledger", "carrusel_ledger"])
def test_beancount_finds_every_balance(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    file = written(request.getfixturevalue(name), Format.BEANCOUNT, tmp_path / "b.beancount")
    run("bean-check", str(file))
    text = file.read_text(encoding="utf-8")
    stated = [line for line in text.splitlines() if " balance " + JACKPOT in line]
    assert len(stated) == 1
    file.write_text(text.replace("~ 0 EUR", "~ 0.00000000 EUR").replace("0 ~", "1 ~", 1))
    done = subprocess.run(["bean-check", str(file)], capture_output=True, check=False)
    assert done.returncode != 0


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda path: path.stem)
def test_all_three_programs_reach_the_meters_of_every_golden_ledger(
    golden: Path, tmp_path: Path
) -> None:
    """Their meters were written down when they were released, and no program of ours adds here."""
    ledger = Path(shutil.copy(golden, tmp_path / "table.ledger"))
    released = json.loads((golden.parent / "expected.json").read_text("utf-8"))[golden.name]
    meters = {
        pool_account(*pool.split("/")): -held
        for pool, held in released["pools_microcents"].items()
        if held
    }
    for balances in (
        by_hledger(written(ledger, Format.HLEDGER, tmp_path / "h.journal")),
        by_ledger(written(ledger, Format.LEDGER, tmp_path / "l.journal")),
        by_beancount(written(ledger, Format.BEANCOUNT, tmp_path / "b.beancount")),
    ):
        pools = {name: held for name, held in balances.items() if ":Pools:" in name}
        assert pools == meters
        assert sum(balances.values()) == 0
        assert -balances.get("Assets:Cash", 0) == released["paid_cents"] * 1_000_000


def test_CAN_9_what_tables_of_a_carrusel_owe_each_other_after_each_decision(
    carrusel_ledger: Path,
) -> None:
    """Table 1 gave 999.925 and got 950.1425 and 10,000.50; table 3 gave 1,500.00 and got 8,552.2825
    and 500.00. The award that was taken back leaves nothing. The bet of the voided hand, 0.50, had
    gone with decision 6: the house bears it."""
    sums = by_us(carrusel_ledger)
    settled = {name: amount for name, amount in sums.items() if name.startswith(SETTLEMENT)}
    assert settled == {
        "Assets:Settlement:Table-1": -995_071_750_000,
        "Assets:Settlement:Table-3": -755_228_250_000,
    }
    assert sums["Expenses:Borne"] == 50_000_000
    assert "Liabilities:Awards" not in sums
    assert sums["Assets:Cash"] == -300_000_000_000


def test_the_balances_of_a_hand_worked_out_by_hand(tmp_path: Path) -> None:
    """CAN-8.b, CAN-8.3: seed 10,000.00; two bets of 2.00 add 1.00; four aces take 5 % = 500.05."""
    table = opened(tmp_path / "ledger")
    table.hand(1, 2).lock().declare(box1=FOUR_ACES).confirm()
    table.sign() if table.phase().value == "decided" else None
    table.pay(1, 50_005)
    table.close_day()
    file = written(table.close(), Format.HLEDGER, tmp_path / "h.journal")
    euro = MICROCENTS_PER_EURO
    assert by_hledger(file) == {
        "Assets:Cash": -500 * euro - 5_000_000,
        "Assets:Chips": 4 * euro,
        "Expenses:Contributions": 1 * euro,
        "Expenses:Seeds": 10_000 * euro,
        "Income:Bets": -4 * euro,
        JACKPOT: -9_500 * euro - 95_000_000,
    }


def test_a_carried_bet_is_counted_once_and_a_returned_one_not_at_all(tmp_path: Path) -> None:
    """CAN-10.1, ``void_bets = carry``: boxes 1 and 2 wait; 1 goes back, 2 plays."""
    from jackpot.law.policies import Policies, VoidBets

    table = opened(tmp_path / "ledger", canarias(Policies(void_bets=VoidBets.CARRY)))
    table.hand(1, 2)
    table.play(f.HandVoided(by="C1", second="J1", hand=table.number, why="misdeal"))
    waiting = by_hledger(written(tmp_path / "ledger", Format.HLEDGER, tmp_path / "waiting"))
    assert waiting["Liabilities:Waiting"] == -4 * MICROCENTS_PER_EURO
    assert "Income:Bets" not in waiting
    table.play(f.ChipDecided(by="C1", hand=table.number, box=1, plays=False))
    table.play(f.HandStarted(by="C1", hand=table.number + 1))
    table.play(f.ChipDecided(by="C1", hand=table.number, box=2, plays=True))
    after = by_hledger(written(table.close(), Format.HLEDGER, tmp_path / "after"))
    assert after["Assets:Chips"] == 2 * MICROCENTS_PER_EURO
    assert after["Income:Bets"] == -2 * MICROCENTS_PER_EURO
    assert "Liabilities:Waiting" not in after
    assert after["Expenses:Contributions"] == MICROCENTS_PER_EURO // 2


def test_a_wrong_amount_is_found_by_hledger_and_by_ledger(story: Path, tmp_path: Path) -> None:
    """The journal asserts the meter at every lock and closing: one contribution less is seen."""
    file = written(story, Format.HLEDGER, tmp_path / "h.journal")
    text = file.read_text(encoding="utf-8")
    assert "0.50000000 EUR" in text
    file.write_text(text.replace("0.50000000 EUR", "0.49999999 EUR", 2), encoding="utf-8")
    for command in (["hledger", "-f", str(file), "check"], ["ledger", "-f", str(file), "balance"]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode != 0, command
        assert JACKPOT in done.stderr


def test_dates_never_go_back_when_the_clock_did(tmp_path: Path) -> None:
    from jackpot.ledger.chain import BatchRow, EventRow

    day_ns = 86_400_000_000_000
    terms = '{"terms": {"layout": "2A", "table": "2"}}'
    batches: list[tuple[BatchRow, list[EventRow]]] = [
        ((n, at_ns, None, "1", f"x#{n}", n, 1, ""), [row])
        for n, at_ns, row in [
            (1, 10 * day_ns, (1, 1, "terms_in_force", None, None, None, terms)),
            (2, 11 * day_ns, (2, 2, "contributed", 1, None, 5, '{"pool": "jackpot"}')),
            (3, 9 * day_ns, (3, 3, "contributed", 1, None, 5, '{"pool": "jackpot"}')),
        ]
    ]

    class Fixed:
        about: ClassVar[dict[str, str]] = {}
        batch, hash = 3, ""
        standing = STANDS

        def batches(self) -> list[tuple[BatchRow, list[EventRow]]]:
            return batches

    lines = list(journal(Fixed(), Format.HLEDGER))  # type: ignore[arg-type]
    assert [line[:10] for line in lines if " * (" in line] == ["1970-01-12", "1970-01-12"]


@pytest.mark.parametrize("kind", sorted(MOVES))
def test_the_postings_of_every_kind_sum_to_nothing(kind: str) -> None:
    info = {
        "house_microcents": 7, "reserve_microcents": 3, "overflow_microcents": 2,
        "deducted_microcents": 5, "seed_house_microcents": 4, "seed_reserve_microcents": 1,
    }  # fmt: skip
    # started: 7 + 3 + 2 reach the meter; undone: 5 + 7 come back, 4 + 1 go
    amounts = {"jackpot_started": 12, "decision_undone": 7}
    row = Row(kind, 200, amounts.get(kind, 11), info, "", "2A")
    made = MOVES[kind](row)
    assert sum(posting.microcents for posting in made) == 0
    assert any(posting.microcents for posting in made)


def test_what_an_undone_decision_moves(tmp_path: Path) -> None:
    """5 deducted and 7 for the house come back; a seed of 4 and 1 from the reserve goes back."""
    info = {
        "deducted_microcents": 5, "house_microcents": 7, "seed_house_microcents": 4,
        "seed_reserve_microcents": 1,
    }  # fmt: skip
    made = MOVES["decision_undone"](Row("decision_undone", 0, 7, info, "", "2A"))
    assert [posting for posting in made if posting.microcents] == [
        Posting("Liabilities:Awards", 5),
        Posting("Income:House", 7),
        Posting("Expenses:Seeds", -4),
        Posting("Liabilities:Pools:2A:Reserve", -1),
        Posting(JACKPOT, -7),
    ]


def test_a_layouts_name_becomes_an_account_that_every_program_takes() -> None:
    assert pool_account("paño 2/b", "overflow") == "Liabilities:Pools:Pa-o-2-b:Overflow"
    assert pool_account("2A", "overflow") == OVERFLOW


STATES_AN_AMOUNT = {
    "awards_frozen",
    "carrusel_operation",
    "day_totals",
    "hand_locked",
    "payment_decided",
}
"""Outcomes that tell of an amount and move none; the movement is told by another one."""


def test_no_outcome_that_has_an_amount_is_forgotten() -> None:
    with_amount = {
        kind for kind, cls in OUTCOMES.items() if cls.columns.cents or cls.columns.microcents
    }
    assert with_amount - MOVES.keys() == STATES_AN_AMOUNT
