"""One soul repository on disk, as the engine sees it.

The engine runs git on a git directory of its own, which shares objects, refs, logs and the index with the soul's
``.git`` but has its own config, attributes and no hooks. So nothing that the agent, another tool or an attacker writes
into ``.git/config``, ``.gitattributes`` or the hooks folder can make soulsync run a program, follow another work tree
or talk to another host (soul-repo-v4 §8): those files are simply not read. The layout is that of git's own
``contrib/workdir/git-new-workdir``: the shared parts are links.
"""

from __future__ import annotations

import contextlib
import os
import sys
from functools import cached_property

from soulsync import spec
from soulsync.errors import SoulSyncError
from soulsync.files import write_durably
from soulsync.lang import tr
from soulsync.repo import tampered, unflushed
from soulsync.repo.git import Git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pygit2

SHARED = ("objects", "refs", "logs", "packed-refs")
FETCHED_REF = "refs/soulsync/fetched"
"""What the last fetch brought, before any guard looked at it."""
SEEN_REF = "refs/soulsync/seen"
"""The remote's tip when it last passed the guards."""
TRACKING_REF = "refs/remotes/origin/main"
RESCUE_PREFIX = "refs/soulsync/rescue/"
MANY_OBJECTS = 64
"""From how many objects on one flush of the file system is cheaper than to wait for the disk at each."""

_CONFIG = """\
# Written by soulsync for its own git calls; the soul's .git/config is not read.
[core]
\trepositoryformatversion = 0
\tbare = false
\tfilemode = true
\tsymlinks = true
\tlogallrefupdates = true
\thooksPath = /dev/null
\tfsmonitor = false
\texcludesFile = /dev/null
\tattributesFile = /dev/null
\tautocrlf = false
\teol = lf
\tsafecrlf = false
\tquotePath = false
\tprotectHFS = true
\tprotectNTFS = true
\tprecomposeUnicode = {precompose}
\tfsync = objects,derived-metadata,reference
\tbigFileThreshold = 4m
\tcommitGraph = false
\tmultiPackIndex = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
[fetch]
\trecurseSubmodules = false
\tfsckObjects = true
[fetch "fsck"]
\tzeroPaddedFilemode = ignore
\tbadTimezone = ignore
\tmissingSpaceBeforeDate = ignore
\tmissingSpaceBeforeEmail = ignore
[push]
\tdefault = nothing
\tfollowTags = false
\trecurseSubmodules = no
[submodule]
\trecurse = false
[log]
\tshowRoot = true
\tshowSignature = false
[diff]
\trenames = false
[protocol]
\tallow = never
[protocol "ssh"]
\tallow = always
[protocol "file"]
\tallow = {file}
"""
_ATTRIBUTES = spec.GITATTRIBUTES + "* !filter !ident !working-tree-encoding\n"
_EXCLUDE = "".join(p + "\n" for p in (*spec.GITIGNORE_PATTERNS, *spec.LITTER_PATTERNS))


