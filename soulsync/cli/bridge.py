"""``soulsync bridge``: a framework's own files and the soul."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from soulsync.body.bridge.registry import MODULES
from soulsync.cli.context import body_of, print_json, say
from soulsync.cli.texts import json_option
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.body.bridge.carried import Carried


@click.group(name="bridge", short_help="A framework's own files and the soul: copy what changed, both ways.")
def command() -> None:
    """Copy between the files that a framework reads and the soul, both ways, by what changed since the last time.

    `soulsync sync` runs every bridge: before it commits, and again after it merged. Nothing is ever linked.

    \b
    Example:
      soulsync bridge add hermes
    """


@command.command(name="add")
@click.argument("framework", type=click.Choice(list(MODULES)))
@click.option("--name", metavar="NAME", help="What the bridge is called (default: the framework's name).")
@click.option("--path", metavar="DIR", help="The framework's folder, where it is not the usual one.")
@click.option("--project", metavar="NAME", help="Which project, where the framework keeps memories by project.")
@click.option("--hooks/--no-hooks", default=False, help="Let the framework run the bridge when its memories change.")
@json_option
@click.pass_context
def add(
    ctx: click.Context,
    framework: str,
    name: str | None,
    path: str | None,
    project: str | None,
    hooks: bool,
    as_json: bool,
) -> None:
    """Build a bridge to FRAMEWORK. Nothing is copied yet: `soulsync bridge diff` shows what would be.

    At the first contact both sides keep all their memories; of two personalities the soul's stays, and the other is
    kept in its history.

    \b
    Example:
      soulsync bridge add hermes --hooks
    """
    from soulsync.body.bridge import manage

    built = manage.add(*body_of(ctx), manage.Wanted(framework, name, path, project, hooks))
    if as_json:
        print_json(built.as_values())
        return
    say(
        tr(
            "The bridge {name} leads to {path}. `soulsync bridge sync` copies; so does every `soulsync sync`.",
            name=built.name,
            path=built.path,
        )
    )


@command.command(name="list")
@json_option
@click.pass_context
def list_(ctx: click.Context, as_json: bool) -> None:
    """The bridges of this body.

    \b
    Example:
      soulsync bridge list
    """
    from soulsync.body.bridge import record

    home, _ = body_of(ctx)
    bridges = record.load(home)
    if as_json:
        print_json({"bridges": [bridge.as_values() for bridge in bridges]})
        return
    from soulsync.cli import bridge_text

    bridge_text.listed(bridges)


@command.command(name="remove")
@click.argument("name")
@json_option
@click.pass_context
def remove(ctx: click.Context, name: str, as_json: bool) -> None:
    """Remove a bridge, and its hooks. The files of the framework and the soul stay as they are.

    \b
    Example:
      soulsync bridge remove hermes
    """
    from soulsync.body.bridge import manage

    home, _ = body_of(ctx)
    gone = manage.remove(home, name)
    if as_json:
        print_json({"removed": gone.as_values()})
    else:
        say(tr("The bridge {name} is gone; the files in {path} stay as they are.", name=gone.name, path=gone.path))


@command.command(name="sync")
@click.argument("names", nargs=-1, metavar="[NAME]…")
@click.option("--accept-empty", is_flag=True, help="What is missing or empty on the framework's side was deleted.")
@click.option("--quiet", is_flag=True, help="Say nothing unless something went wrong.")
@json_option
@click.pass_context
def sync(ctx: click.Context, names: tuple[str, ...], accept_empty: bool, quiet: bool, as_json: bool) -> int:
    """Copy what changed, both ways, and commit what came into the soul; the server is not asked.

    Exit 1 when a file had to be left alone: it is missing, emptied, a link, or can't be read. The others are copied.

    \b
    Example:
      soulsync bridge sync
    """
    from soulsync.body.bridge import running

    return _told(running.sync(*body_of(ctx), names, accept_empty=accept_empty), as_json=as_json, quiet=quiet)


@command.command(name="diff")
@click.argument("name", required=False)
@json_option
@click.pass_context
def diff(ctx: click.Context, name: str | None, as_json: bool) -> int:
    """What the next sync of a bridge would copy, in each direction. Writes nothing.

    \b
    Example:
      soulsync bridge diff hermes
    """
    from soulsync.body.bridge import running

    found = running.diff(*body_of(ctx), () if name is None else (name,))
    return _told(found, as_json=as_json, quiet=False)


def _told(carried: list[Carried], *, as_json: bool, quiet: bool) -> int:
    """Print what was carried; the exit code, 1 where something was left alone."""
    if as_json:
        print_json({"bridges": [one.as_json() for one in carried]})
    else:
        from soulsync.cli import bridge_text

        bridge_text.told(carried, quiet=quiet)
    return 1 if any(one.faults for one in carried) else 0
