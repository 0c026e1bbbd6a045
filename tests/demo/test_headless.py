"""Headless: every arranged hand through the serial line, and the same sums done here by hand.

The table of the demonstration: bet 2.00, 25 % of it to the jackpot, seed 10,000.00, Canarias.
"""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from played_ledger import ledger_of, meter_microcents, of_kind, payments, play, rows

from jackpot.daemon.demo.deal import deal
from jackpot.daemon.demo.rigs import NOTHING, RIGS, Trouble
from jackpot.errors import Refused

HANDS = 80
SEED_CENTS = 1_000_000
BET_ADDS_CENTS = 50

RIGGED = {
    2: "royal",
    3: "royals",
    4: "royals-three",
    5: "royal+quads",
    21: "sf",
    22: "sf-tie",
    23: "sf-high-and-tie",
    24: "sf+quads",
    25: "quads",
    26: "quads-two",
    27: "wheel",
    40: "void",
    41: "late",
    42: "second",
    43: "wrong",
    44: "silent",
    45: "reset",
    46: "lost",
    79: "void",
}
RIGS_TEXT = ",".join(f"{name}@{number}" for number, name in RIGGED.items())


def first_ten_then_five_percent(base: int) -> list[int]:
    """CAN-8.5: 10 % of the base, then 5 % of what remains."""
    first = base // 10
    return [first, (base - first) // 20]


PAID_CENTS: dict[str, Callable[[int], list[int]]] = {
    "royal": lambda base: [base],
    "royals": lambda base: [base // 2] * 2,
    "royals-three": lambda base: [base // 3] * 3,
    "royal+quads": lambda base: [base],
    "sf": lambda base: [base // 10],
    "sf-tie": lambda base: [base // 10] * 2,
    "sf-high-and-tie": lambda base: [base // 10] * 3,
    "sf+quads": first_ten_then_five_percent,
    "quads": lambda base: [base // 20],
    "quads-two": lambda base: [base // 20, (base - base // 20) // 20],
}
"""Rules CAN-8.3 to CAN-8.6, in whole cents of a base in whole cents; no other rig pays anything."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    folder = tmp_path_factory.mktemp("demonstration") / "table"
    return folder, play(folder, HANDS, RIGS_TEXT)


def bets_by_hand(folder: Path) -> Counter[int]:
    return Counter(hand for hand, *_ in of_kind(folder, "bet_accepted"))


def test_every_award_and_the_meter_are_as_worked_out_by_hand(
    played: tuple[Path, list[str]],
) -> None:
    folder, _ = played
    bets, meter_cents = bets_by_hand(folder), SEED_CENTS
    expected: list[tuple[int, int]] = []
    for hand in range(1, HANDS + 1):
        rig = RIGGED.get(hand, "")
        if rig == "void":
            continue  # CAN-10.1: its bets are taken back
        meter_cents += bets[hand] * BET_ADDS_CENTS
        paid = PAID_CENTS[rig](meter_cents) if rig in PAID_CENTS else []
        expected += [(hand, cents) for cents in paid]
        meter_cents -= sum(paid)
        if rig.startswith("royal"):
            meter_cents += SEED_CENTS
    assert [(hand, cents) for hand, _, cents in payments(folder) if cents] == expected
    assert meter_microcents(folder) == meter_cents * 1_000_000


def test_every_chip_in_a_slot_is_one_bet_and_none_is_counted_twice(
    played: tuple[Path, list[str]],
) -> None:
    folder, _ = played
    expected = {}
    for hand in range(1, HANDS + 1):
        rig = RIGS[RIGGED[hand]] if hand in RIGGED else NOTHING
        late = 1 if rig.name == "late" else 0
        expected[hand] = len(deal(1, hand, range(1, 8), rig).bets) - late
    assert bets_by_hand(folder) == Counter(expected)


def test_every_hand_is_played_once_in_one_gaming_day(played: tuple[Path, list[str]]) -> None:
    folder, _ = played
    assert [hand for hand, *_ in of_kind(folder, "hand_started")] == [*range(1, HANDS + 1)]
    assert len(of_kind(folder, "day_opened")) == len(of_kind(folder, "day_closed")) == 1
    assert len(of_kind(folder, "last_hands_announced")) == 1  # CAN-7.3b


def test_each_trouble_leaves_its_trace_and_is_settled(played: tuple[Path, list[str]]) -> None:
    folder, _ = played
    assert {hand for hand, *_ in of_kind(folder, "bet_returned")} == {40, 79}
    assert [box for _, box, *_ in of_kind(folder, "chip_matched")] == [first_bet(44)]
    assert {hand for hand, *_ in of_kind(folder, "slot_events_lost")} == {46}
    assert 45 in {hand for hand, *_ in of_kind(folder, "slot_restarted")}
    why = Counter(
        why for (why,) in rows(folder, "SELECT info ->> 'why' FROM event WHERE kind='chip_refused'")
    )
    # one chip too many in hand 42, five told of nine in hand 46, one of them a bet; and the strays
    strays = sum(stray_second(hand) for hand in range(1, HANDS + 1))
    assert why == Counter(late=1, second=1 + 4 + strays)
    opened, settled = of_kind(folder, "item_opened"), of_kind(folder, "item_settled")
    assert len(opened) == len(settled) > 0


def first_bet(hand: int) -> int:
    return deal(1, hand, range(1, 8), RIGS[RIGGED[hand]]).bets[0]


def stray_second(hand: int) -> bool:
    return hand not in RIGGED and deal(1, hand, range(1, 8)).trouble is Trouble.SECOND_CHIP


def test_it_says_what_it_came_to(played: tuple[Path, list[str]]) -> None:
    folder, said = played
    summary = {line.split()[0]: line for line in said if not line.startswith(("hand ", "awards"))}
    assert summary["hands"] == "hands   80 (2 voided)"
    cents = meter_microcents(folder) // 1_000_000
    assert summary["jackpot"] == f"jackpot {cents // 100}.{cents % 100:02}"
    assert "awards  7 x royal flush" in " ".join(said)


def test_the_independent_checker_finds_nothing(played: tuple[Path, list[str]]) -> None:
    from jackpot.audit.checker.verify import verify

    folder, _ = played
    report = verify(ledger_of(folder))
    assert report.findings == (), report.as_text()


def test_a_second_run_goes_on_with_the_jackpot_on_the_next_day(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    play(folder, 3)
    first_microcents = meter_microcents(folder)
    play(folder, 2)
    hands = [hand for hand, *_ in of_kind(folder, "hand_started")]
    assert hands == [1, 2, 3, 4, 5]
    bets = bets_by_hand(folder)
    added_microcents = (bets[4] + bets[5]) * BET_ADDS_CENTS * 1_000_000
    assert meter_microcents(folder) == first_microcents + added_microcents
    opened = [cents for _, _, cents, _ in of_kind(folder, "day_opened")]
    assert opened == [SEED_CENTS, first_microcents // 1_000_000]
    with pytest.raises(Refused, match="hand 6 and later"):
        play(folder, 2, "royal@5")


def test_the_same_seed_gives_the_same_awards_and_amounts(tmp_path: Path) -> None:
    rigs = "royals@3,second@5,late@6,sf-tie@8,reset@9,quads-two@12"
    for name in ("one", "two"):
        play(tmp_path / name, 14, rigs, seed=9)
    one, two = (
        (payments(folder), meter_microcents(folder), sorted(bets_by_hand(folder).items()))
        for folder in (tmp_path / "one", tmp_path / "two")
    )
    assert one == two
    assert len(one[0]) == 6
    play(tmp_path / "three", 14, rigs, seed=10)
    assert meter_microcents(tmp_path / "three") != one[1]


def test_a_folder_that_is_no_demonstration_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("private", encoding="utf-8")
    with pytest.raises(Refused) as caught:
        play(tmp_path, 1)
    assert caught.value.reason == "not_a_demonstration"
    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]
