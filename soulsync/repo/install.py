"""Installing soulsync in a repository: merge drivers, their attributes, hooks; and taking all of it out again.

Everything stands below ``.git``, nothing in the work tree: attributes are read from the checkout before a merge, so a
body that lacks a tracked ``.gitattributes`` would merge the same two commits by plain text (git 2.39).
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.lang import tr
from soulsync.merge.rules import attributes_lines
from soulsync.repo import install_hooks, install_text
from soulsync.repo.install_config import Config, locked
from soulsync.repo.layout import Change, Layout, locate
from soulsync.shipped import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

GUARD = (
    "s=$?; case $s in 0) exit 0;; 3) exit 1;; esac; "
    'echo "soulsync: the merge driver failed ($s). Both sides are in the file. Run soulsync install." >&2; '
    "git merge-file -q -L ours -L base -L theirs --marker-size=%L %A %O %B; "
    "[ $? -lt 128 ] || cat %B >>%A || rm -f %A; exit 1"
)
"""What follows the program in the driver's command.

Git adds no markers of its own: without this, a program that is missing (127), killed (137) or can't start leaves the
file as "ours", and theirs is lost with the next ``git add``. Status 3 says that the driver itself wrote both sides.
``git merge-file`` refuses binary files; and where the disk is full, a missing file makes git give up the whole merge
and change nothing.
"""

STORES = "soulsync.stores"
"""Set to ``true`` where a repository is no soul, but holds memory stores."""
SETTINGS = {
    # The rules know no renames but exact moves; git's guess pairs a deleted memory with a stranger (§4 rule 10).
    # Git before 2.50 ignores the first for merges.
    "merge.renames": "false",
    "merge.directoryRenames": "false",
}


def driver_command(rule: str, python: str, start: str) -> str:
    """The command that git runs as the merge driver ``rule``; ``%`` is git's own sign in it."""
    program = f"{shlex.quote(python)} -I -S {shlex.quote(start)}".replace("%", "%%")
    return f"{program} merge {rule} %O %A %B %P %L; {GUARD}"


def install(
    repo: Path,
    *,
    body: str | None,
    remote_url: str | None = None,
    agent_id: str | None = None,
    ssh_command: str | None = None,
    user: tuple[str, str] | None = None,
    attributes: Sequence[str] | None = None,
    hooks: Sequence[str] = install_hooks.HOOKS,
    stores_only: bool = False,
    python: str | None = None,
    dry_run: bool = False,
) -> list[str]:
    """Put drivers, attributes, excludes, settings and hooks into the repository whose work tree is ``repo``.

    Gives what it did, one line each, and what it found of others and left; nothing when all stands already.
    ``body``, ``remote_url`` and ``agent_id`` are what the hooks judge by (None: left as it is). ``ssh_command`` lets a
    plain ``git push`` use the deploy key (§7), ``user`` is (name, email) of the body's commits. ``attributes`` are
    lines for ``info/attributes``, by default those of a soul. ``stores_only``: the repository is no soul but holds
    memory stores, so nothing is set that would change how git treats its other files. Raises SoulSyncError, BusyError,
    GitError.
    """
    layout = locate(repo)
    settings = {
        "soulsync.body": body,
        "soulsync.remote": remote_url,
        "soulsync.agentId": agent_id,
        "core.sshCommand": ssh_command,
        "user.name": user[0] if user else None,
        "user.email": user[1] if user else None,
        "soulsync.python": python or sys.executable,
        "soulsync.start": str(PACKAGE / "start.py"),
        "soulsync.hooks": " ".join(hooks),
        STORES: "true" if stores_only else None,
    }
    lines = attributes_lines() if attributes is None else list(attributes)
    given = {key: value for key, value in settings.items() if value is not None}
    with locked(layout):
        changes = list(_changes(layout, Config(layout), given, lines))
        if not dry_run:
            for change in changes:
                change.apply()
        return [change.text for change in changes] + (_left_alone(layout) if changes else [])


