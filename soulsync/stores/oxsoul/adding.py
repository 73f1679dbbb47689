"""A memory that a person or an agent writes: checked like an import, with the source that it is said to have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.errors import RefusedError, SoulSyncError
from soulsync.formats import oxsoul
from soulsync.formats.oxsoul_names import Names, clean_name
from soulsync.lang import tr
from soulsync.stores.oxsoul import reading, suspects, writing
from soulsync.stores.oxsoul.duplicates import Descriptions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from soulsync.formats.oxsoul import Memory
    from soulsync.stores.oxsoul.places import Place


def add(place: Place, fields: Mapping[str, str | float | list[str]], body: str, *, confirm: bool) -> tuple[str, bool]:
    """Write a new memory; its name and True, or the name of the memory that says the same and False.

    ``fields`` hold at least the ``description``; a ``name`` is cleaned and must be free, without one it is made of the
    description. Raises ``SoulSyncError`` (1) for what the format can't hold, ``RefusedError`` (3) for what looks
    like an order to an AI or holds a credential, unless ``confirm``.
    """
    memory = _new(fields, body)
    description = memory.description or ""
    with writing.locked(place.root):
        found = reading.scan(place).memories
        known = Descriptions()
        for one in found:
            known.add(one.name, one.memory.description)
        twin = known.same_as(description)
        if twin is not None:
            return twin, False
        wanted = clean_name(str(fields.get("name") or description), description)
        name = wanted if fields.get("name") else Names(writing.taken(place)).claim(wanted)
        doubts = suspects.warnings(memory)
        if doubts and not confirm:
            raise RefusedError(
                tr("⚠ {name}: {doubts}.", name=name, doubts="; ".join(doubts)),
                tr("If that is as it should be, repeat it with `--confirm {name}`.", name=name),
            )
        memory = oxsoul.edit(memory, {"name": name})
        writing.create(place, name, memory)
        writing.rebuild_from(place, [*((one.name, one.memory) for one in found), (name, memory)])
        writing.log(place, "add", [name])
    return name, True


def _new(fields: Mapping[str, str | float | list[str]], body: str) -> Memory:
    moment = writing.now()
    whole = {"name": "new", **fields, "created": moment, "updated": moment}
    try:
        memory = oxsoul.parse(oxsoul.render(oxsoul.new(whole, body)))
    except UnicodeEncodeError:
        raise SoulSyncError(tr("The text is not UTF-8."), tr("Nothing was written.")) from None
    size = len(memory.description or "")
    if not memory.description or "\n" in memory.description:
        raise SoulSyncError(tr("The description is one line of text."), tr("Nothing was written."))
    if size > oxsoul.MAX_DESCRIPTION:
        raise SoulSyncError(
            tr("The description has {count} characters, over 120.", count=size),
            tr("Put the rest into the text; nothing was written."),
        )
    return memory
