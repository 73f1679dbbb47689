"""The folder of one agent on this machine: ``$SOULSYNC_HOME/<agent>/`` (contract §4)."""

from __future__ import annotations

import os
from pathlib import Path

from soulsync import spec
from soulsync.body.own_files import refuse_odd
from soulsync.errors import SoulSyncError, UsageError
from soulsync.lang import tr


class Home:
    """Where everything private of one agent lives, below ``root``; nothing of it is ever committed."""

    __slots__ = ("root",)

    def __init__(self, root: Path) -> None:
        self.root = root

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Home) and self.root == other.root

    def __hash__(self) -> int:
        return hash(self.root)

    def __repr__(self) -> str:
        return f"Home({self.root!r})"

    @property
    def agent(self) -> str:
        """The name of the agent, which is the folder's name."""
        return self.root.name

    @property
    def config_file(self) -> Path:
        """``config.toml``."""
        return self.root / "config.toml"

    @property
    def key(self) -> Path:
        """The private deploy key."""
        return self.root / "id_ed25519"

    @property
    def bridges(self) -> Path:
        """``bridges.toml``; there is none where no bridge is."""
        return self.root / "bridges.toml"

    @property
    def known_hosts(self) -> Path:
        """The pinned host keys of this body."""
        return self.root / "known_hosts"

    @property
    def default_soul(self) -> Path:
        """Where the clone lives unless ``--dir`` says otherwise."""
        return self.root / "soul"

    @property
    def state(self) -> Path:
        """Locks, status, recovery, and the engine's git directory."""
        return self.root / "state"

    @property
    def log(self) -> Path:
        """``sync.log``, bounded in size."""
        return self.root / "sync.log"

    def make(self) -> None:
        """Create the folders with mode 0700, and close to others what somebody opened."""
        for folder in (self.root.parent, self.root, self.state):
            try:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            except (FileExistsError, NotADirectoryError) as e:
                raise UsageError(
                    tr("{folder} is not a folder.", folder=folder), tr("Give another --home, or move that file away.")
                ) from e
            except OSError as e:
                raise SoulSyncError(
                    tr("{folder} can't be created: {strerror}.", folder=folder, strerror=e.strerror),
                    tr("Is the disk writable?"),
                ) from e
        refuse_odd(self.root)
        self.known_hosts.touch(mode=0o600)  # ssh would make it readable to all
        for private, mode in ((self.root, 0o700), (self.state, 0o700), (self.known_hosts, 0o600)):
            if private.stat().st_mode & 0o077:
                private.chmod(mode)


def base(option: str | None = None) -> Path:
    """The folder that holds one folder per agent: ``--home``, else ``$SOULSYNC_HOME``, else ``~/.soulsync``."""
    chosen = option or os.environ.get("SOULSYNC_HOME")
    if chosen:
        return Path(chosen).expanduser().absolute()
    return _user_home().absolute() / ".soulsync"


def _user_home() -> Path:
    """The user's home folder; under cron ``HOME`` may be missing, then the password database knows it."""
    home = os.environ.get("HOME")
    if home:
        return Path(home)
    import pwd

    return Path(pwd.getpwuid(os.getuid()).pw_dir)


def agents(folder: Path) -> list[str]:
    """The agents that live on this machine: the folders that hold a config, be it one that can't be read."""
    if not folder.is_dir():
        return []
    return sorted(p.name for p in folder.iterdir() if spec.is_agent_name(p.name) and os.path.lexists(p / "config.toml"))


def find(option: str | None = None, agent: str | None = None) -> Home:
    """The home of the agent that is meant. Raises ``UsageError`` when that is not clear (exit 2)."""
    folder = base(option)
    agent = agent or os.environ.get("SOULSYNC_AGENT") or None
    known = agents(folder)
    if agent is not None:
        if agent not in known:
            raise UsageError(
                tr("No agent named {agent} lives here (in {folder}).", agent=agent, folder=folder), _known(known)
            )
        return Home(folder / agent)
    if not known:
        raise UsageError(
            tr("No soul is connected on this machine (in {folder}).", folder=folder),
            tr("Run `soulsync init ADDRESS --body NAME`."),
        )
    if len(known) > 1:
        raise UsageError(
            tr("Several agents live here: {known}.", known=", ".join(known)), tr("Say which one with --agent NAME.")
        )
    return Home(folder / known[0])


def _known(known: list[str]) -> str:
    return (
        tr("Known here: {known}.", known=", ".join(known)) if known else tr("Run `soulsync init ADDRESS --body NAME`.")
    )
