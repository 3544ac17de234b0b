"""Settings of the project's own tests; the contract tests under tests/stages use none of them."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# A sweep looks further; a normal run must say the same thing twice.
settings.register_profile("default", deadline=None, derandomize=True, max_examples=60)
settings.register_profile(
    "sweep", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("sweep" if os.environ.get("FORGE_SWEEP") else "default")

for name in ("FORGE_WORKSPACE", "FORGE_GRADING"):
    os.environ.pop(name, None)
