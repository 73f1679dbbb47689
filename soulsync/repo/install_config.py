"""Settings in a repository's own config: set when they differ, put back as they were."""

from __future__ import annotations

import time
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock
from os import O_RDONLY, close
from os import open as open_fd
from typing import TYPE_CHECKING

from soulsync.errors import BusyError
from soulsync.lang import tr
from soulsync.repo import config_file
from soulsync.repo.git import Git, GitError
from soulsync.repo.layout import Change

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from soulsync.repo.layout import Layout

PATIENCE = 10.0
"""Seconds to wait for another program that is writing the config, or for another soulsync."""
OWN_SECTION = "soulsync"
_PAUSE = 0.05


class Config:
    """The config of one repository, as it stood when this was made."""

    def __init__(self, layout: Layout) -> None:
        self.values = config_file.read(layout.common / "config")
        self._git = Git(layout.common)
        self._lock = layout.common / "config.lock"

    def get(self, key: str) -> str | None:
        """The value that counts, the last one; section and variable name in any case."""
        return self.values.get(normal(key), [None])[-1]

    def owned(self, key: str) -> bool:
        """Whether the whole key is ours: then nobody had a value for it that should come back."""
        return key.startswith((f"{OWN_SECTION}.", "merge.soul-"))

    def put(self, wanted: Mapping[str, str]) -> list[Change]:
        """What must be done so that each key has its one value. What another owner had set is noted beside it."""
        return [self._setting(key, value) for key, value in wanted.items() if self.values.get(normal(key)) != [value]]

    def _setting(self, key: str, value: str) -> Change:
        return Change(tr("set {key}", key=key), lambda: self._put(key, value))

    def _put(self, key: str, value: str) -> None:
        if not self.owned(key):
            note = f"{OWN_SECTION}.{key}"
            if self.get(f"{note}.ours") is None:
                for former in self.values.get(normal(key), []):
                    self._write("--add", f"{note}.former", former)
            self._write("--replace-all", f"{note}.ours", value)
        self._write("--replace-all", key, value)

    def drop(self, key: str) -> list[Change]:
        """What must be done so that a key of ours is not there."""
        if self.get(key) is None:
            return []
        return [Change(tr("remove {key}", key=key), lambda: self._write("--unset-all", key))]

    def take_back(self, key: str) -> list[Change]:
        """What must be done so that a key has the value from before; one that somebody changed since stays."""
        note = f"{OWN_SECTION}.{key}"
        ours = self.get(f"{note}.ours")
        if ours is None:
            return []
        return [Change(tr("put back {key}", key=key), lambda: self._restore(key, ours))]

    def _restore(self, key: str, ours: str) -> None:
        note = f"{OWN_SECTION}.{key}"
        if self.values.get(normal(key)) == [ours]:
            self._write("--unset-all", key)
            for former in self.values.get(normal(f"{note}.former"), []):
                self._write("--add", key, former)
        self._write("--remove-section", note)

    def noted(self) -> list[str]:
        """The keys of others that we have set."""
        suffix = ".ours"
        prefix = f"{OWN_SECTION}."
        return [
            key[len(prefix) : -len(suffix)] for key in self.values if key.startswith(prefix) and key.endswith(suffix)
        ]

    def clear(self) -> list[Change]:
        """What must be done so that nothing of ours is left and all of others is as it was."""
        changes = [change for key in self.noted() for change in self.take_back(key)]
        sections = dict.fromkeys(key.rpartition(".")[0] for key in self.values if self.owned(key))
        return changes + [self._removal(s) for s in sections if s == OWN_SECTION or s.startswith("merge.")]

    def _removal(self, section: str) -> Change:
        return Change(tr("remove {section}", section=section), lambda: self._write("--remove-section", section))

    def _write(self, *args: str) -> None:
        """Run ``git config``, again when another program holds its lock (letta-ai/letta-code#3563)."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self._git.run("config", "--local", *args)
            except GitError as e:
                if "could not lock config file" not in e.err:
                    raise
                if time.monotonic() > deadline:
                    raise BusyError(
                        tr("Another program is writing the config: {lock} is there.", lock=self._lock),
                        tr("If no git is running on this repository, remove that file."),
                    ) from e
                time.sleep(_PAUSE)
            else:
                return


def normal(key: str) -> str:
    """A key as the config file's reader spells it: section and name in lower case, the subsection as it is."""
    section, _, rest = key.partition(".")
    sub, dot, name = rest.rpartition(".")
    return f"{section.lower()}.{sub}{dot}{name.lower()}"


@contextmanager
def locked(layout: Layout) -> Iterator[None]:
    """Hold off every other soulsync that installs in this repository.

    The lock is on the folder itself: no file of ours is left, and the kernel drops it when a holder dies.
    """
    fd = open_fd(layout.common, O_RDONLY)
    deadline = time.monotonic() + PATIENCE
    try:
        while True:
            try:
                flock(fd, LOCK_EX | LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise BusyError(
                        tr("Another soulsync is installing in this repository."), tr("Try again.")
                    ) from None
                time.sleep(_PAUSE)
        yield
        flock(fd, LOCK_UN)
    finally:
        close(fd)
