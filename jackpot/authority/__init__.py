"""WHO MAY: officers, roles, signatures, thresholds. Pure; it holds no secret and checks no PIN."""
