"""When a coordinator tells the total: at once, and at most ten times a second."""

from __future__ import annotations

from jackpot.link.rhythm import BEAT_MS, Rhythm


def told_at(rhythm: Rhythm, changes_ms: set[int], until_ms: int) -> list[int]:
    """The milliseconds at which a changed total is told, with changes at those given."""
    told = []
    for now_ms in range(until_ms):
        if now_ms in changes_ms:
            rhythm.changed(now_ms, 0)
        if rhythm.tells(now_ms):
            told.append(now_ms)
    return told


def test_the_first_change_is_told_at_once_and_the_next_ones_together() -> None:
    """112 ms later: nine of these and one with a beat are ten a second."""
    assert told_at(Rhythm(0), {5, 6, 50, 400}, 1_000) == [5, 117, 400]


def test_with_the_beats_it_is_at_most_ten_a_second_however_often_the_total_changes() -> None:
    rhythm = Rhythm(0)
    said = []
    for now_ms in range(5_000):
        rhythm.changed(now_ms, 0)
        if rhythm.tells(now_ms) | rhythm.beats(now_ms):
            said.append(now_ms)
    for first_ms in range(4_000):
        assert sum(first_ms <= at_ms < first_ms + 1_000 for at_ms in said) <= 10


def test_a_beat_holds_up_no_change() -> None:
    """The total that a beat says again is no news; a bet right after it is."""
    rhythm = Rhythm(0)
    assert rhythm.beats(BEAT_MS)
    rhythm.changed(BEAT_MS + 1, 0)
    assert rhythm.tells(BEAT_MS + 1)


def test_what_somebody_else_tells_is_told_here_only_after_a_while() -> None:
    """Unless there is something of one's own to tell before."""
    rhythm = Rhythm(0)
    rhythm.changed(10, 1_000)
    assert rhythm.deadline_ms == 0  # the first beat
    assert rhythm.beats(0)
    assert (rhythm.deadline_ms, rhythm.tells(999)) == (1_000, False)
    rhythm.changed(999, 0)
    assert rhythm.tells(999)
    assert not rhythm.tells(1_010)
