"""Who judges: books kept apart from everything that is judged, in plain dictionaries.

The judge sees what stands in the log (as JSON), what each ledger has committed (as events), what each
visor shows, and what is overheard on the wire. It imports nothing of ``jackpot.link``: whatever the
link misunderstands, it would have to misunderstand here once more.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from jackpot.errors import JackpotError
from jackpot.floor.awards_by_hand import expected_payments, largest_remainder
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.event import Event

MICROCENTS_PER_CENT = 1_000_000

_OWED_KEPT = 8
"""A table that is so many decisions behind shows nothing."""


class Violation(JackpotError):
    """Something that must never happen, happened."""


def must(holds: bool, what: str) -> None:
    """Raise ``Violation`` unless ``holds``."""
    if not holds:
        raise Violation(what)


class LogBook:
    """The log as it was appended, entry by entry, and the meters that follow from it."""

    def __init__(self, seeds_cents: Mapping[str, int]) -> None:
        self.hashes: list[str] = []
        self.totals: list[int] = [0]
        """The total at each position, in micro-cents; position 0 is the empty log."""
        self.decisions_at: list[int] = [0]
        self.meters: dict[str, int] = {}
        self.since: dict[str, int] = {}
        self.leaving: dict[str, int] = {}
        self.away: list[tuple[str, int, int]] = []
        """Tables that came back while they were leaving: out of the total in between."""
        self.operations: dict[str, tuple[int, int, str]] = {}
        self.sums: dict[tuple[str, str], int] = defaultdict(int)
        """What operations moved, by table and hash of the join."""
        self.decided: dict[int, dict[str, Any]] = {}
        self.undone: set[int] = set()
        self.owed_since: dict[int, int] = {0: 0}
        """The highest total since each decision, for the last few of them."""
        self.joins: dict[str, str] = {}
        self.told: dict[tuple[str, str], tuple[int, str, int]] = {}
        """Every operation that some ledger has committed: number, stage, micro-cents."""
        self._history: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
        self._seeds_cents = seeds_cents
        self._locked: dict[str, tuple[int, int]] = {}

    @property
    def position(self) -> int:
        """The last position."""
        return len(self.hashes)

    @property
    def decision(self) -> int:
        """The last decision."""
        return self.decisions_at[-1]

    def appended(self, position: int, previous: str, digest: str, body: str) -> None:
        """An entry was taken by the store."""
        if position <= self.position:
            raise Violation(f"the log forks: position {position} was taken before")
        must(position == self.position + 1, f"the log has a hole before position {position}")
        last = self.hashes[-1] if self.hashes else ""
        must(previous == last, f"entry {position} does not continue the log")
        self.hashes.append(digest)
        written = json.loads(body)
        self.decisions_at.append(self.decision)
        step = getattr(self, f"_{written['kind']}", None)
        if step is not None:
            step(written["entry"])
        total = sum(meter for table, meter in self.meters.items() if table not in self.leaving)
        self.totals.append(total)
        for decision in range(max(0, self.decision - _OWED_KEPT), self.decision + 1):
            self.owed_since[decision] = max(self.owed_since.get(decision, 0), total)

    def _move(self, table: str, microcents: int, decision: int = 0) -> None:
        self.meters[table] += microcents
        self._history[table].append((self.position, microcents, decision))

    def _member_joined(self, entry: dict[str, Any]) -> None:
        table, meter = entry["table"], int(entry["meter_microcents"])
        if table in self.meters:
            must(meter == self.meters[table], f"table {table} came back with another meter")
            if table in self.leaving:
                self.away.append((table, self.leaving.pop(table), self.position))
        else:
            self.meters[table], self.since[table] = meter, self.position
            self._history[table].clear()
        self.joins[table] = entry["join_hash"]
        self.operations[table] = (int(entry["incarnation"]), 0, entry["join_hash"])
        self._locked.pop(table, None)

    def _operations_taken(self, entry: dict[str, Any]) -> None:
        table = entry["table"]
        for op in entry["operations"]:
            incarnation, number, last = self.operations[table]
            must(incarnation == entry["incarnation"], f"table {table}: another incarnation")
            must(op["number"] == number + 1, f"table {table}: a gap before {op['number']}")
            must(op["previous"] == last, f"table {table}: operation {op['number']} forks")
            delta = int(op["delta_microcents"])
            told = self.told.get((table, op["hash"]))
            must(told is not None, f"table {table}: {op['number']} is in no ledger")
            must(
                told == (op["number"], op["stage"], delta),
                f"table {table}: operation {op['number']} is another in the ledger",
            )
            self.operations[table] = (incarnation, op["number"], op["hash"])
            self.sums[table, self.joins[table]] += delta
            self._move(table, delta)
            if op["stage"] == "locked":
                self._locked[table] = (op["hand"], op["view_position"])

    def _member_leaving(self, entry: dict[str, Any]) -> None:
        self.leaving[entry["table"]] = self.position

    def _member_left(self, entry: dict[str, Any]) -> None:
        table = entry["table"]
        must(
            int(entry["meter_microcents"]) == self.meters[table], f"table {table} left with another"
        )
        for one in (self.meters, self.since, self.leaving, self.operations):
            del one[table]
        self.away = [one for one in self.away if one[0] != table]

    def _award_decided(self, entry: dict[str, Any]) -> None:
        number, shares = entry["decision"], entry["shares"]
        must(number == self.decision + 1, f"decision {number} follows {self.decision}")
        hand, view = self._locked[entry["table"]]
        must(hand == entry["hand"], f"decision {number} is about another hand")
        must(view == entry["view_position"], f"decision {number} is on another view")
        bases = self.bases(view)
        found = {share["table"]: int(share["base_microcents"]) for share in shares}
        must(found == bases, f"decision {number}: bases {found}, by hand {bases}")
        must(sum(bases.values()) == int(entry["base_microcents"]), f"decision {number}: base")
        hands = [(hand["box"], hand["cards"]) for hand in entry["hands"]]
        paid = {(p["box"], p["cents"]) for p in entry["payments"]}
        expected = expected_payments(hands, int(entry["base_microcents"]))
        must(paid == expected, f"decision {number}: payments {paid}, by hand {expected}")
        self._check_shares(number, entry)
        for share in shares:
            self._move(share["table"], effect(share), number)
        self.decided[number] = entry
        self.decisions_at[-1] = number

    def _check_shares(self, number: int, entry: dict[str, Any]) -> None:
        """Σ deducted = paid, in proportion to the bases, and every member at its own seed."""
        shares = entry["shares"]
        deducted = [int(share["deducted_microcents"]) for share in shares]
        bases = [int(share["base_microcents"]) for share in shares]
        paid = entry["paid_cents"] * MICROCENTS_PER_CENT
        must(sum(deducted) == paid, f"decision {number}: deducted is not paid")
        must(deducted == largest_remainder(paid, bases), f"decision {number}: not in proportion")
        for share in shares:
            table, meter = share["table"], self.meters[share["table"]]
            must(int(share["base_microcents"]) <= max(0, meter), f"decision {number}: no cover")
            seed = self._seeds_cents[table] * MICROCENTS_PER_CENT if entry["restart"] else 0
            must(int(share["seed_microcents"]) == seed, f"decision {number}: seed of {table}")

    def _award_undone(self, entry: dict[str, Any]) -> None:
        number, undoes = entry["decision"], entry["undoes"]
        must(number == self.decision + 1, f"decision {number} follows {self.decision}")
        must(undoes in self.decided and undoes not in self.undone, f"{undoes} is undone twice")
        must(entry["shares"] == self.decided[undoes]["shares"], f"{undoes} is undone otherwise")
        for share in entry["shares"]:
            self._move(share["table"], -effect(share), undoes)
        self.undone.add(undoes)
        self.decided[number] = entry
        self.decisions_at[-1] = number

    def bases(self, view: int) -> dict[str, int]:
        """``b_t`` by hand: back through everything that moved since the view."""
        lows: dict[str, int] = {}
        for table, since in self.since.items():
            if since > view or self.leaving.get(table, view + 1) <= view:
                continue
            if any(one == table and a <= view < b for one, a, b in self.away):
                continue
            actual = without_undone = low = self.meters[table]
            for position, delta, decision in reversed(self._history[table]):
                if position <= view:
                    break
                low = min(low, without_undone)
                actual -= delta
                if decision not in self.undone:
                    without_undone -= delta
            lows[table] = max(0, min(actual, without_undone, low))
        return lows


def effect(share: dict[str, Any]) -> int:
    """What a decision adds to the meter of a share's table, in micro-cents."""
    taken = sum(int(share[f"{name}_microcents"]) for name in ("deducted", "house", "from_seed"))
    return int(share["seed_microcents"]) - taken


