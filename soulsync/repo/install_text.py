"""Our lines in a text file that others write too, as a marked block at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.files import write_durably
from soulsync.lang import tr
from soulsync.repo.layout import Change

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

BEGIN = "# >>> soulsync: written by `soulsync install`, removed by `soulsync uninstall`"
END = "# <<< soulsync"


def read(path: Path) -> str:
    """The text of a file, odd bytes as surrogates; nothing where there is no file."""
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return ""


def with_block(text: str, lines: Sequence[str]) -> str:
    """``text`` with the block at its end, where the last matching line of an attributes file wins."""
    rest = without_block(text)
    if not lines:
        return rest
    if rest and not rest.endswith("\n"):
        rest += "\n"
    return rest + "\n".join([BEGIN, *lines, END]) + "\n"


def without_block(text: str) -> str:
    """``text`` without any block of ours; a block whose end is missing ends at the next line that is not ours."""
    kept: list[str] = []
    inside = False
    for line in text.splitlines(keepends=True):
        if line.rstrip() == BEGIN:
            inside = True
        elif not inside:
            kept.append(line)
        elif line.rstrip() == END:
            inside = False
    return "".join(kept)


def change(path: Path, lines: Sequence[str], what: str) -> list[Change]:
    """What must be done so that the file ends in a block of ``lines``; without lines, so that it holds none."""
    before = read(path)
    after = with_block(before, lines)
    if before == after:
        return []
    if not after:
        return [Change(tr("remove {file} with {what}", file=path.name, what=what), path.unlink)]

    told = (
        tr("write {what} in {file}", what=what, file=path.name)
        if lines
        else tr("remove {what} in {file}", what=what, file=path.name)
    )

    def write() -> None:
        path.parent.mkdir(exist_ok=True)
        write_durably(path, after.encode("utf-8", "surrogateescape"), 0o644)

    return [Change(told, write)]
