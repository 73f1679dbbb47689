from __future__ import annotations

import shlex
import stat
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from soulsync.access import ssh
from soulsync.access.address import parse_remote
from soulsync.errors import UsageError
from tests.access.client import Client

if TYPE_CHECKING:
    from tests.servers import GitServer

KEY, HOSTS = Path("/home/kaoru/.soulsync/kaoru/id_ed25519"), Path("/home/kaoru/.soulsync/kaoru/known_hosts")


def settings(argv: list[str], host: str = "git@host") -> dict[str, list[str]]:
    """What ssh itself makes of the command: its effective configuration."""
    done = subprocess.run([*argv, "-G", host], capture_output=True, text=True, check=True, timeout=20)
    assert done.stderr == ""
    found: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        name, _, value = line.partition(" ")
        found.setdefault(name, []).append(value)
    return found


def test_ssh_reads_no_configuration_and_offers_one_key() -> None:
    found = settings(ssh.ssh_argv(KEY, HOSTS, strict=True))
    assert found["identityfile"] == [str(KEY)]
    assert found["userknownhostsfile"] == [str(HOSTS)]
    assert found["globalknownhostsfile"] == ["/dev/null"]
    assert found["identitiesonly"] == ["yes"]
    assert found["identityagent"] == ["none"]
    assert found["preferredauthentications"] == ["publickey"]
    assert found["batchmode"] == ["yes"]
    for name in ("passwordauthentication", "kbdinteractiveauthentication", "hostbasedauthentication", "forwardagent"):
        assert found[name] == ["no"]
    assert found["stricthostkeychecking"] == ["true"]
    assert found["updatehostkeys"] == ["false"]


def test_neither_the_users_nor_the_systems_configuration_is_opened() -> None:
    argv = ssh.ssh_argv(KEY, HOSTS, strict=True)
    loud = [argv[0], "-v", *argv[1:], "-G", "host"]
    said = subprocess.run(loud, capture_output=True, text=True, check=True, timeout=20).stderr
    assert "Reading configuration data" not in said
    plain = subprocess.run(["ssh", "-v", "-G", "host"], capture_output=True, text=True, check=True, timeout=20).stderr
    assert "Reading configuration data /etc/ssh/ssh_config" in plain


def test_a_first_contact_pins_and_no_contact_is_shared_unless_asked() -> None:
    found = settings(ssh.ssh_argv(KEY, HOSTS, strict=False, connect_timeout=7))
    assert found["stricthostkeychecking"] == ["accept-new"]
    assert found["connecttimeout"] == ["7"]
    assert found["controlmaster"] == ["false"]
    assert "controlpath" not in found


def test_port_443_goes_to_the_forges_own_name() -> None:
    for text, host in (("git@github.com:a/b", "ssh.github.com"), ("ssh://git@example.org:22/a/b", "example.org")):
        remote = parse_remote(text, allow_local=False)
        argv = ssh.ssh_argv(KEY, HOSTS, strict=False, port_443=remote)
        found = settings([*argv, "-p", "22"], f"git@{remote.host}")
        assert (found["hostname"], found["port"]) == ([host], ["443"])


def test_the_command_is_one_line_for_the_shell() -> None:
    command = ssh.ssh_command(KEY, HOSTS, strict=True)
    assert shlex.split(command) == ssh.ssh_argv(KEY, HOSTS, strict=True)
    assert command.startswith("ssh ")  # git recognises OpenSSH by this word and then sends GIT_PROTOCOL


HARD = "a b\"c'd\\e%h%%f~g$h #i薰"


def test_a_hard_path_is_taken_literally(server: GitServer, tmp_path: Path) -> None:
    client = Client(tmp_path / HARD)
    server.create("kaoru.soul")
    server.authorize("kaoru.soul", client.public)
    done = client.git("ls-remote", server.url("kaoru.soul"))
    assert done.returncode == 0, done.stderr
    assert set(server.offered()) == {client.fingerprint}
    assert client.known_hosts.read_text().count("ssh-ed25519") == 1
    names = {path.name for path in client.folder.iterdir()}
    assert names == {"id_ed25519", "id_ed25519.pub", "known_hosts"}


@pytest.mark.parametrize("text", ["/a${HOME}/k", "/a\nb", "relative/k", "/a\x7f"])
def test_a_path_that_ssh_would_misread_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        ssh.ssh_argv(Path(text), HOSTS, strict=True)
    with pytest.raises(UsageError):
        ssh.ssh_argv(KEY, Path(text), strict=True)


def test_a_missing_key_brings_no_default_key_back(server: GitServer, tmp_path: Path) -> None:
    client = Client(tmp_path / "body")
    server.create("kaoru.soul")
    server.authorize("kaoru.soul", client.public)
    client.key.unlink()
    client.key.with_name("id_ed25519.pub").unlink()
    assert client.git("ls-remote", server.url("kaoru.soul")).returncode == 128
    assert server.offered() == []


def test_the_socket_folder_is_private_short_and_goes_away(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    long = tmp_path / ("x" * 100)
    long.mkdir()
    for runtime in ("", str(long), "/nowhere", "relative"):
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        monkeypatch.setenv("TMPDIR", str(long))
        with ssh.control_dir() as folder:
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
            assert len(str(folder / "socket")) <= ssh.MAX_SOCKET_BYTES
        assert not folder.exists()


def test_a_socket_path_too_long_is_refused() -> None:
    with pytest.raises(UsageError, match="too long"):
        ssh.ssh_argv(KEY, HOSTS, strict=True, control_path=Path("/" + "x" * 100))
