"""What one merged file can't hold: a second memory that came under the same name, and the index of both.

Two bodies that both invented ``MEM-007``, or one OxSoul name, keep two memories (soul-repo-v4 §4 rule 14). A merge
driver writes one file, so the other memory and the index are written afterwards: by the engine in the tree that it
builds, by the hooks in the index of git. Both call :func:`settle`.
"""

from __future__ import annotations

from soulsync.merge.result import OURS
from soulsync.spec import INDEX_MD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Read = Callable[[str], "bytes | None"]
    List = Callable[[str], "Iterable[str]"]

OXSOUL, CORTEX, INDEX = "soul-oxsoul", "soul-cortex", "soul-oxsoul-index"
RULES = (OXSOUL, CORTEX)
"""The rules under which two memories may come under one name."""


class Both:
    """A file of a memory store that both sides have and at least one changed; ``base`` is None where there was none."""

    __slots__ = ("base", "ours", "path", "rule", "theirs")

    def __init__(self, rule: str, path: str, base: bytes | None, ours: bytes, theirs: bytes) -> None:
        self.rule = rule
        self.path = path
        self.base = base
        self.ours = ours
        self.theirs = theirs


class Settled:
    """``files`` to write beside the merged ones, by path; ``moved`` tells for a path where its second memory went."""

    __slots__ = ("files", "moved")

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.moved: dict[str, str] = {}


def settle(both: Iterable[Both], folders: Iterable[str], read: Read, names: List) -> Settled:
    """Find what has to be written so that both memories of a name are there and each index is what a rebuild gives.

    ``folders`` are those whose index is to be right; ``read`` gives a file of the merged tree, ``names`` the names in
    a folder of it.
    """
    settled = Settled()

    def look(path: str) -> bytes | None:
        return settled.files[path] if path in settled.files else read(path)

    for one in sorted(both, key=lambda one: one.path):
        found = _second(one, look)
        if found is not None:
            path, data = found
            settled.moved[one.path] = path
            if look(path) != data:
                settled.files[path] = data
    for folder in sorted(set(folders)):
        _index(folder, settled, look, names)
    return settled


def _second(one: Both, look: Read) -> tuple[str, bytes] | None:
    """The place and the content of the memory that gave way, or None where there is one memory only."""
    from soulsync.merge import cortex, oxsoul

    keeper = (oxsoul if one.rule == OXSOUL else cortex).keeper(one.base, one.ours, one.theirs)
    if keeper is None:
        return None
    gone = one.theirs if keeper == OURS else one.ours
    folder, slash, name = one.path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    candidates = oxsoul.second_names(stem) if one.rule == OXSOUL else cortex.second_names(stem, gone)
    rename = oxsoul.renamed if one.rule == OXSOUL else cortex.renamed
    for candidate in candidates:
        path = f"{folder}{slash}{candidate}{dot}{ending}"
        data = rename(gone, candidate)
        if look(path) in (None, data):
            return path, data
    return None


def _index(folder: str, settled: Settled, look: Read, names: List) -> None:
    from soulsync.merge.oxsoul_index import is_listed, rebuilt

    prefix = f"{folder}/" if folder else ""
    path = prefix + INDEX_MD
    new = {p[len(prefix) :] for p in settled.files if p.startswith(prefix) and "/" not in p[len(prefix) :]}
    listed = sorted(name for name in {*names(folder), *new} if is_listed(name))
    old = look(path)
    if old is None and not listed:
        return
    data = rebuilt(folder, _contents(prefix, listed, look), old)
    if data != old:
        settled.files[path] = data


def _contents(prefix: str, names: Iterable[str], look: Read) -> Iterator[tuple[str, bytes]]:
    for name in names:
        data = look(prefix + name)
        if data is not None:
            yield name, data
