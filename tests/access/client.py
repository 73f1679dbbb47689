"""A body's side of the wire, as soulsync has it: one deploy key, one known_hosts, real git and real ssh."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from soulsync.access import key, ssh
from soulsync.access.address import parse_remote

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.access.address import Remote

IDENTITY = {
    "GIT_AUTHOR_NAME": "薰",
    "GIT_AUTHOR_EMAIL": "kaoru@one.local",
    "GIT_COMMITTER_NAME": "薰",
    "GIT_COMMITTER_EMAIL": "kaoru@one.local",
}


class Client:
    """Runs git with the one ssh command; ``folder`` holds key and known_hosts and may have any name."""

    def __init__(self, folder: Path, *, strict: bool = False, control_path: Path | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.key = folder / "id_ed25519"
        self.known_hosts = folder / "known_hosts"
        self.strict = strict
        self.control_path = control_path
        self.public = key.generate(self.key, f"kaoru@{folder.name}")

    @property
    def fingerprint(self) -> str:
        return key.fingerprint(self.public)

    def env(self, **more: str) -> dict[str, str]:
        command = ssh.ssh_command(
            self.key, self.known_hosts, strict=self.strict, control_path=self.control_path, connect_timeout=10
        )
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SSH_"))}
        safe = {"LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TERMINAL_PROMPT": "0"}
        return {**kept, **IDENTITY, **safe, "GIT_SSH_COMMAND": command, **more}

    def git(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", *words],
            env=self.env(**env),
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=120,
            check=False,
        )

    def ssh(self, remote: Remote, *command: str, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
        """ssh itself, as an intruder with the deploy key would use it."""
        argv = ssh.ssh_argv(self.key, self.known_hosts, strict=False, connect_timeout=10)
        # What is asked for comes first: the first value of an option counts.
        argv = [argv[0], *options, *argv[1:], "-p", str(remote.port), f"{remote.user}@{remote.host}", *command]
        return subprocess.run(
            argv, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, check=False, env=ssh.child_env()
        )

    def commit(self, name: str, text: str = "text\n") -> Path:
        """A repository with one commit on main."""
        work = self.folder / name
        assert self.git("init", "-q", "-b", "main", str(work)).returncode == 0
        (work / "note.md").write_text(text)
        assert self.git("-C", str(work), "add", ".").returncode == 0
        assert self.git("-C", str(work), "commit", "-q", "-m", "first（one）").returncode == 0
        return work


def remote(url: str) -> Remote:
    return parse_remote(url, allow_local=False)
