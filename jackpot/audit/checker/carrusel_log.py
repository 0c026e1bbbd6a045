"""The carrusel's log on its own: chain, signatures, numbers, and every micro-cent of every member.

Written from the description of the log alone; it shares nothing with the coordinators (CAN-9).
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from jackpot.audit.checker.carrusel_file import Sealed
from jackpot.audit.checker.findings import UNREADABLE, Findings
from jackpot.audit.checker.notes import Unsigned, key_of

RULE = "CAN-9"
MICROCENTS = 1_000_000
"""In a cent."""


class Told(NamedTuple):
    """An operation as the log holds it."""

    incarnation: int
    number: int
    hash: str
    delta_microcents: int


class Joined(NamedTuple):
    """A join as the log holds it."""

    incarnation: int
    hash: str
    position: int
    decision: int
    ledger: str
    repaired: bool
    """A box came back with another meter than the log's: what it lacked was booked."""


class LogFold:
    """What the log says of everybody. All sums in micro-cents."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.keys: dict[str, str] = {}
        self.meters: dict[str, int] = {}
        self.in_total: set[str] = set()
        self.joins: dict[str, list[Joined]] = {}
        self.told: dict[str, list[Told]] = {}
        self.decisions: dict[int, dict[str, Any]] = {}
        self.heads: dict[str, list[str]] = {}
        self.left: set[str] = set()
        self.came = self.went = 0
        self._history: dict[str, list[tuple[int, int]]] = {}
        self._undone_at = 0
        self._shares: dict[int, dict[str, Any]] = {}

    # ---- entries -------------------------------------------------------------------------------

    def entry(self, position: int, kind: str, entry: dict[str, Any]) -> None:
        """The next entry. Whatever is missing in it raises one of ``UNREADABLE``."""
        step = getattr(self, f"_{kind}", None)
        if step is None:
            self.findings.wrong("carrusel_log", "an entry of an unknown kind", "a known one", kind)
            return
        step(position, entry)

    def _log_opened(self, position: int, entry: dict[str, Any]) -> None:
        if position > 1 and not entry["continues"]:
            self._wrong(
                "a log opens once, or goes on from another", "continues", "a second opening"
            )
        self.keys.update(entry["coordinators"])

    def _log_continued_in(self, _position: int, _entry: dict[str, Any]) -> None:
        self.findings.note(
            "carrusel_log", "goes on in another store", "its last file", "an old one"
        )

    def _coordinator_admitted(self, _position: int, entry: dict[str, Any]) -> None:
        if len(set(entry["officers"])) < 2:
            self._wrong("a coordinator is admitted by two officers", 2, entry["officers"])
        self.keys[entry["name"]] = entry["key"]

    def _member_joined(self, position: int, entry: dict[str, Any]) -> None:
        table, meter_microcents = entry["table"], int(entry["meter_microcents"])
        offered = int(entry["offered_microcents"])
        if len(set(entry["officers"])) < 2:
            self._wrong("a table joins by two officers", 2, entry["officers"])
        if table in self.meters and meter_microcents != self.meters[table]:
            says = "the log's meter stands when a box comes back"
            self._wrong_sum(says, self.meters[table], meter_microcents)
        if table not in self.meters:
            self.came += meter_microcents
            if meter_microcents != offered:
                says = "a table brings the meter that it offers"
                self._wrong_sum(says, offered, meter_microcents)
        last = self.joins.get(table, [])[-1:]
        if last and entry["incarnation"] <= last[0].incarnation:
            self._wrong("incarnations only grow", last[0].incarnation + 1, entry["incarnation"])
        self.joins.setdefault(table, []).append(
            Joined(
                entry["incarnation"],
                entry["join_hash"],
                position,
                max(self.decisions, default=0),
                entry["ledger"],
                meter_microcents != offered,
            )
        )
        self.left.discard(table)
        self.in_total.add(table)
        self._set(position, table, meter_microcents)

    def _operations_taken(self, position: int, entry: dict[str, Any]) -> None:
        table, incarnation = entry["table"], entry["incarnation"]
        told = self.told.setdefault(table, [])
        join = self.joins[table][-1]
        if join.incarnation != incarnation:
            self._wrong("operations of the present incarnation", join.incarnation, incarnation)
        for one in entry["operations"]:
            own = [t for t in told[-1:] if t.incarnation == incarnation]
            number, previous = (own[0].number + 1, own[0].hash) if own else (1, join.hash)
            if (one["number"], one["previous"]) != (number, previous):
                found = f"{one['number']} after {one['previous'][:16]}"
                self._wrong("only the exact successor", f"{number} after {previous[:16]}", found)
            delta = int(one["delta_microcents"])
            told.append(Told(incarnation, one["number"], one["hash"], delta))
            self.came += delta
            self._set(position, table, self.meters[table] + delta)

    def _member_leaving(self, _position: int, entry: dict[str, Any]) -> None:
        self.in_total.discard(entry["table"])

    def _member_left(self, _position: int, entry: dict[str, Any]) -> None:
        table, meter_microcents = entry["table"], int(entry["meter_microcents"])
        if meter_microcents != self.meters[table]:
            says = "a table takes its own meter along"
            self._wrong_sum(says, self.meters[table], meter_microcents)
        self.went += meter_microcents
        del self.meters[table]
        self.in_total.discard(table)
        self.left.add(table)

    def _member_stopped(self, _position: int, entry: dict[str, Any]) -> None:
        self.findings.note("carrusel_log", f"table {entry['table']} was stopped", "-", entry["why"])

    def _order_overridden(self, _position: int, _entry: dict[str, Any]) -> None:
        """A wait that two officers ended moves nothing."""

    def _head_seen(self, _position: int, entry: dict[str, Any]) -> None:
        self.heads.setdefault(entry["table"], []).append(entry["note"])

    def _award_decided(self, position: int, entry: dict[str, Any]) -> None:
        self._number(entry)
        self._sums(entry)
        self._bases(entry)
        self._shares[entry["decision"]] = entry
        for share in entry["shares"]:
            moved = seed_of(entry, share) - taken(share)
            self.came += seed_of(entry, share)
            self.went += taken(share)
            self._set(position, share["table"], self.meters[share["table"]] + moved)

    def _award_undone(self, position: int, entry: dict[str, Any]) -> None:
        self._number(entry)
        undone = self._shares.get(entry["undoes"])
        if undone is None or undone["shares"] != entry["shares"]:
            self._wrong(
                "an undoing has the shares of what it undoes", entry["undoes"], "other shares"
            )
        self._undone_at = position
        for share in entry["shares"]:
            moved = taken(share) - seed_of(entry, share)
            self.came -= seed_of(entry, share)
            self.went -= taken(share)
            self._set(position, share["table"], self.meters[share["table"]] + moved)

    # ---- what holds ----------------------------------------------------------------------------

    def _number(self, entry: dict[str, Any]) -> None:
        expected = max(self.decisions, default=0) + 1
        if entry["decision"] != expected:
            self._wrong("decisions are numbered without a gap", expected, entry["decision"])
        self.decisions[entry["decision"]] = entry

    def _sums(self, entry: dict[str, Any]) -> None:
        shares = entry["shares"]
        deducted_microcents = sum(
            int(s["deducted_microcents"]) + int(s["from_seed_microcents"]) for s in shares
        )
        paid_microcents = entry["paid_cents"] * MICROCENTS
        payments = sum(payment["cents"] for payment in entry["payments"])
        base = sum(int(share["base_microcents"]) for share in shares)
        if deducted_microcents != paid_microcents:
            says = "what all tables give is what is paid"
            self._wrong_sum(says, paid_microcents, deducted_microcents)
        if payments != entry["paid_cents"]:
            expected, found = f"{entry['paid_cents']} cents", f"{payments} cents"
            self._wrong("the payments are what is paid", expected, found)
        if base != int(entry["base_microcents"]):
            says = "the base is the sum of the tables'"
            self._wrong_sum(says, int(entry["base_microcents"]), base)

    def _bases(self, entry: dict[str, Any]) -> None:
        """The lowest of the meter in the view and after every later entry (an undone decision in
        between counts as never decided: then it is only an upper bound)."""
        view = entry["view_position"]
        for share in entry["shares"]:
            seen, lowest = self._since(share["table"], view)
            base, shown = int(share["base_microcents"]), int(share["view_microcents"])
            if shown != seen:
                self._wrong_sum(f"the view of table {share['table']}", seen, shown)
            exact = self._undone_at <= view
            if base > shown or (exact and base != max(0, lowest)):
                self._wrong_sum(f"the base of table {share['table']}", max(0, lowest), base)

    def _since(self, table: str, view: int) -> tuple[int, int]:
        """The meter at ``view``, and the lowest from there on."""
        lowest: int | None = None
        for position, meter_microcents in reversed(self._history[table]):
            lowest = meter_microcents if lowest is None else min(lowest, meter_microcents)
            if position <= view:
                return meter_microcents, lowest
        return 0, 0

    def end(self) -> None:
        """Every micro-cent that came is in a meter or went."""
        held = sum(self.meters.values())
        if held != self.came - self.went:
            self._wrong_sum("conservation over all tables", self.came - self.went, held)

    def _set(self, position: int, table: str, meter_microcents: int) -> None:
        self.meters[table] = meter_microcents
        self._history.setdefault(table, []).append((position, meter_microcents))

    def _wrong(self, says: str, expected: object, found: object) -> None:
        self.findings.wrong("carrusel_log", says, expected, found, RULE)

    def _wrong_sum(self, says: str, expected_microcents: int, found_microcents: int) -> None:
        self._wrong(says, f"{expected_microcents} micro-cents", f"{found_microcents} micro-cents")


def taken(share: dict[str, Any]) -> int:
    """What a share takes from its meter, in micro-cents."""
    parts = ("deducted_microcents", "house_microcents", "from_seed_microcents")
    return sum(int(share[part]) for part in parts)


def seed_of(entry: dict[str, Any], share: dict[str, Any]) -> int:
    """What a share brings to its meter, in micro-cents."""
    return int(share["seed_microcents"]) if entry["restart"] else 0


def check_log(entries: Sequence[Sealed], findings: Findings) -> LogFold:
    """Walk along the whole log."""
    fold = LogFold(findings)
    previous = ""
    for number, sealed in enumerate(entries, 1):
        findings.at(sealed.position)
        if sealed.position != number or sealed.previous != previous:
            expected = f"{number} after {previous[:16]}"
            found = f"{sealed.position} after {sealed.previous[:16]}"
            findings.wrong(
                "carrusel_chain", "the entries do not follow one another", expected, found
            )
        previous = sealed.hash
        try:
            _check_hash(sealed, findings)
            body = msgspec.json.decode(sealed.body)
            if body["kind"] == "log_opened" and not fold.keys:
                fold.keys.update(body["entry"]["coordinators"])
            _check_signature(sealed, fold.keys, findings)
            fold.entry(sealed.position, body["kind"], body["entry"])
        except UNREADABLE as error:
            findings.wrong(
                "carrusel_log", "an entry that cannot be read", "its fields", repr(error)
            )
    findings.at(None)
    fold.end()
    return fold


def _check_hash(sealed: Sealed, findings: Findings) -> None:
    parts = (sealed.previous, sealed.position, sealed.author, sealed.at_ns, sealed.body)
    text = "".join(f"{part}\n" for part in parts)
    digest = hashlib.sha256(text.encode()).hexdigest()
    if digest != sealed.hash:
        findings.wrong("carrusel_chain", "the entry is not what was hashed", sealed.hash, digest)


def _check_signature(sealed: Sealed, keys: dict[str, str], findings: Findings) -> None:
    try:
        key = key_of(keys.get(sealed.author, ""))
        signature = base64.b64decode(sealed.signature, validate=True)
        Ed25519PublicKey.from_public_bytes(key.public).verify(signature, sealed.hash.encode())
    except (Unsigned, ValueError, InvalidSignature):
        findings.wrong("carrusel_signature", "the author signed the entry", sealed.author, "not so")
