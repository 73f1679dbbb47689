"""What the targets of a conversion share: no way through links, and texts that are there under some name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.errors import SoulSyncError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def no_link(path: Path) -> None:
    """Raise ``SoulSyncError`` (1) where ``path`` is a link."""
    if path.is_symlink():
        raise SoulSyncError(
            tr("{path} is a link; memories are not written through links.", path=path), tr("Nothing was written.")
        )


def by_words(named: Iterable[tuple[str, tuple[str, str]]]) -> dict[tuple[str, str], list[str]]:
    """The names under which each text is there."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, words in named:
        found.setdefault(words, []).append(name)
    return found


def of_name(wanted: str, names: list[str]) -> str | None:
    """The first of ``names`` that is ``wanted``, or ``wanted`` with a number that an earlier conversion gave it."""
    return next((n for n in names if n == wanted or n.removeprefix(f"{wanted}-").isdigit()), None)
