"""A whole bad evening from one seed: everything at once, and the few things that must hold."""

from __future__ import annotations

import random

import pytest
from wire_bench import CHIP, MS, Bench, S, seven, summed

from jackpot.cctalk import Credit, Drained, Identified, Polled, Restarted, Up
from jackpot.cctalk.bounds import DRAIN_NS

SEEDS = range(12)


class Evening:
    """Acts on a bench at random; ``accepted`` is what really fell in, by box."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.bench = Bench(
            seven(),
            transport=self.chance.choice(("direct", "bytewise", "lossy", "late")),
            echo=self.chance.random() < 0.7,
            seed=seed,
            commit=True,
        )
        self.accepted = [0] * 7
        self.drains = 0
        self.unplugged = False

    def act(self) -> None:
        bench, box = self.bench, self.chance.randrange(7)
        fake = bench.fakes[box]
        match self.chance.randrange(14):
            case 0 | 1 | 2 | 3 | 4:
                self.accepted[box] += fake.chip()
            case 5:
                fake.happens(0, self.chance.choice((1, 2, 14, 20, 36, 254)))
            case 6:
                fake.dead = not fake.dead
            case 7:
                fake.reset()
            case 8:
                fake.self_check = self.chance.choice((0, 0, 3))
            case 9 | 10:
                bench.host.accept(box + 1, self.chance.random() < 0.8, bench.now_ns)
            case 11:
                bench.host.drain(bench.now_ns)
                self.drains += 1
                bench.run(DRAIN_NS + MS)
            case 12:
                bench.inject(summed(1, 11, fake.address, 0, 99, CHIP, 1, 0, 0, 0, 0, 0, 0, 0, 9))
            case 13:
                self.unplugged = not self.unplugged
                change = bench.host.line_lost if self.unplugged else bench.host.line_restored
                change(bench.now_ns)

    def end(self) -> None:
        """Everything is put right, and time passes."""
        self.bench.transport = "direct"
        for fake in self.bench.fakes:
            fake.dead, fake.self_check = False, 0
        self.bench.host.line_restored(self.bench.now_ns)
        self.bench.run(30 * S)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_bad_evening(seed: int) -> None:
    evening = Evening(seed)
    bench = evening.bench
    for _ in range(150):
        evening.act()
        bench.run(evening.chance.randrange(1, 400) * MS)
    evening.end()

    keys = [
        (e.box, e.epoch, e.count)
        for p in bench.of(Polled)
        if isinstance(p, Polled)
        for e in p.events
        if isinstance(e, Credit)
    ]
    assert len(keys) == len(set(keys)), "no chip twice"
    for box in range(1, 8):
        credited = sum(key[0] == box for key in keys)
        told = [e for e in bench.events if isinstance(e, Identified | Restarted) and e.box == box]
        assert credited <= evening.accepted[box - 1], "no chip from nowhere"
        assert credited == evening.accepted[box - 1] or len(told) > 1, "none lost without a word"
    epochs: dict[int, list[int]] = {}
    for event in bench.events:
        if isinstance(event, Identified | Restarted):
            epochs.setdefault(event.box, []).append(event.epoch)
    assert all(seen == sorted(seen) for seen in epochs.values()), "epochs only go up"
    assert len(bench.of(Drained)) == evening.drains, "every lock is answered"
    assert {e.box for e in bench.of(Up) if isinstance(e, Up)} == set(range(1, 8))
    assert all(s.state.name in ("READY", "CHECKING") for s in bench.host.statistics().values())
