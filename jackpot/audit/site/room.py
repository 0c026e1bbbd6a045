"""One ledger in the audit room: its source, its index, and what goes on in the background."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from jackpot.audit.casino_time import DEFAULT_ZONE, zone_of
from jackpot.audit.hand_shown import HandShown, folded, hand_shown
from jackpot.audit.replay import Decoder
from jackpot.audit.site.background import Background
from jackpot.audit.site.index_reader import HandRow, IndexReader
from jackpot.audit.source import Source
from jackpot.ledger.errors import LedgerUnreadable
from jackpot.table.facts import ConfigurationLoaded

_FIRST_CONFIGURATION = """
SELECT kind, box, cents, microcents, info FROM event
WHERE kind = 'configuration_loaded' AND seq <= ? ORDER BY seq LIMIT 1
"""


class Room:
    """Everything that the pages of one ledger ask for."""

    def __init__(self, source: Source, background: Background) -> None:
        self.source = source
        self.background = background
        self.index = IndexReader(background.index)
        self.table, self.layout, self.zone = "?", "", ZoneInfo(DEFAULT_ZONE)
        self._read_configuration()

    def _read_configuration(self) -> None:
        """Table, layout and time zone from the first configuration of the ledger.

        Where the file is damaged they stay unknown: the room opens, and its answers say so.
        """
        try:
            rows = self.source.rows(_FIRST_CONFIGURATION, (self.source.seq,))
            first = Decoder().events([(0, 0, *row) for row in rows])
        except LedgerUnreadable:
            return
        for loaded in first:
            if isinstance(loaded, ConfigurationLoaded):
                self.table, self.layout = loaded.terms.table, loaded.terms.layout
                self.zone = zone_of(loaded.config_text)

    def meters(self) -> dict[str, int]:
        """The derived amount of each pool in micro-cents; none where the file is damaged."""
        try:
            return self.source.meters()
        except LedgerUnreadable:
            return {}

    def hand(self, row: HandRow) -> HandShown:
        """A hand as it was, folded from the nearest kept state."""
        batch, state = self.index.state_before(row.batch)
        decoder = Decoder()
        for _, rows in self.source.pieces(batch, row.batch - 1):
            state = folded(state, decoder.events(rows))
        return hand_shown(state, list(self.source.batches(row.batch, row.last_batch)))

    def close(self) -> None:
        """Give both files back."""
        self.index.close()
        self.source.close()
