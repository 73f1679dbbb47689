"""What a bridge holds alike: a list of entries, a text, or a folder of files, each with its two places (bridges §1).

Every ``native`` place is the bridge's own folder, or lies below it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

BOTH_WAYS, TO_SOUL, TO_NATIVE = "both-ways", "to-soul", "to-native"


@dataclass(frozen=True, slots=True)
class Entries:
    """A list of memories: ``native``, an absolute path, and ``soul``, a memories file of the soul.

    ``parse`` reads the native file. ``render`` changes its content so that it holds just the entries given.
    ``project`` chooses, of the entries given, those that the framework can be shown beside what the file holds.
    ``locked``: the framework takes a lock ``<file>.lock`` beside the file, and so does the bridge.
    """

    key: str
    native: Path
    soul: str
    parse: Callable[[bytes], list[str]]
    render: Callable[[bytes, Iterable[str]], bytes]
    project: Callable[[bytes, Sequence[str]], list[str]]
    locked: bool = False


def is_never_default(_data: bytes) -> bool:
    """For a framework that ships no text of its own."""
    return False


@dataclass(frozen=True, slots=True)
class Text:
    """One text: ``native``, an absolute path, and ``soul``, a path in the soul.

    ``is_default`` tells whether a native text is the one that the framework ships.
    """

    key: str
    native: Path
    soul: str
    is_default: Callable[[bytes], bool] = is_never_default


@dataclass(frozen=True, slots=True)
class Index:
    """An index of the files of a folder: its ``path`` there, and what makes its content (see :class:`Folder`)."""

    path: str
    make: Callable[[bytes, Mapping[str, bytes], set[str]], bytes]


@dataclass(frozen=True, slots=True)
class Folder:
    """Files below ``native``, an absolute path, and below ``soul``, a folder of the soul, without a slash at the end.

    ``to_soul`` gives for a path below ``native`` the whole path in the soul, ``to_native`` the other way; None for a
    file that is not carried. What both carry must be each other's inverse. ``way``: both ways; or ``TO_SOUL``, where
    native deletions are not carried and ``absorb`` joins (native path, content seen last, content now, what the soul
    holds) to what the soul shall hold; or ``TO_NATIVE``, a mirror that only we write.

    ``index``, where the framework keeps an index of the files in one of them, which is never carried: the path of that
    file below ``native``, and what makes its content of the old content (b"" for none), the files that are there, by
    path below ``native``, and the paths of those that are gone since the last round. ``soul_index`` is the same for the
    soul's side, with paths below ``soul``.
    """

    key: str
    native: Path
    soul: str
    to_soul: Callable[[str], str | None]
    to_native: Callable[[str], str | None]
    way: str = BOTH_WAYS
    absorb: Callable[[str, bytes | None, bytes, bytes | None], bytes] | None = None
    index: Index | None = None
    soul_index: Index | None = None


def back(folder: str, to_soul: Callable[[str], str | None]) -> Callable[[str], str | None]:
    """The way back of a ``to_soul`` that puts what it carries into ``folder``, below which it lies as it lay."""

    def to_native(path: str) -> str | None:
        below = path.removeprefix(f"{folder}/")
        return below if to_soul(below) == path else None

    return to_native


Pairing = Entries | Text | Folder
