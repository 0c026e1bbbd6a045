"""Which channels one acceptor may take, and whether it may take any (headers 231 and 228).

What was asked for is kept here through every restart and re-identification of the acceptor; what
the acceptor confirmed is forgotten with it.
"""

from __future__ import annotations

from jackpot.cctalk.headers import COIN_CHANNELS, Header
from jackpot.cctalk.setup import NS_PER_S

REASSERT_NS = 5 * NS_PER_S
"""Mask and master inhibit are sent again in turn at this interval: an acceptor that restarts before
its first event shows 0 as before, and nobody would know (part 2, 3.27.1). Costs 1.7 % of a line."""

REASSERT_SOONEST_NS = NS_PER_S
"""An "inhibited coin" while the box is open makes both be sent again, but no more often than this:
every foreign coin gives that code too."""

CHANNELS_PER_MASK_BYTE = 8


class Inhibits:
    """What is wanted and what is confirmed."""

    def __init__(self) -> None:
        self.wanted = False
        self.blocked = False
        self._mask_bytes = 2
        self._mask_confirmed = False
        self._accepting_confirmed: bool | None = None
        self._asserted_ns = 0
        self._suspected = False
        self._reassert_mask_next = True

    @property
    def accepting(self) -> bool:
        """What the master inhibit shall say: wanted, and no jam or self-check fault."""
        return self.wanted and not self.blocked

    @property
    def settled(self) -> bool:
        """Whether the acceptor has confirmed all that is wanted of it."""
        return self._mask_confirmed and not self.master_due

    @property
    def master_due(self) -> bool:
        """Whether header 228 is to be sent."""
        return self._accepting_confirmed is not self.accepting

    @property
    def reassert_ns(self) -> int:
        """When something is to be sent again."""
        return self._asserted_ns + (REASSERT_SOONEST_NS if self._suspected else REASSERT_NS)

    def forget(self) -> None:
        """The acceptor is new or restarted: nothing is confirmed."""
        self._mask_confirmed = False
        self._accepting_confirmed = None

    def use_two_bytes(self) -> None:
        """A newly identified acceptor is asked with a mask for 16 channels first."""
        self._mask_bytes = 2

    def shorten_mask(self, position: int) -> bool:
        """Fall back to one mask byte; False if that cannot be or cannot reach the chip."""
        if self._mask_bytes == 1 or position > CHANNELS_PER_MASK_BYTE:
            return False
        self._mask_bytes = 1
        return True

    def confirm_again(self) -> None:
        """The master inhibit is to be sent even if it is believed to be right."""
        self._accepting_confirmed = None

    def suspect(self) -> None:
        """An inhibited chip at an open box: the acceptor may have restarted unseen."""
        self._suspected = self._suspected or self.accepting

    def refresh(self, now_ns: int) -> None:
        """Time passed: perhaps something is to be sent again."""
        if now_ns < self.reassert_ns:
            return
        self._asserted_ns = now_ns
        if self._suspected:
            self._suspected = False
            self.forget()
            return
        if self._reassert_mask_next:
            self._mask_confirmed = False
        else:
            self._accepting_confirmed = None
        self._reassert_mask_next = not self._reassert_mask_next

    def next_command(self, position: int) -> tuple[Header, bytes] | None:
        """What to send now; closing goes first, opening only under a confirmed mask."""
        if self.master_due and not self.accepting:
            return Header.MODIFY_MASTER_INHIBIT, b"\x00"
        if not self._mask_confirmed:
            mask = 1 << (position - 1)
            return Header.MODIFY_INHIBIT_STATUS, mask.to_bytes(COIN_CHANNELS // 8, "little")[
                : self._mask_bytes
            ]
        if self.master_due:
            return Header.MODIFY_MASTER_INHIBIT, b"\x01"
        return None

    def confirmed(self, header: Header, data: bytes, now_ns: int) -> None:
        """The acceptor acknowledged ``data`` under ``header``."""
        if header is Header.MODIFY_INHIBIT_STATUS:
            self._mask_confirmed = True
            self._asserted_ns = now_ns
        else:
            self._accepting_confirmed = data == b"\x01"
