"""``soulsync cortex distill``: new memories from prepared candidates, or from the soul."""

from __future__ import annotations

import time
from contextlib import nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from soulsync.cli.context import body_of, print_json, say
from soulsync.cli.cortex_options import store_option
from soulsync.cli.texts import MAX_INPUT, json_option, soul_locked
from soulsync.errors import SoulSyncError, UsageError
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.stores.cortex.distilling import Batch, Candidate

SHOWN = 3
"""How many refused candidates an error names."""


@click.command(name="distill", short_help="New memories from candidates, or from the soul's own.")
@store_option
@click.option(
    "--candidates", "file", type=click.File("rb"), metavar="FILE", help="A JSON array; - reads standard input."
)
@click.option("--from-soul", is_flag=True, help="From the soul's memories and journals, as they stand.")
@click.option("--since", metavar="TIME", help="With --from-soul: only what came since, such as 2026-11-30.")
@click.option("--allow-procedural", is_flag=True, help="Take procedural candidates too.")
@click.option("--skip-refused", is_flag=True, help="Write the others when some candidates are refused.")
@click.option("--dry-run", is_flag=True, help="Only say what would be written.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, named: str | None, file: IO[bytes] | None, from_soul: bool, since: str | None,
    allow_procedural: bool, skip_refused: bool, dry_run: bool, as_json: bool,
) -> None:  # fmt: skip
    """Write memories from candidates, all of them or none: {type, content} and, if wanted, title, tags, scope,
    confidence, pinned, source_conversation_id, source_decision_id, source_run_id.

    --from-soul takes each memory as a semantic one, each journal section of the last 90 days as an episodic one.
    What is there already is left alone, what was forgotten stays so. --store makes the folder where it is missing.

    \b
    Example:
      soulsync cortex distill --from-soul --since 2026-11-30 --store .agent/memory
    """
    from soulsync.stores.cortex import distilling, writing

    if (file is not None) == from_soul or (since is not None and not from_soul):
        raise UsageError(
            tr("Give either --candidates FILE or --from-soul; --since goes with the latter."),
            tr("See `soulsync cortex distill --help`."),
        )
    store = _store(named)
    candidates, stale = _from_soul(ctx, since) if from_soul else (_from_file(file), 0)
    with nullcontext() if dry_run else soul_locked(store):
        batch = distilling.plan(store, candidates, allow_procedural=allow_procedural, revive=not from_soul)
        if batch.refused and not skip_refused:
            raise _refusal(batch, len(candidates))
        if not dry_run:
            writing.write_all(store, batch.entries)
    if as_json:
        print_json(_as_json(batch, stale, written=not dry_run))
    else:
        _tell(batch, stale, dry_run)


def _store(named: str | None) -> Path:
    """The store that is named, there already or not, else the nearest one. Raises ``UsageError`` (2)."""
    from soulsync.cli.folders import usable
    from soulsync.stores.cortex import place

    if named is None:
        return place.find(None, Path.cwd())
    return usable(Path(named), tr("Name the store with `--store DIR`."))


def _from_file(file: IO[bytes] | None) -> list[Candidate]:
    from soulsync.formats.instants import timestamp
    from soulsync.formats.text import Malformed
    from soulsync.repo.faults import told
    from soulsync.stores.cortex import distilling

    data = file.read(MAX_INPUT + 1) if file else b""
    if len(data) > MAX_INPUT:
        raise SoulSyncError(tr("The text is over 16 MiB."), tr("Nothing was written."))
    try:
        return distilling.read_candidates(data, timestamp(time.time_ns() // 1_000_000))
    except Malformed as e:
        problem = tr("The candidates can't be read: {reason}.", reason=told(str(e)))
        raise SoulSyncError(problem, tr("Give a JSON array; nothing was written.")) from e


def _from_soul(ctx: click.Context, since: str | None) -> tuple[list[Candidate], int]:
    from soulsync.body import distill
    from soulsync.body.sync import open_soul

    home, config = body_of(ctx)
    return distill.candidates(open_soul(home, config), time.time_ns() // 1_000_000, since)


def _refusal(batch: Batch, total: int) -> SoulSyncError:
    shown = "; ".join(f"{candidate.origin}: {_faults(faults)}" for candidate, faults in batch.refused[:SHOWN])
    more = len(batch.refused) - SHOWN
    shown += f"; {tr('and {count} more', count=more)}" if more > 0 else ""
    return SoulSyncError(
        tr("{count} of {total} candidates are refused: {faults}.", count=len(batch.refused), total=total, faults=shown),
        tr("Nothing was written; `--skip-refused` writes the others."),
    )


def _faults(faults: list[Any]) -> str:
    from soulsync.stores.cortex.words import told

    return tr(", ").join(map(told, faults))


def _as_json(batch: Batch, stale: int, *, written: bool) -> dict[str, object]:
    return {
        "written": written,
        "memories": [{"memory_id": entry["memory_id"], "type": entry["type"]} for entry in batch.entries],
        "already": batch.there,
        "forgotten": batch.forgotten,
        "stale": stale,
        "refused": [{"candidate": one.origin, "message": _faults(faults)} for one, faults in batch.refused],
    }


def _tell(batch: Batch, stale: int, dry_run: bool) -> None:
    for entry in batch.entries:
        say(f"{entry['memory_id']}  {' '.join(str(entry['title']).split())}")
    for one, faults in batch.refused:
        say(tr("refused: {origin}: {faults}", origin=one.origin, faults=_faults(faults)))
    count = len(batch.entries)
    say(
        tr("{count} memories would be written.", count=count)
        if dry_run
        else tr("{count} memories written.", count=count)
    )
    notes = (
        (len(batch.there), tr("{count} are there already.", count=len(batch.there))),
        (len(batch.forgotten), tr("{count} were forgotten and stay so.", count=len(batch.forgotten))),
        (stale, tr("{count} journal sections are older than 90 days.", count=stale)),
    )
    for number, text in notes:
        if number:
            say(text)
