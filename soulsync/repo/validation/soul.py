"""A whole soul, or one file of it, against soul-repo v4: structure, formats, names, sizes, registry, lease."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.formats.agent import parse
from soulsync.formats.finding import Finding
from soulsync.formats.text import Malformed
from soulsync.lang import tr
from soulsync.repo.paths import shown
from soulsync.repo.validation import journals, json_files, memories, names, notes, texts
from soulsync.repo.validation.source import FILE, LINK, NESTED, UNREADABLE, Item, is_litter, of_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    Check = Callable[[str, bytes], Iterator[Finding]]

MAX_FINDINGS = 10_000
"""A folder that is no soul at all has enough said about it then."""


def check(items: Iterable[Item]) -> list[Finding]:
    """Everything that deviates in a soul, ordered by path and line; an empty list for a valid one."""
    there = {item.path: item for item in items}
    found = [*_structure(there), *names.check(sorted(there))]
    display_name = _display_name(there.get(spec.AGENT_JSON))
    for item in there.values():
        found += check_item(item, display_name)
        if len(found) >= MAX_FINDINGS:
            break
    return ordered(found)


def ordered(found: Iterable[Finding]) -> list[Finding]:
    """Findings by path and line, each once; paths as people can read them."""
    told = (Finding(shown(one.path), one.line, one.rule, one.message) for one in found)
    return sorted(dict.fromkeys(told), key=lambda f: (f.path, f.line or 0, f.rule, f.message))


def check_item(item: Item, display_name: str | None = None) -> Iterator[Finding]:
    """Everything that deviates in one file, whose ``path`` says what it is. ``display_name`` is the agent's."""
    path = item.path
    if item.kind != FILE:
        yield Finding(path, None, item.kind, _kind(item.kind))
        return
    if is_litter(path):
        yield Finding(path, None, "never-committed", tr("is committed; files of this name never are"))
    if item.size > spec.MAX_FILE_BYTES:
        yield Finding(path, None, "too-large", tr("has {size} bytes, over the limit of 1 MiB", size=item.size))
        return
    try:
        data = item.read()
    except OSError:
        yield Finding(path, None, UNREADABLE, _kind(UNREADABLE))
        return
    yield from texts.check(path, data)
    judge = _judge(path, display_name)
    if judge is not None and b"\0" not in data:
        yield from judge(path, data)


def _kind(kind: str) -> str:
    return {
        LINK: tr("is a symbolic link; a soul holds files alone"),
        NESTED: tr("is a repository of its own; a soul holds files alone"),
        UNREADABLE: tr("is there, but can't be read"),
    }.get(kind, tr("is no file"))


def _judge(path: str, display_name: str | None) -> Check | None:
    """What knows the format of a path; None for extras, which have none."""
    single: dict[str, Check] = {
        spec.AGENT_JSON: json_files.identity,
        spec.SPEC_JSON: json_files.version,
        spec.LEASE_JSON: json_files.consolidation,
        spec.SOUL_MD: partial(notes.check_soul, display_name=display_name),
    }
    if path in single:
        return single[path]
    folder, _, name = path.partition("/")
    if folder not in spec.SPEC_DIRS or not name or name == ".gitkeep":
        return None
    if spec.is_memories(path):
        return memories.check
    if spec.is_registry(path):
        return json_files.registry
    return {"journal": journals.check, "notes": notes.check}.get(folder, _misplaced)


def _misplaced(path: str, _data: bytes) -> Iterator[Finding]:
    places = {
        "memories": tr("memories lie in memories/<name>.md"),
        "bodies": tr("a body's file is bodies/<body>.json"),
        "locks": tr("the lease is locks/consolidation.json"),
    }
    yield Finding(path, None, "misplaced", places[path.partition("/")[0]])


def _structure(there: dict[str, Item]) -> Iterator[Finding]:
    """Name what the spec requires and the soul lacks."""
    for path in (*spec.FIXED_FILES, *spec.REQUIRED_FILES):
        if path not in there:
            yield Finding(path, None, "missing", tr("is missing"))
    for folder in spec.REQUIRED_DIRS:
        if not any(path.startswith(f"{folder}/") for path in there):
            yield Finding(folder, None, "missing", tr("is missing; an empty folder needs a file .gitkeep"))


def display_name(root: Path) -> str | None:
    """The agent's name for people, as the soul at ``root`` says it; None where it can't be read."""
    try:
        return _display_name(of_file(root, spec.AGENT_JSON))
    except OSError:
        return None


def _display_name(identity: Item | None) -> str | None:
    """The agent's name for people, where it can be read."""
    if identity is None or identity.kind != FILE:
        return None
    try:
        name = parse(identity.read()).get("displayName")
    except (Malformed, OSError):
        return None
    return name if isinstance(name, str) else None
