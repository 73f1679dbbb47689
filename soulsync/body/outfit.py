"""Dressing the soul for plain git: drivers, hooks, identity, the deploy key and the address of the remote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.access.ssh import ssh_command
from soulsync.body import fill_in
from soulsync.body.remote import remote_of
from soulsync.formats import agent
from soulsync.repo import install
from soulsync.repo.commit import Author
from soulsync.repo.git import Git

if TYPE_CHECKING:
    from soulsync.access.address import Remote
    from soulsync.body.config import Config
    from soulsync.body.home import Home


def put_on(home: Home, config: Config, *, dry_run: bool = False, python: str | None = None) -> list[str]:
    """Install what a soul of this body needs; what was done, one line each, nothing when all stands already.

    ``dry_run``: what would be done, seen with git's eyes; nothing is. ``python``: what drivers and hooks start with,
    by default this interpreter.
    """
    identity = (config.soul / spec.AGENT_JSON).read_bytes() if (config.soul / spec.AGENT_JSON).is_file() else b""
    who = Author(fill_in.display_name(identity, config.agent), config.agent, config.body)
    remote = remote_of(config)
    done = install.install(
        config.soul,
        body=config.body,
        remote_url=remote.url if remote else None,
        agent_id=agent.agent_id(identity),
        # A plain `git push` uses the deploy key too; soulsync itself never reads this (§7).
        ssh_command=_ssh(home, config, remote) if remote is not None and not remote.is_local else None,
        user=(who.name, who.email),
        python=python,
        dry_run=dry_run,
    )
    return done + _origin(config, remote.url if remote else None, dry_run=dry_run)


def _ssh(home: Home, config: Config, remote: Remote) -> str:
    """How plain git reaches the remote: as soulsync does, on the same port and with the same pinned host key."""
    return ssh_command(home.key, home.known_hosts, strict=False, port_443=remote if config.port_443 else None)


def check(config: Config) -> list[str]:
    """What of the installation is missing or changed; reads a few files, starts no process."""
    return install.check(config.soul)


def _origin(config: Config, url: str | None, *, dry_run: bool) -> list[str]:
    """Let plain ``git pull`` and ``git push`` find the remote."""
    if url is None:
        return []
    git = Git(config.soul / ".git", config.soul)
    wanted = {
        "remote.origin.url": url,
        "remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*",
        f"branch.{spec.BRANCH}.remote": "origin",
        f"branch.{spec.BRANCH}.merge": spec.MAIN_REF,
    }
    done = []
    for key, value in wanted.items():
        have = git.run("config", "--local", "--get-all", key, check=False).out.decode("utf-8", "replace").splitlines()
        if have != [value]:
            if not dry_run:
                git.run("config", "--local", "--replace-all", key, value)
            done.append(f"set {key}")
    return done
