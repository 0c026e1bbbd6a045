"""Checkpoints against the chain, the states that they sign, and where one must not be missing."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from jackpot.audit.checker.chain import Chain
from jackpot.audit.checker.findings import UNREADABLE, Findings
from jackpot.audit.checker.notes import Checkpoint, Key, Unsigned, key_of, read
from jackpot.audit.checker.outcomes import differ, parted, show
from jackpot.audit.checker.pools import POOLS
from jackpot.audit.checker.state import Layout, Table
from jackpot.audit.checker.terms import complete

KEPT_STATES = 3
"""The last so many checkpoints keep the state that they sign; fewer after the derived tables were
made anew."""


class Checkpoints:
    """Checks every stored note, and those that witnesses hold, while the chain is walked."""

    def __init__(
        self,
        about: dict[str, str],
        rows: list[tuple[int, int, Any]],
        states: dict[int, Any],
        findings: Findings,
        *,
        public_key: str | None,
        witnesses: tuple[str, ...],
    ) -> None:
        self.findings = findings
        self.rows = rows
        self.witnesses = len(witnesses)
        self.states = states
        self._told: dict[int, list[tuple[str, Checkpoint]]] = {}
        self._stored = {batch: at_ns for batch, at_ns, _ in rows}
        self._signed_ns = 0
        self._due: tuple[int, str] | None = None
        self.stops: set[int] = set()
        findings.at(None)
        self.key = self._key(about, public_key)
        if self.key is not None:
            self._read_all(self.key, witnesses)
        self.stops = self._told.keys() | self.states.keys() | self._stored.keys()

    def _key(self, about: dict[str, str], public_key: str | None) -> Key | None:
        own = about.get("vkey", "")
        if public_key is None:
            says = (
                "no key was given, so the ledger's own is believed: "
                "compare it with the one printed at installation"
            )
            self.findings.note("checkpoints", says, "--public-key", own)
        elif public_key.strip() != own:
            says = "the ledger names another key"
            self.findings.wrong("checkpoints", says, public_key.strip(), own)
        try:
            key = key_of(public_key or own)
        except Unsigned as error:
            self.findings.wrong("checkpoints", "no usable key", "name+id+key", error)
            return None
        if key.name != about.get("origin"):
            says = "the ledger has another origin"
            self.findings.wrong("checkpoints", says, key.name, about.get("origin"))
        return key

    def _read_all(self, key: Key, witnesses: tuple[str, ...]) -> None:
        for batch, at_ns, note in self.rows:
            self.findings.at(batch)
            told = self._read(str(note), key, "checkpoint")
            if told is None:
                continue
            if told.batches != batch:
                says = "the note is about another batch than its row"
                self.findings.wrong("checkpoints", says, told.batches, batch)
            if told.at_ns is not None and told.at_ns != at_ns:
                says = "the note was signed at another time than its row says"
                self.findings.wrong("checkpoints", says, told.at_ns, at_ns)
            if batch in self.states:
                self._state_hash(batch, told)
        self._kept()
        self.findings.at(None)
        for note in witnesses:
            self._read(note, key, "witness")
        if 0 not in self._stored:
            says = "the checkpoint signed at the creation is gone"
            self.findings.wrong("checkpoints", says, "a checkpoint of batch 0", "none")

    def _read(self, note: str, key: Key, who: str) -> Checkpoint | None:
        try:
            told = read(note, key)
        except Unsigned as error:
            self.findings.wrong("checkpoints", f"a {who} proves nothing", "a signed note", error)
            return None
        self._told.setdefault(told.batches, []).append((who, told))
        return told

    def _kept(self) -> None:
        """Stored states belong to the last checkpoints, without a gap."""
        count = min(len(self.states), KEPT_STATES)
        last = sorted(self._stored)[len(self._stored) - count :]
        for batch in sorted(self.states.keys() ^ set(last)):
            self.findings.at(batch)
            says = "the stored states are not those of the last checkpoints"
            self.findings.wrong("stored_states", says, last, sorted(self.states))

    def _state_hash(self, batch: int, told: Checkpoint) -> None:
        found = hashlib.sha256(str(self.states[batch]).encode()).hexdigest()
        if found != told.state_sha256:
            says = "the stored state is not the one that was signed"
            self.findings.wrong("stored_states", says, told.state_sha256, found)

    def reached(self, chain: Chain, table: Table) -> None:
        """The walk stands at the end of a batch of ``stops`` (or at the very beginning)."""
        for who, told in self._told.pop(chain.batch, ()):
            self.findings.at(chain.batch)
            if (told.hash, told.seq) != (chain.hash, chain.seq):
                says = f"a {who} holds another history"
                expected = f"seq {told.seq}, hash {told.hash}"
                self.findings.wrong(
                    "checkpoints", says, expected, f"seq {chain.seq}, hash {chain.hash}"
                )
        if chain.batch in self.states:
            self._state(chain, table)
        if chain.batch in self._stored:
            self._due = None
            self._time(chain)

    def _time(self, chain: Chain) -> None:
        """A checkpoint is signed after its batch, and before that of the next one.

        Only a note: the clock of the box may have been set back, and order is never taken from it.
        """
        at_ns = self._stored[chain.batch]
        if not self._signed_ns <= chain.at_ns <= at_ns and chain.batch:
            self.findings.at(chain.batch)
            says = "a checkpoint was not signed between its batches, by the clock"
            between = f"{self._signed_ns} to {at_ns} ns"
            self.findings.note("times", says, between, chain.at_ns)
        self._signed_ns = at_ns

    def demand(self, batch: int, what: str) -> None:
        """A checkpoint is to follow before the next hand: at closing and at every award."""
        self._due = (batch, what)

    def excused(self) -> None:
        """The controller died before it could sign."""
        if self._due is not None:
            batch, what = self._due
            self._due = None
            self.findings.at(batch)
            says = f"no checkpoint at {what}: the controller stopped without warning"
            self.findings.note("checkpoints", says, "a checkpoint", "none")

    def overdue(self) -> None:
        """The next hand begins: whatever was demanded must be there."""
        if self._due is not None:
            batch, what = self._due
            self._due = None
            self.findings.at(batch)
            says = f"no checkpoint at {what}"
            self.findings.wrong("checkpoints", says, "one before the next hand", "none")

    def _state(self, chain: Chain, table: Table) -> None:
        """A stored state says what the checker's own picture says."""
        self.findings.at(chain.batch)
        try:
            body = msgspec.json.decode(self.states[chain.batch])
            found, sources = _told_by(body["state"]), body["sources"]
        except UNREADABLE as error:
            self.findings.wrong("stored_states", "a stored state", "its fields", show(error))
            return
        expected = _known_of(table)
        wrong = [name for name in expected if differ(expected[name], found[name])]
        if differ(chain.sources, sources):
            wrong.append("sources")
            expected, found = {**expected, "sources": chain.sources}, {**found, "sources": sources}
        for name in wrong:
            unit = " micro-cents" if name.split()[0] in POOLS else ""
            says, (want, have) = f"{name} of the stored state", parted(expected[name], found[name])
            self.findings.wrong("stored_states", says, f"{show(want)}{unit}", f"{show(have)}{unit}")

    def end(self, chain: Chain) -> None:
        """Whatever a note tells beyond the end was cut off."""
        for batch in sorted(self._told):
            who, told = self._told[batch][0]
            self.findings.at(chain.batch)
            says = f"a {who} tells of more: the end was cut off, or a batch is gone"
            self.findings.wrong(
                "checkpoints", says, f"batch {told.batches}", f"{chain.batch} batches"
            )
        if self._due is not None:
            batch, what = self._due
            self.findings.at(batch)
            self.findings.note(
                "checkpoints", f"no checkpoint yet at {what}", "a checkpoint", "none"
            )
        last = max(self._stored, default=0)
        self.findings.at(None)
        says = (
            "batches after the last checkpoint are not signed, and nothing in the file can tell "
            "whether still later ones were cut off: compare with checkpoints that others hold"
        )
        self.findings.note("tail", says, f"signed up to batch {last}", f"{chain.batch} batches")


