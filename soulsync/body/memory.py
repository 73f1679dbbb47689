"""Entries of the memories files: list, add, replace, remove, with the semantics of Hermes Agent's memory tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body.writing import Writer, writing
from soulsync.errors import SoulSyncError
from soulsync.formats import entries
from soulsync.formats.text import STRIP
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.body.config import Config
    from soulsync.body.home import Home

MAX_CANDIDATES = 10


def path_of(*, user: bool) -> str:
    """The file: about the user, or the agent's own notes."""
    return spec.USER_MD if user else spec.MEMORY_MD


def listed(home: Home, config: Config, *, user: bool = False) -> list[str]:
    """The entries, in order."""
    return entries.parse(Writer(home, config).read(path_of(user=user)) or b"")


def add(home: Home, config: Config, text: str, *, user: bool = False) -> bool:
    """Append an entry; False when it is there already. Raises ``SoulSyncError`` for text that is no entry."""
    entry = checked(text)

    def change(data: bytes | None) -> bytes | None:
        have = entries.parse(data or b"")
        return None if entry in have else entries.render([*have, entry])

    with writing(home, config) as writer:
        return writer.change(path_of(user=user), change)


def replace(home: Home, config: Config, old: str, new: str, *, user: bool = False) -> str:
    """Put ``new`` in place of the entry that ``old`` names; the old text of the entry."""
    entry = checked(new)
    found: list[str] = []

    def change(data: bytes | None) -> bytes | None:
        have = entries.parse(data or b"")
        found.append(find(have, old))
        kept = [entry if text == found[-1] else text for text in have]
        return entries.render(dict.fromkeys(kept) if entry in have else kept)

    with writing(home, config) as writer:
        writer.change(path_of(user=user), change)
    return found[-1]


def remove(home: Home, config: Config, old: str, *, user: bool = False) -> str:
    """Take out the entry that ``old`` names; its text."""
    found: list[str] = []

    def change(data: bytes | None) -> bytes | None:
        have = entries.parse(data or b"")
        found.append(find(have, old))
        return entries.render(text for text in have if text != found[-1])

    with writing(home, config) as writer:
        writer.change(path_of(user=user), change)
    return found[-1]


def find(have: list[str], wanted: str) -> str:
    """The one entry that ``wanted`` names: exactly, else by a part that only one entry holds.

    Raises ``SoulSyncError`` (1) when none does, or several; then they are listed.
    """
    text = wanted.strip(STRIP)
    if text in have:
        return text
    matches = [entry for entry in dict.fromkeys(have) if text and text in entry]
    if len(matches) == 1:
        return matches[0]
    if not matches:
        raise SoulSyncError(tr("No entry holds {text}.", text=repr(text)), tr("See `soulsync memory list`."))
    shown = "; ".join(repr(_beginning(entry)) for entry in matches[:MAX_CANDIDATES])
    raise SoulSyncError(
        tr("{count} entries hold {text}: {entries}.", count=len(matches), text=repr(text), entries=shown),
        tr("Give a part that only one of them holds."),
    )


def checked(text: str) -> str:
    """``text`` as an entry. Raises ``SoulSyncError`` (1) for what can't be one, with the reason."""
    entry = text.replace("\r\n", "\n").replace("\r", "\n").strip(STRIP)
    if not entry:
        raise SoulSyncError(tr("The text is empty."), tr("Give the memory's text."))
    if not entries.is_entry(entry):
        raise SoulSyncError(
            tr("A line of the text is a lone §, which separates entries in the file."),
            tr("Add the parts one by one, or write the sign inside a line."),
        )
    return entry


def _beginning(text: str) -> str:
    line = text.replace("\n", " ")
    return line if len(line) <= 60 else line[:59] + "…"
