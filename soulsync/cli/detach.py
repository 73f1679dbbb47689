"""``soulsync detach``: take this machine out."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from soulsync.cli.context import body_of, print_json, say
from soulsync.cli.texts import json_option
from soulsync.errors import UsageError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.body.config import Config
    from soulsync.body.detach import DeployKey, Done
    from soulsync.body.home import Home


@click.command(name="detach", short_help="Take this machine out; the soul itself stays.")
@click.option("--purge", is_flag=True, help="Delete the clone and the key too, if the remote has everything.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@click.pass_context
def command(ctx: click.Context, purge: bool, yes: bool, as_json: bool) -> None:
    """Take this machine out: the schedule, the merge drivers and the hooks go, hooks of others come back.

    The soul stays as it is. With --purge its clone, the private key and the rest of this agent's folder are deleted
    too, but only when the remote, asked at that moment, has everything; else nothing is (exit 1). Which deploy key to
    delete at the server is said at the end. Running it twice does no harm.

    \b
    Example:
      soulsync detach
    """
    try:
        home, config = body_of(ctx)
    except UsageError:
        if not (purge and _finished(ctx, as_json)):
            raise
        return
    if not yes and not as_json and sys.stdin.isatty():
        click.confirm(_question(home, config, purge), abort=True)
    _detach(home, config, purge, as_json)


def _finished(ctx: click.Context, as_json: bool) -> bool:
    """Whether a purge that was cut off was waiting to be finished; no agent's config is left of it then."""
    from soulsync.body import detach
    from soulsync.body import home as homes

    base = homes.base(ctx.obj["home"])
    finished = detach.finish(base)
    wanted = ctx.obj["agent"] or os.environ.get("SOULSYNC_AGENT")
    if not finished or (wanted not in finished if wanted else homes.agents(base)):
        return False
    line = tr("deleted what an earlier purge had left")
    if as_json:
        print_json({"agent": None, "body": None, "done": [line], "purged": True, "deploy_key": None})
    else:
        say(f"  {line}")
    return True


def _question(home: Home, config: Config, purge: bool) -> str:
    if purge:
        return tr("Delete {soul} and the key of {agent} on this machine?", soul=config.soul, agent=home.agent)
    return tr("Take this machine ({body}) out of {agent}?", body=config.body, agent=home.agent)


def _detach(home: Home, config: Config, purge: bool, as_json: bool) -> None:
    from soulsync.body import detach

    key = detach.deploy_key(home, config)  # read before it is deleted
    try:
        done = detach.purge(home, config) if purge else detach.detach(home, config)
    except detach.UnsentError as e:
        if as_json:
            print_json({**_result(config, [], purged=False, key=key), "only_here": e.things})
        raise
    if as_json:
        print_json(_result(config, done.everything, purged=purge, key=key))
        return
    for line in _lines(done):
        say(f"  {line}")
    if not done.everything:
        say(tr("Nothing was left to take out."))
    elif purge:
        say(tr("{body} no longer lives on this machine.", body=config.body))
    else:
        say(tr("Nothing here syncs {agent} by itself any more. The soul: {soul}", agent=home.agent, soul=config.soul))
    if key is not None:
        _tell_key(key)


def _lines(done: Done) -> Iterator[str]:
    yield from done.schedule
    if done.outfit:
        yield tr("took out the merge drivers and hooks ({count} things; --json names them)", count=len(done.outfit))
    yield from done.deleted


def _result(config: Config, done: list[str], *, purged: bool, key: DeployKey | None) -> dict[str, Any]:
    shown = None
    if key is not None:
        shown = {"public_key": key.public_key, "fingerprint": key.fingerprint, "remote": key.where, "page": key.page}
    return {"agent": config.agent, "body": config.body, "done": done, "purged": purged, "deploy_key": shown}


def _tell_key(key: DeployKey) -> None:
    say(tr("Its deploy key still opens the repository. Delete it at {where}:", where=key.page or key.where))
    say(f"  {key.fingerprint}")
    say(f"  {key.public_key}")
