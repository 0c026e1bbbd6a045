"""The console in a terminal, at a real daemon: the same pages and rules, on a number pad alone."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from daemon_process import PINS, TEXT, Daemon, counted, final_state, installed
from support.hledger import by_hledger, written
from terminal_pilot import Person, at_terminal

from jackpot.audit.books.formats import JournalFormat
from jackpot.audit.checker import verify
from jackpot.config import Config
from jackpot.console.language import gettext
from jackpot.law.words import Language
from jackpot.terminal.widgets import AnswerField

FOUR_THREES = "3132333442"
"""3♠ 3♥ 3♦ 3♣ 4♥ by rank and suit."""
ROYAL_SPADES = ("1", "1", "comma", "1", "asterisk", "1", "slash", "1", "0", "1")
"""A♠ K♠ Q♠ J♠ 10♠: a number pad has no letters."""


def es(text: str) -> str:
    """What the pages say in Spanish."""
    return gettext(Language.ES, text)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A manual table without slots: bet 2.00, 25 %, seed 10,000.00; total after the awards."""
    text = TEXT.partition("[slots]")[0].replace("[jackpot]", '[jackpot]\nmode = "manual"')
    text = text.replace("[table]", "[table]\nundo_seconds = 60")  # a restart takes some of them
    text += f'[ledger]\ndir = "record"\ndisk_alarm_mib = 1\n\n[screens]\nport = {_free_port()}\n'
    return installed(tmp_path, text)


@pytest.fixture
def daemon(config: Config) -> Iterator[Daemon]:
    with Daemon(config) as running:
        yield running


async def open_table(person: Person) -> None:
    """c1 and j1 sign 10,000.00."""
    await person.logs_in("c1")
    await person.presses("1")
    await person.sees("Segunda firma", "10.000,00 €")
    await person.presses("/", "1", *PINS["j1"], "enter")
    await person.sees("Siguiente jugada")


async def test_CAN_8_b1_a_manual_hand_on_a_number_pad(daemon: Daemon, config: Config) -> None:
    """Five chips are entered, undone, six entered and final: 25 % of 12.00 are 3.00."""
    async with at_terminal(daemon.url) as person:
        await open_table(person)
        await person.presses("0")
        await person.sees("Hagan juego", "Modo manual")
        await person.twice("3")
        await person.sees("¿Cuántas fichas")
        await person.presses("5")
        await person.sees("Mesa 7: 5 × 2,00 € = 10,00 €")
        await person.presses("enter")
        await person.sees("Deshacer")
        await person.presses("1")
        await person.sees("¿Cuántas fichas")
        await person.presses("6", "enter")
        await person.sees("Correcto: 12,00 €")
        await person.presses("9")
        await person.sees("Siguiente jugada", "10.003,00 €")
    assert counted(config)["total_final"] == 1


async def test_CAN_8_4_a_royal_flush_needs_three_people(daemon: Daemon) -> None:
    """Above 3,000.00: declared by c1, confirmed by j1, signed by d1; a wrong PIN changes nothing."""
    async with at_terminal(daemon.url) as person:
        await open_table(person)
        await person.presses("0")
        await person.sees("Hagan juego")
        await person.presses("4")
        await person.sees("cinco cartas")
        await person.presses("2", *ROYAL_SPADES)
        await person.sees("Declarar: casilla 2: 10.000,00 €", "100 % de 10.000,00 €")
        await person.presses("enter")
        await person.sees(es("Award to be confirmed"), "3.000,00 €: ")
        await person.presses(*"999999", "enter")  # the number was lost: no digit picks
        await person.sees(f"Falta: {es('Table chief')}")
        await person.presses("/", "1", *"999999", "enter")
        await person.sees(
            es("Id or PIN is wrong. Nothing was done. Try again."), "Premio por confirmar"
        )
        await person.presses(*PINS["j1"], "enter")
        await person.sees("Firmar el importe 10.000,00 €")
        await person.presses(*PINS["d1"], "enter")
        await person.sees("Pagado: casilla 2, 10.000,00 €")
        await person.presses("2")
        await person.sees("¿Cuántas fichas")


async def test_CAN_8_b1_a_final_total_changes_by_a_signed_entry_alone(
    daemon: Daemon, config: Config
) -> None:
    """Five chips were entered and are final; four were right: 10,002.50 − 0.50 = 10,002.00."""
    async with at_terminal(daemon.url) as person:
        await person.logs_in("j1")
        await person.presses("1")
        await person.sees("Segunda firma")
        await person.presses("/", "1", *PINS["c1"], "enter")
        await person.sees("Siguiente jugada")
        await person.presses("0")
        await person.sees("Hagan juego")
        await person.twice("3")
        await person.sees("¿Cuántas fichas")
        await person.presses("5", "enter")
        await person.sees("Correcto: 10,00 €")
        await person.presses("9")
        await person.sees("Siguiente jugada", "10.002,50 €")
        await person.presses("5")
        await person.sees(es("Table: what the table chief signs"))
        await person.walks_to(es("Correct the final total of a hand"))
        await person.presses("enter")
        await person.sees(es("Chips as they should be"))
        await person.presses("1")
        await person.walks_to(es("Look at it before signing"))
        await person.presses("enter")
        await person.sees(f"Falta: {es('Chips as they should be')}")
        await person.presses("4")
        await person.walks_to(es("Look at it before signing"))
        await person.presses("enter")
        await person.sees(f"{es('Chips before')}: 5", f"{es('Chips as they should be')}: 4")
        await person.presses(*PINS["d1"], "enter")
        await person.sees("Siguiente jugada", "10.002,00 €")
    assert counted(config)["total_corrected"] == 1


