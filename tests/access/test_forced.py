from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from soulsync.access import forced
from soulsync.access.bare import create_bare
from soulsync.errors import RefusedError, SoulSyncError, UsageError
from tests.access.client import Client

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers import OpenSSHServer


def run_line(line: str, asked: str) -> subprocess.CompletedProcess[str]:
    """Run the forced command of a line as sshd does: undo its escape, give it to the login shell."""
    command = line.split('command="', 1)[1].rsplit('" ssh-ed25519', 1)[0].replace('\\"', '"')
    env = {"PATH": os.environ["PATH"], "SSH_ORIGINAL_COMMAND": asked, "GIT_CONFIG_GLOBAL": os.devnull}
    argv = ["/bin/sh", "-c", command]
    return subprocess.run(argv, env=env, capture_output=True, text=True, input="0000", timeout=20, check=False)


@pytest.mark.parametrize("name", ["kaoru.soul.git", "a b'c\"d$e`f!g\\h;i.git", "薰.git"])
def test_a_hard_path_is_served_by_a_real_sshd(openssh: OpenSSHServer, tmp_path: Path, name: str) -> None:
    client = Client(tmp_path / "body")
    bare = openssh.root / name
    create_bare(bare)
    forced.authorize(openssh.authorized_keys, bare, client.public)
    url = f"ssh://{openssh.user}@127.0.0.1:{openssh.port}{quote(str(bare))}"
    done = client.git("-C", str(client.commit("work")), "push", "-q", url, "main")
    assert done.returncode == 0, done.stderr
    assert client.git("ls-remote", url.removesuffix(".git")).returncode == 0
    assert client.git("ls-remote", openssh.url("other")).returncode == 128


def test_paths_below_the_home_folder_may_be_relative(home: Path, tmp_path: Path) -> None:
    create_bare(home / "souls" / "kaoru.soul.git")
    line = forced.forced_line(home / "souls" / "kaoru.soul.git", Client(tmp_path / "body").public)
    for path in ("souls/kaoru.soul.git", "souls/kaoru.soul", "~/souls/kaoru.soul.git", f"{home}/souls/kaoru.soul"):
        for service in ("git-upload-pack", "git upload-pack"):
            assert run_line(line, f"{service} '{path}'").returncode == 0
    for path in (
        "kaoru.soul.git",
        "souls/../souls/kaoru.soul.git",
        "souls/kaoru.soul.git/",
        "souls/*",
        "souls/kaoru?soul",
    ):
        assert run_line(line, f"git-upload-pack '{path}'").returncode == 1


def test_a_key_stands_once_and_others_stay(tmp_path: Path) -> None:
    keys = tmp_path / "authorized_keys"
    one, two = Client(tmp_path / "one"), Client(tmp_path / "two")
    keys.write_text(f"# the administrator's\n{two.public}\n")
    repository = tmp_path / "kaoru.soul.git"
    forced.authorize(keys, repository, one.public, write=False)
    forced.authorize(keys, repository, one.public)
    lines = keys.read_text().splitlines()
    assert len(lines) == 3
    assert lines[2] == forced.forced_line(repository, one.public)
    assert keys.stat().st_mode & 0o777 == 0o600
    with pytest.raises(RefusedError, match="already"):
        forced.authorize(keys, repository, two.public)
    forced.revoke(keys, one.public)
    forced.revoke(keys, two.public)
    assert keys.read_text() == f"# the administrator's\n{two.public}\n"


def test_a_key_never_moves_from_one_soul_to_another(tmp_path: Path) -> None:
    keys, one = tmp_path / "authorized_keys", Client(tmp_path / "one")
    a, b = tmp_path / "a b'c\"d\\.git", tmp_path / "b.git"
    assert forced.authorize(keys, a, one.public) is True
    assert forced.authorize(keys, a, one.public) is False
    before = keys.read_text()
    assert forced.opens(before.strip()) == a
    with pytest.raises(RefusedError, match=r"opens .* already"):
        forced.authorize(keys, b, one.public)
    assert forced.revoke(keys, one.public, b) is False
    assert keys.read_text() == before
    assert forced.revoke(keys, one.public, a) is True
    assert keys.read_text() == ""


def test_lines_of_others_stay_byte_for_byte(tmp_path: Path) -> None:
    """Also those with characters that Python takes for line ends, and sshd does not."""
    real, keys = tmp_path / "real", tmp_path / "ssh" / "authorized_keys"
    keys.parent.mkdir()
    keys.symlink_to(real)
    others = b"# caf\xe9 \x0b \xc2\x85 \xe2\x80\xa8 x\r\n\nssh-rsa AAAA no newline at the end"
    real.write_bytes(others)
    one = Client(tmp_path / "one")
    forced.authorize(keys, tmp_path / "a.git", one.public)
    assert real.read_bytes().startswith(others + b"\nrestrict,")
    forced.revoke(keys, one.public)
    assert real.read_bytes() == others + b"\n"
    assert keys.is_symlink()


def test_many_at_once_lose_none(tmp_path: Path) -> None:
    keys = tmp_path / "authorized_keys"
    clients = [Client(tmp_path / str(n)) for n in range(6)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda client: forced.authorize(keys, tmp_path / "a.git", client.public), clients))
    assert {line.split()[-2] for line in keys.read_text().splitlines()} == {c.public.split()[1] for c in clients}


def test_what_can_not_stand_in_such_a_line_is_refused(tmp_path: Path) -> None:
    public = Client(tmp_path / "one").public
    with pytest.raises(UsageError):
        forced.forced_line(tmp_path / "a\nb", public)
    for text in ("", "no key", f"{public}\n{public}"):
        with pytest.raises(SoulSyncError):
            forced.forced_line(tmp_path / "a", text)
