"""Bodies as a test sees them: a home folder each, the real ``soulsync`` in a process of its own, and plain git."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from soulsync.access.bare import create_bare
from soulsync.access.key import public_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tests.servers import GitServer

AGENT = "kaoru"
REPO = "kaoru.soul.git"
SEPARATOR = "\n§\n"
LIMIT = 120
"""Seconds after which any command counts as hanging."""


class Body:
    """One body of the agent ``agent`` on a machine of its own, whose user's home is ``folder``."""

    def __init__(self, folder: Path, name: str, url: str | None, *, agent: str = AGENT, **env: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.name, self.url, self.agent = folder, name, url, agent
        self.base = folder / ".soulsync"
        self.home = self.base / agent
        self.soul = self.home / "soul"
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "SSH_", "SOUL"))}
        self.env = {**kept, "HOME": str(folder), "SOULSYNC_HOME": str(self.base), "GIT_CONFIG_NOSYSTEM": "1", **env}
        for name_ in ("XDG_CONFIG_HOME", "NO_COLOR"):
            self.env.pop(name_, None)

    # -- soulsync ------------------------------------------------------------------------------------------------

    def argv(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "soulsync", *words]

    def run(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run ``soulsync``, whatever its exit code."""
        return subprocess.run(
            self.argv(*words),
            env={**self.env, **env},
            cwd=self.folder,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            stdin=subprocess.DEVNULL,
            timeout=LIMIT,
            check=False,
        )

    def ok(self, *words: str, **env: str) -> str:
        """Run ``soulsync``, which must end with 0; what it printed."""
        done = self.run(*words, **env)
        assert done.returncode == 0, f"{words}: {done.returncode} {done.stdout}{done.stderr}"
        return done.stdout

    def fails(self, code: int, *words: str, **env: str) -> str:
        """Run ``soulsync``, which must end with ``code`` and one line on stderr; that line."""
        done = self.run(*words, **env)
        assert done.returncode == code, f"{words}: {done.returncode} {done.stdout}{done.stderr}"
        lines = done.stderr.splitlines()
        assert len(lines) == 1, done.stderr
        assert lines[0].startswith("soulsync: ")
        return lines[0]

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start ``soulsync`` and let it run."""
        return subprocess.Popen(
            self.argv(*words),
            env=self.env,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            stdin=subprocess.DEVNULL,
        )

    def init(self, *options: str) -> dict[str, Any]:
        """Connect this body."""
        where = [self.url] if self.url else ["--agent", self.agent]
        return dict(json.loads(self.ok("init", *where, "--body", self.name, "--json", *options)))

    def sync(self, *options: str) -> dict[str, Any]:
        """One round, which must succeed; its JSON."""
        return dict(json.loads(self.ok("sync", "--json", *options)))

    def status(self) -> dict[str, Any]:
        return dict(json.loads(self.ok("status", "--json")))

    # -- files ---------------------------------------------------------------------------------------------------

    def write(self, path: str, text: str | bytes) -> None:
        file = self.soul / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)

    def read(self, path: str) -> str:
        return (self.soul / path).read_bytes().decode("utf-8", "surrogateescape")

    def delete(self, path: str) -> None:
        (self.soul / path).unlink()

    def exists(self, path: str) -> bool:
        return (self.soul / path).exists()

    def entries(self, path: str = "memories/MEMORY.md") -> list[str]:
        """The entries of a memories file."""
        return split(self.read(path))

    def remember(self, *texts: str, path: str = "memories/MEMORY.md") -> None:
        """Add entries at the end."""
        self.set_entries([*self.entries(path), *texts], path)

    def forget(self, text: str, path: str = "memories/MEMORY.md") -> None:
        self.set_entries([entry for entry in self.entries(path) if entry != text], path)

    def replace(self, old: str, new: str, path: str = "memories/MEMORY.md") -> None:
        self.set_entries([new if entry == old else entry for entry in self.entries(path)], path)

    def set_entries(self, texts: Sequence[str], path: str = "memories/MEMORY.md") -> None:
        self.write(path, SEPARATOR.join(texts) + "\n" if texts else "")

    def identity(self) -> dict[str, Any]:
        return dict(json.loads(self.read("agent.json")))

    def identify(self, **fields: object) -> None:
        """Set fields of ``agent.json``."""
        self.write("agent.json", json.dumps({**self.identity(), **fields}, ensure_ascii=False, indent=2) + "\n")

    def age_registry(self, hours: float) -> None:
        """Make this body's registry file say that it was last seen ``hours`` ago, and let the remote have that."""
        path = f"bodies/{self.name}.json"
        seen = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - 3600 * hours))
        values = {**json.loads(self.read(path)), "lastSeen": seen}
        self.write(path, json.dumps(values, ensure_ascii=False, indent=2) + "\n")
        self.git("commit", "-q", "--no-verify", "-m", "earlier", "--", path)
        self.git("push", "-q", "--no-verify", "origin", "main")

    def last_seen(self) -> str:
        return str(json.loads(self.read(f"bodies/{self.name}.json"))["lastSeen"])

    # -- git -----------------------------------------------------------------------------------------------------

    def git(self, *words: str, **env: str) -> str:
        """Plain git in the soul, which must succeed."""
        return git(self.soul, *words, env={**self.env, **env})

    def try_git(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Plain git in the soul, whatever its exit code."""
        return subprocess.run(
            ["git", *words], cwd=self.soul, env=self.env, capture_output=True, text=True, timeout=LIMIT, check=False
        )

    def head(self, revision: str = "HEAD") -> str:
        return self.git("rev-parse", revision)

    def tree(self, revision: str = "HEAD") -> str:
        return self.git("rev-parse", f"{revision}^{{tree}}")

    def subjects(self, *words: str) -> list[str]:
        return self.git("log", "--format=%s", *words).splitlines()

    def clean(self) -> bool:
        """Whether plain git sees nothing to commit."""
        return self.git("status", "--porcelain") == ""


class Remote:
    """A bare repository on this machine, used by its path: for tests that are not about the transport."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self.path = path
        if create:
            create_bare(path)

    @property
    def url(self) -> str:
        return str(self.path)

    def body(self, folder: Path, name: str, **env: str) -> Body:
        return Body(folder, name, self.url, SOUL_ALLOW_LOCAL_REMOTE="1", **env)

    def git(self, *words: str) -> str:
        return git(self.path, *words)

    def head(self) -> str:
        return self.git("rev-parse", "main")

    def tree(self) -> str:
        return self.git("rev-parse", "main^{tree}")

    def allow_everything(self) -> None:
        """Let the test do to the remote what soulsync never does: rewrite, delete."""
        self.git("config", "receive.denyNonFastForwards", "false")
        self.git("config", "receive.denyDeletes", "false")

    def hook(self, name: str, *lines: str) -> None:
        """Give the remote a hook of shell lines."""
        file = self.path / "hooks" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join(("#!/bin/sh", *lines, "")))
        file.chmod(0o755)

    def commit(self, files: dict[str, str | bytes | None], message: str = "from elsewhere", **env: str) -> str:
        """Put a commit on the remote's ``main``, as another program does: its files changed, None deleted."""
        work = self.path.parent / f"elsewhere-{time.monotonic_ns()}"
        git(self.path.parent, "init", "-q", "-b", "main", str(work))
        if self.git("for-each-ref", "refs/heads/main"):
            git(work, "pull", "-q", self.url, "main")
        for path, text in files.items():
            file = work / path
            if text is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode() if isinstance(text, str) else text)
        git(work, "add", "-A", "-f")
        git(work, "commit", "-q", "--allow-empty", "-m", message, env={**ELSEWHERE, **env})
        git(work, "push", "-q", self.url, "HEAD:main")
        return git(work, "rev-parse", "HEAD")


