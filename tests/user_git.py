"""Plain git as a user runs it: a home of its own, fixed dates, every command bounded in time."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

DAY = 86_400
EPOCH = 1_767_225_600  # 2026-01-01


class UserGit:
    """One repository and the user who types in it. ``env`` is the user's whole environment."""

    def __init__(self, root: Path, home: Path, **env: str) -> None:
        self.root = root
        self.home = home
        home.mkdir(exist_ok=True)
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "薰",
            "GIT_AUTHOR_EMAIL": "kaoru@one.local",
            "GIT_COMMITTER_NAME": "薰",
            "GIT_COMMITTER_EMAIL": "kaoru@one.local",
            "GIT_EDITOR": ":",
            **env,
        }

    @classmethod
    def init(cls, root: Path, home: Path, **env: str) -> UserGit:
        root.mkdir(parents=True)
        git = cls(root, home, **env)
        git("init", "-q", "-b", "main")
        return git

    def run(
        self, *args: str, day: float | None = None, stdin: str = "", cwd: Path | None = None, **env: str
    ) -> subprocess.CompletedProcess[str]:
        """Run git, whatever its status. ``day`` dates the commit it makes."""
        date = {} if day is None else dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), stamp(day))
        return subprocess.run(
            ["git", *args],
            cwd=cwd or self.root,
            env={**self.env, **date, **env},
            input=stdin,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=60,
            check=False,
        )

    def __call__(self, *args: str, day: float | None = None, **env: str) -> str:
        """Run git, which must succeed; what it printed."""
        result = self.run(*args, day=day, cwd=None, **env)
        assert result.returncode == 0, f"git {args}: {result.stdout}{result.stderr}"
        return result.stdout.strip()

    def write(self, path: str, text: str | bytes) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode("utf-8", "surrogateescape")

    def commit(self, files: dict[str, str | bytes | None], day: float, message: str = "step（one）") -> str:
        """Commit files as given (None: deleted); the new commit."""
        for path, text in files.items():
            if text is None:
                (self.root / path).unlink()
            else:
                self.write(path, text)
        self("add", "-A")
        self("commit", "-q", "--allow-empty", "--no-verify", "-m", message, day=day)
        return self("rev-parse", "HEAD")

    def branch(self, name: str, start: str, files: dict[str, str | bytes | None], day: float) -> str:
        """A branch with one commit on top of ``start``; it is checked out."""
        self("checkout", "-q", "-B", name, start)
        return self.commit(files, day)


def stamp(day: float) -> str:
    """The date of a day counted from the start of 2026, in git's own form."""
    return f"@{int(EPOCH + day * DAY)} +0000"
