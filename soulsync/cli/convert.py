"""``soulsync convert``: memories from one format into another, and what is lost on the way."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from soulsync.cli.context import print_json, printable
from soulsync.cli.folders import usable
from soulsync.cli.texts import json_option, soul_locked
from soulsync.errors import UsageError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.formats.conversion import Loss
    from soulsync.stores.conversion.run import Plan, Step

FORMATS = ("soul", "oxsoul", "cortex")
SHOWN = 40
"""How many characters of a value that is lost a person sees."""


@click.command(name="convert", short_help="Memories of a soul, of OxSoul and of .agent/memory into each other.")
@click.argument("src")
@click.argument("dst")
@click.option("--from", "source", type=click.Choice(FORMATS), help="The format of SRC.")
@click.option("--to", "target", type=click.Choice(FORMATS), help="The format of DST.")
@click.option("--dry-run", is_flag=True, help="Only say what would be written, memory by memory.")
@json_option
def command(src: str, dst: str, source: str | None, target: str | None, dry_run: bool, as_json: bool) -> int:
    """Write the memories of SRC into DST in another format: a soul's folder or one memories file, a folder of OxSoul
    memories, an .agent/memory store.

    What is in DST stays as it is; a name that is taken gets a number. What DST can't hold is kept in x_ fields or named
    as lost; a text that is too long is refused, not cut. Exit code 1 when a memory was refused or could not be read.

    \b
    Example:
      soulsync convert memories/MEMORY.md .agent/memory --from soul --to cortex --dry-run
    """
    from soulsync.formats.instants import timestamp
    from soulsync.stores.conversion import run

    if source is None or target is None:
        raise UsageError(tr("The formats are missing."), tr("Name them with --from and --to."))
    if source == target:
        raise UsageError(tr("Both formats are {format}.", format=source), tr("Name two different ones."))
    is_file = target == "soul" and Path(dst).suffix == ".md" and not Path(dst).is_dir()
    usable(Path(dst).parent if is_file else Path(dst), tr("Name a folder as DST."))
    now = timestamp(time.time_ns() // 1_000_000)
    with nullcontext() if dry_run else soul_locked(Path(dst)):
        plan = run.plan(Path(src), Path(dst), source, target, now)
        if not dry_run:
            plan.write(now)
    if as_json:
        print_json(_as_json(plan, source, target, written=not dry_run))
    else:
        from soulsync.cli import pages

        pages.show(_told(plan, dry_run=dry_run))
    return 1 if plan.source.findings or any(step.action == run.REFUSE for step in plan.steps) else 0


def _as_json(plan: Plan, source: str, target: str, *, written: bool) -> dict[str, Any]:
    return {
        "from": source,
        "to": target,
        "written": written,
        "items": [
            {
                "source": step.origin,
                "target": step.target,
                "action": step.action,
                "losses": [{"field": one.field, "value": one.value, "becomes": one.becomes} for one in step.losses],
                "kept": step.kept,
                "reasons": _reasons(step),
            }
            for step in plan.steps
        ],
        "problems": [one.as_json() for one in plan.source.findings],
    }


def _told(plan: Plan, *, dry_run: bool) -> Iterator[str]:
    from soulsync.cli.cortex_text import problems

    for step in plan.steps:
        if dry_run and step.action != "refuse":
            yield from _step(step)
        elif step.action == "refuse":
            refused = tr("refused: {origin}: {faults}", origin=step.origin, faults=tr(", ").join(_reasons(step)))
            yield click.style(printable(refused), fg="red")
    yield from problems(plan.source.findings)
    yield from _summary(plan, dry_run=dry_run)


def _step(step: Step) -> Iterator[str]:
    """Where a memory goes, and its own losses."""
    there = f"  ({tr('there already')})" if step.action == "there" else ""
    yield f"{printable(step.origin)} → {click.style(printable(str(step.target)), fg='cyan')}{there}"
    for loss in step.losses:
        yield click.style(f"    {printable(_loss(loss))}", dim=True)
    if step.kept:
        yield click.style(f"    {printable(tr('kept in x_ fields: {fields}', fields=', '.join(step.kept)))}", dim=True)


def _summary(plan: Plan, *, dry_run: bool) -> Iterator[str]:
    """How many memories went where, and for each field how often it is lost, with the first value that is."""
    count = Counter(step.action for step in plan.steps)
    told = tr("{count} memories would be written.", count=count["write"])
    if not dry_run:
        told = tr("{count} memories written.", count=count["write"])
    yield told
    if count["there"]:
        yield tr("{count} are there already.", count=count["there"])
    losses = [loss for step in plan.steps if step.action == "write" for loss in step.losses]
    fields = Counter(loss.field for loss in losses)
    if fields:
        yield tr("What does not come back from there:")
    for field, number in fields.items():
        first = next(loss for loss in losses if loss.field == field)
        yield printable(f"  {field} × {number}: {_loss(first).partition(': ')[2]}")


def _loss(loss: Loss) -> str:
    if loss.becomes in (None, [], ""):
        return tr("{field}: {value} is dropped", field=loss.field, value=_short(loss.value))
    return tr(
        "{field}: {value} becomes {other}", field=loss.field, value=_short(loss.value), other=_short(loss.becomes)
    )


def _short(value: object) -> str:
    import json

    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _reasons(step: Step) -> list[str]:
    from soulsync.formats.cortex_rules import Fault
    from soulsync.stores.cortex.words import told

    return [
        tr("a line of the text is a lone §, which separates entries")
        if one.rule == "section-sign"
        else told(Fault(one.field, one.rule, one.found))
        for one in step.refusals
    ]