ELSEWHERE = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Elsewhere",
    "GIT_AUTHOR_EMAIL": "kaoru@elsewhere.local",
    "GIT_COMMITTER_NAME": "Elsewhere",
    "GIT_COMMITTER_EMAIL": "kaoru@elsewhere.local",
}


def git(folder: Path, *words: str, env: dict[str, str] | None = None) -> str:
    """Plain git in ``folder``, which must succeed; what it printed."""
    done = subprocess.run(
        ["git", "-c", "core.quotePath=false", *words],
        cwd=folder,
        env=env or ELSEWHERE,
        capture_output=True,
        text=True,
        errors="surrogateescape",
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, f"git {words}: {done.stdout}{done.stderr}"
    return done.stdout.rstrip("\n")


def split(text: str) -> list[str]:
    """The entries of a memories text that holds no odd white space."""
    return [entry.strip() for entry in text.split(SEPARATOR) if entry.strip()]


def over_ssh(server: GitServer, folder: Path, name: str, *, write: bool = True) -> Body:
    """A body that is connected through ``server``: key made, added there, and ``init`` run again."""
    body = Body(folder, name, server.url(REPO))
    assert body.run("init", server.url(REPO), "--body", name).returncode == 4
    server.authorize(REPO, public_line(body.home / "id_ed25519"), write)
    body.init()
    return body


def in_turn(*bodies: Body, rounds: int = 2) -> None:
    """Sync every body, one after the other, until what each did has reached all."""
    for _ in range(rounds):
        for body in bodies:
            body.sync()


def assert_in_step(*bodies: Body) -> None:
    """Every body stands on one commit, its work tree clean in the eyes of plain git."""
    assert len({body.head() for body in bodies}) == 1
    for body in bodies:
        assert body.clean(), body.git("status", "--porcelain")


def snapshot(folder: Path, *, without: Sequence[str] = ()) -> dict[str, bytes]:
    """Every file below ``folder`` with its bytes, but for the folders named in ``without``."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in _files(folder, without)}


def _files(folder: Path, without: Sequence[str]) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        inside = str(path.relative_to(folder))
        if path.is_file() and not path.is_symlink() and not inside.startswith(tuple(without)):
            yield path
