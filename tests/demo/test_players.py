"""What players and slots do in one hand."""

import pytest

from jackpot.daemon.demo.deal import Deal
from jackpot.daemon.demo.players import HURRY_MS, SLOWEST_MS, Moment, moves
from jackpot.daemon.demo.rigs import Trouble


def dealt(trouble: Trouble) -> Deal:
    return Deal(4, {3: "As Ks Qs Js Ts", 6: "2c 3d 5h 9s Jc"}, trouble)


def commands(trouble: Trouble, box: int) -> list[tuple[Moment, tuple[str, ...]]]:
    return [(move.moment, move.commands) for move in moves(1, dealt(trouble)) if move.box == box]


def test_every_player_waits_for_the_slot_and_takes_time() -> None:
    made = moves(1, dealt(Trouble.NONE))
    assert {move.box: move.commands for move in made} == {
        3: ("await 3", "chip 3"),
        6: ("await 6", "chip 6"),
    }
    assert all(HURRY_MS <= move.after_ms < SLOWEST_MS for move in made)
    assert made == moves(1, dealt(Trouble.NONE))


@pytest.mark.parametrize(
    ("trouble", "expected"),
    [
        (Trouble.SECOND_CHIP, [(Moment.BETTING, ("await 3", "events 3 2"))]),
        (Trouble.WRONG_CHIP, [(Moment.BETTING, ("await 3", "chip 3 2", "chip 3"))]),
        (Trouble.LOST_EVENTS, [(Moment.BETTING, ("await 3", "events 3 9"))]),
        (
            Trouble.RESTARTED_SLOT,
            [(Moment.BETTING, ("await 3", "chip 3")), (Moment.BETS_IN, ("reset 3",))],
        ),
        (
            Trouble.SILENT_SLOT,
            [
                (Moment.BETS_IN, ("await 3", "silent 3", "chip 3")),
                (Moment.LOCKED, ("speak 3",)),
            ],
        ),
        (
            Trouble.LATE_CHIP,
            [
                (Moment.BETS_IN, ("await 3", "silent 3", "chip 3")),
                (Moment.LOCKED, ("speak 3",)),
            ],
        ),
    ],
)
def test_a_trouble_befalls_the_first_betting_box_only(
    trouble: Trouble, expected: list[tuple[Moment, tuple[str, ...]]]
) -> None:
    assert commands(trouble, 3) == expected
    assert commands(trouble, 6) == [(Moment.BETTING, ("await 6", "chip 6"))]
