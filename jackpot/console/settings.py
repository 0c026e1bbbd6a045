"""What the screens need from outside: settings, a clock, and the officer book."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol
from zoneinfo import ZoneInfo

from jackpot.authority.roles import Role
from jackpot.console.neighbour import Neighbour
from jackpot.law.words import Language


class ScreenClock(Protocol):
    """Time as it is given to the screens, which never look at a clock themselves."""

    def monotonic_ns(self) -> int:
        """Nanoseconds that only grow: for time-outs."""

    def wall_ns(self) -> int:
        """Nanoseconds since 1970 in UTC: for the date of a gaming day."""


class TooSoon(Protocol):
    """The answer to a PIN that came too soon after a miss: nobody looked at it."""

    @property
    def wait_s(self) -> int:
        """Seconds until the next try counts."""


class Book(Protocol):
    """The officers and their PINs, as far as the screens need them."""

    def roles(self) -> Mapping[str, tuple[Role, ...]]:
        """Officer id to roles."""

    async def verify(self, officer: str, pin: str) -> bool | TooSoon:
        """Whether the PIN is right; ``TooSoon`` when a miss was too recent to look at it."""

    def token_holders(self, host: str) -> frozenset[str]:
        """Who has a cryptographic token that was registered under the name ``host``."""

    def token_question(self, officer: str, host: str, challenge: bytes) -> str:
        """What the officer's token is asked; JSON for a browser. Refuses ``no_token``."""

    def check_token(
        self, officer: str, host: str, origin: str, challenge: bytes, answer: str
    ) -> str:
        """The name of the officer's token that signed. Refuses ``no_token``, ``token_wrong``."""

    def new_token_question(self, officer: str, host: str, challenge: bytes) -> str:
        """What a new token of the officer is asked; JSON for a browser."""

    def add_token(
        self, officer: str, host: str, origin: str, challenge: bytes, answer: str
    ) -> None:
        """Enter the token that answered. Refuses ``token_wrong``, ``too_many_tokens``."""

    def remove_tokens(self, officer: str) -> None:
        """Take all tokens of the officer out."""


class Slips(Protocol):
    """Where payment slips come from."""

    async def slip(self, award: int, box: int, bet: int, *, a4: bool, copy: bool) -> bytes:
        """A slip as PDF, on the roll of a small printer or a sheet. Refuses ``slip_failed``."""


@dataclass(frozen=True)
class ScreenSettings:
    """How the screens of one table behave.

    ``secret_key`` signs forms; a new one at each start is right, since sessions live in memory.
    ``secure_cookie`` must be true whenever the screens are reached over TLS. ``carrusel`` names the
    one that this table may join; empty: none.
    """

    secret_key: str
    clock: ScreenClock
    session_timeout_s: int = 900
    secure_cookie: bool = False
    language: Language = Language.ES
    time_zone: str = "Atlantic/Canary"
    casino: str = ""
    neighbour: Neighbour | None = None
    slips: Slips | None = None
    carrusel: str = ""

    @property
    def zone(self) -> ZoneInfo:
        """The casino's time zone."""
        return ZoneInfo(self.time_zone)