class TableBook:
    """One table's ledger: its meter by hand, its decisions in order, its payments."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.meter_microcents = 0
        self.since_join = 0
        self.joined = 0
        self.applied = 0
        self.effects = 0
        self.is_member = False
        self.follows = False
        self.is_asking = False
        self.join_hash = ""
        self.owed: dict[tuple[int, int], int] = {}
        self.pending_hand: int | None = None


class Judge:
    """Hears of everything and says when something is wrong."""

    def __init__(self, seeds_cents: Mapping[str, int]) -> None:
        self.log = LogBook(seeds_cents)
        self.tables = {name: TableBook(name) for name in seeds_cents}
        self.checks = 0

    # ---- the ledgers ---------------------------------------------------------------------------

    def committed(self, name: str, digest: str, events: Sequence[Event], meter: int) -> None:
        """A table's batch is on its disk; ``meter`` is what the table says it holds now."""
        book = self.tables[name]
        view = None
        for event in events:
            book.meter_microcents += _moved(event)
            if isinstance(event, f.CarruselViewed):
                view = event
            elif isinstance(event, o.HandLocked) and view is not None:
                self._locked_on(name, view, event)
            else:
                self._note(book, digest, event)
        must(book.meter_microcents == meter, f"table {name}: meter {meter} by hand is another")
        if book.is_member:
            expected = book.joined + book.since_join + book.effects
            must(meter == expected, f"table {name}: meter {meter}, by the log {expected}")
        self.checks += 1

    def _note(self, book: TableBook, digest: str, event: Event) -> None:
        name = book.name
        if isinstance(event, f.CarruselJoinAsked):
            book.is_asking, book.is_member, book.follows = True, False, False
            book.since_join = 0
            book.join_hash = digest
        elif isinstance(event, f.CarruselJoined):
            if book.is_asking:
                book.is_asking, book.is_member, book.follows = False, True, True
                book.joined, book.effects = event.meter_microcents, 0
                book.applied = event.decision
        elif isinstance(event, f.CarruselStopped | f.CarruselLeft | f.CarruselJoinRefused):
            book.is_asking = book.is_member = False
        elif isinstance(event, o.CarruselOperation):
            book.since_join += event.microcents
            told = (event.operation, event.stage.value, event.microcents)
            self.log.told[name, digest] = told
        elif isinstance(event, f.CarruselDecided | f.CarruselUndone):
            self._decided(book, event)
        elif isinstance(event, o.PaymentDecided):
            self._payment_decided(book, event)
        elif isinstance(event, o.AwardsClaimed):
            book.pending_hand = event.hand
        elif isinstance(event, f.AwardPaid):
            cents = book.owed.pop((event.hand, event.box), None)
            must(cents == event.cents, f"table {name} paid {event.cents} without a decision")

    def _decided(self, book: TableBook, event: f.CarruselDecided | f.CarruselUndone) -> None:
        """Every decision once, in order, as the log has it."""
        if not book.follows or event.decision <= book.applied:
            return
        name, number = book.name, event.decision
        must(number == book.applied + 1, f"table {name} skips to decision {number}")
        must(number in self.log.decided, f"table {name}: no decision {number} in the log")
        entry = self.log.decided[number]
        must(
            event.entry_hash == self.log.hashes[event.position - 1],
            f"table {name}: decision {number} is not the log's",
        )
        book.applied = number
        sign = 1 if isinstance(event, f.CarruselDecided) else -1
        book.effects += sum(sign * effect(s) for s in entry["shares"] if s["table"] == name)
        if sign < 0 and event.table == name:
            book.owed = {key: cents for key, cents in book.owed.items() if key[0] != event.hand}
        elif event.table == name:
            book.pending_hand = event.hand

    def _payment_decided(self, book: TableBook, event: o.PaymentDecided) -> None:
        if not book.follows:
            return
        hand = book.pending_hand
        entry = self.log.decided.get(book.applied, {})
        right = entry.get("table") == book.name and entry.get("hand") == hand
        must(right, f"table {book.name} owes {event.cents} without a decision")
        paid = {(p["box"], p["cents"]) for p in entry["payments"]}
        must((event.box, event.cents) in paid, f"table {book.name} owes what nobody decided")
        if hand is not None:
            book.owed[hand, event.box] = event.cents

    def _locked_on(self, name: str, view: f.CarruselViewed, locked: o.HandLocked) -> None:
        """A hand is locked on what the log said at that position, with every decision in it."""
        log = self.log
        must(view.position <= log.position, f"table {name} saw a position that is not there")
        total = max(0, log.totals[view.position])
        must(view.total_microcents == total, f"table {name} saw {view.total_microcents}")
        must(locked.meter_microcents == total, f"table {name} locked on another amount")
        must(log.decisions_at[view.position] == view.decision, f"table {name} saw another decision")

    # ---- the visors ----------------------------------------------------------------------------

    def shown(self, name: str, total_microcents: int, applied: int) -> None:
        """No visor above what is owed, once its table has applied the decision."""
        most = self.log.owed_since.get(applied)
        recent = self.log.decision - applied < _OWED_KEPT
        if most is not None and recent and self.tables[name].is_member:
            must(
                total_microcents <= max(0, most),
                f"the visor of {name} shows {total_microcents}, owed is {most}",
            )
            self.checks += 1

    # ---- when it is quiet ----------------------------------------------------------------------

    def at_the_end(self, meters: Mapping[str, int], totals: Mapping[str, int | None]) -> None:
        """Every node reaches the same totals when faults stop, and nothing is missing anywhere."""
        log = self.log
        for name, book in self.tables.items():
            if not book.is_member:
                must(name not in log.meters, f"table {name} is a member for the log alone")
                continue
            must(book.applied == log.decision, f"table {name} stays at decision {book.applied}")
            must(
                log.sums[name, book.join_hash] == book.since_join,
                f"table {name}: the log has {log.sums[name, book.join_hash]} of {book.since_join}",
            )
            must(meters[name] == log.meters[name], f"table {name}: the log has another meter")
            must(
                totals[name] == max(0, log.totals[-1]),
                f"the visor of {name} shows {totals[name]}, the log {log.totals[-1]}",
            )
        members = [meters[name] for name, book in self.tables.items() if book.is_member]
        must(sum(members) == log.totals[-1], "the prize is the sum of the members' meters")


def _moved(event: Event) -> int:
    """What an event moves in the jackpot meter of its table, in micro-cents, by its own words."""
    of_pool = isinstance(event, o.Contributed | o.ContributionReversed | o.AmountAdjusted)
    if of_pool and event.pool.value != "jackpot":  # type: ignore[attr-defined]
        return 0
    if isinstance(event, o.Contributed | o.AmountAdjusted | o.ShortfallBorne):
        return event.microcents
    if isinstance(event, o.ContributionReversed | o.PaidFromSeed):
        return -event.microcents
    if isinstance(event, o.JackpotStarted):
        hidden = event.reserve_microcents + event.overflow_microcents
        return event.house_microcents + hidden
    if isinstance(event, o.AwardsDecided):
        return -event.deducted_microcents - event.house_microcents
    if isinstance(event, o.CarruselDeducted):
        return -event.microcents - event.house_microcents
    if isinstance(event, o.CarruselReturned):
        seed = event.seed_house_microcents + event.seed_reserve_microcents
        return event.microcents + event.house_microcents - seed - event.seed_overflow_microcents
    return 0
