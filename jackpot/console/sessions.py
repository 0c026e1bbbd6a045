"""Who is logged in: server-side sessions, in memory, bounded, with a time-out.

The cookie holds a random token and nothing else. The *name* of a session is public: it goes to the
ledger with every form, so that the same form is never recorded twice.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from jackpot.errors import Refused

MOST_SESSIONS = 64
"""Far more terminals than a table has; the one that was idle longest makes room."""
_NS_PER_S = 1_000_000_000


@dataclass
class Session:
    """One officer at one terminal. ``handed`` numbers the forms; ``posted`` is the newest used one.

    ``drawn_ms`` holds the keys of the newest panel and since when each has been there; ``nonce``
    stands in the question that a token was asked last, empty once it was answered."""

    token: str
    name: str
    officer: str
    last_used_ns: int
    handed: int = 0
    posted: int = 0
    drawn_ms: dict[str, int] = field(default_factory=dict)
    nonce: bytes = b""

    def next_form(self) -> int:
        """The number of a form that is handed out now; numbers only grow."""
        self.handed += 1
        return self.handed

    def use_form(self, number: int) -> str:
        """Spend a form. Returns its cause ``name.number``; refuses one that is spent or older."""
        if number == self.posted:
            raise Refused(
                reason="form_already_posted",
                expected="each form once",
                found="the same form again",
                to_do="look at the present screen: what it shows is what counts",
            )
        if not self.posted < number <= self.handed:
            raise Refused(
                reason="form_is_old",
                expected="the newest page of this terminal",
                found="an older page",
                to_do="look at the present screen and press again",
            )
        self.posted = number
        return f"{self.name}.{number}"


class Sessions:
    """All sessions of this server."""

    def __init__(self, timeout_s: int) -> None:
        self._timeout_ns = timeout_s * _NS_PER_S
        self._by_token: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._by_token)

    def open(self, officer: str, now_ns: int) -> Session:
        """A new session: always a new token, so that none can be planted beforehand."""
        self._forget_idle(now_ns)
        while len(self._by_token) >= MOST_SESSIONS:
            idlest = min(self._by_token.values(), key=lambda session: session.last_used_ns)
            self.close(idlest.token)
        session = Session(secrets.token_urlsafe(32), secrets.token_hex(8), officer, now_ns)
        self._by_token[session.token] = session
        return session

    def find(self, token: str, now_ns: int, *, touch: bool) -> Session | None:
        """The session of a cookie, unless it timed out. ``touch``: a person did something."""
        self._forget_idle(now_ns)
        session = self._by_token.get(token)
        if session is not None and touch:
            session.last_used_ns = now_ns
        return session

    def has(self, officer: str, now_ns: int) -> bool:
        """Whether the officer is logged in at some terminal."""
        self._forget_idle(now_ns)
        return any(session.officer == officer for session in self._by_token.values())

    def close(self, token: str) -> None:
        """Log out."""
        self._by_token.pop(token, None)

    def _forget_idle(self, now_ns: int) -> None:
        for session in list(self._by_token.values()):
            if now_ns - session.last_used_ns > self._timeout_ns:
                self.close(session.token)
