"""Memories of an ``.agent/memory`` store for people and as JSON."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING

import click

from soulsync.cli.context import printable
from soulsync.cli.cortex_options import micros_now
from soulsync.cli.wrapping import rows
from soulsync.formats import json_text
from soulsync.formats.cortex import is_expired, number, tags_of
from soulsync.lang import tr
from soulsync.stores.cortex.reading import HARMLESS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from soulsync.formats.cortex import Entry
    from soulsync.formats.cortex_recall import Recalled
    from soulsync.formats.finding import Finding


NARROW = 64
"""Fewer columns than this are a phone's."""


def print_memories(memories: list[Entry], findings: list[Finding]) -> None:
    """``{"memories": [whole entries], "problems": […]}``, one memory a line: indenting 10,000 would take a second."""
    lines = ",\n".join(f"    {_json(entry)}" for entry in memories)
    problems = ",\n".join(f"    {json.dumps(one.as_json(), ensure_ascii=False)}" for one in findings)
    parts = (f'  "{name}": [\n{text}\n  ]' if text else f'  "{name}": []' for name, text in _named(lines, problems))
    sys.stdout.write("{\n" + ",\n".join(parts) + "\n}\n")


def _named(lines: str, problems: str) -> tuple[tuple[str, str], ...]:
    return ("memories", lines), ("problems", problems)


def _json(entry: Entry) -> str:
    try:
        return json.dumps(entry, ensure_ascii=False)
    except TypeError:  # a number whose literal Python would write differently
        return json_text.one_line(entry).decode("utf-8").rstrip("\n")


def listing(memories: Iterable[Entry], findings: Iterable[Finding]) -> Iterator[str]:
    """Two lines a memory: its id and what it is; its title, or how its content begins."""
    now = micros_now()
    for entry in memories:
        yield from _head(entry, now)
        yield from _indented(_title(entry))
    yield from problems(findings)


def answer(found: Recalled, findings: Iterable[Finding]) -> Iterator[str]:
    """What was recalled, with scores and whole contents."""
    now = micros_now()
    for entry, score in found.hits:
        yield from _head(entry, now, f"{score:.4f}  ")
        title, content = str(entry.get("title") or ""), str(entry["content"])
        if title and not content.startswith(title.removesuffix("...")):
            yield from _indented(_one_line(title), bold=True)
        for line in content.split("\n"):
            yield from _indented(line)
    yield _count(found)
    yield from problems(findings)


def _head(entry: Entry, now: int, before: str = "") -> Iterator[str]:
    """The id and what the memory is; below each other on a narrow terminal."""
    name = before + click.style(str(entry["memory_id"]), fg="cyan")
    facts = click.style(_facts(entry, now), dim=True)
    if sys.stdout.isatty() and shutil.get_terminal_size().columns < NARROW:
        yield name
        yield f"  {facts}"
    else:
        yield f"{name}  {facts}"


def _indented(text: str, *, bold: bool = False) -> Iterator[str]:
    """A line of content, indented; on a terminal broken so that the indentation stays."""
    broken = [printable(text)]
    if sys.stdout.isatty():
        broken = rows(broken[0], max(20, shutil.get_terminal_size().columns - 5)) or [""]
    for row in broken:
        yield f"    {click.style(row, bold=True) if bold else row}".rstrip()


def problems(findings: Iterable[Finding]) -> Iterator[str]:
    """One line for each thing that is wrong, with what became of the file."""
    for one in findings:
        where = one.path if one.line is None else f"{one.path}:{one.line}"
        text = f"{where}: {one.message}"
        told = tr("note: {text}", text=text) if one.rule in HARMLESS else tr("not read: {text}", text=text)
        yield click.style(printable(told), fg="yellow")


def _count(found: Recalled) -> str:
    if not found.matched:
        said = tr("Nothing recalled of {count} memories.", count=found.scanned)
    else:
        said = tr("{count} of {matched} that match.", count=len(found.hits), matched=found.matched)
    skipped = (
        (found.expired, tr("expired: {count}", count=found.expired)),
        (found.unsure, tr("too unsure: {count}", count=found.unsure)),
        (found.out_of_scope, tr("of another scope: {count}", count=found.out_of_scope)),
    )
    left_out = [text for count, text in skipped if count]
    return click.style(" ".join([said, *([f"({tr(', ').join(left_out)})"] if left_out else [])]), dim=True)


def _facts(entry: Entry, now: int) -> str:
    """Type, scope, confidence, tags, and whether it is pinned or has expired; words of the format, not translated."""
    sure = number(entry.get("confidence"))
    facts = [str(entry["type"]), str(entry.get("scope") or "project")]
    facts += [f"{sure:g}"] if sure is not None else []
    facts += ["pinned"] if entry.get("pinned") is True else []
    facts += ["expired"] if is_expired(entry, now) else []
    tags = f" [{', '.join(tags_of(entry))}]" if tags_of(entry) else ""
    return printable(" · ".join(facts) + tags)


def _title(entry: Entry) -> str:
    text = _one_line(str(entry.get("title") or entry["content"]))
    return text if len(text) <= 100 else text[:99] + "…"


def _one_line(text: str) -> str:
    return " ".join(text.split())
