"""How many examples the property tests try: few by default, as many as ``SOULSYNC_EXAMPLES`` says for a long run."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings


def load() -> None:
    settings.register_profile(
        "soulsync",
        max_examples=int(os.environ.get("SOULSYNC_EXAMPLES", "60")),
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    settings.load_profile("soulsync")
