"""Nothing but the deploy key is offered, proved by the servers' own logs (soul-repo-v4 §7)."""

from __future__ import annotations

import contextlib
import os
import shlex
from typing import TYPE_CHECKING

import pytest

from soulsync.access import key, ssh
from soulsync.access.failure import classify
from soulsync.errors import DeniedError
from tests.access.client import Client, remote
from tests.access.planted import PersonalKeys, lent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers import GitServer


@pytest.fixture
def person(tmp_path: Path) -> Iterator[PersonalKeys]:
    with PersonalKeys(tmp_path / "personal") as keys:
        yield keys


@pytest.fixture
def body(server: GitServer, tmp_path: Path) -> Client:
    """A body of kaoru.soul whose deploy key is not authorised yet."""
    server.create("kaoru.soul")
    return Client(tmp_path / "body")


def list_remote(person: PersonalKeys, server: GitServer, env: dict[str, str]) -> tuple[int, str]:
    done = person.run(["git", "ls-remote", server.url("kaoru.soul")], env)
    return done.returncode, done.stderr


@pytest.mark.parametrize("which", [0, 1, 2], ids=["in the config", "id_ed25519", "in the agent"])
def test_the_deploy_key_alone_is_offered(server: GitServer, body: Client, person: PersonalKeys, which: int) -> None:
    """Also when the server refuses it, and would welcome a personal key."""
    server.authorize("kaoru.soul", person.public_lines[which])
    env = body.env(**person.env)

    code, said = list_remote(person, server, env)
    assert code == 128
    assert isinstance(classify(said, remote(server.url("kaoru.soul"))), DeniedError)
    assert set(server.offered()) == {body.fingerprint}

    server.authorize("kaoru.soul", body.public)
    code, said = list_remote(person, server, env)
    assert code == 0, said
    assert set(server.offered()) == {body.fingerprint}


def test_the_trap_is_real(server: GitServer, body: Client, person: PersonalKeys) -> None:
    """The usual ``-i KEY -o IdentitiesOnly=yes`` goes on with the personal key of the configuration."""
    usual = ["ssh", "-i", str(body.key), "-o", "IdentitiesOnly=yes", "-o", f"UserKnownHostsFile={body.known_hosts}"]
    usual += ["-o", "StrictHostKeyChecking=accept-new", "-o", "BatchMode=yes"]
    server.authorize("kaoru.soul", person.public_lines[0])
    env = body.env(**person.env) | {"GIT_SSH_COMMAND": shlex.join(usual)}
    code, said = list_remote(person, server, env)
    assert code == 0, said
    assert key.fingerprint(person.public_lines[0]) in server.offered()


def test_plain_ssh_would_use_every_personal_key(server: GitServer, body: Client, person: PersonalKeys) -> None:
    env = body.env(**person.env) | {
        "GIT_SSH_COMMAND": f"ssh -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile={os.devnull}"
    }
    list_remote(person, server, env)
    config, _, agent = map(key.fingerprint, person.public_lines)
    assert {config, agent} <= set(server.offered())


def test_a_missing_deploy_key_lets_no_other_key_in(server: GitServer, body: Client, person: PersonalKeys) -> None:
    for line in person.public_lines:
        server.authorize("kaoru.soul", line)
    body.key.unlink()
    code, _ = list_remote(person, server, body.env(**person.env))
    assert code == 128
    assert set(server.offered()) <= {body.fingerprint}  # ssh shows the public half, which it can't sign for


def test_a_shared_connection_is_no_way_round(server: GitServer, body: Client, person: PersonalKeys) -> None:
    """A master of the person's own (ControlPath in the configuration) is not joined, ours offers one key."""
    server.authorize("kaoru.soul", body.public)
    with ssh.control_dir() as folder:
        body.control_path = folder / "s"
        env = body.env(**person.env)
        assert list_remote(person, server, env)[0] == 0
        assert list_remote(person, server, env)[0] == 0
        assert ssh.close_master(folder / "s", remote(server.url("kaoru.soul")))
    assert set(server.offered()) == {body.fingerprint}
    assert server.connections() == 1


def test_lent_files_are_given_back(tmp_path: Path) -> None:
    """The way out for machines without namespaces leaves ``~/.ssh`` as it was, also after a failure."""
    keys = PersonalKeys(tmp_path / "personal")
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "config").write_text("Host mine\n")
    (theirs / "known_hosts").write_text("mine\n")
    before = {path.name: path.read_text() for path in theirs.iterdir()}
    for target in (theirs, tmp_path / "none"):
        with contextlib.suppress(ZeroDivisionError), lent(keys.dot_ssh, target):
            assert (target / "id_ed25519").exists()
            assert "Host *" in (target / "config").read_text()
            raise ZeroDivisionError
    assert {path.name: path.read_text() for path in theirs.iterdir()} == before
    assert not (tmp_path / "none").exists()
