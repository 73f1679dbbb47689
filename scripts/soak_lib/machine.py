"""A folder with a remote and the bodies that sync with it, where each command runs in a forked process.

The modules are loaded once, before the fork; what the command does is what the program does.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import shutil
import subprocess
import sys
import traceback
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import soulsync
from soak_lib import tracer
from soak_lib.tracer import Full
from soulsync.__main__ import run as run_soulsync
from soulsync.access.bare import create_bare

if TYPE_CHECKING:
    from collections.abc import Mapping

    from soak_lib.tracer import Traced

AGENT = "kaoru"
_ENV = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "SOUL_ALLOW_LOCAL_REMOTE": "1",
    "LC_ALL": "en_US.UTF-8",
}


def preload() -> None:
    """Load every module of soulsync and what they load when first used."""
    for module in pkgutil.walk_packages(soulsync.__path__, "soulsync."):
        if not module.name.startswith("soulsync.lang."):  # the bodies here speak English
            importlib.import_module(module.name)
    for name in ("click", "filelock", "pygit2"):
        importlib.import_module(name)


@dataclass(frozen=True, slots=True)
class World:
    """Everything lies below ``root``: ``remote.git`` and one home folder for each body."""

    root: Path

    @classmethod
    def new(cls, root: Path) -> World:
        root.mkdir(parents=True)
        create_bare(root / "remote.git")
        return cls(root)

    def copy(self, root: Path) -> World:
        """The same in another folder, with the paths in its files made right."""
        shutil.copytree(self.root, root, symlinks=True)
        old, new = str(self.root), str(root)
        for folder, _, files in os.walk(root):
            for name in files:
                _readdress(Path(folder, name), old, new)
            for name in ("objects", "refs", "logs"):
                if Path(folder, name).is_symlink():
                    _readdress(Path(folder, name), old, new)
        return World(root)

    @property
    def remote(self) -> Path:
        return self.root / "remote.git"

    def soul(self, body: str) -> Path:
        return self.root / body / AGENT / "soul"

    def run(self, body: str, *words: str) -> int:
        """Run ``soulsync`` as ``body`` to its end; the exit code."""
        pid = os.fork()
        if pid == 0:
            code = 99
            try:
                code = self._become(body, words)
            finally:
                os._exit(code)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def killed(self, body: str, words: tuple[str, ...], call: int) -> Traced:
        """Run ``soulsync`` as ``body`` and kill it at system call number ``call``."""
        return tracer.run(partial(self._become, body, words), call)

    def without_room(self, body: str, words: tuple[str, ...], since: int) -> Traced:
        """Run ``soulsync`` as ``body`` on a disk that is full from its write number ``since`` on."""
        return tracer.run(partial(self._become, body, words), full=Full(self.root / body, since))

    def said(self) -> str:
        """What the last command printed."""
        return (self.root / "said").read_text("utf-8", "replace").strip()

    def _become(self, body: str, words: tuple[str, ...]) -> int:
        said = os.open(self.root / "said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        for number in (1, 2):
            os.dup2(said, number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.chdir(self.root)
        os.environ.update(_ENV, HOME=str(self.root / body), SOULSYNC_HOME=str(self.root / body))
        try:
            return run_soulsync(list(words))
        except SystemExit as e:
            return e.code if isinstance(e.code, int) else 1
        except BaseException:
            traceback.print_exc()
            return 99
        finally:
            sys.stdout.flush()
            sys.stderr.flush()

    def write(self, body: str, files: Mapping[str, str | None]) -> None:
        """Change files of a work tree; None deletes."""
        for path, text in files.items():
            file = self.soul(body) / path
            if text is None:
                file.unlink()
                if not any(file.parent.iterdir()):
                    file.parent.rmdir()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")

    def read(self, body: str, path: str) -> str | None:
        file = self.soul(body) / path
        return file.read_text("utf-8", "replace") if file.is_file() else None

    def git(self, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        """Plain git, whatever its exit code."""
        return subprocess.run(
            ["git", "-c", "core.quotePath=false", *words], cwd=folder, env={**os.environ, **_ENV}, capture_output=True,
            text=True, errors="replace", timeout=60, check=False,
        )  # fmt: skip


def _readdress(path: Path, old: str, new: str) -> None:
    if path.is_symlink():
        target = str(path.readlink()).replace(old, new)
        path.unlink()
        path.symlink_to(target)
    elif path.name in ("config", "config.toml") or path.parent.name in ("hooks", "state"):
        data = path.read_bytes()
        if old.encode() in data:
            path.write_bytes(data.replace(old.encode(), new.encode()))
