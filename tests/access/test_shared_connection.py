"""Several git commands over one SSH connection (OpenSSH ControlMaster)."""

from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING

from soulsync.access import ssh
from tests.access.client import Client, remote

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers import GitServer


def test_several_commands_log_in_once(server: GitServer, tmp_path: Path) -> None:
    server.create("kaoru.soul")
    with ssh.control_dir() as folder:
        client = Client(tmp_path / "body", control_path=folder / "s")
        server.authorize("kaoru.soul", client.public)
        url = server.url("kaoru.soul")
        work = client.commit("work")
        for words in (["ls-remote", url], ["-C", str(work), "push", "-q", url, "main"], ["ls-remote", url]):
            done = client.git(*words)
            assert done.returncode == 0, done.stderr
        assert "refs/heads/main" in done.stdout
        assert server.connections() == 1
        assert ssh.close_master(folder / "s", remote(url))
        assert not (folder / "s").exists()
        assert not ssh.close_master(folder / "s", remote(url))


def test_sessions_run_side_by_side_on_one_connection(server: GitServer, tmp_path: Path) -> None:
    server.create("kaoru.soul")
    with ssh.control_dir() as folder:
        client = Client(tmp_path / "body", control_path=folder / "s")
        server.authorize("kaoru.soul", client.public)
        url = server.url("kaoru.soul")
        assert client.git("-C", str(client.commit("work", "x" * 500_000)), "push", "-q", url, "main").returncode == 0
        clones = [
            subprocess.Popen(
                ["git", "clone", "-q", url, str(tmp_path / f"clone{n}")], env=client.env(), stderr=subprocess.PIPE
            )
            for n in range(6)
        ]
        for clone in clones:
            _, said = clone.communicate(timeout=60)
            assert clone.returncode == 0, said
        assert server.connections() == 1
        assert ssh.close_master(folder / "s", remote(url))


def test_a_dead_socket_is_replaced_by_a_new_connection(server: GitServer, tmp_path: Path) -> None:
    server.create("kaoru.soul")
    with ssh.control_dir() as folder:
        client = Client(tmp_path / "body", control_path=folder / "s")
        server.authorize("kaoru.soul", client.public)
        url = server.url("kaoru.soul")
        assert client.git("ls-remote", url).returncode == 0
        os.kill(master_pid(folder / "s"), 9)
        assert client.git("ls-remote", url).returncode == 0
        assert server.connections() == 2
        ssh.close_master(folder / "s", remote(url))


def test_nobody_waits_for_the_idle_master(server: GitServer, tmp_path: Path) -> None:
    """The master outlives git's command; it must hold none of the pipes that the caller reads to their end."""
    server.create("kaoru.soul")
    with ssh.control_dir() as folder:
        client = Client(tmp_path / "body", control_path=folder / "s")
        server.authorize("kaoru.soul", client.public)
        url = server.url("kaoru.soul")
        done = client.git("ls-remote", url)  # reads stdout and stderr to their end
        assert done.returncode == 0
        assert (folder / "s").exists()
        assert ssh.close_master(folder / "s", remote(url))


def master_pid(socket: Path) -> int:
    argv = ["ssh", "-F", "none", "-o", f"ControlPath={socket}", "-O", "check", "host"]
    for _ in range(100):
        said = subprocess.run(argv, capture_output=True, text=True, timeout=10, check=False).stderr
        if "pid=" in said:
            return int(said.split("pid=")[1].split(")")[0])
        time.sleep(0.02)
    raise AssertionError(said)
