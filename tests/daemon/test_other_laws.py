"""A gaming day under the laws of Galicia and of Castilla y León: from ``init`` to the journal.

Manual tables, bet 2.00 of which 0.50 go onto the meter, seed 10,000.00, up to three bets in a box.
"""

from __future__ import annotations

import json
from pathlib import Path

import httpx
from daemon_process import PINS, Console, Daemon, at_console
from support.hledger import by_hledger, written
from typer.testing import CliRunner

from jackpot.audit.books.formats import JournalFormat
from jackpot.audit.checker import verify
from jackpot.audit.replay import replay
from jackpot.audit.source import Source
from jackpot.cli import build_app
from jackpot.config import load_config_file

STEEL_WHEEL = "5d 4d 3d 2d Ad"
KING_HIGH = "Kd Qd Jd Td 9d"
ROYAL = "As Ks Qs Js Ts"
FOUR_ACES = "As Ah Ad Ac 3h"
EURO = 100_000_000


def made(folder: Path, *law: str) -> Path:
    """``jackpot init``; returns the ledger."""
    officers = [f"--officer={name}:{role}" for name, role in ROLES.items()]
    base = (
        "--casino-name=Casino --casino-id=casino.example --table=7 --minimum=10.00 "
        "--mode=manual --bet=2.00 --percentage=25 --seed=10000.00 --authorisation=2026/1 "
        "--time-zone=Europe/Madrid --yes --pin-stdin"
    )
    command = ["init", str(folder), *base.split(), *law]
    done = CliRunner().invoke(
        build_app(["init"]), [*command, *officers], input="\n".join(PINS.values())
    )
    assert done.exit_code == 0, done.output
    file = folder / "table.toml"
    file.write_text(file.read_text().replace("port = 8080", "port = 0"))
    return load_config_file(file).ledger.file


ROLES = {"c1": "croupier", "j1": "table_chief", "d1": "games_director"}


