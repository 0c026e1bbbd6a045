"""A carrusel's log moves to another store: from the file to a cluster, or back; while nobody appends.

The old log ends with a signed «continued in», so nobody goes on with it by mistake. The new one is
the old one, entry by entry, and goes on with its own opening. An interrupted move is begun again with
the same command: what is there already is compared, not written twice.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import AsyncExitStack

from jackpot.config.broker import NatsConfig
from jackpot.config.coordinator import CoordinatorConfig
from jackpot.daemon.link.kept_log import open_jetstream
from jackpot.daemon.link.sqlite_log import SqliteLog
from jackpot.errors import Refused
from jackpot.ledger.decision_log import DecisionFile
from jackpot.ledger.files import sync_folder
from jackpot.ledger.keys import load_key
from jackpot.link.entries import LogContinuedIn, LogEntry, LogOpened
from jackpot.link.fold import fold
from jackpot.link.log import check_hash, entry_of, seal
from jackpot.link.messages import Entry
from jackpot.link.port import READ_AT_MOST, DecisionLog
from jackpot.link.signing import Sign, signer
from jackpot.link.state import CarruselState

PIECE = 200
"""Entries in one append to a cluster: well under the megabyte that one message may have."""

ID_BYTES = 16


async def move(old: CoordinatorConfig, new: CoordinatorConfig, at_ns: int) -> int:
    """Move the log of ``old`` to the store of ``new``; the same coordinator, in the same folder.

    Returns the last position. Raises ``Refused`` (``not_a_move``, ``log_exists``, ``log_in_use``),
    ``LogUnavailable``; of a log that would not fit the new store nothing has ended then.
    """
    _check(old, new)
    sign = signer(load_key(old.key_file))
    async with AsyncExitStack() as stack:
        source = await _source(old)
        stack.push_async_callback(source.close)
        opened, end = _reopened(old, *await _whole(source), sign, at_ns)
        target = None if new.nats is None else await _target(new.carrusel, new.nats)
        if target is not None:
            stack.push_async_callback(target.close)
            await _check_it_fits(target, opened)
        if end is not None:
            await _close(source, end)
        if target is not None:
            await _fill(target, opened)
    await _new_file(old, opened)
    return opened[-1].position


def move_at_once(old: CoordinatorConfig, new: CoordinatorConfig, at_ns: int) -> int:
    """``move`` for whoever has no event loop."""
    return asyncio.run(move(old, new, at_ns))


def _check(old: CoordinatorConfig, new: CoordinatorConfig) -> None:
    same = (old.carrusel, old.name, old.folder) == (new.carrusel, new.name, new.folder)
    if not same or (old.nats is None) == (new.nats is None):
        raise Refused(
            reason="not_a_move",
            expected="the same carrusel, coordinator and folder, and another store",
            found=f"{new.carrusel}, {new.name}, {new.folder}, the same store"
            if same
            else f"{new.carrusel}, {new.name}, {new.folder}",
            to_do="change only [log] and [broker] in the new configuration",
        )


async def _source(old: CoordinatorConfig) -> DecisionLog:
    if old.nats is None:
        return await SqliteLog.open(old.log_file, old.carrusel)
    return await open_jetstream(old.carrusel, old.nats)


async def _target(carrusel: str, nats: NatsConfig) -> DecisionLog:
    """The stream: a new one, or the one that an interrupted move has begun."""
    try:
        return await open_jetstream(carrusel, nats, create=True)
    except Refused:
        return await open_jetstream(carrusel, nats)


async def _check_it_fits(target: DecisionLog, entries: Sequence[Entry]) -> None:
    """Before anything ends: the stream is empty, or holds the beginning of this very log. One from
    which the log moved away holds its old end, and nothing is ever taken out of a stream."""
    there = 0
    while piece := await target.read(there, READ_AT_MOST):
        ours = entries[there : there + len(piece)]
        if [entry.hash for entry in piece] != [entry.hash for entry in ours]:
            raise Refused(
                reason="log_exists",
                expected="a stream that is empty, or holds the beginning of this very log",
                found=f"one with other entries after position {there}: perhaps this log was there "
                "before, and moved away",
                to_do="nothing has moved; keep a copy of that stream, remove it from the cluster "
                "(`nats stream rm`), and move again",
                rule="CAN-9",
            )
        there += len(piece)


async def _whole(log: DecisionLog) -> tuple[list[Entry], CarruselState]:
    entries: list[Entry] = []
    state = CarruselState()
    while piece := await log.read(len(entries), READ_AT_MOST):
        for sealed in piece:
            check_hash(sealed)
            fold(state, sealed, entry_of(sealed), lambda _position, _until: None)
        entries += piece
    if not entries:
        raise Refused(
            reason="not_a_move",
            expected="a log with entries",
            found="an empty one",
            to_do="found the coordinator anew with the other store",
        )
    return entries, state


def _reopened(
    config: CoordinatorConfig,
    entries: Sequence[Entry],
    state: CarruselState,
    sign: Sign,
    at_ns: int,
) -> tuple[list[Entry], Entry | None]:
    """The whole of the new log, and the end of the old one; None if an interrupted move ended it."""
    last, end = entry_of(entries[-1]), None
    if isinstance(last, LogContinuedIn):
        log_id, copied, at_ns = last.log_id, list(entries[:-1]), entries[-1].at_ns
    else:
        log_id, copied = secrets.token_hex(ID_BYTES), list(entries)
        end = _sealed(config, LogContinuedIn(log_id=log_id), copied[-1], sign, at_ns)
    opening = LogOpened(
        carrusel=config.carrusel,
        log_id=log_id,
        coordinators=state.coordinators,
        continues=copied[-1].hash,
    )
    return [*copied, _sealed(config, opening, copied[-1], sign, at_ns)], end


async def _close(log: DecisionLog, end: Entry) -> None:
    """Nothing follows «continued in»."""
    if not await log.append([end], end.position - 1):
        raise Refused(
            reason="log_in_use",
            expected="a log that nobody appends to",
            found="new entries",
            to_do="stop every coordinator first",
        )


def _sealed(
    config: CoordinatorConfig, entry: LogEntry, last: Entry, sign: Sign, at_ns: int
) -> Entry:
    return seal(config.carrusel, entry, last.hash, last.position + 1, config.name, at_ns, sign)


async def _fill(target: DecisionLog, entries: Sequence[Entry]) -> None:
    """What is not there yet, in pieces; what is there was compared."""
    there = 0
    while piece := await target.read(there, READ_AT_MOST):
        there += len(piece)
    for start in range(there, len(entries), PIECE):
        await target.append(entries[start : start + PIECE], start)


async def _new_file(config: CoordinatorConfig, entries: Sequence[Entry]) -> None:
    """The file of this machine becomes the new log, or its copy; the old one is kept beside it."""
    path, number = config.log_file, 1
    moving = path.with_name(f"{path.name}.moving")
    moving.unlink(missing_ok=True)
    DecisionFile.create(moving, config.carrusel).close()
    log = await SqliteLog.open(moving, config.carrusel)
    try:
        await _fill(log, entries)
    finally:
        await log.close()
    while (aside := path.with_name(f"{path.name}.moved-{number}")).exists():
        number += 1
    if path.exists():
        path.rename(aside)
    moving.rename(path)
    sync_folder(path.parent)
