"""OxSoul memories and the preview of an import, for people and as JSON."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from soulsync.cli import pages
from soulsync.cli.context import printable
from soulsync.formats.frontmatter_values import number_text
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.table import Table
    from rich.text import Text

    from soulsync.formats.oxsoul import Memory
    from soulsync.stores.oxsoul.importing import Item
    from soulsync.stores.oxsoul.places import Place
    from soulsync.stores.oxsoul.reading import Problem

NARROW = 72
"""Columns below which a table would break every word."""
STYLES = {"import": "green", "skip-duplicate": "dim", "refuse": "red", "needs-confirmation": "yellow"}


def print_memories(place: Place, memories: Iterable[tuple[str, Memory]], problems: Iterable[Problem]) -> None:
    """``{"memories": […], "problems": […]}``, one a line: indenting 10,000 would take a second."""
    lines = ",\n".join(f"    {_json(_as_json(place, name, memory))}" for name, memory in memories)
    faults = ",\n".join(f"    {_json(one._asdict())}" for one in problems)
    parts = [f'  "{key}": [\n{text}\n  ]' if text else f'  "{key}": []' for key, text in _keyed(lines, faults)]
    sys.stdout.write("{\n" + ",\n".join(parts) + "\n}\n")


def _keyed(memories: str, problems: str) -> tuple[tuple[str, str], ...]:
    return ("memories", memories), ("problems", problems)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode("utf-8")


def _as_json(place: Place, name: str, memory: Memory) -> dict[str, object]:
    return {
        "name": name, "description": memory.description, "category": memory.category,
        "importance": memory.importance, "confidence": memory.confidence, "source": memory.source,
        "tags": memory.tags, "created": memory.created, "updated": memory.updated,
        "path": f"{place.folder}/{name}.md", "extra": memory.extra,
    }  # fmt: skip


def listing(memories: Iterable[tuple[str, Memory]], problems: Iterable[Problem]) -> Iterator[str]:
    """Two lines a memory: its name and what it is; its description."""
    for name, memory in memories:
        yield f"{click.style(printable(name), fg='cyan')}  {_facts(memory)}"
        yield f"    {printable(' '.join((memory.description or '').split()))}"
    for one in problems:
        yield click.style(printable(tr("note: {text}", text=f"{one.path}: {one.message}")), fg="yellow")


def _facts(memory: Memory) -> str:
    """Category, importance, source and tags; words of the format, not translated."""
    facts = [memory.category or "?", _number(memory.importance), memory.source or "?"]
    tags = f" [{', '.join(memory.tags)}]" if memory.tags else ""
    return click.style(printable(" · ".join(facts) + tags), dim=True)


def _number(value: float | None) -> str:
    return "?" if value is None else number_text(value)


def show_items(items: list[Item]) -> None:
    """The preview of an import: a table, or a block for each item where that is too narrow."""
    console = pages.console()
    if console.width < NARROW:
        for item in items:
            console.print(_block(item))
    else:
        console.print(_table(items))


def _table(items: list[Item]) -> Table:
    from rich.box import SIMPLE
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE, pad_edge=False, show_edge=False)
    for title in (tr("memory"), tr("what happens"), tr("source"), tr("sure"), tr("notes")):
        table.add_column(title, overflow="fold")
    for item in items:
        table.add_row(
            Text(printable(item.name), style="bold"), _action(item), Text(printable(item.source or "?")),
            Text(_number(item.confidence)), Text("\n".join(_notes(item))),
        )  # fmt: skip
    return table


def _block(item: Item) -> Text:
    from rich.text import Text

    text = Text(printable(item.name), style="bold")
    text.append("\n  ").append_text(_action(item))
    text.append(f" · {printable(item.source or '?')} · {_number(item.confidence)}", style="not bold")
    for note in _notes(item):
        text.append(f"\n  {note}", style="not bold")
    return text


def _action(item: Item) -> Text:
    from rich.text import Text

    said = {
        "import": tr("import"),
        "skip-duplicate": tr("says the same"),
        "refuse": tr("refused"),
        "needs-confirmation": tr("⚠ confirm"),
    }
    return Text(said[item.action], style=f"not bold {STYLES[item.action]}")


def _notes(item: Item) -> list[str]:
    """What the item says beside its columns, one line each."""
    notes = [tr("as {name}", name=item.duplicate_of)] if item.duplicate_of else []
    return [printable(note) for note in [*notes, *item.warnings]]
