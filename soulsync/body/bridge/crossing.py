"""One round of a bridge while the work-tree lock is held: what both sides of a mapping need (bridges §1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soulsync.body.bridge.native import NativeFault
from soulsync.lang import tr
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from soulsync.body.bridge.baseline import Baseline
    from soulsync.body.bridge.carried import Carried
    from soulsync.body.bridge.native import Native
    from soulsync.body.writing import Writer

    Keep = Callable[[str, bytes], None]
    """Commits a text that lost, by its path in the soul, so that history has it."""

MAX_TRIES = 5
"""How often a file is looked at again that another program wrote meanwhile."""


@dataclass(slots=True)
class Crossing:
    """The two sides, what was shown, and where the outcome is noted.

    ``keep`` is called before a text is replaced that no commit may hold yet. ``accept_empty``: a person says that what
    is missing was deleted. ``dry``: nothing is written, only noted. ``written`` tells when a file of the soul was
    written last, in seconds, by its commits. ``brought``: the same for files that a bridge of this run put there, by
    what the framework's file said; the bridges of a run share it.
    """

    writer: Writer
    native: Native
    root: Path
    baseline: Baseline
    carried: Carried
    keep: Keep
    written: Callable[[str], int | None]
    accept_empty: bool = False
    dry: bool = False
    brought: dict[str, int | None] = field(default_factory=dict)

    def soul_time(self, path: str) -> int | None:
        """When somebody wrote a file of the soul, in seconds; None where nobody knows."""
        return self.brought[path] if path in self.brought else self.written(path)

    def relative(self, file: Path) -> str:
        """An absolute path of a mapping as the native side takes it."""
        found = file.relative_to(self.root).as_posix()
        return "" if found == "." else found


def missing(path: str) -> NativeFault:
    """The fault of a file that held something when it was seen last."""
    return NativeFault(
        path,
        tr("{path} is missing.", path=shown(path)),
        tr("Nothing was removed. If that was meant, run `soulsync bridge sync --accept-empty`."),
    )


def emptied(path: str) -> NativeFault:
    """The same for a file in which nothing is left."""
    return NativeFault(
        path,
        tr("{path} is empty all of a sudden.", path=shown(path)),
        tr("Nothing was removed. If that was meant, run `soulsync bridge sync --accept-empty`."),
    )


def unsettled(path: str) -> NativeFault:
    """The fault of a file that is written faster than it can be looked at."""
    return NativeFault(
        path,
        tr("Another program keeps writing {path}.", path=shown(path)),
        tr("Try again in a moment."),
    )


def soulless(path: str) -> NativeFault:
    """The fault of a file that the soul must have and has not: an empty work tree shall not empty the framework."""
    return NativeFault(
        path,
        tr("The soul has no {path} in its work tree.", path=shown(path)),
        tr("Run `soulsync sync`, which puts it back."),
    )
