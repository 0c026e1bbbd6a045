"""``docs/demo.md`` tells of every rig."""

import re
from pathlib import Path

from jackpot.daemon.demo.rigs import RIGS

PAGE = Path(__file__).parents[2] / "docs" / "demo.md"


def test_the_page_explains_every_rig_and_no_other() -> None:
    text = PAGE.read_text("utf-8").split("## Arranged hands")[1].split("## ")[0]
    assert re.findall(r"^\| `([a-z+-]+)` \|", text, re.MULTILINE) == [*RIGS]
