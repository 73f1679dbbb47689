"""Every rule with paths for it and files as bodies make them; also files of one rule under another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from tests.merge import store_strategies, strategies
from tests.merge.strategies import Triple, sides

if TYPE_CHECKING:
    from soulsync.merge.result import Sides

CASES: dict[str, tuple[list[str], st.SearchStrategy[Triple]]] = {**strategies.CASES, **store_strategies.CASES}


@st.composite
def merges(draw: st.DrawFn, rules: list[str]) -> tuple[str, str, Triple, Sides]:
    """A rule, a path for it, three files and what is known of the sides; also files of one rule under another."""
    rule = draw(st.sampled_from(rules))
    paths, files = CASES[rule]
    if draw(st.integers(0, 15)) == 0:
        files = CASES[draw(st.sampled_from(list(CASES)))][1]
    return rule, draw(st.sampled_from(paths)), draw(files), draw(sides())
