"""``soulsync status``: where this body stands, without network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from soulsync.cli.context import body_of, print_json, say

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command(name="status", short_help="Where this body stands, without network.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Where this body stands: what waits to be sent, what arrived last, what was left out. Uses no network.

    \b
    Example:
      soulsync status
    """
    from soulsync.body.standing import standing

    stands = standing(*body_of(ctx))
    if as_json:
        print_json(stands)
        return
    for line in _lines(stands):
        say(line)


def _lines(stands: dict[str, Any]) -> Iterator[str]:
    yield f"{stands['agent']} on {stands['body']}"
    yield f"  remote     {stands['remote'] or 'none (a local soul)'}"
    yield f"  in step    {_in_step(stands)}"
    last = [stands[key] or "never" for key in ("last_sync", "last_pull", "last_push")]
    yield f"  last sync  {last[0]}, pulled {last[1]}, pushed {last[2]}"
    if stands["last_error"]:
        yield f"  error      {stands['last_error']}"
    for path in stands["dirty"][:10]:
        yield f"  changed    {path}"
    for skipped in stands["skipped"]:
        yield f"  left out   {skipped['path']} ({skipped['reason']})"
    for merged in stands["merged"][:5]:
        if merged.get("lost"):
            yield f"  merged     {merged['path']}: `soulsync restore {merged['path']}` has the version that lost"
    lease = stands["lease"]
    if lease["held"]:
        yield f"  lease      {lease['body']} until {lease['until']}"
    bodies = [f"{body['body']} ({body['lastSeen'] or 'never seen'})" for body in stands["bodies"]]
    yield f"  bodies     {', '.join(bodies) or 'none'}"


def _in_step(stands: dict[str, Any]) -> str:
    if stands["remote"] is None:
        return "-"
    waits = []
    if stands["dirty"]:
        waits.append(f"{len(stands['dirty'])} files changed")
    if stands["ahead"]:
        waits.append(f"{stands['ahead']} commits to send")
    if stands["behind"]:
        waits.append(f"{stands['behind']} commits to merge")
    return ", ".join(waits) or "yes, as of the last look"
