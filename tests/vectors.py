"""Test vectors of ``fixtures/``, as pytest's parameters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

FIXTURES = Path(__file__).parents[1] / "fixtures"


def vectors(family: str, name: str) -> list[Any]:
    """The cases of ``fixtures/<family>/<name>.json``, each by its name, of which there is one."""
    cases: list[dict[str, Any]] = json.loads((FIXTURES / family / f"{name}.json").read_text("utf-8"))["cases"]
    assert len({case["name"] for case in cases}) == len(cases)
    return [pytest.param(case, id=case["name"]) for case in cases]
