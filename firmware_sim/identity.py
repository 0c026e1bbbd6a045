"""What an acceptor says of itself: strings, numbers, dates and its table of coins."""

from __future__ import annotations

from dataclasses import dataclass

COIN_POSITIONS = 16  # two mask bytes (part 2, 3.25)
EMPTY_COIN_ID = "......"  # part 3, 2.1.1: an unprogrammed position
DEFAULT_TOKEN_POSITION = 1
# Part 3, 2.1: CCVVVI; country TK is a token, VVV its number. The coins that follow are wrong chips.
DEFAULT_TOKEN_ID = "TK200A"  # noqa: S105 - the casino kind of token, no secret
DEFAULT_COIN_IDS = (DEFAULT_TOKEN_ID, "EU200A", "EU100A")


@dataclass(frozen=True, slots=True)
class Identity:
    """The answers to headers 246, 245, 244, 242, 241, 192, 197, 196, 195, 184, 170 and 4."""

    serial: int
    maker: str = "Open Mechanism"
    category: str = "Coin Acceptor"
    product: str = "SIM7"
    software: str = "SIM-F1-V1.00"
    build: str = "STD01   "  # part 1, 9.1: padded with spaces
    coin_ids: tuple[str, ...] = DEFAULT_COIN_IDS
    serial_bytes: int = 3  # part 2, 3.14: "adding an extra data byte" makes it 4
    rom_checksum: bytes = bytes.fromhex("5a17c0de")
    base_year: int = 2020
    created: tuple[int, int, int] = (2024, 3, 15)  # year, month, day
    changed: tuple[int, int, int] = (2025, 11, 2)
    comms_revision: tuple[int, int, int] = (1, 4, 7)  # release, then the specification's issue

    def coin_id(self, position: int) -> str:
        """The six characters of header 184 for a position 1 to 16."""
        return self.coin_ids[position - 1] if position <= len(self.coin_ids) else EMPTY_COIN_ID

    def is_programmed(self, position: int) -> bool:
        """Whether the acceptor knows a coin at this position at all."""
        return 1 <= position <= COIN_POSITIONS and self.coin_id(position) != EMPTY_COIN_ID

    def date_data(self, date: tuple[int, int, int]) -> bytes:
        """Part 2, 3.58, LSB first: day in bits 0-4, month 5-8, years since the base year 9-13."""
        year, month, day = date
        return (day | month << 5 | (year - self.base_year) << 9).to_bytes(2, "little")


def coin_table(ids: tuple[str, ...], token_position: int) -> tuple[str, ...]:
    """``ids`` with the first of them moved to ``token_position``, the gap filled as unprogrammed.

    The others keep their order from position 1 on. ``ValueError`` for what does not fit 16 places.
    """
    if not 1 <= token_position <= COIN_POSITIONS:
        raise ValueError(f"expected a token position 1 to {COIN_POSITIONS}, found {token_position}")
    wrong = [coin for coin in ids if len(coin) != len(EMPTY_COIN_ID) or not coin.isascii()]
    if not ids or len(ids) > COIN_POSITIONS or wrong:
        raise ValueError(f"expected 1 to {COIN_POSITIONS} coin ids of six characters, found {ids}")
    table = list(ids[1:])
    table += [EMPTY_COIN_ID] * (token_position - 1 - len(table))
    table.insert(token_position - 1, ids[0])
    return tuple(table)
