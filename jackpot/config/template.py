"""The commented configuration that ``jackpot init`` writes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from jackpot.money import euros_text

CONFIG_FILE = "table.toml"
"""A table's configuration in the folder of the table."""

_TEXT = """\
# One casino table with its progressive jackpot. Amounts and percentages stand in quotes.
# Every key is explained in docs/operation.md; `jackpot check-config` finds every mistake at once.
# This text goes into the ledger in full: it holds no secret.

# The law that applies: a profile that comes with the program (`jackpot rules`), or the path of one.
profile = {profile}

[casino]
name = {casino_name}
# Begins the name of the table's public key: small letters, digits, points, dashes.
id = {casino_id}

[table]
# Each layout (paño) has its own number, its own ledger and its own jackpot (CAN-2.2).
number = {table}
layout = {layout}
# The table minimum, as the games director sets it within the authorised band (CAN-6.1).
minimum = {minimum}
# minimum_from = "5.00"
# minimum_to = "50.00"
# undo_seconds = 5          # manual mode: so long the total of a hand can be undone (CAN-8.b1)

[jackpot]
kind = {kind}        # "progressive" (CAN-8.b) or "fixed" (CAN-8.a)
mode = {mode}          # "automatic": slots detect the chips (CAN-8.b2); "manual": a total each hand (CAN-8.b1)
# The one fixed amount of the bet: at most half the table minimum (CAN-8.1).
bet = {bet}
# The authorised share of each bet that the jackpot grows by (CAN-8.b).
percentage = {percentage}
{house_deduction}# What a new jackpot starts with: at least 5,000 bets (CAN-8.b); a fixed one 10,000 (CAN-8.a).
seed = {seed}
# ceiling = "250000.00"     # only if the authorisation sets one
authorisation = {authorisation}
{awards}
# Where the law is silent; what is left out is the profile's. All values: `jackpot rules`.
# [policies]
# void_bets = "refund"
# payable_unit = "0.01"

[signatures]
# Above this sum of one hand a second, different officer signs the award.
second_over = "3000.00"

{slots}[ledger]
# Ledger, signing key and officer book of this layout. Back it up with `jackpot snapshot`.
dir = {folder}
checkpoint_interval_minutes = 60
disk_alarm_mib = 512

[screens]
# Another address than this machine's own needs tls_cert and tls_key.
bind = "127.0.0.1"
port = {screens_port}
language = {language}
time_zone = {time_zone}
session_timeout_minutes = 30
"""

_SLOTS = """\
[slots]
# A stable name of the serial port, so that an adapter keeps it when it is plugged in again.
port = {port}
# Whether the interface hands the controller's own bytes back: "on", "off" or "auto".
echo = "auto"
# addresses = [11, 12, 13, 14, 15, 16, 17]   # ccTalk addresses of boxes 1, 2, 3, …
# coin_position = 0                          # 0: found by its coin id
# coin_id_prefix = "TK"

"""

_HOUSE_DEDUCTION = """\
# What the house takes off an award first, where the profile knows it.
house_deduction = {}
"""

_AWARDS = """
# The authorised awards, in percent of the base: the law as we have it fixes none.
[jackpot.awards]
"""


@dataclass(frozen=True)
class Answers:
    """What a new table is asked. Amounts in cents, percentages as they are written.

    ``port`` None: a table without slots. ``awards``: those of the authorisation, where the profile
    fixes none.
    """

    casino_name: str
    casino_id: str
    table: str
    layout: str
    minimum_cents: int
    bet_cents: int
    percentage: str
    seed_cents: int
    authorisation: str
    port: str | None
    profile: str = "canarias"
    kind: str = "progressive"
    house_deduction: str = "0"
    awards: Mapping[str, str] = field(default_factory=dict)
    language: str = "es"
    time_zone: str = "Atlantic/Canary"
    folder: str = "record"
    screens_port: int = 8080


def config_text(answers: Answers) -> str:
    """The configuration as a commented text; ``load_config`` says whether it is valid."""
    taken = answers.house_deduction
    awards = "".join(f"{hand} = {_quoted(share)}\n" for hand, share in answers.awards.items())
    return _TEXT.format(
        profile=_quoted(answers.profile),
        casino_name=_quoted(answers.casino_name),
        casino_id=_quoted(answers.casino_id),
        table=_quoted(answers.table),
        layout=_quoted(answers.layout),
        minimum=_quoted(euros_text(answers.minimum_cents)),
        kind=_quoted(answers.kind),
        mode=_quoted("manual" if answers.port is None else "automatic"),
        bet=_quoted(euros_text(answers.bet_cents)),
        percentage=_quoted(answers.percentage),
        house_deduction="" if taken == "0" else _HOUSE_DEDUCTION.format(_quoted(taken)),
        seed=_quoted(euros_text(answers.seed_cents)),
        authorisation=_quoted(answers.authorisation),
        awards=_AWARDS + awards if awards else "",
        slots="" if answers.port is None else _SLOTS.format(port=_quoted(answers.port)),
        folder=_quoted(answers.folder),
        screens_port=answers.screens_port,
        language=_quoted(answers.language),
        time_zone=_quoted(answers.time_zone),
    )


def _quoted(text: str) -> str:
    """A TOML string; JSON's escapes are TOML's."""
    return json.dumps(text, ensure_ascii=False)
