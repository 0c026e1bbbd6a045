"""One floor from one seed: played, judged, and told about. The same seed plays the same floor again."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from jackpot.errors import JackpotError
from jackpot.floor.box import Batch, Box
from jackpot.floor.croupier import Croupier, Habits
from jackpot.floor.disk import LogStore
from jackpot.floor.faults import Fault, Faults
from jackpot.floor.host import Host
from jackpot.floor.judge import Judge, Violation
from jackpot.floor.network import Network, Weather
from jackpot.floor.world import World
from jackpot.law.policies import CarruselOrder, LinkLost, Policies, SeedSource, VoidBets
from jackpot.law.profile import Figures, load_profile, make_terms
from jackpot.law.terms import BetMode, Terms
from jackpot.link import messages as m
from jackpot.money import euros_text
from jackpot.table.carrusel_state import MemberStage
from jackpot.table.state import TableState

HAND_MS_AT_MOST = 60_000
"""A floor that needs more than this for a hand stands still."""

QUIET_MS = 120_000
"""When faults stop, everything must be everywhere within this time; seconds are enough."""


class Floor(msgspec.Struct, frozen=True):
    """What is simulated. ``hands`` are those of all tables together."""

    seed: int
    tables: int = 8
    coordinators: int = 2
    hands: int = 800
    faults: tuple[Fault, ...] = tuple(Fault)


class Played(msgspec.Struct, frozen=True):
    """What happened."""

    seed: int
    messages: int
    hands: int
    entries: int
    decisions: int
    undone: int
    paid_cents: int
    faults: int
    checks: int
    virtual_s: int

    def lines(self) -> tuple[str, ...]:
        """For people."""
        return (
            f"seed       {self.seed}",
            f"played     {self.hands} hands in {self.virtual_s} virtual seconds",
            f"messages   {self.messages} delivered",
            f"log        {self.entries} entries",
            f"awards     {self.decisions}, and {self.undone} taken back",
            f"paid       {euros_text(self.paid_cents)}",
            f"faults     {self.faults} struck, besides those of every message and commit",
            f"judged     {self.checks} times, nothing found",
        )


class FloorBroken(JackpotError):
    """The floor of a seed did what no floor may do."""

    def __init__(self, floor: Floor, now_ms: int, error: Exception) -> None:
        super().__init__(f"seed {floor.seed}, at {now_ms} ms: {type(error).__name__}: {error}")


class Stage:
    """Everything on one floor, put together; a test may plant a fault before it is played."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.world = World(floor.seed)
        self.network = Network(self.world, Weather())
        self.terms = _terms(self.world, floor.tables)
        self.judge = Judge({table: one.seed_cents for table, one in self.terms.items()})
        self.store = LogStore(self._appended)
        names = [f"k{number}" for number in range(1, floor.coordinators + 1)]
        self.hosts = [Host(name, names, self.world, self.network, self.store) for name in names]
        self.boxes = [Box(table, self.world, self.network, names) for table in self.terms]
        self.croupiers = [
            Croupier(box, self.terms[box.name], self.world, Habits()) for box in self.boxes
        ]
        for croupier in self.croupiers:
            croupier.hands_to_play = floor.hands // floor.tables
        self.everybody: list[Box | Host] = [*self.hosts, *self.boxes]
        for one in self.everybody:
            self.network.endpoints[one.name] = one
        for box in self.boxes:
            box.committed, box.talked = self._committed, self._talked
        self._shown: dict[str, tuple[int, int]] = {}
        self.faults = Faults(
            self.world, self.network, self.boxes, self.hosts, self.croupiers, self.judge
        )

    def _appended(self, sealed: m.Entry) -> None:
        self.judge.log.appended(sealed.position, sealed.previous, sealed.hash, sealed.body)

    def _committed(self, name: str, batch: Batch, state: TableState) -> None:
        self.judge.committed(name, batch.hash, batch.events, state.pools.jackpot_microcents)

    def _talked(self, box: Box) -> None:
        shown = box.node.shown
        if self._shown.get(box.name) == (shown.position, shown.decision):
            return
        self._shown[box.name] = shown.position, shown.decision
        if shown.total_microcents is not None:
            self.judge.shown(box.name, shown.total_microcents, shown.decision)

    def play(self) -> Played:
        """The whole evening. Raises ``FloorBroken`` with the seed when anything is wrong."""
        try:
            self._play()
        except (JackpotError, KeyError, ValueError, TypeError, IndexError) as error:
            raise FloorBroken(self.floor, self.world.now_ms, error) from error
        log = self.judge.log
        awards = [e for n, e in log.decided.items() if "payments" in e and n not in log.undone]
        return Played(
            seed=self.floor.seed,
            messages=self.network.delivered,
            hands=sum(box.state.hand_number for box in self.boxes),
            entries=log.position,
            decisions=len(awards),
            undone=len(log.undone),
            paid_cents=sum(int(entry["paid_cents"]) for entry in awards),
            faults=self.faults.count,
            checks=self.judge.checks,
            virtual_s=self.world.now_ms // 1_000,
        )

    def _play(self) -> None:
        for one in self.everybody:
            one.start()
        for croupier in self.croupiers:
            croupier.sit_down()
        self.faults.begin(self.floor.faults)
        hands = self.floor.hands // self.floor.tables
        self._run(lambda: all(c.is_done for c in self.croupiers), 60_000 + hands * HAND_MS_AT_MOST)
        self.faults.end()
        self._run(self._is_quiet, QUIET_MS)
        self.judge.at_the_end(
            {box.name: box.state.pools.jackpot_microcents for box in self.boxes},
            {box.name: box.node.shown.total_microcents for box in self.boxes},
        )

    def _run(self, until: Callable[[], bool], at_most_ms: int) -> None:
        if not self.world.run(until, at_most_ms=at_most_ms):
            raise Violation(f"the floor stands still: {self._where()}")

    def _where(self) -> str:
        """Where everybody stands, for whoever has to find out why."""
        tables = [
            f"{box.name} {box.state.phase.value}"
            f" {'alone' if box.state.carrusel is None else box.state.carrusel.stage.value}"
            f" hand {box.state.hand_number}"
            for box in self.boxes
        ]
        return "; ".join(tables)

    def _is_quiet(self) -> bool:
        """Everybody is up, a member, and shows the last total with everything in it."""
        log = self.judge.log
        if not all(one.is_up and one.is_connected for one in self.everybody):
            return False
        for box in self.boxes:
            member = box.state.carrusel
            if member is None or member.stage is not MemberStage.MEMBER:
                return False
            if log.operations.get(box.name, (0, -1))[1] != member.operation:
                return False
            shown = box.node.shown
            if shown.position != log.position or member.decision != log.decision:
                return False
        return True


