"""A local soul that a test drives in its own process: the real command line without a start of Python for each."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from soulsync.__main__ import run
from soulsync.body import config as config_file
from soulsync.body.home import Home
from soulsync.body.sync import SyncRun, open_soul
from tests.bodies import git

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.body.config import Config
    from soulsync.repo.soul import Soul

MEMORY = "memories/MEMORY.md"
USER = "memories/USER.md"


class Said(NamedTuple):
    """How a command ended and what it printed."""

    code: int
    raw: bytes
    err: str

    @property
    def out(self) -> str:
        return self.raw.decode()


class Lived:
    """The soul of ``kaoru`` on the machine ``laptop``, without a remote."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = Home(folder / ".soulsync" / "kaoru")
        self.soul = self.home.default_soul

    @property
    def config(self) -> Config:
        return config_file.load(self.home)

    @property
    def repo(self) -> Soul:
        return open_soul(self.home, self.config)

    def run(self, *words: str, stdin: bytes = b"") -> Said:
        """Run ``soulsync`` with its output into pipes."""
        out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
        before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = run(list(words))
        finally:
            sys.stdin = before
        out.flush()
        buffer = out.buffer
        assert isinstance(buffer, io.BytesIO)
        return Said(code, buffer.getvalue(), err.getvalue())

    def ok(self, *words: str, stdin: bytes = b"") -> str:
        said = self.run(*words, stdin=stdin)
        assert (said.code, said.err) == (0, ""), said
        return said.out

    def json(self, *words: str) -> Any:
        return json.loads(self.ok(*words, "--json"))

    def fails(self, code: int, *words: str, stdin: bytes = b"") -> str:
        """Run ``soulsync``, which must end with ``code``, one line on stderr and nothing changed; that line."""
        before = self.files()
        said = self.run(*words, stdin=stdin)
        assert said.code == code, said
        assert said.err.count("\n") == 1, said.err
        assert self.files() == before
        return said.err

    def files(self) -> dict[str, bytes]:
        """Every file of the work tree, and what lies in the staging folder."""
        return {
            str(p.relative_to(self.soul)): p.read_bytes()
            for p in sorted(self.soul.rglob("*"))
            if p.is_file() and p.suffix != ".lock" and (".git" not in p.parts or ".git/soulsync-writing" in str(p))
        }

    def sync(self) -> None:
        SyncRun(self.home, self.config).execute()

    def commit(self, message: str = "change", body: str = "phone", date: str | None = None) -> str:
        """Commit all files as another body would; the id."""
        who = {"NAME": f"Kaoru ({body})", "EMAIL": f"kaoru@{body}.local"}
        env = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
        if date:
            env["GIT_AUTHOR_DATE"] = date
        env |= {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        git(self.soul, "add", "-A", env=env)
        git(self.soul, "commit", "-q", "--no-verify", "--allow-empty", "-m", message, env=env)
        return git(self.soul, "rev-parse", "HEAD")

    def write(self, path: str, text: str | bytes) -> None:
        file = self.soul / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)

    def read(self, path: str) -> str:
        return (self.soul / path).read_text("utf-8")

    def process(self, *words: str, **env: str) -> subprocess.Popen[bytes]:
        """Start ``soulsync`` as a process, with pipes."""
        pipe = subprocess.PIPE
        argv = [sys.executable, "-m", "soulsync", *words]
        return subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe, env={**os.environ, **env})


@pytest.fixture
def lived(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Lived:
    """A new local soul; messages are English. Made once and copied, since a test needs it in a moment."""
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name in ("VISUAL", "EDITOR", "PAGER", "LESS", "COLUMNS", "NOTIFY_SOCKET"):
        monkeypatch.delenv(name, raising=False)
    template = Lived(tmp_path_factory.getbasetemp() / "lived")
    if not template.soul.exists():
        template.ok("--home", str(template.folder / ".soulsync"), "init", "--agent", "kaoru", "--body", "laptop")
    soul = Lived(home)
    shutil.copytree(template.folder, soul.folder, symlinks=True, dirs_exist_ok=True)
    config_file.save(soul.home, soul.config.changed(soul=soul.soul))
    return soul
