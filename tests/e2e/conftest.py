"""The fixtures of ``tests.souls``, for the tests of this folder."""

from __future__ import annotations

from tests.souls import connected, one, remote, two

__all__ = ["connected", "one", "remote", "two"]
