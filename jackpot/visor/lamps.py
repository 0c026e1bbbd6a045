"""How the lamp of a box is lit: a pure function of its state and the time.

A lamp of one colour has only its rhythm to speak with, so every state has its own (the screens add
a sign to each): steady, half and half, a short blink that says "nobody knows", dark.
"""

from __future__ import annotations

from collections.abc import Sequence

from jackpot.visor.state import Lamp

FLASH_MS = 500
"""Light for one half of it: a chip is there and waits for the croupier."""

DOUBT_MS = 2_000
DOUBT_LIT_MS = 100
"""A short blink every two seconds: dark would mean that there is no bet, and nobody knows that."""


def lit(lamps: Sequence[Lamp], now_ms: int) -> tuple[bool, ...]:
    """Which lamps are lit at this moment."""
    return tuple(_is_lit(lamp, now_ms) for lamp in lamps)


def next_change_ms(lamps: Sequence[Lamp], now_ms: int) -> int | None:
    """When ``lit`` may be another one; None while no lamp has a rhythm."""
    changes = [_next_change_ms(lamp, now_ms) for lamp in lamps]
    return min((change for change in changes if change is not None), default=None)


def _is_lit(lamp: Lamp, now_ms: int) -> bool:
    if lamp is Lamp.FLASHING:
        return now_ms % FLASH_MS < FLASH_MS // 2
    if lamp is Lamp.UNKNOWN:
        return now_ms % DOUBT_MS < DOUBT_LIT_MS
    return lamp is Lamp.STEADY


def _next_change_ms(lamp: Lamp, now_ms: int) -> int | None:
    if lamp is Lamp.FLASHING:
        half_ms = FLASH_MS // 2
        return (now_ms // half_ms + 1) * half_ms
    if lamp is Lamp.UNKNOWN:
        begun_ms = now_ms // DOUBT_MS * DOUBT_MS
        lit_until_ms = begun_ms + DOUBT_LIT_MS
        return lit_until_ms if now_ms < lit_until_ms else begun_ms + DOUBT_MS
    return None
