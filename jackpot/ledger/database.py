"""``Database`` of sqlite-utils, alone.

sqlite-utils takes numpy and pandas along wherever they are installed, to store their numbers. A table's
process has no use for that, and 16 MiB to lose: only the auditor's checker works on columns.
"""

from __future__ import annotations

import sys

NOT_FOR_A_TABLE = ("numpy", "pandas")

_there = {name: sys.modules[name] for name in NOT_FOR_A_TABLE if name in sys.modules}
sys.modules.update(dict.fromkeys(NOT_FOR_A_TABLE))  # type: ignore[arg-type]  # None: not to be found
try:
    from sqlite_utils import Database
finally:
    for _name in NOT_FOR_A_TABLE:
        del sys.modules[_name]
    sys.modules.update(_there)

__all__ = ["Database"]