class Soul:
    """The soul at ``root`` (its work tree), with the engine's private git directory at ``engine``.

    ``allow_local`` lets git use a path as the remote (tests only, soul-repo-v4 §7).
    """

    def __init__(self, root: Path, engine: Path, *, allow_local: bool = False) -> None:
        self.root = root
        self.engine = engine
        self.git_dir = root / ".git"
        self.staging = self.git_dir / "soulsync"
        self._allow_local = allow_local
        self._prepare()
        self.git = Git(engine, root, index=self.git_dir / "index", env={"GIT_OPTIONAL_LOCKS": "0"})

    def _prepare(self) -> None:
        """Make the engine's git directory, or repair what differs; a few stats when all is well."""
        tampered.refuse(self.git_dir)
        if not (self.git_dir / "objects").is_dir():
            raise SoulSyncError(
                tr("{root} is not a git repository.", root=self.root),
                tr("Run `soulsync init` again: it continues where it stopped."),
            )
        self.engine.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # mkdir gives its mode to the last one alone
        self.engine.mkdir(mode=0o700, exist_ok=True)
        (self.git_dir / "logs").mkdir(exist_ok=True)
        (self.git_dir / "refs").mkdir(exist_ok=True)
        for name in SHARED:
            _link(self.engine / name, self.git_dir / name)
        config = _CONFIG.format(
            precompose=str(sys.platform == "darwin").lower(), file="always" if self._allow_local else "never"
        )
        unflushed.take_up(self.engine, self._flush_objects)
        _keep(self.engine / "config", config)
        _keep(self.engine / "HEAD", f"ref: {spec.MAIN_REF}\n")
        (self.engine / "info").mkdir(exist_ok=True)
        _keep(self.engine / "info" / "attributes", _ATTRIBUTES)
        # What the user hides in .git/info/exclude stays hidden; our own patterns come last and so win.
        _keep(self.engine / "info" / "exclude", _text_of(self.git_dir / "info" / "exclude") + _EXCLUDE)

    @cached_property
    def repo(self) -> pygit2.Repository:
        """The object database through libgit2, isolated like everything else; loaded when first used (150 ms)."""
        import pygit2
        from pygit2.enums import ConfigLevel

        settings = pygit2.settings
        settings.owner_validation = False  # the caller named this repository, so it is meant
        for level in (ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL):
            settings.search_path[level] = os.devnull
        settings.enable_fsync_gitdir(True)
        return pygit2.Repository(str(self.engine))

    @contextlib.contextmanager
    def many_objects(self, count: int) -> Iterator[None]:
        """Let about ``count`` objects be written in the block; they are on disk for certain when it ends.

        A note says so meanwhile: an object that a killed run left is found by the next, and not written again.
        """
        from soulsync.repo import durable

        if count < MANY_OBJECTS or not durable.at_once():
            yield
            return
        import pygit2

        with unflushed.writing(self.engine, self._flush_objects):
            pygit2.settings.enable_fsync_gitdir(False)
            try:
                yield
            finally:
                pygit2.settings.enable_fsync_gitdir(True)

    def _flush_objects(self) -> None:
        from soulsync.repo import durable

        durable.flush(self.git_dir / "objects")

    def ref(self, name: str) -> str | None:
        """The commit that ``name`` points at, or None; read from the files, without a process."""
        loose = self.git_dir / name
        try:
            text = loose.read_text("ascii").strip()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return self._packed(name)
        except UnicodeDecodeError:
            text = ""
        if len(text) == 40 and all(c in "0123456789abcdef" for c in text):
            return text
        raise SoulSyncError(
            tr("The ref {name} is damaged.", name=name),
            tr("Look at `git -C {root} fsck` and its reflog.", root=self.root),
        )

    def _packed(self, name: str) -> str | None:
        try:
            lines = (self.git_dir / "packed-refs").read_bytes().splitlines()
        except FileNotFoundError:
            return None
        wanted = b" " + name.encode()
        return next((line[:40].decode("ascii") for line in lines if line[40:] == wanted), None)

    @property
    def head(self) -> str | None:
        """The tip of ``main``, or None while the soul has no commit."""
        return self.ref(spec.MAIN_REF)

    def move_ref(self, name: str, new: str, old: str | None, why: str) -> None:
        """Point ``name`` at ``new`` if it still is at ``old`` (None: if it does not exist yet).

        Raises ``GitError`` when somebody else moved it.
        """
        self.git.run("update-ref", "--no-deref", "-m", f"soulsync: {why}", name, new, old or "0" * 40)

    def set_ref(self, name: str, new: str) -> None:
        """Point one of our own refs at ``new``, wherever it was."""
        self.set_refs((name,), new)

    def set_refs(self, names: Sequence[str], new: str) -> None:
        """Point some of our own refs at ``new``, wherever they were."""
        changed = [name for name in names if self.ref(name) != new]
        if changed:
            lines = "".join(f"option no-deref\nupdate {name} {new}\n" for name in changed)
            self.git.run("update-ref", "--stdin", input=lines.encode("ascii"))

    def drop_ref(self, name: str) -> None:
        """Delete one of our own refs, if it is there."""
        if self.ref(name) is not None:
            self.git.run("update-ref", "--no-deref", "-d", name)


def _text_of(file: Path) -> str:
    """A small file of the user's, or nothing; a link is not followed."""
    try:
        text = file.read_text("utf-8") if file.is_file() and not file.is_symlink() else ""
    except (OSError, UnicodeDecodeError):
        return ""
    return text if not text or text.endswith("\n") else text + "\n"


def _link(link: Path, target: Path) -> None:
    if _leads_to(link, target):
        return
    link.unlink(missing_ok=True)
    try:
        link.symlink_to(target)
    except FileExistsError:  # another command repaired it in the same moment
        if not _leads_to(link, target):
            raise


def _leads_to(link: Path, target: Path) -> bool:
    try:
        return os.readlink(link) == str(target)  # noqa: PTH115 - Path.readlink raises the same and builds a Path
    except FileNotFoundError:
        return False
    except OSError:
        raise SoulSyncError(
            tr("{path} is in the place of something that soulsync keeps there.", path=link),
            tr("Move it away, then run the same command again."),
        ) from None


def _keep(path: Path, text: str) -> None:
    try:
        if path.read_text("utf-8") == text:
            return
    except (FileNotFoundError, UnicodeDecodeError):
        pass
    write_durably(path, text.encode("utf-8"))
