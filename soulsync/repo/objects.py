"""Trees, blobs and commits by their raw bytes.

Trees are read and written in git's own raw form: names stay bytes, and an entry that no checkout would take (``.git``,
names that are not UTF-8) stays exactly as the parent has it (soul-repo-v4 §6).
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

from soulsync.errors import RefusedError, SoulSyncError
from soulsync.lang import tr
from soulsync.repo.paths import decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import pygit2

BLOB, EXECUTABLE, SYMLINK, TREE, SUBMODULE = 0o100644, 0o100755, 0o120000, 0o040000, 0o160000
MAX_DEPTH = 200
"""Folders below folders that we follow; a deeper tree is an attack."""
MAX_CHANGES = 200_000
"""Paths in which two trees may differ. A folder that stands ten times in another, ten levels deep, makes 10^10 paths of
a few hundred bytes."""


class Entry(NamedTuple):
    """What a tree holds at a path: its ``mode`` and the ``id`` (40 hex digits) of its object."""

    mode: int
    id: str

    @property
    def is_file(self) -> bool:
        """Whether this is a plain file: no link, no submodule."""
        return self.mode & 0o170000 == 0o100000  # what else there may be, git takes for a submodule (canon_mode)


TRIES = 3
"""How often an object is written before the failure is believed."""
_ITSELF = b""
"""Among the edits below a path: the file at the path itself goes."""

Change = tuple[Entry | None, Entry | None]
"""What was at a path, and what is there now."""


def read_tree(repo: pygit2.Repository, tree: str | None) -> dict[bytes, Entry]:
    """The entries of one tree object, by name, folders included; an absent tree is empty."""
    if tree is None:
        return {}
    try:
        return _parse_tree(repo.read(tree)[1])
    except (KeyError, ValueError):  # pygit2's own errors for a missing object are of these kinds
        raise RefusedError(
            tr("The folder object {tree} is missing or damaged.", tree=tree[:7]), tr("Run `git fsck` on the soul.")
        ) from None


def _parse_tree(data: bytes) -> dict[bytes, Entry]:
    entries: dict[bytes, Entry] = {}
    at = 0
    while at < len(data):
        space, nul = data.index(b" ", at), data.index(b"\0", at)
        if len(data) < nul + 21:
            raise ValueError("cut off")
        entries[data[space + 1 : nul]] = Entry(int(data[at:space], 8), data[nul + 1 : nul + 21].hex())
        at = nul + 21
    return entries


def write_tree(repo: pygit2.Repository, entries: Mapping[bytes, Entry]) -> str:
    """Store one tree object."""
    # git sorts a folder as if its name ended with a slash
    names = sorted(entries, key=lambda name: name + b"/" if entries[name].mode == TREE else name)
    data = b"".join(b"%o %s\0%s" % (entries[n].mode, n, bytes.fromhex(entries[n].id)) for n in names)
    return _store(repo, "tree", data)


def _store(repo: pygit2.Repository, kind: str, data: bytes) -> str:
    from pygit2.enums import ObjectType

    return stored(lambda: repo.write(ObjectType.TREE if kind == "tree" else ObjectType.BLOB, data))


def stored(write: Callable[[], pygit2.Oid]) -> str:
    """The id of the object that ``write`` stores; tried again when it fails.

    ``git gc`` takes empty folders out of ``objects/``; when it takes the one that libgit2 has just made there, libgit2
    fails with “failed to rename lockfile”. Raises the ``OSError`` of the last of three tries.
    """
    for _ in range(TRIES - 1):
        with contextlib.suppress(OSError):
            return str(write())
    return str(write())


def write_blob(repo: pygit2.Repository, data: bytes) -> str:
    """Store a file's content; its id."""
    return _store(repo, "blob", data)


def blob_id(data: bytes) -> str:
    """The id that ``data`` has as a blob, without storing it."""
    from hashlib import sha1

    return sha1(b"blob %d\0" % len(data) + data).hexdigest()  # noqa: S324 - git's object id


def blob_size(repo: pygit2.Repository, blob: str) -> int:
    """The size of a blob in bytes, without loading it."""
    import pygit2

    return int(repo.odb.read_header(pygit2.Oid(hex=blob))[1])


def read_blob(repo: pygit2.Repository, blob: str) -> bytes:
    """The content of a blob."""
    return bytes(repo.read(blob)[1])


def tree_of(repo: pygit2.Repository, commit: str) -> str:
    """The tree of a commit."""
    return str(commit_of(repo, commit).tree_id)


def is_commit(repo: pygit2.Repository, name: str) -> bool:
    """Whether the object with this id is there and is a commit."""
    import pygit2

    return isinstance(repo.get(name), pygit2.Commit)


def commit_of(repo: pygit2.Repository, commit: str) -> pygit2.Commit:
    """The commit object with this id."""
    import pygit2

    found: object = repo.get(commit)
    if not isinstance(found, pygit2.Commit):
        raise SoulSyncError(
            tr("The commit {commit} is missing from the repository.", commit=commit[:7]),
            tr("Run `git fsck` on the soul."),
        )
    return found


