"""``soulsync cortex``: an ``.agent/memory`` store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from soulsync.cli.context import complain, print_json, say
from soulsync.cli.cortex_options import SCOPES, TYPES, store_option
from soulsync.cli.numbers import Share
from soulsync.cli.texts import json_option, soul_locked
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.formats.cortex_recall import Recalled
    from soulsync.formats.finding import Finding


@click.group(name="cortex", short_help="An .agent/memory store: list, recall, distill, forget, validate.")
def command() -> None:
    """An .agent/memory store of distilled memories, one JSON file each. Default: the nearest one upward.

    \b
    Example:
      soulsync cortex recall "decision style"
    """


@command.command(name="list")
@store_option
@click.option("--type", "types", multiple=True, type=click.Choice(TYPES), help="Only of this type; may be repeated.")
@json_option
def list_(named: str | None, types: tuple[str, ...], as_json: bool) -> None:
    """All memories by type and id, and what can't be read.

    \b
    Example:
      soulsync cortex list --store .agent/memory
    """
    from soulsync.cli import cortex_text, pages
    from soulsync.stores.cortex import place, reading

    found = reading.scan(place.find(named, Path.cwd()))
    memories = [entry for entry in found.entries if not types or entry["type"] in types]
    if as_json:
        cortex_text.print_memories(memories, found.findings)
        return
    pages.show(cortex_text.listing(memories, found.findings))


@command.command(name="recall")
@click.argument("query", default="")
@store_option
@click.option("--limit", default=5, show_default=True, metavar="N", help="At most N memories.")
@click.option("--type", "types", multiple=True, type=click.Choice(TYPES), help="Only of this type; may be repeated.")
@click.option("--scope", type=click.Choice(SCOPES), help="Only of this scope.")
@click.option("--min-confidence", type=Share(), metavar="X", help="Only at least this sure, 0 to 1.")
@click.option("--include-expired", is_flag=True, help="Expired ones too.")
@click.option("--all", "every", is_flag=True, help="Also those that hold no word of QUERY, in the same order.")
@json_option
def recall(
    query: str, named: str | None, limit: int, types: tuple[str, ...], scope: str | None,
    min_confidence: float | None, include_expired: bool, every: bool, as_json: bool,
) -> None:  # fmt: skip
    """The memories that hold words of QUERY in tags, title or content, the best first. Without QUERY: the freshest.

    \b
    Example:
      soulsync cortex recall "decision style" --limit 3
    """
    from soulsync.cli import cortex_text, pages
    from soulsync.cli.cortex_options import micros_now
    from soulsync.formats import cortex_recall
    from soulsync.stores.cortex import place, reading

    store = reading.scan(place.find(named, Path.cwd()), thorough=False)
    filters = cortex_recall.Filters(types, scope, min_confidence, include_expired=include_expired)
    found = cortex_recall.recall(store.entries, query, micros_now(), limit, filters, every=every)
    if as_json:
        print_json({"query": query, **_recalled(found), "problems": [one.as_json() for one in store.findings]})
        return
    pages.show(cortex_text.answer(found, store.findings))


def _recalled(found: Recalled) -> dict[str, object]:
    from soulsync.formats.cortex import number, tags_of

    return {
        "limit": found.limit,
        "scanned": found.scanned,
        "matched": found.matched,
        "returned": len(found.hits),
        "expired_skipped": found.expired,
        "low_confidence_skipped": found.unsure,
        "scope_filtered_skipped": found.out_of_scope,
        "memories": [
            {
                **{field: entry.get(field) for field in ("memory_id", "type", "title", "content")},
                "tags": tags_of(entry),
                "confidence": number(entry.get("confidence")),
                "score": score,
                "created_at": entry.get("created_at"),
            }
            for entry, score in found.hits
        ],
    }


@command.command(name="validate")
@store_option
@click.option("--fix", is_flag=True, help="First write and stage what merges left out of the memory stores.")
@json_option
def validate(named: str | None, fix: bool, as_json: bool) -> int:
    """Check every file of the store against the schema. Nothing is changed without `--fix`. Exit code 1 when something
    is wrong.

    \b
    Example:
      soulsync cortex validate --store .agent/memory
    """
    from soulsync.stores.cortex import place, reading

    store = place.find(named, Path.cwd())
    if fix:
        _fix(store)
    found = reading.scan(store)
    if as_json:
        print_json({"ok": not found.findings, "findings": [one.as_json() for one in found.findings]})
    elif found.findings:
        say("\n".join(map(_line, found.findings)))
    else:
        say(tr("{count} memories, nothing wrong.", count=len(found.entries)))
    return 1 if found.findings else 0


def _fix(store: Path) -> None:
    from soulsync.body import validate as checking

    with soul_locked(store):
        told = checking.fix(store)
    for line in told:
        complain(line)


def _line(finding: Finding) -> str:
    where = finding.path if finding.line is None else f"{finding.path}:{finding.line}"
    return f"{where}: {finding.message} [{finding.rule}]"


def _add_writing_commands() -> None:
    from soulsync.cli import cortex_distill, cortex_forget

    command.add_command(cortex_distill.command)
    command.add_command(cortex_forget.command)


_add_writing_commands()
