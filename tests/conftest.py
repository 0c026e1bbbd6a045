"""What every test of this house shares."""

from __future__ import annotations

import os

from hypothesis import settings

# No deadline: a shared machine may pause for longer than any example takes. In continuous
# integration the examples are the same every time, so that red means that something changed.
settings.register_profile("house", deadline=None, print_blob=True)
settings.register_profile("ci", deadline=None, print_blob=True, derandomize=True, max_examples=60)
settings.load_profile("ci" if os.environ.get("CI") else "house")
