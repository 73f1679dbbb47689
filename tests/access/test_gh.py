"""Adding a key with ``gh``. A stand-in takes its place: these tests tell what it is asked, not what GitHub does."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from soulsync.access import gh
from soulsync.errors import DeniedError, UsageError
from tests.access.client import remote

if TYPE_CHECKING:
    from pathlib import Path

GITHUB = remote("git@github.com:me/kaoru.soul.git")
STAND_IN = """\
#!{python}
import json, os, sys
with open({log!r}, "w") as file:
    json.dump({{"argv": sys.argv[1:], "stdin": sys.stdin.read()}}, file)
sys.stderr.write({said!r})
sys.exit({code})
"""


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, *, code: int = 0, said: str = "") -> Path:
    """Put a program ``gh`` on the PATH; the file in which it keeps how it was called."""
    log = folder / "called.json"
    program = folder / "bin" / "gh"
    program.parent.mkdir()
    program.write_text(STAND_IN.format(python=sys.executable, log=str(log), said=said, code=code))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    return log


def test_the_key_is_added_to_that_repository_with_write_access(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = stand_in(tmp_path, monkeypatch)
    gh.check(GITHUB)
    gh.add_deploy_key(GITHUB, tmp_path / "id_ed25519.pub", "kaoru@laptop (soulsync)")
    called = json.loads(log.read_text())
    assert called["argv"] == [
        "repo", "deploy-key", "add", str(tmp_path / "id_ed25519.pub"), "--repo", "me/kaoru.soul", "--allow-write",
        "--title", "kaoru@laptop (soulsync)",
    ]  # fmt: skip
    assert called["stdin"] == ""


def test_another_host_of_github_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = stand_in(tmp_path, monkeypatch)
    gh.add_deploy_key(remote("git@corp.ghe.com:me/a.git"), tmp_path / "k.pub", "t")
    assert "corp.ghe.com/me/a" in json.loads(log.read_text())["argv"]


def test_what_gh_says_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, code=1, said="warning\nHTTP 422: Validation Failed (key is already in use)\n")
    with pytest.raises(DeniedError, match="key is already in use") as raised:
        gh.add_deploy_key(GITHUB, tmp_path / "k.pub", "t")
    assert "by hand" in raised.value.remedy


def test_without_a_login_the_person_is_told_to_log_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, code=4, said="To get started with GitHub CLI, please run:  gh auth login\n")
    with pytest.raises(DeniedError, match="not logged in") as raised:
        gh.add_deploy_key(GITHUB, tmp_path / "k.pub", "t")
    assert "gh auth login" in raised.value.remedy


@pytest.mark.parametrize("address", ["git@gitlab.com:me/a.git", "git@example.org:me/a.git", None])
def test_other_hosts_are_wrong_usage(address: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch)
    with pytest.raises(UsageError, match="GitHub alone"):
        gh.check(remote(address) if address else None)


def test_a_machine_without_gh_is_wrong_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="the program gh"):
        gh.check(GITHUB)
