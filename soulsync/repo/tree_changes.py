"""What commits hold and where they differ, asked of the git program: for the hooks, which do without libgit2."""

from __future__ import annotations

from soulsync.repo.paths import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from soulsync.repo.git import Git

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
ABSENT = "0" * 40
"""The blob of a path that is not there."""


def merge_base(git: Git, sides: Sequence[str]) -> str:
    """Give a best common ancestor of all ``sides``; the empty tree for unrelated ones."""
    bases = git.run("merge-base", "--octopus", "--all", *sides, check=False).out.decode("ascii").split()
    return bases[0] if bases else EMPTY_TREE


def changes(git: Git, base: str, side: str) -> dict[str, tuple[str, str]]:
    """Give the blobs (before, after) of each path at which ``side`` differs from ``base``; links are left out."""
    words = git.out("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", base, side, "--").split(b"\0")
    records = (meta.decode("ascii").split() for meta in words[:-1:2])
    return {
        decode(path): (meta[2], meta[3])
        for meta, path in zip(records, words[1::2], strict=True)
        if not {meta[0][1:], meta[1]} & {"120000", "160000"}
    }


class CommitFiles:
    """The files of a commit; those of a folder are read by one process."""

    def __init__(self, git: Git, commit: str) -> None:
        self._git = git
        self._commit = commit
        self._folders: dict[str, dict[str, tuple[str, str]]] = {}
        self._blobs: dict[str, bytes] = {}

    def entries(self, folder: str) -> dict[str, tuple[str, str]]:
        """Mode and blob by name, of the plain files in one folder."""
        if folder not in self._folders:
            found = self._git.run("ls-tree", "-z", f"{self._commit}:{folder}", check=False)
            records = (record.partition(b"\t") for record in found.out.split(b"\0") if record)
            listed = ((decode(name), *head.decode("ascii").split()) for head, _, name in records)
            self._folders[folder] = {name: (mode, blob) for name, mode, kind, blob in listed if _is_file(mode, kind)}
        return self._folders[folder]

    def names(self, folder: str) -> list[str]:
        """The names of the plain files in one folder; its texts are read at once."""
        entries = self.entries(folder)
        self._load([blob for name, (_, blob) in entries.items() if name.endswith(".md")])
        return list(entries)

    def read(self, path: str) -> bytes | None:
        """The content of a plain file; None where there is none."""
        folder, _, name = path.rpartition("/")
        entry = self.entries(folder).get(name)
        return self.blob(entry[1]) if entry else None

    def blob(self, blob: str) -> bytes | None:
        """The content of a blob; None for the absent one."""
        if blob == ABSENT:
            return None
        if blob not in self._blobs:
            self._load([blob])
        return self._blobs.get(blob)

    def _load(self, blobs: list[str]) -> None:
        wanted = [blob for blob in dict.fromkeys(blobs) if blob not in self._blobs]
        if not wanted:
            return
        out = self._git.run("cat-file", "--batch", input="".join(f"{blob}\n" for blob in wanted).encode()).out
        at = 0
        for blob in wanted:  # "id type size" LF content LF
            end = out.index(b"\n", at)
            size = int(out[at:end].split()[2])
            self._blobs[blob] = out[end + 1 : end + 1 + size]
            at = end + size + 2


def _is_file(mode: str, kind: str) -> bool:
    return kind == "blob" and mode != "120000"
