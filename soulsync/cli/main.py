"""The command line: every command in a module of its own, loaded when it runs."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from soulsync import __version__
from soulsync.cli import streams
from soulsync.cli.translated import translate
from soulsync.cli.wide_help import Context
from soulsync.lang import LANGUAGES, use

COMMANDS = {
    "init": "soulsync.cli.init",
    "sync": "soulsync.cli.sync",
    "status": "soulsync.cli.status",
    "memory": "soulsync.cli.memory",
    "journal": "soulsync.cli.journal",
    "note": "soulsync.cli.note",
    "search": "soulsync.cli.search",
    "log": "soulsync.cli.log",
    "show": "soulsync.cli.show",
    "diff": "soulsync.cli.diff",
    "undo": "soulsync.cli.undo",
    "restore": "soulsync.cli.restore",
    "lease": "soulsync.cli.lease",
    "watch": "soulsync.cli.watch",
    "doctor": "soulsync.cli.doctor",
    "bodies": "soulsync.cli.bodies",
    "key": "soulsync.cli.key",
    "remote": "soulsync.cli.remote",
    "schedule": "soulsync.cli.schedule",
    "install": "soulsync.cli.install",
    "uninstall": "soulsync.cli.uninstall",
    "detach": "soulsync.cli.detach",
    "validate": "soulsync.cli.validate",
    "oxsoul": "soulsync.cli.oxsoul",
    "cortex": "soulsync.cli.cortex",
    "bridge": "soulsync.cli.bridge",
    "convert": "soulsync.cli.convert",
    "demo": "soulsync.cli.demo",
    "completion": "soulsync.cli.completion",
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are looked up."""

    context_class = Context

    def main(self, *args: Any, **more: Any) -> Any:
        """Run a command line."""
        streams.open_closed()
        streams.hold_any_text()
        return super().main(*args, **more)

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Understand a command line, or show the help of the program."""
        with streams.broken_pipes_told():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with streams.broken_pipes_told():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which a person meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of this name, or None."""
        module = COMMANDS.get(name)
        found = import_module(module).command if module else None
        return translate(found) if isinstance(found, click.Command) else None

    def get_help(self, ctx: click.Context) -> str:
        """The help of the program, in the language in use."""
        translate(self)
        return super().get_help(ctx)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--home", metavar="DIR", help="Folder with one folder per agent (default: $SOULSYNC_HOME or ~/.soulsync)."
)
@click.option("--agent", metavar="NAME", help="Which agent, where several live on this machine.")
@click.option(
    "--lang", type=click.Choice(LANGUAGES), expose_value=False, is_eager=True,
    callback=lambda _ctx, _param, value: use(value), help="Language of the messages (default: by LANG).",
)  # fmt: skip
@click.version_option(__version__, prog_name="soulsync")
@click.pass_context
def cli(ctx: click.Context, home: str | None, agent: str | None) -> None:
    """Keep the soul of an AI agent in step on every machine it lives on.

    \b
    Start here:
      soulsync init git@github.com:you/kaoru.soul.git --body laptop
      soulsync sync
    """
    ctx.obj = {"home": home, "agent": agent}
