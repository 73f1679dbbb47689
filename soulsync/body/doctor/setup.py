"""The body's own folder: config, modes, the deploy key."""

from __future__ import annotations

import contextlib
import os
import shlex
import stat
from typing import TYPE_CHECKING

from soulsync.access import key as keys
from soulsync.access import keyfile
from soulsync.body.doctor.finding import Finding, Look, ill, some, well
from soulsync.lang import tr

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.body.doctor.patient import Patient


def config(patient: Patient) -> Finding:
    """Whether ``config.toml`` can be used, and is that of this folder."""
    found = patient.config
    if found.agent != patient.home.agent:
        return ill(
            tr("{file} is of the agent {agent}.", file=patient.home.config_file, agent=found.agent),
            tr("A folder is named like its agent: rename it to {agent}, or correct the file.", agent=found.agent),
        )
    return well(tr("{agent} on {body}", agent=found.agent, body=found.body))


def folder(patient: Patient) -> Finding:
    """Whether the folder is ours, writable, and closed to others."""
    home = patient.home
    places = [p for p in (home.root, home.state, home.config_file, home.known_hosts, home.log) if p.exists()]
    foreign = [str(p) for p in places if p.stat().st_uid != os.geteuid()]
    if foreign:
        return ill(
            tr("{paths}: belongs to another user.", paths=some(foreign)),
            tr(
                "Run soulsync as that user, or: chown -R {uid} {root}.",
                uid=os.geteuid(),
                root=shlex.quote(str(home.root)),
            ),
        )
    loose = [p for p in places if p.stat().st_mode & 0o077]
    if loose:
        return ill(
            tr("{paths}: open to others.", paths=some([str(p) for p in loose])),
            tr("Close it: chmod go= {paths}.", paths=shlex.join(map(str, loose))),
            lambda: _close(loose),
        )
    shut = [str(p) for p in places if not os.access(p, os.R_OK | os.W_OK | (os.X_OK if p.is_dir() else 0))]
    if shut:
        return ill(
            tr("{paths}: can't be read and written.", paths=some(shut)),
            tr("Give yourself the rights again: chmod -R u+rwX {root}.", root=shlex.quote(str(home.root))),
        )
    return well(tr("{path}, closed to others", path=home.root))


def _close(places: list[Path]) -> list[str]:
    for place in places:
        place.chmod(stat.S_IMODE(place.stat().st_mode) & ~0o077)
    return [tr("closed {path} to others", path=place) for place in places]


def key(patient: Patient) -> Finding:
    """Whether ssh can use the deploy key without asking anybody: its file, its type, its lines."""
    path = patient.home.key
    with contextlib.suppress(OSError):
        info = path.lstat()
        if stat.S_ISREG(info.st_mode) and info.st_uid == os.geteuid() and info.st_mode & 0o077:
            return ill(
                tr(
                    "The deploy key is open to others (mode {mode:04o}): {path}.", mode=info.st_mode & 0o7777, path=path
                ),
                tr("Run: chmod 600 {path}.", path=shlex.quote(str(path))),
                lambda: _close([path]),
            )
    keyfile.check_private(path)
    data = path.read_bytes()
    if b"\r" in data or not data.endswith(b"\n"):
        return ill(
            tr("The lines of the deploy key were damaged by a copy, so ssh can't read it: {path}.", path=path),
            tr("Run `soulsync doctor --fix`."),
            lambda: _whole_lines(path),
        )
    return well(tr("{path}, closed to others", path=path))


def _whole_lines(path: Path) -> list[str]:
    keyfile.ready(path)
    return [tr("put the lines of {path} right", path=path)]


def public_half(patient: Patient) -> Finding:
    """Whether the ``.pub`` file is that of the key: people copy it into the forge's settings by hand."""
    line = keys.public_line(patient.home.key)
    file = patient.home.key.with_name(patient.home.key.name + ".pub")
    try:
        words = file.read_text("utf-8").split(None, 2)
    except (OSError, UnicodeDecodeError):
        words = []
    if words[:2] != line.split(None, 2)[:2]:
        return ill(
            tr("{file} is not the public half of the key.", file=file),
            tr("Run `soulsync doctor --fix`, and add to the server only what `soulsync key show` prints."),
            lambda: _write_public(file, line),
        )
    return well(keys.fingerprint(line))


def _write_public(file: Path, line: str) -> list[str]:
    from soulsync.files import write_durably

    write_durably(file, f"{line}\n".encode(), 0o644)
    return [tr("wrote {file} again", file=file)]


LOOKS = (
    Look("config", config),
    Look("home-folder", folder),
    Look("key", key),
    Look("public-key", public_half, ("config", "key")),
)
