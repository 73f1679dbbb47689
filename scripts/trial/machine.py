"""One machine: a home folder, a work tree, and a way to sync. Plain git and soulsync behind one interface."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PATIENCE = 90.0
"""Seconds after which a sync counts as hanging."""
HANGS = 124
"""The exit code noted for a sync that was stopped, as ``timeout`` gives it."""


@dataclass(slots=True)
class Synced:
    """What one sync came to: its exit ``code``, the JSON object of ``soulsync sync`` (empty for plain git), stderr."""

    code: int
    report: dict[str, Any] = field(default_factory=dict)
    said: str = ""


class Machine:
    """A work tree at ``tree`` that syncs with ``remote``, in a home of its own."""

    def __init__(self, name: str, home: Path, tree: Path, **env: str) -> None:
        self.name, self.home, self.tree = name, home, tree
        home.mkdir(parents=True, exist_ok=True)
        self.env = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1", **env}

    def connect(self, url: str) -> None:
        """Make this machine one of those that share the memory at ``url``."""
        raise NotImplementedError

    def command(self) -> list[str]:
        """What one sync is, as words for a process."""
        raise NotImplementedError

    def report(self, _out: str) -> dict[str, Any]:
        """What a sync printed, as data."""
        return {}

    def start(self) -> subprocess.Popen[str]:
        """Begin a sync."""
        return subprocess.Popen(
            self.command(),
            cwd=self.tree,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )

    def finish(self, process: subprocess.Popen[str], patience: float = PATIENCE) -> Synced:
        """Wait for a sync that was begun; one that hangs is stopped with its children."""
        try:
            out, said = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            return Synced(HANGS)
        return Synced(process.returncode, self.report(out), said.strip())

    def sync(self, patience: float = PATIENCE) -> Synced:
        """One sync, to its end."""
        return self.finish(self.start(), patience)

    def git(self, *argv: str) -> str:
        """Ask plain git about the work tree; what it prints, without the line end."""
        return git(self.tree, *argv, env=self.env)

    def write(self, path: str, text: str) -> None:
        """Write a file, as the agent does."""
        file = self.tree / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def read(self, path: str) -> str:
        """The text of a file; empty where there is none."""
        file = self.tree / path
        return file.read_text("utf-8", "replace") if file.exists() else ""


class Plain(Machine):
    """Plain git, with the line that people put into cron. ``rebase``: pull by rebase instead of by merge."""

    def __init__(self, name: str, home: Path, *, rebase: bool = False, key: Path | None = None) -> None:
        super().__init__(name, home, home / "soul")
        self.how = "--rebase" if rebase else "--no-rebase"
        if key is not None:
            known = home / "known_hosts"
            self.env["GIT_SSH_COMMAND"] = (
                f"ssh -F none -i '{key}' -o IdentitiesOnly=yes -o IdentityAgent=none -o BatchMode=yes"
                f" -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile='{known}'"
            )
        config = f"[user]\n\tname = {name}\n\temail = {name}@example.org\n[init]\n\tdefaultBranch = main\n"
        (home / ".gitconfig").write_text(config, "utf-8")

    def connect(self, url: str) -> None:
        subprocess.run(
            ["git", "clone", "-q", url, str(self.tree)], env=self.env, check=True, capture_output=True, timeout=PATIENCE
        )

    def command(self) -> list[str]:
        return ["sh", "-c", line(self.how)]


class Ours(Machine):
    """A body of soulsync, by its command line."""

    PROGRAM = str(Path(sys.executable).with_name("soulsync"))

    def __init__(self, name: str, home: Path, *, body: str, local: bool) -> None:
        super().__init__(name, home, home / ".soulsync" / "kaoru" / "soul")
        self.body = body
        self.folder = home / ".soulsync" / "kaoru"
        if local:
            self.env["SOUL_ALLOW_LOCAL_REMOTE"] = "1"

    def connect(self, url: str) -> None:
        done = self._init(url)
        if done.returncode:
            raise RuntimeError(f"soulsync init failed on {self.name}: {done.stderr.strip()}")

    def make_key(self, url: str) -> str:
        """Begin to connect, which makes the key; the line for the server."""
        self._init(url)
        return (self.folder / "id_ed25519.pub").read_text("utf-8").strip()

    def _init(self, url: str) -> subprocess.CompletedProcess[str]:
        """Connect; ``--replace-body`` for the trial of two machines with one name, which ``init`` refuses otherwise."""
        who = ("--agent", "kaoru", "--body", self.body, "--display-name", "Kaoru")
        return self.soulsync("init", url, *who, "--replace-body", "--wait", "0")

    def command(self) -> list[str]:
        return [self.PROGRAM, "sync", "--json"]

    def report(self, _out: str) -> dict[str, Any]:
        try:
            found = json.loads(_out)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def soulsync(self, *argv: str) -> subprocess.CompletedProcess[str]:
        """Any command of soulsync on this machine."""
        return subprocess.run(
            [self.PROGRAM, *argv],
            cwd=self.home,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )


def line(how: str = "--no-rebase") -> str:
    """The sync of plain git, as people put it into cron; its status is that of pull and push."""
    return f"git add -A && git commit -m sync; git pull --no-edit {how} && git push"


def git(folder: Path, *argv: str, env: dict[str, str] | None = None) -> str:
    """What a git command that must succeed prints."""
    done = subprocess.run(
        ["git", *argv],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        timeout=PATIENCE,
    )
    return done.stdout.decode("utf-8", "replace").strip()