def simulate(floor: Floor) -> Played:
    """Play one floor. Raises ``FloorBroken``."""
    return Stage(floor).play()


def _terms(world: World, tables: int) -> dict[str, Terms]:
    """The same where the prize is concerned, each its own where it is not; drawn from the seed."""
    dice = world.dice
    policies = Policies(
        carrusel_order=dice.choice(list(CarruselOrder)),
        link_lost=dice.choice(list(LinkLost)),
    )
    profile = load_profile("canarias")
    names = [f"t{number}" for number in range(1, tables + 1)]
    return {name: make_terms(profile, _figures(name, policies, world.dice)) for name in names}


def _figures(name: str, shared: Policies, dice: random.Random) -> Figures:
    """One table: by its slots or by hand, its seed from the house or from a reserve of its own."""
    seeds = dice.choice(list(SeedSource))
    own = replace(shared, void_bets=dice.choice(list(VoidBets)), seed_source=seeds)
    return Figures(
        table=name,
        layout=f"{name}a",
        mode=dice.choice([*3 * [BetMode.AUTOMATIC], BetMode.MANUAL]),
        bet_cents=200,
        table_minimum_cents=1_000,
        jackpot_ppm=250_001,
        reserve_ppm=50_003 if seeds is SeedSource.RESERVE else 0,
        seed_cents=dice.randrange(10_000, 30_000),
        ceiling_cents=dice.choice([None, None, 40_000]),
        policies=own,
        second_signature_over_cents=dice.choice([5_000, 300_000]),
    )


def all_faults(names: Sequence[str]) -> tuple[Fault, ...]:
    """``all``, ``none``, or the named ones."""
    if list(names) == ["all"]:
        return tuple(Fault)
    return () if list(names) == ["none"] else tuple(Fault(name) for name in names)
