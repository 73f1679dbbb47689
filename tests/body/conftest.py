"""The fixtures of ``tests.souls`` and ``tests.lived``, for the tests of this folder."""

from __future__ import annotations

from tests.lived import lived
from tests.souls import connected, one, remote, two

__all__ = ["connected", "lived", "one", "remote", "two"]
