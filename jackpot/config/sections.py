"""Every section and key of the configuration, as one table; ``docs/operation.md`` explains them.

A configuration holds no secret: its full text goes into the ledger, for the auditor.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from jackpot.board.setup import BoardSetup
from jackpot.cctalk.setup import (
    ACCEPTOR_ADDRESSES,
    REPLY_TIMEOUT_MAX_MS,
    REPLY_TIMEOUT_MIN_MS,
    SORTER_PATHS,
    Echo,
    LineSetup,
    SlotSetup,
)
from jackpot.config import readers as r
from jackpot.config.broker import CarruselConfig
from jackpot.law import policies as p
from jackpot.law.profile import Profile
from jackpot.law.terms import BetMode, JackpotKind, Terms
from jackpot.law.words import Language

REQUIRED: Any = object()
"""The default of a key that must be written."""

PROFILE_DEFAULT: Any = None
"""The default of a key whose value else comes from the profile."""


class Key(NamedTuple):
    """One key: how it is read, what it is when it is absent, and the rule behind it."""

    read: r.Reader
    default: Any = REQUIRED
    rule: str | None = None


class Mechanism(StrEnum):
    """What detects the chips: acceptors on a ccTalk bus, or the slot board."""

    CCTALK = "cctalk"
    BOARD = "board"


MOST_BOXES = 7
"""CAN-2.2."""

MOST_UNDO_S = 60
"""A total that could be undone for longer would keep the players waiting for the next hand."""

KEYS: Mapping[str, Mapping[str, Key]] = {
    "casino": {
        "name": Key(r.text),
        "id": Key(
            r.matching(
                r"[a-z0-9](?:[a-z0-9.-]{0,58}[a-z0-9])?",
                'small letters, digits, points and dashes, as in "casino.example"',
            )
        ),
    },
    "table": {
        "number": Key(
            r.matching(r"[A-Za-z0-9-]{1,20}", 'letters, digits and dashes, as in "7"'),
            rule="CAN-2.2",
        ),
        "layout": Key(
            r.matching(r"[A-Za-z0-9-]{1,20}", 'letters, digits and dashes, as in "1"'),
            "1",
            rule="CAN-2.2",
        ),
        "other_layout": Key(r.text, None, "CAN-2.2"),
        "boxes": Key(r.whole(1, MOST_BOXES), PROFILE_DEFAULT, "CAN-2.2"),
        "bets_per_box": Key(r.whole(1, 3), PROFILE_DEFAULT, "CAN-8.1"),
        "minimum": Key(r.euros, rule="CAN-6.1"),
        "minimum_from": Key(r.euros, None, "CAN-6.1"),
        "minimum_to": Key(r.euros, None, "CAN-6.1"),
        "undo_seconds": Key(r.whole(1, MOST_UNDO_S), 5, "CAN-8.b1"),
    },
    "jackpot": {
        "kind": Key(r.choice(JackpotKind), JackpotKind.PROGRESSIVE, "CAN-8.b"),
        "mode": Key(r.choice(BetMode), BetMode.AUTOMATIC, "CAN-8.b2"),
        "bet": Key(r.euros, rule="CAN-8.1"),
        "percentage": Key(r.percent, rule="CAN-8.b"),
        "reserve_percentage": Key(r.percent, 0, "CAN-8.b"),
        "house_deduction": Key(r.percent, 0),
        "seed": Key(r.euros, rule="CAN-8.b"),
        "ceiling": Key(r.euros, None),
        "authorisation": Key(r.text, rule="CAN-8.b"),
        "awards": Key(r.shares, PROFILE_DEFAULT, "CAN-8.3"),
    },
    "policies": {
        "base_of_hand": Key(r.choice(p.BaseOfHand), PROFILE_DEFAULT),
        "manual_total": Key(r.choice(p.ManualTotal), PROFILE_DEFAULT),
        "below_royal": Key(r.choice(p.BelowRoyal), PROFILE_DEFAULT),
        "equal_straight_flushes": Key(r.choice(p.EqualStraightFlushes), PROFILE_DEFAULT),
        "void_bets": Key(r.choice(p.VoidBets), PROFILE_DEFAULT),
        "extra_chip": Key(r.choice(p.ExtraChip), PROFILE_DEFAULT),
        "broken_slot": Key(r.choice(p.BrokenSlot), PROFILE_DEFAULT),
        "payable_unit": Key(r.euros, PROFILE_DEFAULT),
        "seed_source": Key(r.choice(p.SeedSource), PROFILE_DEFAULT),
        "config_change": Key(r.choice(p.ConfigChange), PROFILE_DEFAULT),
        "carrusel_order": Key(r.choice(p.CarruselOrder), PROFILE_DEFAULT),
        "link_lost": Key(r.choice(p.LinkLost), PROFILE_DEFAULT),
    },
    "signatures": {"second_over": Key(r.euros, 300_000, "CAN-8.7")},
    "slots": {
        "port": Key(r.text),
        "mechanism": Key(r.choice(Mechanism), Mechanism.CCTALK, "CAN-8.b2"),
        "echo": Key(r.choice(Echo), Echo.AUTO),
        "crc16": Key(r.flag, False),
        "reply_timeout_ms": Key(r.whole(REPLY_TIMEOUT_MIN_MS, REPLY_TIMEOUT_MAX_MS), 50),
        "baud": Key(r.whole(1200, 115_200), None),
        "addresses": Key(r.wholes(2, max(ACCEPTOR_ADDRESSES), MOST_BOXES), None),
        "coin_position": Key(r.whole(0, 16), 0),
        "coin_id_prefix": Key(r.anything, "TK"),
        "swapped_event_bytes": Key(r.flag, False),
        "sorter_path": Key(r.whole(0, SORTER_PATHS), 0),
        "lock_after_fraud_signs": Key(r.whole(0, 255), 3),
    },
    "ledger": {
        "dir": Key(r.text),
        "checkpoint_interval_minutes": Key(r.whole(1, 1440), 60),
        "disk_alarm_mib": Key(r.whole(1, 1_048_576), 512),
    },
    "screens": {
        "bind": Key(r.address, "127.0.0.1"),
        "port": Key(r.whole(0, 65_535), 8080),
        "language": Key(r.choice(Language), Language.ES),
        "time_zone": Key(r.time_zone, "Atlantic/Canary"),
        "session_timeout_minutes": Key(r.whole(1, 720), 30),
        "tls_cert": Key(r.text, None),
        "tls_key": Key(r.text, None),
        "neighbour": Key(r.origin, None),
        "neighbour_table": Key(r.text, None),
    },
}

OPTIONAL_SECTIONS = frozenset({"policies", "signatures", "screens"})
"""Sections whose every key has a default; ``slots`` is wanted by an automatic table only."""


class CasinoConfig(msgspec.Struct, frozen=True):
    """Whose table it is. ``id`` begins the name of the ledger's public key."""

    name: str
    id: str


