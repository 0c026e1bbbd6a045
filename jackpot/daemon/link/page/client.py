"""`jackpot carrusel status` asks the coordinator that runs on this machine."""

from __future__ import annotations

import msgspec

from jackpot.config import ScreensConfig
from jackpot.daemon.link.page.picture import CarruselPicture
from jackpot.daemon.technician.client import LOOK_TIMEOUT_S, ask


def look(screens: ScreensConfig) -> CarruselPicture:
    """The coordinator as it stands. Raises ``NotRunning``, ``Refused``."""
    body = ask(screens, "GET", "/state", None, LOOK_TIMEOUT_S)
    return msgspec.json.decode(body, type=CarruselPicture)
