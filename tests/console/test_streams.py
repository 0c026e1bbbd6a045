"""The streams: a picture at once and at every change, a heartbeat in between, never too many."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import cast

import pytest
from support.fakedesk import FakeDesk

from jackpot.console.desk import Desk
from jackpot.console.streams import MOST_STREAMS, Streams
from jackpot.errors import Refused


class ScriptedDesk:
    """A desk whose waiting is told beforehand: True for a change, False for a time-out."""

    def __init__(self, *waits: bool) -> None:
        self._waits = list(waits)
        self.version = 1
        self.asked: list[tuple[int, float]] = []

    async def changed(self, after_version: int, timeout_s: float) -> bool:
        self.asked.append((after_version, timeout_s))
        return self._waits.pop(0)


async def _read(desk: ScriptedDesk, pictures: list[str | None]) -> list[str]:
    answer = Streams().serve(cast(Desk, desk), lambda: pictures.pop(0))
    return [str(text) async for text in answer.body_iterator]


async def test_a_stream_tells_changes_and_beats_twice_a_second_and_ends_with_the_session() -> None:
    desk = ScriptedDesk(True, False, True, False)
    said = await _read(desk, ["one", "one", "two", None])
    assert said == [
        "event: state\ndata: one\n\n",
        "event: beat\ndata: \n\n",
        "event: state\ndata: two\n\n",
        "event: gone\ndata: \n\n",
    ]
    assert desk.asked == [(-1, 0.5), (1, 0.5), (1, 0.5), (1, 0.5)]


async def test_streams_end_within_a_beat_when_the_controller_stops() -> None:
    streams = Streams()
    stream = aiter(streams.serve(FakeDesk(), lambda: "one").body_iterator)
    assert await anext(stream) == "event: state\ndata: one\n\n"
    streams.stop()
    assert [text async for text in stream] == []
    assert streams.open == 0


async def test_a_stream_that_is_given_up_makes_room_and_one_too_many_is_refused() -> None:
    streams, desk = Streams(), FakeDesk()
    held: list[AsyncIterator[str | bytes | memoryview]] = []
    for _ in range(MOST_STREAMS):
        stream = aiter(streams.serve(desk, lambda: "").body_iterator)
        await anext(stream)
        held.append(stream)
    with pytest.raises(Refused, match="too_many_screens"):
        streams.serve(desk, lambda: "")
    for stream in held:
        await stream.aclose()  # type: ignore[attr-defined]
    assert streams.open == 0
