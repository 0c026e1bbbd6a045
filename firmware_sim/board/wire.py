"""The line between host and board, and everything bad that can happen on it."""

from __future__ import annotations

import random

NS_PER_MS = 1_000_000


class Wire:
    """``spoil`` is what comes out at the other end of what went in.

    ``noise`` and ``drop`` are probabilities, for each byte, of a wrong bit and of its loss;
    ``silent`` cuts the way to the board, ``mute`` the way back; ``twice`` is the probability that
    a whole burst arrives a second time.
    """

    def __init__(self, seed: int) -> None:
        self.noise = self.drop = self.twice = 0.0
        self.silent = self.mute = False
        self._chance = random.Random(seed)  # noqa: S311 - repeatable, not secret

    def to_board(self, data: bytes) -> bytes:
        """What the board hears."""
        return b"" if self.silent else self._spoil(data)

    def to_host(self, data: bytes) -> bytes:
        """What the host hears."""
        return b"" if self.mute else self._spoil(data)

    def _spoil(self, data: bytes) -> bytes:
        chance = self._chance.random
        out = bytearray()
        for byte in data:
            if self.drop and chance() < self.drop:
                continue
            wrong = self.noise and chance() < self.noise
            out.append(byte ^ (1 << self._chance.randrange(8)) if wrong else byte)
        copies = 2 if data and self.twice and chance() < self.twice else 1
        return bytes(out) * copies
