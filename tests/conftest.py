"""How the property tests run: without deadlines, more examples where the build is fast."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from uci_engine import rules

settings.register_profile(
    "kiebitz",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    max_examples=300 if rules.BUILD == "compiled" else 60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("kiebitz")
