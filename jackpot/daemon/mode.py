"""Which kinds of tables this version runs."""

from __future__ import annotations

from jackpot.config import Config
from jackpot.errors import Refused
from jackpot.law.terms import BetMode


def check_mode(config: Config) -> None:
    """This version detects bets by slots only. Raises ``Refused``."""
    if config.terms.mode is not BetMode.AUTOMATIC:
        raise Refused(
            reason="mode_not_available",
            expected="jackpot.mode = automatic",
            found=config.terms.mode.value,
            to_do="run manual tables (CAN-8.b1) with a later version",
            rule="CAN-8.b1",
        )