class Hands:
    """A croupier at the console of a manual table."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.hand = 0

    def press(self, key: str, **fields: str | int) -> None:
        answer = self.console.press(key, hand=self.hand, **fields)
        assert answer.status_code == 303, answer.text

    def signed(self, key: str, by: str, **fields: str | int) -> None:
        self.press(key, signer=by, pin=PINS[by], **fields)

    def start(self) -> None:
        self.hand += 1
        self.press("start")

    def declare(self, *hands: str) -> httpx.Response:
        """``2.1:5d 4d …``: box, bet, cards."""
        page = self.console.client.get("/console/awards").text
        form = page.partition('name="form" value="')[2].partition('"')[0]
        fields = {"form": form, "hand": str(self.hand), "listed": list(hands)}
        return self.console.client.post("/console/awards/declare", data=fields)

    def total(self, chips: int) -> None:
        self.press("total", chips=chips, bet_cents=200)
        self.press("total-final", chips=chips)

    def empty(self) -> None:
        self.start()
        self.press("no-awards")
        self.total(0)

    def close_day(self, cents: int) -> None:
        self.signed("close-day", "j1", cents=cents)


def books_are_right(ledger: Path, tmp_path: Path) -> dict[str, int]:
    """Book, checker and replay agree; returns what hledger computes."""
    done = CliRunner().invoke(build_app(["book"]), ["book", str(ledger), "--format", "json"])
    assert done.exit_code == 0, done.output
    assert [book["differences"] for book in json.loads(done.stdout)] == [[]]
    assert verify(ledger).findings == ()
    with Source(ledger) as source:
        assert replay(source).equal
    return by_hledger(written(ledger, JournalFormat.HLEDGER, tmp_path / "journal"))


def test_GAL_8b_a_day_in_galicia(tmp_path: Path) -> None:
    """Hand 1, two bets on a straight flush to the five: the house takes 5 % of 10,000.00, each bet
    10 % of the 9,500.00 left; 15 chips. 10,000.00 − 500.00 − 1,900.00 + 7.50 = 7,607.50.
    Hand 2, four aces earn nothing; 21 chips: 7,618.00. Hand 3, the first of five last ones, a royal
    flush: 5 % are 380.90, paid 7,237.10; one chip on the new seed: 10,000.50."""
    ledger = made(tmp_path / "t", "--profile=galicia", "--house-deduction=5")
    with (
        Daemon(load_config_file(tmp_path / "t" / "table.toml")) as daemon,
        at_console(daemon) as console,
    ):
        console.open_day()
        hands = Hands(console)
        hands.start()
        wheel = [f"2.{bet}:{STEEL_WHEEL}" for bet in (1, 2)]
        assert hands.declare(*wheel).status_code == 303
        hands.signed("confirm", "j1")
        for bet in (1, 2):
            hands.press("paid", box=2, bet=bet, cents=95_000)
        hands.total(15)
        hands.start()
        assert 'data-reason="no_award_for_hand"' in hands.declare(f"1.1:{FOUR_ACES}").text
        hands.press("no-awards")
        hands.total(21)
        hands.signed("last-hands", "j1")
        assert console.visor()["visor"]["hands_left"] == 5
        hands.start()
        assert hands.declare(f"1.1:{ROYAL}").status_code == 303
        hands.signed("confirm", "j1")
        hands.signed("sign", "d1", cents=723_710)
        hands.press("paid", box=1, bet=1, cents=723_710)
        hands.total(1)
        for _ in range(4):
            hands.empty()
        assert 'data-reason="day_ending"' in console.press("start", hand=8).text
        hands.close_day(1_000_050)
        assert daemon.stop() == 0
    assert books_are_right(ledger, tmp_path) == {
        "Assets:Cash": -913_710 * EURO // 100,
        "Assets:Chips": 74 * EURO,
        "Expenses:Contributions": 1_850 * EURO // 100,
        "Expenses:Seeds": 20_000 * EURO,
        "Income:Bets": -74 * EURO,
        "Income:House": -88_090 * EURO // 100,
        "Liabilities:Pools:1:Jackpot": -1_000_050 * EURO // 100,
    }


def test_CYL_unknown_a_day_in_castilla_y_leon_with_the_authorised_awards(tmp_path: Path) -> None:
    """Ace, two, three, four and five of diamonds are no straight there. Three bets in one box on a
    king-high straight flush: 10 % of 10,000.00 each; three chips: 7,001.50. Three last hands."""
    awards = [
        f"--award={one}" for one in ("royal_flush=100", "straight_flush=10", "four_of_a_kind=5")
    ]
    ledger = made(tmp_path / "t", "--profile=castilla-y-leon", *awards)
    with (
        Daemon(load_config_file(tmp_path / "t" / "table.toml")) as daemon,
        at_console(daemon) as console,
    ):
        console.open_day()
        hands = Hands(console)
        hands.start()
        assert 'data-reason="no_award_for_hand"' in hands.declare(f"2.1:{STEEL_WHEEL}").text
        kings = [f"2.{bet}:{KING_HIGH}" for bet in (1, 2, 3)]
        assert hands.declare(*kings).status_code == 303
        hands.signed("confirm", "j1")
        for bet in (1, 2, 3):
            hands.press("paid", box=2, bet=bet, cents=100_000)
        hands.total(3)
        hands.signed("last-hands", "j1")
        for _ in range(3):
            hands.empty()
        hands.close_day(700_150)
        assert daemon.stop() == 0
    assert books_are_right(ledger, tmp_path) == {
        "Assets:Cash": -3_000 * EURO,
        "Assets:Chips": 6 * EURO,
        "Expenses:Contributions": 3 * EURO // 2,
        "Expenses:Seeds": 10_000 * EURO,
        "Income:Bets": -6 * EURO,
        "Liabilities:Pools:1:Jackpot": -700_150 * EURO // 100,
    }