class TableConfig(msgspec.Struct, frozen=True):
    """The table minimum and the authorised band that it must stay in (CAN-6.1), in cents; how long
    the total of a hand can be undone in manual mode (CAN-8.b1)."""

    number: str
    layout: str
    minimum_cents: int
    minimum_from_cents: int | None
    minimum_to_cents: int | None
    undo_s: int = 5


class CctalkSetup(msgspec.Struct, frozen=True):
    """A ccTalk line and its acceptors."""

    line: LineSetup
    slots: tuple[SlotSetup, ...]


class SlotsConfig(msgspec.Struct, frozen=True):
    """The serial line, and what is at its other end."""

    port: Path
    baud: int
    boxes: tuple[int, ...]
    mechanism: CctalkSetup | BoardSetup


class LedgerConfig(msgspec.Struct, frozen=True):
    """Where the record is kept: everything of one layout in one folder."""

    folder: Path
    checkpoint_interval_s: int
    disk_alarm_bytes: int

    @property
    def file(self) -> Path:
        """The ledger."""
        return self.folder / "table.ledger"

    @property
    def key_file(self) -> Path:
        """The private key that signs checkpoints."""
        return self.folder / "signing.key"

    @property
    def witness_file(self) -> Path:
        """The newest checkpoint: it tells when an older copy of the ledger was put back."""
        return self.folder / "last-checkpoint.note"

    @property
    def signs_socket(self) -> Path:
        """Where the table tells its signs' watchdog what to show."""
        return self.folder / "signs.sock"

    @property
    def older_mark(self) -> Path:
        """There from ``jackpot restore --older`` until every acceptor has a new base line."""
        return self.folder / "older-copy-restored"

    @property
    def officers_file(self) -> Path:
        """The officer book: ids, roles, PIN hashes."""
        return self.folder / "officers.json"


class ScreensConfig(msgspec.Struct, frozen=True):
    """Where the screens are served; the adjacent table on the same screen (CAN-3.1), if any."""

    bind: str
    port: int
    language: Language
    time_zone: str
    session_timeout_s: int
    tls_cert: Path | None
    tls_key: Path | None
    neighbour: str | None = None
    neighbour_table: str | None = None


class SignKind(StrEnum):
    """The protocol that a sign speaks."""

    ALPHA = "alpha"
    CD5220 = "cd5220"


class SignConfig(msgspec.Struct, frozen=True):
    """One sign. Either ``port``, a serial one, or ``host`` and ``tcp_port`` of an adapter."""

    name: str
    kind: SignKind
    port: Path | None
    host: str
    tcp_port: int
    baud: int
    rows: int
    columns: int
    language: Language
    checksums: bool
    sign_address: str

    @property
    def place(self) -> str:
        """Where it is, for people."""
        return f"{self.host}:{self.tcp_port}" if self.port is None else str(self.port)


class LampsConfig(msgspec.Struct, frozen=True):
    """GPIO lines, by their offsets on one chip: a lamp for each box, perhaps a button."""

    chip: Path
    lines: tuple[int, ...]
    active_low: bool
    button: int | None
    button_active_low: bool


class OtherLayout(msgspec.Struct, frozen=True):
    """The second layout of a reversible table (CAN-2.2): its terms, from a file of its own."""

    terms: Terms
    profile_text: str


class Config(msgspec.Struct, frozen=True):
    """A configuration that was read and checked. ``slots`` is None for a manual table. ``text`` is
    the whole text, followed by that of the other layout if there is one."""

    text: str
    profile: Profile
    profile_text: str
    terms: Terms
    casino: CasinoConfig
    table: TableConfig
    slots: SlotsConfig | None
    ledger: LedgerConfig
    screens: ScreensConfig
    signs: tuple[SignConfig, ...] = ()
    lamps: LampsConfig | None = None
    other: OtherLayout | None = None
    carrusel: CarruselConfig | None = None

    @property
    def origin(self) -> str:
        """The name of the ledger and its key, as in ``casino.example/table-7-1``."""
        return f"{self.casino.id}/table-{self.table.number}-{self.table.layout}"