def _known_of(table: Table) -> dict[str, Any]:
    """The checker's own picture, in the words of a stored state."""
    parked = table.parked
    return {
        "phase": table.phase,
        "hand_number": table.hand,
        "hands_left": table.hands_left,
        "closed_boxes": sorted(table.closed_boxes),
        "next_item": table.next_item,
        "awards": table.awards,
        "officers": table.officers,
        "mode": table.mode,
        "manual_boxes": sorted(table.manual_boxes),
        "suspended": table.suspended,
        "layout_changed_day": table.layout_changed_day,
        **_known_layout(table),
        "parked": None if parked is None else _known_layout(parked),
    }


def _known_layout(layout: Layout) -> dict[str, Any]:
    day = None
    if layout.day is not None:
        sums = (layout.day_hands, layout.day_bets_cents, layout.day_paid_cents)
        day = (layout.day, *sums, layout.day_total_chips)
    return {
        "terms": None if layout.terms is None else layout.terms.raw,
        "pending_terms": None if layout.pending is None else layout.pending.raw,
        "jackpot_started": layout.started,
        "jackpots": layout.jackpots,
        "day": day,
        **layout.pools,
        **{
            f"{pool} {name}": getattr(layout.sums[pool], name)
            for pool in POOLS
            for name in SUMS_OF_A_POOL
        },
    }


SUMS_OF_A_POOL = (
    "contributed",
    "reversed",
    "seeds",
    "deducted",
    "house",
    "transferred",
    "incoming",
    "outgoing",
    "adjusted",
)


def _told_by(state: dict[str, Any]) -> dict[str, Any]:
    same = ("phase", "hand_number", "hands_left", "next_item", "awards", "officers", "mode")
    return {
        **{name: state[name] for name in same},
        "layout_changed_day": state["layout_changed_day"],
        "suspended": state["suspended"] is not None,
        "closed_boxes": sorted(state["closed_boxes"]),
        "manual_boxes": sorted(state["manual_boxes"]),
        **_told_layout(state),
        "parked": None if state["parked"] is None else _told_layout(state["parked"]),
    }


def _told_layout(state: dict[str, Any]) -> dict[str, Any]:
    same = ("terms", "pending_terms", "jackpot_started", "jackpots")
    day = state["day"]
    sums = {"jackpot": "totals", "overflow": "overflow_totals", "reserve": "reserve_totals"}
    names = ("name", "hands", "bets_cents", "paid_cents", "total_chips")
    return {
        **{name: complete(state[name]) for name in same},
        "day": None if day is None else tuple(day[name] for name in names),
        **{pool: state["pools"][f"{pool}_microcents"] for pool in POOLS},
        **{f"{pool} {name}": state[sums[pool]][name] for pool in POOLS for name in SUMS_OF_A_POOL},
    }
