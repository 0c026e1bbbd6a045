"""The desk of one table: the only place where its state changes.

Everything that happens, a form, a chip, a clock step, is a request in one queue. One task decides
each on a tentative state, appends all that waited in one commit, and only after COMMIT publishes the
new state and answers. What cannot be recorded does not happen.

* ``Refused``        goes to whoever asked; nothing is recorded.
* a repeated cause   is answered as done.
* a full disk        no bets; what machines saw waits here, in order, until there is room.
* an unknown commit  no bets; the ledger is opened again and the causes are looked up in it.
* our own fault      the table halts and says so; nobody guesses on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import structlog
from msgspec.structs import replace

from jackpot.console.desk import Done, HistoryLine
from jackpot.daemon.board import Board
from jackpot.daemon.clock import Clock
from jackpot.daemon.desk_refusals import busy, halted, no_room, stopping
from jackpot.daemon.history import history_lines
from jackpot.daemon.record import Record
from jackpot.daemon.requests import CONTROLLER, Planned, Request, form_cause
from jackpot.errors import Refused
from jackpot.invariant import InvariantBroken, invariant
from jackpot.ledger.errors import CommitUnknown, LedgerFull
from jackpot.ledger.machine import Cause, Committed, NewBatch
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.decide import play
from jackpot.table.event import Fact, OfficerAct
from jackpot.table.locking import waits_for_view
from jackpot.table.state import Phase, TableState, accepting_boxes, is_manual

MAX_WAITING = 512
"""Requests in the queue. Seven acceptors have one open report each, two consoles one form each;
hundreds mean that the disk stands still, and memory must not grow with it."""

MAX_GROUP = 64
"""Requests in one commit: every source at once, and still a few milliseconds."""

FULL_RETRY_S = 1.0
"""How often a full disk is tried again: soon enough for a waiting table, and no load."""

MAX_UNKNOWN = 3
"""Unknown commits in a row before the table halts: the disk is broken, not busy."""

DISK_FULL = "disk_full"
_SIGNED_AT_ONCE = (f.DayClosed, o.AwardsDecided)
_LOCKS = (f.LockPressed, f.LockReached)
_OUTSIDE_A_HAND = (Phase.CLOSED, Phase.BETWEEN_HANDS)

BeforeAct = Callable[[OfficerAct], Awaitable[None]]
ViewOf = Callable[[], f.CarruselViewed | None]

_log = structlog.get_logger(__name__)


class TableDesk(Board):
    """The ``Desk`` of ``jackpot.console.desk``, and the way in for machines.

    ``run`` must be running. ``last_checkpoint`` is the newest signed note of this run.
    """

    def __init__(self, record: Record, clock: Clock, history: Sequence[HistoryLine] = ()) -> None:
        super().__init__(record.state, history)
        self._record = record
        self._clock = clock
        self._queue: asyncio.Queue[Request | None] = asyncio.Queue()
        self._held: list[Request] = []
        self._stopping = False
        self._paused = False
        self._unknown_in_a_row = 0
        self._before_act: BeforeAct = _nothing
        self.last_checkpoint = ""
        self.last_batch = 0
        """The ledger's batch that ``state`` is of; 0 before the first commit of this run."""
        self._view: ViewOf = _no_view
        self._without_view: list[Request] = []

    @property
    def disk_is_full(self) -> bool:
        """Whether the last commit found no room; then no box takes a bet."""
        return self._status.disk_full

    @property
    def accepting(self) -> tuple[int, ...]:
        """The boxes whose slot should take a chip now: none unless it could be recorded."""
        able = self._status.ready and not self._status.disk_full and not self._paused
        return accepting_boxes(self._state) if able else ()

    # ---- what is asked of it -------------------------------------------------------------------

    async def act(self, act: OfficerAct, *, form: str, token: f.TokenUsed | None = None) -> Done:
        """An officer's act; see ``Desk.act``. Raises ``Refused``."""
        await self._before_act(act)
        cause = form_cause(form)
        facts = (act,) if token is None else (act, token)
        return await self._put(facts, cause.source, cause.number, machine=False)

    def prepare_acts(self, before_act: BeforeAct) -> None:
        """Await this before each act is put in the queue: what must be recorded before it."""
        self._before_act = before_act

    def submit(
        self, facts: Sequence[Fact], source: str, number: int | None = None
    ) -> asyncio.Future[Done]:
        """What a machine saw, in the order of the calls; the future is done after the commit.

        It fails only when the table has halted or stops.
        """
        return self._put(facts, source, number, machine=True)

    async def checkpoint(self) -> str:
        """Sign the present end of the ledger; returns the note."""
        await self._put((), CONTROLLER, None, machine=True, checkpoint=True)
        return self.last_checkpoint

    def show_view(self, view: ViewOf) -> None:
        """Who tells what the visors of a linked table show, for the moment of a lock (CAN-9)."""
        self._view = view

    def view_changed(self) -> None:
        """A lock that waited for the carrusel's total is tried again."""
        waiting, self._without_view = self._without_view, []
        for request in waiting:
            self._queue.put_nowait(request)

    def open_for_use(self) -> None:
        """The ledger has verified and the start is recorded: amounts may be shown."""
        if not self._status.halted:
            self._set_status(replace(self._status, ready=True))

    def pause(self) -> None:
        """The end is near: no slot takes a chip any more; what was seen is still recorded."""
        self._paused = True
        self._changed()

    def halt(self, why: str) -> None:
        """Lock the table; only a new start of the controller ends this."""
        if self._status.halted:
            return
        _log.error("table halted", why=why)
        self._set_status(replace(self._status, ready=False, halted=why))
        held, self._held = self._held, []
        for request in held:
            request.fail(halted(why))

    def _broken(self, why: str) -> None:
        self.halt(why)

    def _put(
        self,
        facts: Sequence[Fact],
        source: str,
        number: int | None,
        *,
        machine: bool,
        checkpoint: bool = False,
    ) -> asyncio.Future[Done]:
        done: asyncio.Future[Done] = asyncio.get_running_loop().create_future()
        request = Request(facts, source, number, machine, checkpoint, done)
        if self._status.halted:
            request.fail(halted(self._status.halted))
        elif self._stopping:
            request.fail(stopping())
        elif self._queue.qsize() + len(self._held) >= MAX_WAITING:
            if machine:
                self.halt(f"more than {MAX_WAITING} reports wait for the disk")
            request.fail(busy(MAX_WAITING))
        else:
            self._queue.put_nowait(request)
        return done

    # ---- the one task --------------------------------------------------------------------------

    async def run(self) -> None:
        """Serve until ``stop``; a fault of our own halts the table but not this task."""
        while (group := await self._next_group()) is not None:
            try:
                await self._serve(group)
            except Exception as error:  # whatever it is, the table must lock and say so
                _log.exception("desk failed")
                self.halt(f"{type(error).__name__}: {error}")
                for request in group:
                    request.fail(halted(self._status.halted))

    def stop(self) -> None:
        """Take no more requests; ``run`` returns when those that came before are served."""
        if not self._stopping:
            self._stopping = True
            self._queue.put_nowait(None)
            self.pause()

    async def _next_group(self) -> list[Request] | None:
        """What waits, oldest first; None at the end. While the disk is full, once a second."""
        if self.disk_is_full and self._held:
            await self._wait_while_full()
        group, self._held = self._held, []
        if not group:
            first = await self._queue.get()
            if first is None:
                return None
            group.append(first)
        while len(group) < MAX_GROUP and not self._queue.empty():
            following = self._queue.get_nowait()
            if following is None:
                self._queue.put_nowait(None)
                break
            group.append(following)
        return group

    async def _wait_while_full(self) -> None:
        """Gather machine reports, refuse officers' acts, until the next try is due."""
        loop = asyncio.get_running_loop()
        end = loop.time() + FULL_RETRY_S
        while (left := end - loop.time()) > 0:
            try:
                async with asyncio.timeout(left):
                    request = await self._queue.get()
            except TimeoutError:
                return
            if request is None:
                self._queue.put_nowait(None)
                return
            if request.machine:
                self._held.append(request)
            else:
                request.fail(no_room())

    async def _serve(self, group: list[Request]) -> None:
        if self._status.halted:
            for request in group:
                request.fail(halted(self._status.halted))
            return
        planned, batches, state, fault = self._plan(group)
        try:
            committed = await self._record.append(batches) if batches else None
        except LedgerFull as full:
            self._keep_for_later(group, full)
            return
        except CommitUnknown as unknown:
            await self._open_again(group, unknown)
            return
        self._unknown_in_a_row = 0
        if committed is not None:
            self._publish(state, batches, committed)
        if fault:
            self.halt(fault)
            served = {id(entry.request) for entry in planned}
            for request in group:
                if id(request) not in served:
                    request.fail(halted(fault))
        await self._sign_if_due(planned)
        for entry in planned:
            entry.tell()

    def _plan(
        self, group: Sequence[Request]
    ) -> tuple[list[Planned], list[NewBatch], TableState, str]:
        """Decide each request on the state that the ones before it will leave."""
        state = self._state
        planned: list[Planned] = []
        batches: list[NewBatch] = []
        numbers: dict[str, int] = {}
        at_ns = self._clock.wall_ns()
        for request in group:
            if not request.facts:
                planned.append(Planned(request))
                continue
            last = self._last_number(request.source, numbers)
            if request.number is None:
                request.number = last + 1
            if request.number <= last:
                planned.append(Planned(request, already=True))
                continue
            facts = self._with_view(state, request)
            if facts is None:
                self._without_view.append(request)
                continue
            try:
                events, after = play(state, facts)
            except Refused as refused:
                invariant(not request.machine, f"no machine fact is refused: {refused}")
                planned.append(Planned(request, refused=refused))
                continue
            except InvariantBroken as broken:
                return planned, batches, state, str(broken)
            cause = Cause(request.source, request.number)
            batches.append(NewBatch(at_ns, _hand_of(state, after), cause, events))
            planned.append(Planned(request, events))
            numbers[request.source] = request.number
            state = after
        return planned, batches, state, ""

    def _with_view(self, state: TableState, request: Request) -> Sequence[Fact] | None:
        """The facts, before a lock in a carrusel with what the visors show; None while they show
        nothing: the lock waits. An officer who presses then is refused by the table."""
        if not waits_for_view(state) or not any(isinstance(fact, _LOCKS) for fact in request.facts):
            return request.facts
        if not is_manual(state) and not any(isinstance(x, f.LockReached) for x in request.facts):
            return request.facts  # the key begins a lock that the slots end
        view, member = self._view(), state.carrusel
        if view is not None and member is not None and view.decision == member.decision:
            return (view, *request.facts)
        return None if request.machine else request.facts

    def _last_number(self, source: str, numbers: dict[str, int]) -> int:
        if source in numbers:
            return numbers[source]
        last = self._record.last_number(source)
        return -1 if last is None else last

    def _publish(
        self, state: TableState, batches: Sequence[NewBatch], committed: Committed
    ) -> None:
        self._state = state
        self.last_batch = committed.last_batch
        events = sum(len(batch.events) for batch in batches)
        self._history.extend(history_lines(batches, committed.last_seq - events + 1))
        if self.disk_is_full:
            _log.warning("room on the disk again")
            self._set_status(replace(self._status, disk_full=False))
        self._changed()

    async def _sign_if_due(self, planned: Sequence[Planned]) -> None:
        due = any(
            entry.request.checkpoint
            or any(isinstance(event, _SIGNED_AT_ONCE) for event in entry.events)
            for entry in planned
        )
        if not due:
            return
        try:
            self.last_checkpoint = await self._record.sign_checkpoint(self._clock.wall_ns())
        except LedgerFull as full:
            _log.error("no checkpoint: the disk is full", error=str(full))
        except CommitUnknown as unknown:
            await self._open_again([], unknown)

    # ---- a disk that refuses, a commit that nobody knows of -----------------------------------------

    def _keep_for_later(self, group: Sequence[Request], full: LedgerFull) -> None:
        """No room: officers hear so at once, what machines saw waits in its order."""
        self._unknown_in_a_row = 0  # a full disk is a known answer
        kept = [request for request in group if request.machine]
        for request in group:
            if not request.machine:
                request.fail(full)
        if not self.disk_is_full:
            _log.error("disk full: no bets until there is room", error=str(full))
            told = (f.AlarmRaised(alarm=DISK_FULL), f.AlarmCleared(alarm=DISK_FULL))
            done: asyncio.Future[Done] = asyncio.get_running_loop().create_future()
            kept.append(Request(told, CONTROLLER, None, True, False, done))
        if self._stopping:
            for request in kept:
                request.fail(full)
        else:
            self._held = [*kept, *self._held]
        self._set_status(replace(self._status, disk_full=True))

    async def _open_again(self, group: list[Request], unknown: CommitUnknown) -> None:
        """Read the ledger afresh; the group is decided again, and what it holds is found there."""
        self._unknown_in_a_row += 1
        _log.error("unknown commit", error=str(unknown), in_a_row=self._unknown_in_a_row)
        ready = self._status.ready
        self._set_status(replace(self._status, ready=False))
        if self._unknown_in_a_row >= MAX_UNKNOWN:
            raise unknown
        await self._record.reopen()
        self._state = self._record.state
        self._held = [*group, *self._held]
        self._set_status(replace(self._status, ready=ready))


async def _nothing(_act: OfficerAct) -> None:
    """A table without a mechanism prepares no act."""


def _no_view() -> None:
    """A table alone."""


def _hand_of(before: TableState, after: TableState) -> int | None:
    """The hand that a batch belongs to: the one that runs before or after it."""
    inside = before.phase not in _OUTSIDE_A_HAND or after.phase not in _OUTSIDE_A_HAND
    return after.hand_number if inside else None
