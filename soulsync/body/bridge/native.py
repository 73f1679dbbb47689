"""A framework's own files: read without following links, replaced in one step, never over what was not read (§1)."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.errors import SoulSyncError
from soulsync.files import PRIVATE, lives
from soulsync.lang import tr
from soulsync.repo.paths import shown
from soulsync.repo.worktree import FILE, LINK, MISSING, OBSTRUCTED, WorkTree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PREFIX = ".soulsync."
"""Begins the name of a file of ours that is on its way into a framework's folder; the number of its process follows."""


class NativeFault(SoulSyncError):  # noqa: N818  a finding about a file, told beside what went well
    """A file of a framework, or of the soul, from which nothing may be concluded; it stays as it is."""

    def __init__(self, path: str, problem: str, remedy: str) -> None:
        super().__init__(problem, remedy)
        self.path = path


class Native:
    """The folder of a framework; paths are relative to it, with ``/`` between their parts."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._tree = WorkTree(self.root, self.root)

    def check(self) -> None:
        """Raise ``NativeFault`` where the folder itself is not there: a disk may not be mounted."""
        if not self.root.is_dir():
            raise NativeFault(
                str(self.root),
                tr("{folder} is not there.", folder=shown(str(self.root))),
                tr("Is the disk mounted? Else run `soulsync bridge remove`."),
            )

    def read(self, path: str) -> bytes | None:
        """The content of a file, None where there is none. Raises ``NativeFault`` for what is no readable text."""
        found = self._tree.look(path, limit=spec.MAX_CHECKOUT_BYTES)
        name = str(self.root / path)
        if found.kind == MISSING:
            return None
        if found.kind in (LINK, OBSTRUCTED):
            raise NativeFault(
                name,
                tr("{path} is a link, or lies behind one.", path=shown(name)),
                tr("Put the file itself there; a bridge copies."),
            )
        if found.kind != FILE or found.data is None:
            raise NativeFault(
                name,
                tr("{path} can't be read as a file.", path=shown(name)),
                tr("Look at its type, size and permissions."),
            )
        try:
            found.data.decode("utf-8")
        except UnicodeDecodeError as e:
            raise NativeFault(
                name,
                tr("{path} is not UTF-8.", path=shown(name)),
                tr("Save it as UTF-8; until then it is left alone."),
            ) from e
        return found.data

    def write(self, path: str, old: bytes | None, new: bytes) -> bool:
        """Put ``new`` in place of ``old`` (None: nothing), keeping the mode; False where the file is another by now."""
        tree = self._beside(path)
        name = _fresh_name()
        mode = tree.look(path).mode if old is not None else PRIVATE
        try:
            tree.stage(name, new, mode)
            if old is None:
                tree.create(path, name)
                return True
            if self.read(path) != old:
                return False
            tree.exchange(path, name)
            if tree.staged(name) == old:
                return True
            # Written since it was read: that text goes back, and the caller looks again.
            tree.exchange(path, name)
            if tree.staged(name) not in (new, None):
                tree.exchange(path, name)  # and was written once more over ours: the last text stands
            return False
        except (FileExistsError, FileNotFoundError):
            return False
        finally:
            tree.unstage(name)
            tree.unstage(name + ".part")

    def remove(self, path: str, old: bytes) -> bool:
        """Delete a file that holds ``old``; False where it is another by now."""
        return take_out(self._beside(path), path, old, _fresh_name())

    def files(self, folder: str) -> Iterator[str]:
        """What is no folder below ``folder`` (``""``: all), but for repositories of their own and files of ours."""
        below = self._tree.files_below(folder) if folder else self._all()
        for path in below:
            if not path.endswith("/") and not path.rpartition("/")[2].startswith(PREFIX):
                yield path

    def _all(self) -> Iterator[str]:
        """The same for the whole folder, which may be a repository itself."""
        for entry in sorted(os.scandir(self.root), key=lambda entry: entry.name):
            if entry.is_dir(follow_symlinks=False):
                if entry.name != ".git":
                    yield from self._tree.files_below(entry.name)
            else:
                yield entry.name

    def modified(self, path: str) -> int | None:
        """When the file was written last, in seconds; None where there is none."""
        try:
            return int((self.root / path).lstat().st_mtime)
        except OSError:
            return None

    def _beside(self, path: str) -> WorkTree:
        """The folder with the folder of ``path`` as the place of files on their way; it is made where it is missing."""
        folder = self.root
        for part in path.split("/")[:-1]:
            folder = folder / part
            try:
                folder.mkdir(mode=0o700)
            except FileExistsError:
                if folder.is_symlink() or not folder.is_dir():
                    raise NativeFault(
                        str(folder),
                        tr("{path} is a link, or lies behind one.", path=shown(str(folder))),
                        tr("Put the file itself there; a bridge copies."),
                    ) from None
        _sweep(folder)
        return WorkTree(self.root, folder)


def _fresh_name() -> str:
    return f"{PREFIX}{os.getpid()}-{secrets.token_hex(8)}"


def _sweep(folder: Path) -> None:
    """Remove what killed runs left on its way."""
    for file in folder.glob(f"{PREFIX}*-*"):
        pid = file.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdigit() and not lives(int(pid)):
            file.unlink(missing_ok=True)


def take_out(tree: WorkTree, path: str, old: bytes, name: str) -> bool:
    """Delete the file at ``path`` if it holds ``old``, by way of the staging file ``name``; whether it did."""
    try:
        tree.take(path, name)
    except FileNotFoundError:
        return True
    if tree.staged(name) == old:
        tree.unstage(name)
        return True
    try:
        tree.create(path, name)  # written since it was read
    except FileExistsError:
        tree.unstage(name)  # and once more: the newest stands
    return False
