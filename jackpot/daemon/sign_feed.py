"""The table's side of the signs: tell their watchdog what the visor shows, hear how they are.

It only reads the desk, so nothing here can hold the table up. What is wrong with a sign becomes an
alarm that the console shows; the table plays on.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import structlog

from jackpot.daemon.requests import CONTROLLER
from jackpot.daemon.signs import SignStatus
from jackpot.daemon.table_desk import TableDesk
from jackpot.table import facts as f
from jackpot.visor.state import visor_state

BEAT_S = 0.5
"""Four beats fit into the two seconds after which the watchdog writes dashes."""

ANSWER_S = 5.0
"""The watchdog answers each word at once; one that has not for this long hangs."""

RETRY_S = 1.0
"""The watchdog is on this machine: looking for it costs nothing."""

PATIENCE_S = 5.0
"""A plug that is put back at once is no alarm, nor is a watchdog that starts a little later."""

WAITING_BYTES = 16_384
LINE_BYTES = 65_536

SIGN_ALARM = "sign_lost"
MOST_DETAIL = 200
"""Characters of an alarm's detail: the ledger keeps them for ever."""

_log = structlog.get_logger(__name__)
_statuses = msgspec.json.Decoder(tuple[SignStatus, ...])


class SignFeed:
    """Feeds one table's signs; ``run`` never ends."""

    def __init__(self, desk: TableDesk, place: Path, patience_s: float = PATIENCE_S) -> None:
        self._desk = desk
        self._place = place
        self._patience_s = patience_s
        self._wrong = ""
        self._alarm_due: asyncio.TimerHandle | None = None
        self._raised = SIGN_ALARM in desk.state.alarms

    async def run(self) -> None:
        """Connect, feed until it breaks, begin again."""
        while True:
            try:
                reader, writer = await asyncio.open_unix_connection(self._place, limit=LINE_BYTES)
            except OSError as error:
                self._judge(f"no sign-watchdog: {error.strerror or error}")
            else:
                self._judge(await self._feed(reader, writer))
            await asyncio.sleep(RETRY_S)

    async def _feed(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
        """Speak and listen until one of the two fails; returns why."""
        talk = {asyncio.create_task(self._speak(writer)), asyncio.create_task(self._hear(reader))}
        try:
            done, _ = await asyncio.wait(talk, return_when=asyncio.FIRST_COMPLETED)
            error = done.pop().exception()
            return f"the sign-watchdog fell silent: {error}"
        finally:
            for task in talk:
                task.cancel()
            await asyncio.gather(*talk, return_exceptions=True)
            writer.transport.abort()

    async def _speak(self, writer: asyncio.StreamWriter) -> None:
        """The whole state at every change, and as a heartbeat."""
        writer.transport.set_write_buffer_limits(high=WAITING_BYTES)
        version = -1
        while True:
            await self._desk.changed(version, BEAT_S)
            version = self._desk.version
            visor = visor_state(self._desk.state, self._desk.status)
            writer.write(msgspec.json.encode(visor) + b"\n")
            await writer.drain()

    async def _hear(self, reader: asyncio.StreamReader) -> None:
        while True:
            async with asyncio.timeout(ANSWER_S):
                line = await reader.readline()
            if not line.endswith(b"\n"):
                raise ConnectionError("it closed the connection")
            down = [s for s in _statuses.decode(line) if not s.up]
            self._judge("; ".join(f"{status.name}: {status.why}" for status in down))

    # ---- the alarm -----------------------------------------------------------------------------

    def _judge(self, wrong: str) -> None:
        """Remember what is wrong; tell the table if it stays so, and when it is over."""
        if bool(wrong) != bool(self._wrong):
            _log.info("signs", wrong=wrong)
        self._wrong = wrong
        if not wrong:
            self._forget_alarm()
            if self._raised:
                self._raised = False
                self._submit(f.AlarmCleared(alarm=SIGN_ALARM))
        elif not self._raised and self._alarm_due is None:
            loop = asyncio.get_running_loop()
            self._alarm_due = loop.call_later(self._patience_s, self._raise_alarm)

    def _raise_alarm(self) -> None:
        self._alarm_due = None
        self._raised = True
        self._submit(f.AlarmRaised(alarm=SIGN_ALARM, detail=self._wrong[:MOST_DETAIL]))

    def _forget_alarm(self) -> None:
        if self._alarm_due is not None:
            self._alarm_due.cancel()
            self._alarm_due = None

    def _submit(self, fact: f.AlarmRaised | f.AlarmCleared) -> None:
        # A table that halts or stops refuses; there is nobody left to tell.
        self._desk.submit((fact,), CONTROLLER)

    def close(self) -> None:
        """No alarm after the end."""
        self._forget_alarm()
