"""``soulsync remote create`` and ``authorize``: what they take, what they refuse, what they tell."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from soulsync.access.key import generate
from tests.bodies import git
from tests.lived import Lived

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def server(home: Path, monkeypatch: pytest.MonkeyPatch) -> Lived:
    """The account on a server; no soul lives there."""
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    return Lived(home)


@pytest.fixture
def public(tmp_path: Path) -> str:
    return generate(tmp_path / "key", "kaoru@laptop")


def test_a_repository_and_its_key_from_nothing(server: Lived, tmp_path: Path, public: str) -> None:
    said = server.ok("remote", "create", "~/souls/kaoru.soul.git")
    path = server.folder / "souls/kaoru.soul.git"
    assert said.splitlines()[0] == f"Made {path}: it refuses force-push and deletion."
    assert f"soulsync remote authorize {path} --key FILE" in said
    assert said.rstrip().endswith(str(path))
    assert path.stat().st_mode & 0o777 == 0o700
    said = server.ok("remote", "authorize", str(path), "--key", str(tmp_path / "key.pub"))
    keys = server.folder / ".ssh/authorized_keys"
    assert "and nothing else." in said
    assert keys.parent.stat().st_mode & 0o777 == 0o700
    assert keys.stat().st_mode & 0o777 == 0o600
    assert keys.read_text().startswith('restrict,command="')
    assert keys.read_text().endswith(f" {public}\n")
    again = server.ok("remote", "authorize", str(path), "--key", "-", stdin=f"# laptop\n\n{public}\r\n".encode())
    assert "It did so before." in again
    assert keys.read_text().count("\n") == 1
    assert "opens" in server.ok("remote", "authorize", str(path), "--key", str(tmp_path / "key.pub"), "--remove")
    assert keys.read_text() == ""
    assert "had no line" in server.ok("remote", "authorize", str(path), "--key", str(tmp_path / "key.pub"), "--remove")


def test_a_repository_that_is_there_gets_what_it_lacks(server: Lived, tmp_path: Path) -> None:
    path = tmp_path / "old.git"
    git(tmp_path, "init", "-q", "--bare", str(path))
    assert "already" in server.ok("remote", "create", str(path))
    for name in ("receive.denyNonFastForwards", "receive.denyDeletes", "transfer.fsckObjects"):
        assert git(path, "config", name) == "true"
    made = json.loads(server.ok("remote", "create", str(path), "--json"))
    assert (made["created"], made["path"]) == (False, str(path))


def test_what_is_no_repository_is_left_alone(server: Lived, tmp_path: Path, public: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").touch()
    (tmp_path / "link.git").symlink_to(tmp_path / "full")
    for name in ("full", "link.git"):
        assert "something already" in server.run("remote", "create", str(tmp_path / name)).err
    for name in ("full", "link.git", "nothing.git"):
        said = server.run("remote", "authorize", str(tmp_path / name), "--key", str(tmp_path / "key.pub"))
        assert (said.code, "no bare repository" in said.err) == (2, True)
    assert not (server.folder / ".ssh").exists()


def certificate(folder: Path) -> str:
    generate(folder / "ca", "ca")
    argv = ["ssh-keygen", "-q", "-s", str(folder / "ca"), "-I", "x", str(folder / "key.pub")]
    subprocess.run(argv, check=True, timeout=20)
    return (folder / "key-cert.pub").read_text()


def test_a_file_that_holds_no_single_bare_key_is_refused(server: Lived, tmp_path: Path, public: str) -> None:
    path = tmp_path / "a.git"
    server.ok("remote", "create", str(path))
    secret = (tmp_path / "key").read_text()
    faults = {
        "": "holds 0 keys",
        f"{public}\n{public}\n": "holds 2 keys",
        f'command="sh" {public}': "not a public SSH key",
        f"restrict {public}": "not a public SSH key",
        "ssh-ed25519 AAAA": "not a public SSH key",
        certificate(tmp_path): "certificate",
        secret: "private key",
    }
    for text, words in faults.items():
        said = server.run("remote", "authorize", str(path), "--key", "-", stdin=text.encode())
        assert said.code == 2
        assert words in said.err
        assert secret.splitlines()[1] not in said.err
    assert server.run("remote", "authorize", str(path), "--key", str(tmp_path / "gone")).code == 2
    assert server.run("remote", "authorize", str(path), "--key", "-", stdin=b"\xff\xfe").code == 2
    assert not (server.folder / ".ssh/authorized_keys").exists()


@pytest.mark.usefixtures("public")
def test_our_own_server_takes_no_other_files_than_authorize_does(server: Lived, tmp_path: Path) -> None:
    (tmp_path / "empty.pub").touch()
    (tmp_path / "bytes.pub").write_bytes(b"\xff\xfe")
    words = ("remote", "serve", "--root", str(tmp_path / "root"), "--port", "0", "--create", "a", "--authorize", "a")
    for name, told in (
        ("gone.pub", "No such file"), ("root", "Is a directory"), ("empty.pub", "holds 0 keys"),
        ("bytes.pub", "not a public SSH key"), ("key", "private key"),
    ):  # fmt: skip
        said = server.run(*words, str(tmp_path / name))
        assert (said.code, told in said.err, said.err.count("\n")) == (2, True, 1), said
        assert "Errno" not in said.err


def test_control_characters_of_a_comment_do_not_reach_the_list(server: Lived, tmp_path: Path, public: str) -> None:
    path = tmp_path / "a.git"
    server.ok("remote", "create", str(path))
    server.ok("remote", "authorize", str(path), "--key", "-", stdin=f"{public} \x1b[31m\x07red".encode())
    assert (server.folder / ".ssh/authorized_keys").read_text().endswith("kaoru@laptop [31mred\n")


def test_what_keeps_sshd_from_obeying_is_told(server: Lived, tmp_path: Path, public: str) -> None:
    path = tmp_path / "a.git"
    server.ok("remote", "create", str(path))
    server.folder.chmod(0o775)
    said = server.ok("remote", "authorize", str(path), "--key", str(tmp_path / "key.pub"))
    assert f"chmod go-w {server.folder}" in said
