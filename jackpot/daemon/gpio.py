"""Lamps and button on a Linux GPIO chip, through libgpiod's own Python package.

Imported only by a table that has ``[lamps]``: most machines have no such chip.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

import gpiod
from gpiod.line import Bias, Direction, Edge, Value

from jackpot.config import LampsConfig
from jackpot.errors import Refused

CONSUMER = "jackpot"
DEBOUNCE = timedelta(milliseconds=20)
"""A button's contacts bounce for a few milliseconds; a finger takes a hundred."""

EVENTS_KEPT = 16
"""Presses that wait in the kernel: all but the first are refused anyway."""


class GpioLines:
    """The requested lines. Raises ``Refused`` when the chip does not hand them out."""

    def __init__(self, config: LampsConfig) -> None:
        self._lines = config.lines
        outputs = gpiod.LineSettings(
            direction=Direction.OUTPUT, active_low=config.active_low, output_value=Value.INACTIVE
        )
        wanted: dict[Iterable[int | str] | int | str, gpiod.LineSettings | None]
        wanted = {config.lines: outputs}
        if config.button is not None:
            wanted[(config.button,)] = gpiod.LineSettings(
                direction=Direction.INPUT,
                active_low=config.button_active_low,
                bias=Bias.PULL_UP if config.button_active_low else Bias.PULL_DOWN,
                edge_detection=Edge.RISING,
                debounce_period=DEBOUNCE,
            )
        try:
            self._request = gpiod.request_lines(
                str(config.chip),
                config=wanted,
                consumer=CONSUMER,
                event_buffer_size=EVENTS_KEPT,
            )
        except (OSError, ValueError) as error:
            raise Refused(
                reason="no_gpio_lines",
                expected=f"lines {', '.join(map(str, config.lines))} of {config.chip}",
                found=str(error),
                to_do="check [lamps]; `gpioinfo` lists the lines and who has them",
            ) from error

    def fileno(self) -> int:
        """Readable when the button was pressed."""
        return self._request.fd

    def light(self, lit: Sequence[bool]) -> None:
        """Switch the lamps of the boxes that there are; ``OSError`` if the chip is gone."""
        values = [Value.ACTIVE if on else Value.INACTIVE for on in lit[: len(self._lines)]]
        self._request.set_values(dict(zip(self._lines, values, strict=True)))

    def presses(self) -> int:
        """How often the button was pressed since the last look; call when readable."""
        return len(self._request.read_edge_events(EVENTS_KEPT))

    def close(self) -> None:
        """Dark, and let go."""
        self.light([False] * len(self._lines))
        self._request.release()
