from __future__ import annotations

from tests import profiles

profiles.load()
