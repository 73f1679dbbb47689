"""Reading a store: every entry that is valid, and a finding for everything that is not. Nothing is changed.

No link is followed and no pipe waited for. One bad file never hides another.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soulsync.errors import system_problem
from soulsync.formats import cortex, cortex_rules, json_lines
from soulsync.formats.finding import Finding
from soulsync.formats.text import Malformed
from soulsync.lang import tr
from soulsync.repo import plain
from soulsync.repo.faults import told as malformed
from soulsync.repo.paths import shown
from soulsync.stores.cortex.words import told

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from soulsync.formats.cortex import Entry

MAX_BYTES = 16 * 1_048_576
"""A larger file is not read: the longest valid entry takes less than 100 KiB."""
BOM = b"\xef\xbb\xbf"
HARMLESS = frozenset({"byte-order-mark", "duplicate-key", "duplicate-id"})
"""The rules whose breach leaves the entry readable: it is named, and listed all the same."""


@dataclass(slots=True)
class Scan:
    """What stands in a store: the valid ``entries`` by type, then id, and the ``findings`` by path, then line."""

    entries: list[Entry] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def scan(store: Path, *, thorough: bool = True) -> Scan:
    """Read the whole store. Not ``thorough``: without looking for keys that stand in one file twice."""
    found = Scan()
    seen: dict[str, str] = {}
    for kind in cortex.TYPES:
        for name in _names(store, kind, found):
            path = f"{kind}/{name}"
            entry, findings = read(store, path, thorough=thorough)
            if entry is not None:
                twin = seen.setdefault(str(entry["memory_id"]).lower(), path)
                if twin != path:
                    findings.append(Finding(path, None, "duplicate-id", tr("{path} has the same id", path=twin)))
                found.entries.append(entry)
            found.findings += findings
    found.findings += _strays(store)
    found.findings.sort(key=lambda finding: (finding.path, finding.line or 0))
    return found


def read(store: Path, path: str, *, thorough: bool = True) -> tuple[Entry | None, list[Finding]]:
    """The entry at ``path`` below the store, None where it breaks a rule that matters; and every rule it breaks."""
    try:
        data = plain.read(store / path, MAX_BYTES)
    except OSError as e:
        return None, [Finding(shown(path), None, "unreadable", system_problem(e))]
    try:
        entry = cortex.parse(data)
    except Malformed as e:
        return None, [_malformed(store, path, str(e), empty=not data)]
    findings = []
    if data[:3] == BOM:
        findings.append(Finding(shown(path), 1, "byte-order-mark", tr("a byte order mark stands before the JSON")))
    faults = cortex_rules.faults(entry)
    repeated = json_lines.repeated(data) if thorough else []
    if faults or repeated:
        here, lines = shown(path), json_lines.lines(data)
        findings += [Finding(here, lines.get(one.field, 1), one.rule, told(one)) for one in faults]
        findings += [Finding(here, lines.get(key, 1), "duplicate-key", _repeated(key)) for key in repeated]
    findings += _misplaced(path, entry)
    return (entry if all(one.rule in HARMLESS for one in findings) else None), findings


def _names(store: Path, kind: str, found: Scan) -> Iterator[str]:
    """The names of the entries' files in the folder of a type, in order; what is no such file is a finding."""
    folder = store / kind
    try:
        if folder.is_symlink():
            found.findings.append(Finding(kind, None, "symlink", tr("a link stands here; links are not followed")))
            return
        with os.scandir(folder) as items:
            listed = sorted(items, key=lambda item: item.name)
    except FileNotFoundError:
        return
    except OSError as e:
        found.findings.append(Finding(kind, None, "unreadable", system_problem(e)))
        return
    for item in listed:
        if not _is_litter(item.name):
            finding = _no_entry(f"{kind}/{item.name}", item)
            if finding is None:
                yield item.name
            else:
                found.findings.append(finding)


def _is_litter(name: str) -> bool:
    """What is no entry and no mistake: temporary files, ``.DS_Store`` and their like."""
    return name.startswith(".") or ".tmp-" in name


def _no_entry(path: str, item: os.DirEntry[str]) -> Finding | None:
    """Why the item can't be an entry's file, None where it can."""
    if item.is_symlink():
        return Finding(shown(path), None, "symlink", tr("a link stands here; links are not followed"))
    if not item.is_file(follow_symlinks=False):
        return Finding(shown(path), None, "not-a-file", tr("a folder or a device stands where an entry's file should"))
    if not item.name.endswith(".json"):
        return Finding(shown(path), None, "file-name", tr("the file is not named MEM-….json, so nobody reads it"))
    return None


def _malformed(store: Path, path: str, reason: str, *, empty: bool) -> Finding:
    """A file that holds no JSON object; the line where Python's reader stopped, as it says it."""
    if empty and (store / path).stat().st_size > MAX_BYTES:
        return Finding(shown(path), None, "too-large", tr("the file is over 16 MiB and is not read"))
    line = reason.rpartition(" in line ")[2]
    rule = "utf-8" if reason == "not UTF-8" else "json"
    return Finding(shown(path), int(line) if line.isdigit() else 1, rule, malformed(reason))


def _repeated(key: str) -> str:
    return tr("{field} stands here twice; the last one counts", field=cortex_rules.shown(key))


def _misplaced(path: str, entry: Entry) -> list[Finding]:
    """Where folder and file name say something else than the entry."""
    kind, _, name = path.partition("/")
    found = []
    if entry.get("type") in cortex.TYPES and entry["type"] != kind:
        message = tr("the entry is {kind} and stands in {folder}/", kind=entry["type"], folder=kind)
        found.append(Finding(shown(path), None, "directory", message))
    if cortex.is_memory_id(entry.get("memory_id")) and name != f"{entry['memory_id']}.json":
        found_name = cortex_rules.shown(name)
        message = tr("the file is named {name}, and the memory {id}", name=found_name, id=entry["memory_id"])
        found.append(Finding(shown(path), None, "file-name", message))
    return found


def _strays(store: Path) -> list[Finding]:
    """Entries that no reader finds, since they stand in no folder of a type."""
    message = tr("an entry stands in episodic/, semantic/ or procedural/; nobody reads it here")
    found = []
    for item in store.iterdir():
        if item.name in cortex.TYPES or _is_litter(item.name):
            continue
        below = [item.name]
        if item.is_dir() and not item.is_symlink():
            try:
                below = [f"{item.name}/{file.name}" for file in item.iterdir()]
            except OSError as e:
                found.append(Finding(shown(item.name), None, "unreadable", system_problem(e)))
        names = [path for path in below if _looks_like_entry(path)]
        found += [Finding(shown(path), None, "directory", message) for path in names]
    return found


def _looks_like_entry(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name.startswith(cortex.PREFIX) and name.endswith(".json")
