"""By which way the chip leaves an acceptor that has a sorter: to the drop, or back to the player (part 2,
3.34, 3.35, 3.46 and 3.47).

What is found is asked for first (209), changed only if it is another one (210), and asked for again: an
acknowledgement is no proof. An override of that way (221) is lifted (222) and asked for again, too.
"""

from __future__ import annotations

from jackpot.cctalk.headers import Header
from jackpot.cctalk.identity import Misfit
from jackpot.mechanism.wire_events import Diagnosis

PATHS_TOLD_AT_MOST = 4
"""Part 2, 3.47: one path, or the first of four."""

Command = tuple[Header, bytes, int, int]
"""Header, data, and how short and how long the answer may be."""


class Sorter:
    """The questions and commands of one acceptor until the chip's way is ``path`` (None: left as it is).

    One that knows none of it has one way only and stays in service; one that does not take the way, or
    does not keep it, does not.
    """

    def __init__(self, path: int | None) -> None:
        self.path = path
        self._next: Header | None = None
        self._told = b""
        self._set_once = False
        self.forget()

    def forget(self) -> None:
        """The acceptor is new or restarted: nothing is known."""
        self._next = None if self.path is None else Header.REQUEST_SORTER_PATHS
        self._set_once = False

    @property
    def settled(self) -> bool:
        """Whether there is nothing more to ask."""
        return self._next is None

    def command(self, position: int) -> Command | None:
        """What to send now for the chip of this channel."""
        match self._next:
            case Header.REQUEST_SORTER_PATHS as header:
                return header, bytes((position,)), 1, PATHS_TOLD_AT_MOST
            case Header.MODIFY_SORTER_PATHS as header:
                return header, bytes((position, self.path or 0)) + self._told[1:], 0, 0
            case Header.REQUEST_SORTER_OVERRIDE as header:
                return header, b"", 1, 1
            case Header.MODIFY_SORTER_OVERRIDE as header:
                return header, bytes((self._told[0] | self._bit,)), 0, 0
        return None

    def answered(self, header: Header, data: bytes) -> Misfit | None:
        """The answer to ``command``."""
        match header:
            case Header.REQUEST_SORTER_PATHS:
                right = data[0] == self.path
                return self._found(right, data, Header.MODIFY_SORTER_PATHS, f"path {data[0]}")
            case Header.REQUEST_SORTER_OVERRIDE:
                right = bool(data[0] & self._bit)
                return self._found(right, data, Header.MODIFY_SORTER_OVERRIDE, "an override of it")
            case Header.MODIFY_SORTER_PATHS:
                self._next = Header.REQUEST_SORTER_PATHS
            case Header.MODIFY_SORTER_OVERRIDE:
                self._next = Header.REQUEST_SORTER_OVERRIDE
        return None

    def unanswered(self, header: Header, why: Diagnosis) -> Misfit | None:
        """It does not know the header, or (NAK) does not do what it says."""
        if header is Header.REQUEST_SORTER_PATHS and not self._set_once:
            self._next, self._told, self._set_once = Header.MODIFY_SORTER_PATHS, b"", True
        elif header is Header.MODIFY_SORTER_PATHS and why is Diagnosis.REFUSED:
            return self._misfit("a refusal (header 210)")
        elif header is Header.MODIFY_SORTER_OVERRIDE:
            return self._misfit("an override of it that stays (header 222)")
        elif header is Header.REQUEST_SORTER_OVERRIDE:
            self._next = None
        else:
            self._next = Header.REQUEST_SORTER_OVERRIDE
        return None

    def seen(self, path: int) -> None:
        """A chip left by this way (0: the acceptor does not say); by another one: look again."""
        if self.path is not None and path not in (0, self.path):
            self.forget()

    @property
    def _bit(self) -> int:
        """Of this path in an override mask; 1 is normal sorting."""
        return 1 << (self.path or 1) - 1

    def _found(self, right: bool, data: bytes, change: Header, found: str) -> Misfit | None:
        if not right and self._set_once:
            return self._misfit(found)
        self._told = data
        if not right:
            self._next, self._set_once = change, True
            return None
        self._set_once = False
        asked_paths = change is Header.MODIFY_SORTER_PATHS
        self._next = Header.REQUEST_SORTER_OVERRIDE if asked_paths else None
        return None

    def _misfit(self, found: str) -> Misfit:
        return Misfit(
            Diagnosis.PATH_NOT_TAKEN,
            f"expected the chip's way to be path {self.path}; found {found}",
        )


SORTER_HEADERS = frozenset(
    {
        Header.REQUEST_SORTER_PATHS,
        Header.MODIFY_SORTER_PATHS,
        Header.REQUEST_SORTER_OVERRIDE,
        Header.MODIFY_SORTER_OVERRIDE,
    }
)
