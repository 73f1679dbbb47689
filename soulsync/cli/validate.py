"""``soulsync validate``: a soul, a memory store or one file against its spec."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from soulsync.cli.context import body_of, complain, print_json, printable
from soulsync.cli.texts import json_option, soul_locked
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.body.validate import Checked
    from soulsync.formats.finding import Finding

FORMATS = ("soul", "oxsoul", "cortex")


@click.command(name="validate", short_help="Check a soul, a memory store or one file against its spec.")
@click.argument("path", required=False, type=click.Path(exists=True, path_type=Path))
@click.option("--format", "format_", type=click.Choice(FORMATS), help="What PATH is (default: told by what is there).")
@click.option("--fix", is_flag=True, help="First write and stage what merges left out of the memory stores.")
@json_option
@click.pass_context
def command(ctx: click.Context, path: Path | None, format_: str | None, fix: bool, as_json: bool) -> int:
    """Check a soul against its spec, every file of it: structure, formats, names, sizes, registry, lease.

    PATH is a soul, a bare repository of one, a store of OxSoul or `.agent/memory`, or a single file; default: this
    soul. Nothing is changed without `--fix`. Exit code 1 when something is found.

    \b
    Example:
      soulsync validate
    """
    from soulsync.body import validate

    place = path if path is not None else body_of(ctx)[1].soul
    if fix:
        with soul_locked(place):
            told = validate.fix(place)
        for line in told:
            complain(line)
    checked = validate.check(place, format_)
    if as_json:
        print_json({"ok": not checked.findings, "findings": [one.as_json() for one in checked.findings]})
    else:
        _show(checked)
    return 1 if checked.findings else 0


def _show(checked: Checked) -> None:
    from soulsync.cli import pages

    pages.show(_lines(checked.findings) if checked.findings else [tr("Nothing deviates from the spec.")])


def _lines(findings: list[Finding]) -> Iterator[str]:
    """A line for each finding, then how many there are."""
    for one in findings:
        place = click.style(printable(one.path), bold=True)
        where = place if one.line is None else f"{place}:{one.line}"
        yield f"{where}: {printable(one.message)} {click.style(f'[{one.rule}]', dim=True)}"
    files = len({one.path for one in findings})
    yield tr("{count} findings at {places} places.", count=len(findings), places=files)
