"""The independent checker: a program of its own that believes nothing that the controller says.

Written from ``docs/rules.md`` and the formats of ``docs/ledger.md``. It imports nothing of the
controller but the root of its errors, reads with another SQLite library (apsw), and has its own
cards, its own arithmetic and its own picture of a table: a mistake over there cannot hide here.
``docs/verify.md`` says what each validator proves, and what none can.
"""

from jackpot.audit.checker.report import Report, Summary
from jackpot.audit.checker.verify import verify

__all__ = ["Report", "Summary", "verify"]
