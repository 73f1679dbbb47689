"""How many examples the property tests try: few by default, as many as ``SOULSYNC_EXAMPLES`` says for a long run.

By default they are the same each time, so that a run fails for what was changed and not by chance; a long run, and
``scripts/soak fuzz``, look for new ones. What they find becomes an explicit example.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings


def load() -> None:
    examples = os.environ.get("SOULSYNC_EXAMPLES")
    settings.register_profile(
        "soulsync",
        max_examples=int(examples or "60"),
        derandomize=examples is None,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    settings.load_profile("soulsync")