def diff(repo: pygit2.Repository, old: str | None, new: str | None) -> dict[str, Change]:
    """The paths at which two trees differ; folders that are equal are not opened."""
    changes: dict[str, Change] = {}
    pending: list[tuple[bytes, str | None, str | None]] = [(b"", old, new)]
    while pending:
        prefix, a, b = pending.pop()
        if a == b:
            continue
        check_bounds(prefix, len(changes) + len(pending))
        before, after = read_tree(repo, a), read_tree(repo, b)
        for name in before.keys() | after.keys():
            x, y = before.get(name), after.get(name)
            if x == y:
                continue
            xtree = x.id if x is not None and x.mode == TREE else None
            ytree = y.id if y is not None and y.mode == TREE else None
            if xtree or ytree:
                pending.append((prefix + name + b"/", xtree, ytree))
            xfile, yfile = (None if xtree else x), (None if ytree else y)
            if xfile is not None or yfile is not None:
                changes[decode(prefix + name)] = (xfile, yfile)
    return changes


def walk(repo: pygit2.Repository, tree: str | None) -> Iterator[tuple[str, Entry]]:
    """Every path of a tree with its entry."""
    for path, (_, entry) in diff(repo, None, tree).items():
        if entry is not None:
            yield path, entry


_parsed: dict[str, dict[bytes, Entry]] = {}
_KEPT = 32
"""Folders that stay parsed, the last ones: whoever looks a path up asks for its neighbours next."""


def _folder(repo: pygit2.Repository, tree: str) -> dict[bytes, Entry]:
    """The entries of a folder, which nobody may change; an object's id says what it holds, whatever repository."""
    found = _parsed.get(tree)
    if found is None:
        found = read_tree(repo, tree)
        while len(_parsed) >= _KEPT:
            del _parsed[next(iter(_parsed))]
        _parsed[tree] = found
    return found


def lookup(repo: pygit2.Repository, tree: str | None, path: str) -> Entry | None:
    """What a tree holds at ``path``: a file, a folder, or nothing."""
    entry: Entry | None = None
    for i, name in enumerate(encode(path).split(b"/")):
        if i and (entry is None or entry.mode != TREE):
            return None
        folder = tree if entry is None else entry.id
        entry = None if folder is None else _folder(repo, folder).get(name)
        if entry is None:
            return None
    return entry


def file_at(repo: pygit2.Repository, tree: str | None, path: str) -> bytes | None:
    """The content of the plain file at ``path`` of a tree, or None."""
    entry = lookup(repo, tree, path)
    return read_blob(repo, entry.id) if entry is not None and entry.is_file else None


def edit(repo: pygit2.Repository, tree: str | None, edits: Mapping[str, Entry | None]) -> str:
    """A tree like ``tree`` with the paths of ``edits`` set or removed; folders that become empty vanish.

    Only the folders on the way to a change are read and written.
    """
    nested: dict[bytes, object] = {}
    # Removals first: where a folder gives way to a file, the file must stand, and the reverse.
    for path, entry in sorted(edits.items(), key=lambda item: item[1] is not None):
        *folders, name = encode(path).split(b"/")
        at = nested
        for folder in folders:
            below = at.get(folder)
            if not isinstance(below, dict):
                itself: dict[bytes, object] = {_ITSELF: None}
                below = at[folder] = itself if folder in at else {}
            at = below
        held = at.get(name)
        if entry is None and isinstance(held, dict):
            held[_ITSELF] = None
        else:
            at[name] = entry
    return _edit(repo, tree, nested, 0) or write_tree(repo, {})


def _edit(repo: pygit2.Repository, tree: str | None, edits: Mapping[bytes, object], depth: int) -> str | None:
    if depth > MAX_DEPTH:
        raise _too_deep()
    entries = read_tree(repo, tree)
    for name, wanted in edits.items():
        if name == _ITSELF:
            continue
        if isinstance(wanted, dict):
            old = entries.get(name)
            below = _edit(repo, old.id if old is not None and old.mode == TREE else None, wanted, depth + 1)
            if below is not None:
                entries[name] = Entry(TREE, below)
            elif old is not None and (old.mode == TREE or _ITSELF in wanted):
                del entries[name]
        elif isinstance(wanted, Entry):
            entries[name] = wanted
        elif name in entries and entries[name].mode != TREE:
            del entries[name]
    return write_tree(repo, entries) if entries else None


def check_bounds(folder: bytes, paths: int) -> None:
    """Raise ``RefusedError`` where a walk came to a ``folder`` that lies too deep, or to too many paths."""
    if folder.count(b"/") > MAX_DEPTH:
        raise _too_deep()
    if paths > MAX_CHANGES:
        raise _too_many()


def _too_many() -> SoulSyncError:
    return RefusedError(
        tr("Two trees of this repository differ in over {count} paths.", count=MAX_CHANGES),
        tr("No soul looks like that. Nothing was changed."),
    )


def _too_deep() -> SoulSyncError:
    return RefusedError(
        tr("A tree of this repository is over {depth} folders deep.", depth=MAX_DEPTH),
        tr("No soul looks like that."),
    )
