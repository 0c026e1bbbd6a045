"""What the log tells of a fault: its place, and no secret that was in hand at that moment."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import structlog

from jackpot.daemon.logs import LogFormat, set_up_logs


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    structlog.reset_defaults()


def _fails(pin: str) -> None:
    raise RuntimeError("the fault" if pin else "")


@pytest.mark.parametrize("style", LogFormat)
def test_a_fault_is_logged_with_its_place_and_without_pins(
    style: LogFormat, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up_logs(style)
    try:
        _fails("48" + "2915")
    except RuntimeError:
        structlog.get_logger().exception("it failed")
    logged = capsys.readouterr().err
    assert "_fails" in logged
    assert "the fault" in logged
    assert "482915" not in logged
