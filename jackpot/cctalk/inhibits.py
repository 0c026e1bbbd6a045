"""Which channels one acceptor may take, whether it may take any, and by which way the chip leaves
(headers 231 and 228; the way is ``jackpot.cctalk.sorter``).

What was asked for is kept here through every restart and re-identification of the acceptor; what
the acceptor confirmed is forgotten with it.
"""

from __future__ import annotations

from jackpot.cctalk.headers import COIN_CHANNELS, Header
from jackpot.cctalk.identity import Misfit
from jackpot.cctalk.setup import NS_PER_S
from jackpot.cctalk.sorter import SORTER_HEADERS, Command, Sorter

REASSERT_NS = 5 * NS_PER_S
"""Mask and master inhibit are sent again in turn at this interval: an acceptor that restarts before
its first event shows 0 as before, and nobody would know (part 2, 3.27.1). Costs 1.7 % of a line."""

REASSERT_SOONEST_NS = NS_PER_S
"""An "inhibited coin" while the box is open makes both be sent again, but no more often than this:
every foreign coin gives that code too."""

CHANNELS_PER_MASK_BYTE = 8

BOXES_APART = 7
"""A table has at most seven boxes (CAN-2.2)."""


INHIBIT_HEADERS = SORTER_HEADERS | {Header.MODIFY_INHIBIT_STATUS, Header.MODIFY_MASTER_INHIBIT}
"""What is sent to set an acceptor up, and again from time to time."""


class Inhibits:
    """What is wanted and what is confirmed."""

    def __init__(self, box: int, now_ns: int, sorter_path: int | None = None) -> None:
        self.blocked = False
        self.sorter = Sorter(sorter_path)
        self._wanted = False
        self._urgent = False
        self._mask_bytes = 2
        self._mask_confirmed = False
        self._accepting_confirmed: bool | None = None
        # Each box in its own part of the interval, so that no round carries them all.
        self._reassert_ns = now_ns + REASSERT_NS + box * REASSERT_NS // BOXES_APART
        self._reassert_mask_next = True
        self._suspected = False
        self._healed_ns = now_ns

    @property
    def accepting(self) -> bool:
        """What the master inhibit shall say: wanted, and no jam or self-check fault."""
        return self._wanted and not self.blocked

    @property
    def settled(self) -> bool:
        """Whether the acceptor has confirmed all that is wanted of it."""
        return self._mask_confirmed and self.sorter.settled and not self.master_due

    @property
    def master_due(self) -> bool:
        """Whether header 228 is to be sent."""
        return self._accepting_confirmed is not self.accepting

    @property
    def closing_due(self) -> bool:
        """Whether a slot that may be open is to be closed."""
        return self.master_due and not self.accepting

    @property
    def urgent(self) -> bool:
        """Whether people wait for it (not a mere confirmation)."""
        return self._urgent and self.master_due

    @property
    def reassert_ns(self) -> int:
        """When something is to be sent again."""
        if self._suspected:
            return min(self._reassert_ns, self._healed_ns + REASSERT_SOONEST_NS)
        return self._reassert_ns

    def want(self, accepting: bool) -> None:
        """Open or close the slot."""
        self._wanted, self._urgent = accepting, True

    def close_for_certain(self) -> None:
        """Close the slot and have it confirmed even if it is believed to be closed."""
        self.want(False)
        self._accepting_confirmed = None

    def forget(self) -> None:
        """The acceptor is new or restarted: nothing is confirmed."""
        self.sorter.forget()
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
        """The master inhibit is to be sent even if it is believed to be right; no hurry."""
        self._accepting_confirmed = None

    def suspect(self) -> None:
        """An inhibited chip at an open box: the acceptor may have restarted unseen."""
        self._suspected = self._suspected or self.accepting

    def refresh(self, now_ns: int) -> None:
        """Time passed: perhaps something is to be sent again."""
        if self._suspected and now_ns >= self._healed_ns + REASSERT_SOONEST_NS:
            self._suspected, self._healed_ns = False, now_ns
            self.forget()
        if now_ns < self._reassert_ns:
            return
        self._reassert_ns += (1 + (now_ns - self._reassert_ns) // REASSERT_NS) * REASSERT_NS
        if self._reassert_mask_next:
            self._mask_confirmed = False
            self.sorter.forget()
        else:
            self._accepting_confirmed = None
        self._reassert_mask_next = not self._reassert_mask_next

    def next_command(self, position: int) -> Command | None:
        """What to send now; closing goes first, opening only under a confirmed mask."""
        if self.closing_due:
            return Header.MODIFY_MASTER_INHIBIT, b"\x00", 0, 0
        if not self._mask_confirmed:
            mask = (1 << (position - 1)).to_bytes(COIN_CHANNELS // 8, "little")
            return Header.MODIFY_INHIBIT_STATUS, mask[: self._mask_bytes], 0, 0
        if not self.sorter.settled:
            return self.sorter.command(position)
        if self.master_due:
            return Header.MODIFY_MASTER_INHIBIT, b"\x01", 0, 0
        return None

    def confirmed(self, header: Header, data: bytes, answer: bytes) -> Misfit | None:
        """The acceptor answered ``data`` under ``header``; a misfit if the chip would go astray."""
        if header in SORTER_HEADERS:
            return self.sorter.answered(header, answer)
        if header is Header.MODIFY_INHIBIT_STATUS:
            self._mask_confirmed = True
        else:
            self._accepting_confirmed = data == b"\x01"
            self._urgent = self.master_due
        return None
