"""Whether somebody has set this coordinator up: asked at each start, so that it needs nothing of how."""

from __future__ import annotations

from jackpot.config.coordinator import CoordinatorConfig
from jackpot.errors import Refused


def check_founded(config: CoordinatorConfig) -> None:
    """Raises ``Refused`` where nobody has set a coordinator up yet. Of one that has lost a single file,
    whoever reads that file tells."""
    if not any(file.exists() for file in (config.log_file, config.officers_file)):
        raise Refused(
            reason="not_founded",
            expected=f"a coordinator in {config.folder}",
            found="neither log nor officers",
            to_do="set it up with `jackpot carrusel new`, or restore its folder from a copy",
        )
