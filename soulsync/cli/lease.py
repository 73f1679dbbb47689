"""``soulsync lease``: the consolidation lease."""

from __future__ import annotations

import time

import click

from soulsync.cli.context import body_of, complain, print_json, say
from soulsync.lang import tr

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.group(name="lease", short_help="The consolidation lease: one body tidies the memories at a time.")
def command() -> None:
    """The consolidation lease: one body tidies the memories at a time.

    \b
    Example:
      soulsync lease acquire && tidy-memories; soulsync lease release
    """


@command.command(name="acquire")
@json_option
@click.pass_context
def acquire(ctx: click.Context, as_json: bool) -> None:
    """Take the lease for 30 minutes, or renew it. Exit 6 when another body holds it.

    \b
    Example:
      soulsync lease acquire
    """
    from soulsync.body import lease

    held = lease.acquire(*body_of(ctx))
    if as_json:
        print_json(held.as_json())
    else:
        say(tr("{body} holds the lease until {time}.", body=held.body, time=held.as_json()["until"]))


@command.command(name="release")
@click.pass_context
def release(ctx: click.Context) -> None:
    """Give the lease back.

    \b
    Example:
      soulsync lease release
    """
    from soulsync.body import lease

    released = lease.release(*body_of(ctx))
    say(tr("The lease is free.") if released else tr("This body held no lease."))


@command.command(name="run", context_settings={"ignore_unknown_options": True})
@click.argument("argv", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- CMD…")
@click.pass_context
def run(ctx: click.Context, argv: tuple[str, ...]) -> int:
    """Run CMD while holding the lease: renewed as long as it lives, given back afterwards; its exit code is passed on.

    CMD is stopped when the lease is lost to another body (exit 6) or can't be renewed in time (exit 5).

    \b
    Example:
      soulsync lease run -- tidy-memories --all
    """
    from soulsync.body import lease_run

    return lease_run.run(*body_of(ctx), argv, warn=complain)


@command.command(name="status")
@json_option
@click.pass_context
def status(ctx: click.Context, as_json: bool) -> None:
    """Who held the lease at the last sync. Uses no network.

    \b
    Example:
      soulsync lease status --json
    """
    from soulsync import spec
    from soulsync.body.standing import lease_of

    _, config = body_of(ctx)
    found = lease_of(config.soul / spec.LEASE_JSON, config.body, time.time())
    if as_json:
        print_json(found)
    elif found["held"]:
        say(tr("{body} holds the lease until {time}.", body=found["body"], time=found["until"]))
    elif found["body"]:
        say(tr("Free; {body} let it run out at {time}.", body=found["body"], time=found["until"]))
    else:
        say(tr("Free."))
