"""The casino of a demonstration: its folder, configuration, key, and staff."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec

from jackpot.config import CarruselConfig, Config, load_config_file
from jackpot.config.template import CONFIG_FILE
from jackpot.daemon.demo.croupier import OFFICERS
from jackpot.daemon.install import NewOfficer, install
from jackpot.errors import Refused
from jackpot.law.terms import BetMode

CASINO_ID = "demonstration.example"

PINS = {
    "croupier-1": "738204",
    "croupier-2": "615928",
    "jefe-1": "294617",
    "jefe-2": "850361",
    "director-1": "407593",
    "tecnico-1": "163850",
}
"""Known to everybody who reads this: for demonstrations only, and only such a folder gets them."""

LINK_NAME = "slots"

_CONFIG = """\
# A demonstration: simulated slots, invented officers, nobody's money.
profile = "canarias"

[casino]
name = "Casino de demostración"
id = "{casino}"

[table]
number = "{number}"
minimum = "10.00"

[jackpot]
bet = "2.00"
percentage = "25"
seed = "10000.00"
authorisation = "demonstration only"

[ledger]
dir = "ledger"
disk_alarm_mib = 64
"""


_SLOTS = f"""
[slots]
port = "{LINK_NAME}"
echo = "on"
"""


def demo_house(
    folder: Path,
    port: int,
    mode: BetMode = BetMode.AUTOMATIC,
    number: str = "1",
    carrusel: CarruselConfig | None = None,
) -> Config:
    """The demonstration in ``folder``, made if there is none, with its screens at ``port``; table
    ``number``, linked to ``carrusel`` if there is one.

    Raises ``Refused`` (``not_a_demonstration``) when the folder holds a real table: the automatic
    croupier must never act there.
    """
    config_file = folder / CONFIG_FILE
    if not config_file.exists():
        _make(folder, config_file, mode, number)
    config = load_config_file(config_file)
    if config.casino.id != CASINO_ID or config.terms.mode is not mode:
        raise Refused(
            reason="not_a_demonstration",
            expected=f"a demonstration in {folder}, {mode.value}",
            found=f"the table of {config.casino.id}, {config.terms.mode.value}",
            to_do="choose another folder for the demonstration",
        )
    if not config.ledger.file.exists():
        staff = [NewOfficer(name, roles, PINS[name]) for name, roles in OFFICERS.items()]
        install(config, staff, time.time_ns())
    screens = msgspec.structs.replace(config.screens, bind="127.0.0.1", port=port)
    return msgspec.structs.replace(config, screens=screens, carrusel=carrusel)


def _make(folder: Path, config_file: Path, mode: BetMode, number: str) -> None:
    if folder.exists() and any(folder.iterdir()):
        raise Refused(
            reason="not_a_demonstration",
            expected=f"an empty or new folder, or one with {CONFIG_FILE}",
            found=f"other files in {folder}",
            to_do="choose another folder for the demonstration",
        )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    slots = _SLOTS if mode is BetMode.AUTOMATIC else ""
    text = _CONFIG.format(casino=CASINO_ID, number=number)
    text = text.replace("[jackpot]\n", f'[jackpot]\nmode = "{mode.value}"\n')
    config_file.write_text(text + slots, encoding="utf-8")
