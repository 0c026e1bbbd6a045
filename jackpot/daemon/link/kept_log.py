"""The carrusel's log as a coordinator keeps it: the shared log, its own copy, and what it looks up."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from jackpot.config.broker import NatsConfig
from jackpot.config.coordinator import CoordinatorConfig
from jackpot.daemon.link.mqtt import tls_context
from jackpot.daemon.link.sqlite_log import SqliteLog
from jackpot.errors import JackpotError, Refused
from jackpot.invariant import invariant
from jackpot.ledger.decision_log import read_log
from jackpot.link.entries import AwardDecided, AwardUndone
from jackpot.link.fold import past_of
from jackpot.link.log import entry_of
from jackpot.link.messages import Entry
from jackpot.link.port import READ_AT_MOST, DecisionLog
from jackpot.link.state import Past

if TYPE_CHECKING:
    from jackpot.daemon.link.jetstream_log import JetStreamLog

_DECISIONS = tuple(f'"kind":"{cls.kind}"}}' for cls in (AwardDecided, AwardUndone))
"""How the body of a numbered decision ends: canonical JSON has its names in order."""


SHOWN = 20
"""Decisions on the page: an evening's."""


class KeptLog:
    """What ``DecisionLog`` offers, plus a copy on this machine that is never ahead of it.

    With one coordinator the log *is* the file on this machine.
    """

    def __init__(self, config: CoordinatorConfig, log: DecisionLog, copy: SqliteLog | None) -> None:
        """Use ``open``."""
        self._config = config
        self._log = log
        self._copy = copy
        self._positions: dict[int, int] = {}
        self._noted = 0
        self.decisions: deque[tuple[Entry, AwardDecided | AwardUndone]] = deque(maxlen=SHOWN)
        """The newest decisions, oldest first, for the page."""

    @classmethod
    async def open(cls, config: CoordinatorConfig) -> Self:
        """Open both. Raises a ``LedgerRefused`` or ``LogUnavailable``."""
        own = await SqliteLog.open(config.log_file, config.carrusel)
        if config.nats is None:
            return cls(config, own, None)
        try:
            return cls(config, await open_jetstream(config.carrusel, config.nats), own)
        except BaseException:
            await own.close()
            raise

    @property
    def is_shared(self) -> bool:
        """Whether other coordinators may append."""
        return self._copy is not None

    async def whole(self) -> AsyncIterator[Sequence[Entry]]:
        """The log from its first entry, in pieces: from this machine as far as the copy goes.

        Raises ``Refused`` (``log_forked``) when the shared log does not hold what the copy ends with:
        it lost entries, or is another one.
        """
        last: Entry | None = None
        if self._copy is not None:
            while kept := await self._copy.read(self._noted):
                self._note(kept)
                last = kept[-1]
                yield kept
            await self._check_the_end(last)
        async for piece in self.all_news():
            yield piece

    async def _check_the_end(self, last: Entry | None) -> None:
        if last is None:
            return
        there = await self._log.read(last.position - 1, 1)
        if [entry.hash for entry in there] != [last.hash]:
            raise Refused(
                reason="log_forked",
                expected=f"entry {last.position} of {self._config.carrusel} as this copy holds it",
                found="another one" if there else "a log that ends before it",
                to_do="start nothing: compare the coordinators' copies, the shared log lost entries",
            )

    async def news(self) -> Sequence[Entry]:
        """The next entries of the log that were not read yet; kept here before anybody sees them."""
        piece = await self._log.read(self._noted)
        await self._keep(piece)
        return piece

    async def all_news(self) -> AsyncIterator[Sequence[Entry]]:
        """``news`` in pieces, up to where the log ends as the last of them is read: others may append
        faster than anybody reads to an end that stays away."""
        while True:
            piece = await self.news()
            if piece:
                yield piece
            if len(piece) < READ_AT_MOST:
                return

    async def append(self, entries: Sequence[Entry], after: int) -> bool:
        """Compare and append to the log, then to the copy."""
        if not await self._log.append(entries, after):
            return False
        await self._keep(entries)
        return True

    async def check(self) -> None:
        """The log could take an append now."""
        await self._log.check()

    async def close(self) -> None:
        """Let go of both."""
        with suppress(JackpotError):
            await self._log.close()
        if self._copy is not None:
            await self._copy.close()

    async def _keep(self, entries: Sequence[Entry]) -> None:
        if entries and self._copy is not None:
            followed = await self._copy.append(entries, entries[0].position - 1)
            invariant(followed, "the copy ends where the log was read to")
        self._note(entries)

    def _note(self, entries: Sequence[Entry]) -> None:
        for sealed in entries:
            self._noted = sealed.position
            if sealed.body.endswith(_DECISIONS):
                entry = entry_of(sealed)
                if isinstance(entry, AwardDecided | AwardUndone):
                    self._positions[entry.decision] = sealed.position
                    self.decisions.append((sealed, entry))

    def decision_entry(self, decision: int) -> Entry | None:
        """The sealed entry of a decision, for a table that missed it."""
        position = self._positions.get(decision)
        if position is None:
            return None
        found = read_log(self._config.log_file, self._config.carrusel, position - 1, 1)
        return found[0] if found else None

    def past_at(self, position: int, until: int) -> Past | None:
        """What an old view needs, by folding this machine's copy anew."""
        return past_of(self._from_the_file(), position, until)

    def _from_the_file(self) -> Iterator[Entry]:
        after = 0
        config = self._config
        while piece := read_log(config.log_file, config.carrusel, after, READ_AT_MOST):
            yield from piece
            after = piece[-1].position


async def open_jetstream(carrusel: str, nats: NatsConfig, *, create: bool = False) -> JetStreamLog:
    """The shared log in its cluster. Raises ``LogUnavailable``, ``Refused``."""
    from jackpot.daemon.link.jetstream_log import JetStreamLog  # megabytes, for those who have one

    return await JetStreamLog.open(
        nats.servers,
        carrusel,
        replicas=nats.replicas,
        create=create,
        tls=tls_context(nats.tls),
    )
