"""A judge that finds nothing proves nothing: faults planted in the product are found, each by its books.

Every test takes one rule of the carrusel out, in memory, and plays until the judge objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from jackpot.floor.disk import LogStore
from jackpot.floor.faults import PACE_MS, Fault
from jackpot.floor.simulate import Floor, FloorBroken, Stage
from jackpot.law.awards import AwardDecision
from jackpot.link import base
from jackpot.link.downlink import Downlink
from jackpot.link.inbox import Inbox
from jackpot.link.members import LockedHand, Member
from jackpot.link.messages import Entry, Operation
from jackpot.link.outbox import Batch
from jackpot.link.state import CarruselState
from jackpot.link.uplink import Uplink
from jackpot.table import facts as f
from jackpot.table.carrusel_finding import Finding
from jackpot.table.facts.carrusel import CarruselShare

SEEDS = range(1, 9)
"""A fault that eight evenings of many awards do not show is not caught."""


def lucky(seed: int, faults: tuple[Fault, ...]) -> Stage:
    """An evening with an award in every other hand, at croupiers in a hurry."""
    stage = Stage(Floor(seed=seed, hands=240, tables=4, faults=faults))
    for croupier in stage.croupiers:
        croupier.habits.awards, croupier.habits.think_ms = 500, 150
    return stage


def found(*faults: Fault, plant: Any = None) -> str:
    """What the judge says of the first evening that shows the planted fault."""
    for seed in SEEDS:
        stage = lucky(seed, faults)
        if plant is not None:
            plant(stage)
        try:
            stage.play()
        except FloorBroken as broken:
            return str(broken).partition("Violation: ")[2]  # what the product notices counts not
    return "nothing"


def test_without_a_plant_the_same_evenings_are_clean() -> None:
    """The faults below are found because they were planted."""
    for seed in SEEDS:
        lucky(seed, (Fault.NETWORK, Fault.POWER, Fault.RESTORE)).play()


def test_skipping_the_gap_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decision n is applied only when n - 1 was."""

    def lowest(self: Downlink, applied: int) -> Any:
        later = sorted(number for number in self._entries if number > applied)
        return self._entries[later[0]] if later else None

    def any_later(state: Any, fact: f.CarruselDecided | f.CarruselUndone) -> bool:
        member = state.carrusel
        return member is not None and member.position > 0 and fact.decision > member.decision

    monkeypatch.setattr(Downlink, "next_after", lowest)
    monkeypatch.setattr("jackpot.table.carrusel.is_next", any_later)
    assert "skips to decision" in found(Fault.NETWORK, Fault.PARTITION)


def test_a_base_without_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bets after «no va más» are for the next jackpot (CAN-7.1)."""

    def present(state: CarruselState, locked: LockedHand) -> dict[str, int]:
        tables = [table for table in locked.views if table in state.members]
        return {table: max(0, state.members[table].meter_microcents) for table in tables}

    monkeypatch.setattr("jackpot.link.base.bases", present)
    monkeypatch.setattr("jackpot.link.node.wrong_in", lambda _award, _terms: "")
    assert "bases" in found()


def test_a_view_without_the_running_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another award left counts, not what came in after it: a seed is not paid twice."""

    def view_or_present(state: CarruselState, locked: LockedHand) -> dict[str, int]:
        return {
            table: max(0, min(view, state.members[table].meter_microcents))
            for table, view in locked.views.items()
            if table in state.members
        }

    monkeypatch.setattr("jackpot.link.base.bases", view_or_present)
    assert "bases" in found()


def test_telling_before_the_commit() -> None:
    """What the carrusel hears of must be on the disk."""

    def hurried(stage: Stage) -> None:
        for box in stage.boxes:
            box.tells_before_commit = True

    assert "is in no ledger" in found(Fault.POWER, plant=hurried)


def test_deducting_by_the_present_meter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each table bears in proportion to its part of the base."""
    right = base._shares

    def by_meter(
        state: CarruselState, locked: LockedHand, lows: dict[str, int], decision: AwardDecision
    ) -> tuple[CarruselShare, ...]:
        shares = right(state, locked, lows, decision)
        meters = [max(0, state.members[share.table].meter_microcents) for share in shares]
        paid = sum(share.deducted_microcents for share in shares)
        parts = base.allocate(paid, meters)
        return tuple(
            replace(share, deducted_microcents=part)
            for share, part in zip(shares, parts, strict=True)
        )

    monkeypatch.setattr("jackpot.link.base._shares", by_meter)
    monkeypatch.setattr("jackpot.link.node.wrong_in", lambda _award, _terms: "")
    assert "not in proportion" in found()


def test_accepting_a_restored_box(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its numbers pass for duplicates, and money vanishes."""

    def by_number(
        self: Inbox, member: Member, operations: tuple[Operation, ...]
    ) -> tuple[bool, None]:
        waiting = self._waiting.setdefault(member.table, [])
        for op in operations:
            last = waiting[-1].number if waiting else member.operation
            if op.number == last + 1:
                waiting.append(op)
        return True, None

    def keep(self: Inbox, member: Member) -> None:
        waiting = self._waiting.get(member.table, [])
        self._waiting[member.table] = [op for op in waiting if op.number > member.operation]

    right = Uplink.provided

    def trusting(self: Uplink, batches: Sequence[Batch]) -> Finding | None:
        if batches:
            self._acked_hash = batches[0].hash
        return right(self, batches)

    monkeypatch.setattr(Inbox, "offer", by_number)
    monkeypatch.setattr(Inbox, "drop", keep)
    monkeypatch.setattr(Uplink, "provided", trusting)
    monkeypatch.setattr(Uplink, "disagrees", lambda *_: None)
    monkeypatch.setattr("jackpot.link.fold.invariant", lambda _holds, _what: None)
    monkeypatch.setitem(PACE_MS, Fault.RESTORE, 2_000)
    assert "forks" in found(Fault.RESTORE)


def test_a_store_that_lets_the_log_fork() -> None:
    """Of two appends at one place exactly one may win."""

    class LastWriterWins(LogStore):
        def append(self, entries: Sequence[Entry], after: int) -> bool:
            del self._entries[after:]
            return super().append(entries, after)

    def fork(stage: Stage) -> None:
        stage.store = LastWriterWins(stage._appended)
        for host in stage.hosts:
            host.store = stage.store

    assert "forks" in found(plant=fork)
