"""The server's side of a soul: a bare repository, and git serving it (used by the embedded server and by OpenSSH).

This git has nothing to do with a body's own: it runs on the machine that holds the remote.
"""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from soulsync.errors import SoulSyncError, UsageError
from soulsync.lang import tr
from soulsync.spec import BRANCH

if TYPE_CHECKING:
    from pathlib import Path

SERVICES = ("upload-pack", "receive-pack")
"""What git asks a server to run: to read, and to write."""

_APPEND_ONLY = {
    "receive.denyNonFastForwards": "true",
    "receive.denyDeletes": "true",
    "transfer.fsckObjects": "true",
}
"""History is append-only (soul-repo-v4 §1), whatever a client tries."""
_SETTINGS = _APPEND_ONLY | {
    "core.hooksPath": os.devnull,
    "receive.maxInputSize": str(1 << 30),
}
_SECONDS = 30


def create_bare(path: Path) -> None:
    """Make ``path`` a bare repository with the branch ``main`` that refuses force-push, deletion and broken objects.

    Raises UsageError (2) when something is there already, SoulSyncError when git fails.
    """
    if path.is_symlink() or (path.exists() and (not path.is_dir() or any(path.iterdir()))):
        raise UsageError(tr("There is something already: {path}.", path=path), tr("Choose another name."))
    path.mkdir(parents=True, exist_ok=True)
    _git("init", "--quiet", "--bare", "--template=", f"--initial-branch={BRANCH}", str(path))
    for name, value in _APPEND_ONLY.items():
        _git("--git-dir", str(path), "config", name, value)


def ensure_bare(path: Path) -> bool:
    """Make ``path`` such a repository, or give one that is there what it lacks; whether it is new.

    Raises UsageError (2) where something else stands there.
    """
    if path.is_symlink() or not is_bare(path):
        create_bare(path)
        path.chmod(0o700)
        return True
    for name, value in _APPEND_ONLY.items():
        if _setting(path, name) != value:
            _git("config", "--file", str(path / "config"), "--replace-all", name, value)
    return False


def is_bare(path: Path) -> bool:
    """Whether ``path`` is a bare repository."""
    return (path / "HEAD").is_file() and (path / "objects").is_dir() and _setting(path, "core.bare") == "true"


def refuses_rewriting(path: Path) -> bool:
    """Whether the settings of the bare repository at ``path`` refuse force-push and deletion."""
    return all(_setting(path, name) == "true" for name in ("receive.denyNonFastForwards", "receive.denyDeletes"))


def _setting(path: Path, name: str) -> str:
    try:
        return _git("config", "--file", str(path / "config"), "--type=bool", "--default=false", "--get", name)
    except SoulSyncError:
        return ""


def serve_argv(service: str, path: Path) -> list[str]:
    """The command that serves ``service`` on the bare repository at ``path`` and on no other."""
    settings = {**_SETTINGS, "safe.directory": str(path)}
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    strict = ["--strict"] if service == "upload-pack" else []  # never look for a .git inside
    return ["git", *options, service, *strict, str(path)]


def serve_env(protocol: str | None = None) -> dict[str, str]:
    """A clean environment for git on the server; ``protocol`` is the client's ``GIT_PROTOCOL``."""
    env = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": os.devnull,
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
    }
    if protocol is not None:
        env["GIT_PROTOCOL"] = protocol
    return env


def _git(*words: str) -> str:
    try:
        done = subprocess.run(
            ["git", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=serve_env(),
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError:
        raise SoulSyncError(tr("The program git is missing."), tr("Install git.")) from None
    except subprocess.TimeoutExpired:
        raise SoulSyncError(
            tr("git {command} did not end within {seconds} s.", command=words[0], seconds=_SECONDS), tr("Try again.")
        ) from None
    if done.returncode != 0:
        raise SoulSyncError(
            tr(
                "git {command} failed: {stderr}.",
                command=words[0],
                stderr=done.stderr.decode("utf-8", "replace").strip(),
            )
        )
    return done.stdout.decode("utf-8", "replace").strip()