def _changes(layout: Layout, config: Config, given: Mapping[str, str], lines: Sequence[str]) -> Iterator[Change]:
    python, start, names = given["soulsync.python"], given["soulsync.start"], given["soulsync.hooks"].split()
    outer, scope = install_hooks.outer_folder(layout, config)
    if scope == "worktree":
        yield Change(
            tr(
                "found core.hooksPath in the config of this work tree alone: git will not run our hooks here until "
                "`git config --worktree --unset core.hooksPath`"
            ),
            lambda: None,
        )
    settings = {**given, **_settings(stores_only=STORES in given), **_drivers(lines, python, start)}
    if outer is not None:
        settings |= {"soulsync.outerHooks": str(outer), "core.hooksPath": str(install_hooks.own_folder(layout))}
    else:
        yield from config.take_back("core.hooksPath")
        yield from config.drop("soulsync.outerHooks")
    if STORES not in given:
        yield from config.drop(STORES)
    yield from install_hooks.install(layout, install_hooks.wanted(layout, outer, names, python, start))
    yield from _exclude(layout, stores_only=STORES in given)
    yield from config.put(settings)
    # Last: an attribute that names a driver without a command would make every merge fail (git 2.39, status 128).
    yield from install_text.change(layout.common / "info" / "attributes", lines, tr("the merge drivers of each path"))


def _settings(*, stores_only: bool) -> Mapping[str, str]:
    return {} if stores_only else SETTINGS


def _exclude(layout: Layout, *, stores_only: bool) -> list[Change]:
    patterns = () if stores_only else spec.LITTER_PATTERNS  # `*.lock` would hide the lock files of a project
    return install_text.change(layout.common / "info" / "exclude", patterns, tr("what git must not add"))


def _drivers(lines: Sequence[str], python: str, start: str) -> dict[str, str]:
    settings = {}
    for rule in dict.fromkeys(line.rpartition(" merge=")[2] for line in lines if " merge=" in line):
        settings[f"merge.{rule}.name"] = f"soulsync: {rule}"
        settings[f"merge.{rule}.driver"] = driver_command(rule, python, start)
    return settings


def _left_alone(layout: Layout) -> list[str]:
    """What other tools have set and we do not touch, one line each."""
    text = install_text.without_block(install_text.read(layout.common / "info" / "attributes"))
    lines = [line.strip() for line in text.splitlines()]
    return [
        tr("left info/attributes: {line}", line=line)
        for line in lines
        if " merge=" in line and not line.startswith("#")
    ]


def uninstall(repo: Path) -> list[str]:
    """Take out everything that ``install`` put in; hooks and settings of others come back. Gives what it did."""
    layout = locate(repo)
    with locked(layout):
        changes = [
            # The attributes go first: without its command a driver's name makes every merge fail.
            *install_text.change(layout.common / "info" / "attributes", (), tr("the merge drivers of each path")),
            *install_text.change(layout.common / "info" / "exclude", (), tr("what git must not add")),
            *install_hooks.uninstall(layout),
            *Config(layout).clear(),
        ]
        for change in changes:
            change.apply()
        return [change.text for change in changes]


def check(repo: Path) -> list[str]:
    """What of an installation is missing or changed, one sentence each; nothing when all is well.

    Reads a few files and starts no process, so that each sync can do it. Whether git is set to another hooks folder
    outside this repository only git can tell: ``install(..., dry_run=True)`` asks it.
    """
    layout = locate(repo)
    config = Config(layout)
    python, start = config.get("soulsync.python"), config.get("soulsync.start")
    if python is None or start is None:
        return [tr("Merge drivers and hooks are not installed.")]
    problems = [tr("{path} is gone.", path=path) for path in (python, start) if not os.path.exists(path)]  # noqa: PTH110
    lines = _block(layout) if config.get("soulsync.body") is None else attributes_lines()
    outer = config.get("soulsync.outerHooks") or None
    stores_only = config.get(STORES) == "true"
    settings = {**_settings(stores_only=stores_only), **_drivers(lines, python, start)}
    if outer:
        settings["core.hooksPath"] = str(install_hooks.own_folder(layout))
    names = (config.get("soulsync.hooks") or "").split()
    files = install_hooks.wanted(layout, Path(outer) if outer else None, names, python, start)
    todo = [
        *config.put(settings),
        *install_hooks.install(layout, files),
        *_exclude(layout, stores_only=stores_only),
        *install_text.change(layout.common / "info" / "attributes", lines, tr("the merge drivers of each path")),
    ]
    return problems + [tr("Still to do: {change}.", change=change.text) for change in todo]


def _block(layout: Layout) -> list[str]:
    """The lines that stand in our block of ``info/attributes``."""
    text = install_text.read(layout.common / "info" / "attributes")
    inside = text.partition(install_text.BEGIN + "\n")[2].partition(install_text.END)[0]
    return inside.splitlines()
