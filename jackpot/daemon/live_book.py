"""The officer book as the screens use it: read again when `jackpot officers` has changed it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import structlog

from jackpot.authority.roles import Role
from jackpot.daemon import tokens
from jackpot.daemon.officer_book import OfficerBook, TooSoon, file_stamp

_log = structlog.get_logger(__name__)


class LiveBook:
    """An officer book that follows its file."""

    def __init__(self, path: Path) -> None:
        """Raises ``BookUnreadable``."""
        self._path = path
        self._stamp = file_stamp(path)
        self._book = OfficerBook.open(path)

    def roles(self) -> Mapping[str, tuple[Role, ...]]:
        """Officer id to roles."""
        return self._book.roles()

    async def verify(self, officer: str, pin: str) -> bool | TooSoon:
        """Whether the PIN is right; slow on purpose. A wrong one is logged with the officer's id; what
        is no id is not: it may be a PIN in the wrong field."""
        answer = await self._book.verify(officer, pin)
        if answer is not True and officer in self.roles():
            _log.warning("wrong PIN", officer=officer, too_soon=answer is not False)
        return answer

    def refresh(self) -> None:
        """Read the file again if it changed. Raises ``BookUnreadable``."""
        stamp = file_stamp(self._path)
        if stamp == self._stamp:
            return
        book = OfficerBook.open(self._path)
        book.keep_misses_of(self._book)
        self._book, self._stamp = book, stamp

    # ---- cryptographic tokens ------------------------------------------------------------------

    def token_holders(self, host: str) -> frozenset[str]:
        """Who has a token that was registered under the name ``host``."""
        return frozenset(
            officer
            for officer in self.roles()
            if any(token.host == host for token in self._book.tokens(officer))
        )

    def token_question(self, officer: str, host: str, challenge: bytes) -> str:
        """What the officer's token is asked; JSON for a browser. Refuses ``no_token``."""
        return tokens.request_options(host, self._book.tokens(officer), challenge)

    def check_token(
        self, officer: str, host: str, origin: str, challenge: bytes, answer: str
    ) -> str:
        """The name of the officer's token that signed. Refuses ``no_token``, ``token_wrong``."""
        try:
            name = tokens.check_answer(host, origin, self._book.tokens(officer), challenge, answer)
        except Exception:
            _log.warning("token refused", officer=officer)
            raise
        _log.info("token used", officer=officer, token=name)
        return name

    def new_token_question(self, officer: str, host: str, challenge: bytes) -> str:
        """What a new token of the officer is asked; JSON for a browser."""
        return tokens.creation_options(host, officer, self._book.tokens(officer), challenge)

    def add_token(
        self, officer: str, host: str, origin: str, challenge: bytes, answer: str
    ) -> None:
        """Enter the token that answered. Refuses ``token_wrong``, ``too_many_tokens``."""
        token = tokens.created(host, origin, challenge, answer)
        self.refresh()
        self._book.add_token(officer, token)
        _log.info("token registered", officer=officer, token=tokens.token_name(token))

    def remove_tokens(self, officer: str) -> None:
        """Take all tokens of the officer out."""
        self.refresh()
        self._book.remove_tokens(officer)
        _log.info("tokens removed", officer=officer)
