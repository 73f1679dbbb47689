"""The private key stays in its file: in no commit, log, output, error or process list, and closed to others."""

from __future__ import annotations

import base64
import subprocess
from typing import TYPE_CHECKING

import pytest

from soulsync.access.key import public_line
from tests.bodies import LIMIT, REPO, Body, over_ssh

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers import EmbeddedServer

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("sync",),
    ("sync", "--json"),
    ("status", "--json"),
    ("key", "show"),
    ("key", "show", "--json"),
    ("key", "verify"),
    ("log",),
    ("diff",),
    ("lease", "acquire", "--json"),
    ("remote", "show"),
    ("install",),
    ("sync", "--no-such-option"),
)


@pytest.fixture
def body(embedded: EmbeddedServer, tmp_path: Path) -> Body:
    embedded.create(REPO)
    made = over_ssh(embedded, tmp_path / "one", "one")
    made.env["SOULSYNC_DEBUG"] = "1"
    return made


def needles(key: Path) -> list[bytes]:
    """What must be found nowhere: the lines of the key, and the secret bytes in them."""
    lines = [line for line in key.read_bytes().splitlines() if line and not line.startswith(b"-----")]
    blob = base64.b64decode(b"".join(lines))
    point = base64.b64decode(key.with_suffix(".pub").read_bytes().split()[1])[-32:]
    secret = blob[blob.rindex(point) - 32 : blob.rindex(point)]  # PROTOCOL.key: ed25519 keeps seed and point together
    return [*lines[1:], secret, secret.hex().encode(), base64.b64encode(secret)]


def said(body: Body, *words: str) -> bytes:
    done = body.run(*words)
    return (done.stdout + done.stderr).encode("utf-8", "surrogateescape")


def processes_of(body: Body, *words: str) -> bytes:
    """The arguments of every process, looked at over and over while a command runs."""
    running, seen = body.start(*words), b""
    while running.poll() is None:
        seen += subprocess.run(["ps", "-ewwo", "args"], capture_output=True, timeout=LIMIT, check=True).stdout
    running.communicate(timeout=LIMIT)
    return seen


def holders(folder: Path, wanted: list[bytes]) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return [path for path in files if any(needle in path.read_bytes() for needle in wanted)]


def objects(repository: Path) -> bytes:
    """Every object of a repository, unpacked."""
    words = ["git", "-c", f"safe.directory={repository}", "cat-file", "--batch", "--batch-all-objects"]
    return subprocess.run(words, cwd=repository, capture_output=True, timeout=LIMIT, check=True).stdout


def test_the_private_key_is_told_to_nobody(body: Body, embedded: EmbeddedServer, tmp_path: Path) -> None:
    key = body.home / "id_ed25519"
    wanted = needles(key)
    body.remember("x")
    seen = processes_of(body, "sync")
    assert b"id_ed25519" in seen  # the file is named, its content never
    for words in COMMANDS:
        seen += said(body, *words)
    key.chmod(0o644)
    assert body.run("sync").returncode == 4
    seen += said(body, "sync")
    key.chmod(0o600)
    embedded.revoke(REPO, public_line(key))
    assert body.run("sync").returncode == 4
    seen += said(body, "sync")
    bare = next(path for path in tmp_path.rglob(REPO) if (path / "HEAD").is_file())
    seen += objects(body.soul) + objects(bare)
    assert [needle for needle in wanted if needle in seen] == []
    assert holders(tmp_path, wanted) == [key]


def test_everything_private_is_closed_to_others(body: Body) -> None:
    body.remember("x")
    body.sync()
    assert body.home.stat().st_mode & 0o777 == 0o700
    assert body.base.stat().st_mode & 0o777 == 0o700
    private = [body.home / name for name in ("id_ed25519", "config.toml", "known_hosts", "sync.log", "state")]
    private += [path for path in (body.home / "state").iterdir() if path.is_file()]
    assert [path for path in private if path.stat().st_mode & 0o077] == []


def test_a_folder_that_was_opened_is_closed_by_the_next_init(body: Body) -> None:
    body.home.chmod(0o755)
    body.init()
    assert body.home.stat().st_mode & 0o777 == 0o700
