"""How long a coordinator takes to catch up with a backlog of contributions, and to fold a log again.

Run: ``.venv/bin/python benchmarks/carrusel_catch_up.py [--tables 500] [--contributions 100000]``.

Real signatures over real messages; the log is a list in memory, so that the figure is our own work and
no disk's.
"""

from __future__ import annotations

import argparse
import time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tools import report

from jackpot.law.profile import Figures, load_profile, make_terms
from jackpot.law.terms import Terms
from jackpot.ledger.note import Signer
from jackpot.link import messages as m
from jackpot.link import wire
from jackpot.link.coordinator import LISTEN_MS, Coordinator, CoordinatorSettings
from jackpot.link.signing import Sign, signed, signer
from jackpot.table.outcomes.carrusel import Stage

TARGET_S = 30


def _terms(table: str) -> Terms:
    figures = Figures(
        table=table,
        layout=table,
        bet_cents=200,
        table_minimum_cents=1_000,
        jackpot_ppm=250_000,
        seed_cents=1_000_000,
    )
    return make_terms(load_profile("canarias"), figures)


def _coordinator(sign: Sign, key: str) -> Coordinator:
    return Coordinator(
        CoordinatorSettings(name="k1", carrusel="c", coordinators={"k1": key}, new_log_id="1"),
        sign,
        now_ms=0,
        decision_entry=lambda _: None,
        past_at=lambda _position, _until: None,
    )


def _settle(core: Coordinator, log: list[m.Entry]) -> None:
    while (proposal := core.propose(LISTEN_MS, 1)) is not None:
        log += proposal.entries
        core.appended(proposal.entries, LISTEN_MS)
        core.settled()
    core.take_messages()


def _birth(table: str, key: str, sign: Sign) -> m.Birth | m.Up:
    birth = m.Birth(
        table=table,
        ledger=key,
        incarnation=1,
        asks_to_join=True,
        join_hash=f"{table}-0",
        officers=("j1", "d1"),
        authorisation="A-1",
        terms=_terms(table),
        meter_microcents=10**12,
        operation=0,
        decision=0,
    )
    return signed(birth, sign)


def _ups(table: str, count: int, sign: Sign) -> list[bytes]:
    """A table's backlog as it comes over the wire."""
    operations = [
        m.Operation(
            number=number,
            previous=f"{table}-{number - 1}",
            hash=f"{table}-{number}",
            stage=Stage.MOVED,
            delta_microcents=50_000_000,
        )
        for number in range(1, count + 1)
    ]
    step = m.MAX_OPERATIONS_PER_MESSAGE
    return [
        wire.encode(
            signed(m.Up(table=table, incarnation=1, operations=tuple(operations[at:][:step])), sign)
        )
        for at in range(0, count, step)
    ]


def main() -> None:
    """Print both times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--contributions", type=int, default=100_000)
    options = parser.parse_args()
    private = Ed25519PrivateKey.generate()
    sign, key = signer(private), Signer("k1", private).verifier.vkey
    core, log = _coordinator(sign, key), list[m.Entry]()
    tables = [f"t{number}" for number in range(options.tables)]
    _settle(core, log)
    for table in tables:
        core.received(_birth(table, key, sign), LISTEN_MS)
    _settle(core, log)
    each = options.contributions // options.tables
    backlog = [payload for table in tables for payload in _ups(table, each, sign)]
    began_ns = time.process_time_ns()
    for payload in backlog:
        core.received(wire.decode(payload, m.Up), LISTEN_MS)
        _settle(core, log)
    caught_up_ns = time.process_time_ns() - began_ns
    if core.state.sums.moved != each * options.tables * 50_000_000:
        raise SystemExit("the backlog is not in the log")
    again = _coordinator(sign, key)
    began_ns = time.process_time_ns()
    again.appended(log, 0)
    folded_ns = time.process_time_ns() - began_ns
    count = each * options.tables
    print(
        f"caught up   {count} contributions of {options.tables} tables: {caught_up_ns / 1e9:.2f} s"
    )
    print(f"read again  {len(log)} entries: {folded_ns / 1e9:.2f} s")
    print(f"ratio       {caught_up_ns / 1e9 / TARGET_S:.2f} of {TARGET_S} s")
    report(
        "carrusel_catch_up",
        caught_up_s=round(caught_up_ns / 1e9, 2),
        read_again_s=round(folded_ns / 1e9, 2),
        contributions=count,
    )


if __name__ == "__main__":
    main()
