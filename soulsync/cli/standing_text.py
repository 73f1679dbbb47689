"""Where a body stands, as one screen for a person."""

from __future__ import annotations

import time

from soulsync.cli.ages import ago, seconds
from soulsync.cli.colours import style
from soulsync.cli.sync_text import outcome, reason
from soulsync.lang import tr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MOST = 8
"""Lines of one kind on the screen; `--json` has all of them."""
DEAD_AFTER = 7 * 86_400


def lines(stands: dict[str, Any]) -> Iterator[str]:
    """The screen, line by line: a label of eleven columns and what there is to say."""
    now = time.time()
    yield style(tr("{agent} on {body}", agent=stands["agent"], body=stands["body"]), bold=True)
    yield _row(tr("remote"), stands["remote"] or tr("none: a local soul"))
    if stands["remote"] is not None:
        yield _row(tr("in step"), _in_step(stands, now))
    yield _row(tr("last sync"), _last(stands, now))
    if stands["last_error"]:
        yield _row(tr("error"), style(stands["last_error"], fg="red"))
    if stands["schedule"]:
        yield _row(tr("schedule"), _schedule(stands["schedule"], now))
    if stands["backoff"]:
        yield _row(tr("pause"), style(_pause(stands["backoff"]), fg="yellow"))
    yield from _some(tr("waiting"), stands["dirty"])
    yield from _some(tr("left out"), [f"{s['path']} ({reason(s['reason'])})" for s in stands["skipped"]])
    yield from _some(tr("merged"), _losers(stands, now))
    yield from _some(tr("note"), stands["warnings"])
    for names in stands["shared_keys"]:
        shared = tr("{bodies} share one key: run `soulsync key rotate` on all but one", bodies=tr(", ").join(names))
        yield _row(tr("keys"), style(shared, fg="red"))
    for body in stands["from_the_future"]:
        yield _row(tr("clock"), style(tr("{body} writes from the future: set its clock", body=body), fg="red"))
    yield _row(tr("lease"), _lease(stands["lease"]))
    yield from _rows(tr("bodies"), [_body(body, now) for body in stands["bodies"]])


def _row(label: str, text: str) -> str:
    return f"  {label}{' ' * max(1, 11 - _columns(label))}{text}"


def _columns(label: str) -> int:
    if label.isascii():
        return len(label)
    from rich.cells import cell_len

    return cell_len(label)


def _rows(label: str, texts: list[str]) -> Iterator[str]:
    for number, text in enumerate(texts or [tr("none")]):
        yield _row(label if number == 0 else "", text)


def _some(label: str, texts: list[str]) -> Iterator[str]:
    if texts:
        more = len(texts) - MOST
        yield from _rows(label, [*texts[:MOST], *([tr("and {count} more", count=more)] if more > 0 else [])])


def _in_step(stands: dict[str, Any], now: float) -> str:
    if stands["head"] is None:
        return style(tr("not yet"), fg="yellow") + ": " + tr("`soulsync init` was cut off, run it again")
    waits = []
    if stands["dirty"]:
        waits.append(_changed(len(stands["dirty"])))
    if stands["ahead"]:
        waits.append(_to_send(stands["ahead"]))
    if stands["behind"]:
        waits.append(_to_merge(stands["behind"]))
    since = ago(stands["last_success"], now)
    if waits:
        return style(tr("no"), fg="yellow") + ": " + tr(", ").join(waits) + f" ({tr('last in step')} {since})"
    return f"{style(tr('yes'), fg='green')} ({since})"


def _changed(count: int) -> str:
    return tr("1 file changed here") if count == 1 else tr("{count} files changed here", count=count)


def _to_send(count: int) -> str:
    return tr("1 commit to send") if count == 1 else tr("{count} commits to send", count=count)


def _to_merge(count: int) -> str:
    return tr("1 commit to merge") if count == 1 else tr("{count} commits to merge", count=count)


def _last(stands: dict[str, Any], now: float) -> str:
    if stands["last_sync"] is None:
        return tr("never")
    parts = [ago(stands["last_sync"], now)]
    if stands["last_error"] is None and stands["outcome"]:
        parts.append(outcome(stands["outcome"]).rstrip(".。"))
    elif stands["failures"] > 1:
        parts.append(tr("failed {count} times in a row", count=stands["failures"]))
    parts.append(tr("pulled {when}", when=ago(stands["last_pull"], now)))
    parts.append(tr("pushed {when}", when=ago(stands["last_push"], now)))
    return tr(", ").join(parts)


def _schedule(schedule: dict[str, Any], now: float) -> str:
    from soulsync.body.schedule import interval

    every = tr("every {every} by {backend}", every=interval.text(schedule["every"]), backend=schedule["backend"])
    return every + tr(", ") + tr("last started {when}", when=ago(schedule["last_run"], now))


def _pause(pause: dict[str, Any]) -> str:
    return tr(
        "the schedule waits until {time} after {count} failures; `soulsync sync` tries at once",
        time=time.strftime("%H:%M", time.localtime(seconds(pause["until"]))),
        count=pause["failures"],
    )


def _losers(stands: dict[str, Any], now: float) -> list[str]:
    return [
        tr(
            "{path}: `soulsync restore {path}` has the version that lost ({when})",
            path=m["path"],
            when=ago(m["time"], now),
        )
        for m in stands["merged"]
        if m.get("lost") and m.get("time")
    ]


def _lease(lease: dict[str, Any]) -> str:
    if lease["held"]:
        return tr("{body} until {until}", body=lease["body"], until=lease["until"])
    return tr("free")


def _body(body: dict[str, Any], now: float) -> str:
    stamp = seconds(body["lastSeen"])
    silent = stamp is None or now - stamp > DEAD_AFTER
    return style(f"{body['body']} ({ago(body['lastSeen'], now)})", fg="red" if silent else None)
