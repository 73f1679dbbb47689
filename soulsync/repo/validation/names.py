"""Names that not every system can hold, and names that some systems take for one (soul-repo-v4 §3.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.formats.finding import Finding
from soulsync.lang import tr
from soulsync.repo.paths import is_portable, parents, shown, twin_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def check(paths: Iterable[str]) -> Iterator[Finding]:
    """Name the paths that Linux, macOS or Windows can't hold, and each that another one stands in the way of."""
    spelled: dict[str, str] = {}
    told: set[str] = set()
    for path in paths:
        if not is_portable(path):
            yield Finding(path, None, "unportable", tr("not every system can hold a file of this name"))
        for place in (*parents(path), path):
            other = spelled.setdefault(twin_key(place), place)
            if other != place and place not in told:
                told.add(place)
                yield Finding(
                    place, None, "twin-name",
                    tr("differs from {other} only in case or Unicode form", other=shown(other)),
                )  # fmt: skip