async def test_a_pin_in_the_field_of_the_id_is_gone_after_the_refusal(daemon: Daemon) -> None:
    """It would stand there in clear until the next person comes."""
    async with at_terminal(daemon.url) as person:
        await person.sees("Entrar")
        officer, pin = person.app.query(AnswerField)
        officer.value, pin.value = "391726", "391726"
        await person.presses("enter")
        await person.sees(es("Id or PIN is wrong. Nothing was done. Try again."))
        assert [field.value for field in person.app.query(AnswerField)] == ["", ""]


async def test_a_key_that_wants_two_presses_takes_no_double_tap(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long this machine takes for three presses, they are one tap here."""
    monkeypatch.setattr("jackpot.terminal.app.AGAIN_AFTER_S", 60.0)
    monkeypatch.setattr("jackpot.terminal.app.AGAIN_WITHIN_S", 120.0)
    async with at_terminal(daemon.url) as person:
        await open_table(person)
        await person.presses("0")
        await person.sees("Hagan juego")
        await person.presses("3", "3", "3")
        await person.sees("Pulse otra vez: Sin premios", "Hagan juego")


async def test_what_is_missing_is_asked_for(daemon: Daemon) -> None:
    async with at_terminal(daemon.url) as person:
        await person.logs_in("c1")
        await person.presses("1")
        await person.sees("Segunda firma")
        await person.presses("plus", *PINS["j1"], "enter")
        await person.sees("Falta: Segunda firma", "Abrir con 10.000,00 €")


async def test_english_by_the_key_on_the_bar(daemon: Daemon) -> None:
    async with at_terminal(daemon.url) as person:
        await person.sees("Entrar")
        await person.clicks("EN")
        await person.sees("Log in", "Ctrl+Q: leave the program")


async def test_no_key_acts_at_a_frozen_controller(daemon: Daemon, config: Config) -> None:
    async with at_terminal(daemon.url) as person:
        await open_table(person)
        daemon.process.send_signal(signal.SIGSTOP)
        try:
            await person.sees("Sin conexión")
            await person.presses("0")
        finally:
            daemon.process.send_signal(signal.SIGCONT)
        await person.until(lambda: person.app.alive)
        await person.sees("Siguiente jugada")
        assert counted(config)["hand_started"] == 0
        await person.presses("0")
        await person.sees("Hagan juego")


async def test_CAN_8_b1_a_controller_killed_at_every_step_goes_on_where_it_was(
    config: Config, tmp_path: Path
) -> None:
    """Hand 1: four threes in box 4 take 5 % of 10,000.00, then one chip; hand 2: void; hand 3: five
    chips, corrected to six before they are final. 10,000.00 − 500.00 + 0.50 + 3.00 = 9,503.50."""
    steps = (
        (("0",), "Hagan juego"),
        (("4",), "cinco cartas"),
        (("4", *FOUR_THREES), "Declarar: casilla 4: 500,00 €"),
        (("enter",), "Premio por confirmar"),
        (("/", "1", *PINS["j1"], "enter"), "Pagado: casilla 4, 500,00 €"),
        (("4",), "¿Cuántas fichas"),
        (("1", "enter"), "Deshacer"),
        (("9",), "Siguiente jugada"),
        (("0",), "Hagan juego"),
        (("7",), "Anular la jugada 2"),  # and back to the hand, which the login leads to
        (("7",), "Anular la jugada 2"),
        (("/", "2", "/", "5", *PINS["j1"], "enter"), "Siguiente jugada"),
        (("0",), "Hagan juego"),
        (("2",), "No va más"),
        (("3", "3"), "¿Cuántas fichas"),
        (("5", "enter"), "Deshacer"),
        (("1",), "¿Cuántas fichas"),
        (("6", "enter"), "Deshacer"),
        (("9",), "9.503,50 €"),
    )
    killed_after = {0: "Hagan juego", 4: "Pagado", 6: "Deshacer", 9: "Hagan juego", 15: "Deshacer"}
    running = Daemon(config)
    try:
        async with at_terminal(running.url) as person:
            await open_table(person)
            for number, (keys, then) in enumerate(steps):
                if keys == ("3", "3"):
                    await person.twice("3")
                else:
                    await person.presses(*keys)
                await person.sees(then)
                if number in killed_after:
                    running.kill()
                    running = Daemon(config)
                    await person.logs_in("c1")
                    await person.sees(killed_after[number])
        assert running.stop() == 0
    finally:
        if running.process.poll() is None:
            running.kill()
    assert final_state(config).pools.jackpot_microcents == 950_350_000_000
    assert verify(config.ledger.file).findings == ()
    journal = written(config.ledger.file, JournalFormat.HLEDGER, tmp_path / "journal")
    assert by_hledger(journal)["Liabilities:Pools:1:Jackpot"] == -950_350_000_000
    assert by_hledger(journal)["Income:Bets"] == -7 * 200_000_000
