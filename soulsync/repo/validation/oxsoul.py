"""An OxSoul store, or one memory of it, against SOULSPEC v0: fields, names, and indexes as a rebuild gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.formats import oxsoul
from soulsync.formats.finding import Finding
from soulsync.formats.oxsoul_names import MAX_NAME, is_name
from soulsync.formats.text import Malformed
from soulsync.lang import tr
from soulsync.merge.oxsoul_index import is_listed, rebuilt
from soulsync.repo.faults import told
from soulsync.repo.validation.lines import first_difference
from soulsync.repo.validation.source import FILE
from soulsync.spec import INDEX_MD, MAX_FILE_BYTES, OXSOUL_SCOPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from soulsync.formats.oxsoul import Fault
    from soulsync.repo.validation.source import Item


def check(items: Iterable[Item]) -> Iterator[Finding]:
    """Name what deviates in a store: in the memories of all its folders, and in their indexes."""
    folders: dict[str, list[Item]] = {}
    for item in items:
        folder, _, name = item.path.rpartition("/")
        if name.endswith(".md") and _holds_memories(folder):
            folders.setdefault(folder, []).append(item)
    for folder, inside in sorted(folders.items()):
        contents = {item.path.rpartition("/")[2]: data for item in inside if (data := content(item)) is not None}
        yield from (finding for item in inside for finding in check_item(item))
        names = {item.path.rpartition("/")[2] for item in inside}
        if not folder.startswith((".trash", "inbox")) and (INDEX_MD in contents or INDEX_MD not in names):
            yield from _index(folder, contents)


def check_item(item: Item) -> Iterator[Finding]:
    """Name what deviates in one file, whose name is that of its memory; an index is read with its folder alone."""
    data = content(item)
    name = item.path.rpartition("/")[2]
    if item.kind != FILE:
        yield Finding(item.path, None, item.kind, tr("is no plain file, so nobody reads it"))
    elif data is None:
        yield Finding(item.path, None, "unreadable", tr("can't be read, or is too large"))
    elif name != INDEX_MD and not name.startswith("."):
        if item.size > MAX_FILE_BYTES:
            yield Finding(item.path, None, "too-large", tr("has {size} bytes, over the limit of 1 MiB", size=item.size))
        yield from _memory(item.path, name.removesuffix(".md"), data)


def content(item: Item) -> bytes | None:
    """The file's content; None where it can't be had."""
    if item.kind != FILE or item.size > item.limit:
        return None
    try:
        return item.read()
    except OSError:
        return None


def _holds_memories(folder: str) -> bool:
    parts = folder.split("/")
    return folder in ("", ".trash") or (len(parts) == 2 and parts[0] in (*OXSOUL_SCOPES, "inbox"))


def _memory(path: str, stem: str, data: bytes) -> Iterator[Finding]:
    if not is_name(stem):
        yield Finding(path, None, "file-name", tr("the file name is not a-z, 0-9 and -, at most 64"))
    if data.startswith(b"\xef\xbb\xbf"):
        yield Finding(path, 1, "byte-order-mark", tr("begins with a byte order mark"))
    try:
        memory = oxsoul.parse(data)
    except Malformed as fault:
        rule = "utf-8" if str(fault) == "not UTF-8" else "frontmatter"
        yield Finding(path, 1, rule, told(str(fault)))
        return
    yield from (Finding(path, fault.line, fault.rule, _said(fault)) for fault in oxsoul.faults(memory))
    name = memory.document.find("name")
    if name is not None and memory.name and memory.name != stem:
        yield Finding(path, name.line, "file-name", tr("the name is not that of the file"))
    later = memory.document.find("spec")
    if later is not None and not memory.is_of_this_version:
        yield Finding(path, later.line, "spec-version", tr("the file is of a later version of the spec"))


def _index(folder: str, contents: dict[str, bytes]) -> Iterator[Finding]:
    path = f"{folder}/{INDEX_MD}" if folder else INDEX_MD
    data = contents.get(INDEX_MD)
    if data is None:
        if any(map(is_listed, contents)):
            yield Finding(path, None, "index", tr("the index is missing"))
        return
    wanted = rebuilt(folder, sorted(contents.items()), data)
    if wanted != data:
        yield Finding(path, first_difference(data, wanted), "index", tr("the index is not what a rebuild gives"))


def _said(fault: Fault) -> str:
    """What a fault of a memory means, in the language in use."""
    about = fault.subject
    return {
        "duplicate-key": tr("{key} stands here twice", key=about),
        "missing": tr("{key} is missing or empty", key=about),
        "not-a-number": tr("{key} is no number", key=about),
        "out-of-range": tr("{key} is not between 0 and 1", key=about),
        "not-an-array": tr("the tags are no list"),
        "category": tr("there is no category {name}", name=about),
        "source": tr("there is no source {name}", name=about),
        "date": tr("{text} is no time in ISO 8601", text=about),
        "description-length": tr("the description has {count} characters, over the limit of 120", count=about),
        "name": tr("the name is not a-z, 0-9 and -, at most {limit}", limit=MAX_NAME),
        "not-a-key": tr("no reader takes this line for anything"),
    }.get(fault.rule, fault.rule)
