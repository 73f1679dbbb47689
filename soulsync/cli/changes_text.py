"""Changes in memory terms, as lines for a person."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from soulsync.cli.ages import age
from soulsync.cli.context import printable
from soulsync.formats.instants import LATEST
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.repo.changes import Change
    from soulsync.repo.history import Commit

DAY = 86_400
"""What the local time may be ahead of UTC: no year is after 9999, whatever date a commit bears."""
MAX_TEXT = 400
"""Characters of one entry that are shown; the rest is in `soulsync show --json`."""


def commit_lines(commit: Commit, changes: list[Change], now: float) -> Iterator[str]:
    """One commit with what it did; ``now`` in seconds since the epoch."""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(min(commit.time, LATEST // 1000 - DAY)))
    head = f"{click.style(commit.id[:7], fg='yellow')} {click.style(printable(commit.body), fg='cyan', bold=True)}"
    subject = commit.subject.removesuffix(f"（{commit.body}）")  # the body stands before it already
    yield f"{head}  {when} ({age(now - commit.time)})  {printable(subject)}"
    for change in changes:
        yield from (f"    {line}" for line in change_lines(change))


def change_lines(change: Change) -> Iterator[str]:
    """One change: a sign, what it is about, and the text where there is one."""
    name = change.name or ""
    if change.kind == "entry-added":
        yield click.style(f"+ {_short(change.new)}", fg="green")
    elif change.kind == "entry-removed":
        yield click.style(f"- {_short(change.old)}", fg="red")
    elif change.kind == "entry-edited":
        yield "~ " + _edited(change.old or "", change.new or "")
    elif change.kind == "journal-section":
        yield click.style(tr("journal {path}: {title}", path=_safe(change.path), title=_safe(name)), fg="green")
    elif change.kind == "identity":
        yield tr("{field}: {old} → {new}", field=_safe(name), old=_short(change.old), new=_short(change.new))
    elif change.kind == "replaced":
        lost = tr("{path}: the version of {commit} lost", path=_safe(change.path), commit=(change.commit or "")[:7])
        yield click.style(lost, fg="magenta") + " " + tr("(`soulsync restore {path}`)", path=_safe(change.path))
    elif change.kind.endswith("-moved"):
        yield tr("moved {old} → {new}", old=_safe(change.old or ""), new=_safe(change.new or ""))
    else:
        yield _plain(change.kind, _safe(change.path))


def _plain(kind: str, path: str) -> str:
    """What happened to a file as a whole."""
    return {
        "note-written": tr("note {path}: written", path=path),
        "note-edited": tr("note {path}: edited", path=path),
        "note-deleted": tr("note {path}: deleted", path=path),
        "soul": tr("{path}: personality changed", path=path),
        "body": tr("{path}: body registered", path=path),
        "lease": tr("{path}: lease changed", path=path),
        "file-added": tr("{path}: added", path=path),
        "file-changed": tr("{path}: changed", path=path),
        "file-deleted": tr("{path}: deleted", path=path),
    }[kind]


def _edited(old: str, new: str) -> str:
    colours = {"=": None, "-": "red", "+": "green"}
    signs = {"=": ("", ""), "-": ("[-", "-]"), "+": ("{+", "+}")}
    parts = []
    from soulsync.repo.words import compare

    for sign, run in compare(old, new):
        text = _long_run(run) if sign == "=" else run
        before, after = signs[sign]
        parts.append(click.style(before + _one_line(text) + after, fg=colours[sign]))
    return "".join(parts)


def _long_run(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:36]} … {text[-36:]}"


def _short(text: str | None) -> str:
    if text is None:
        return "–"
    line = _one_line(text)
    return line if len(line) <= MAX_TEXT else line[: MAX_TEXT - 1] + "…"


def _one_line(text: str) -> str:
    return printable(text.replace("\n", " ⏎ "))


def _safe(text: str) -> str:
    return printable(text)
