"""Which stores of other memory formats a repository holds, and the attributes that give them their merge drivers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from soulsync.formats import oxsoul
from soulsync.formats.cortex import PREFIX, TYPES
from soulsync.formats.text import Malformed
from soulsync.merge.rules import cortex_lines, oxsoul_indexes
from soulsync.repo import plain
from soulsync.repo.git import Git
from soulsync.repo.layout import locate
from soulsync.repo.paths import decode
from soulsync.spec import INDEX_MD, OXSOUL_SCOPES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

INDEX_TITLE = "# 牛魂索引"
BESIDE = (*OXSOUL_SCOPES, "inbox")
"""Folders of an OxSoul store whose sub-folders hold memories."""
MAX_LOOKED_AT = 20_000
"""Markdown files of a repository that are opened; a larger one is known by its indexes."""


class Stores(NamedTuple):
    """The folders, relative to the top of the work tree (``""``), in which a store of either format begins."""

    oxsoul: tuple[str, ...]
    cortex: tuple[str, ...]

    @property
    def lines(self) -> list[str]:
        """The lines for ``info/attributes``; of two that match, git takes the last, so an inner store comes later."""
        found = [line for root in self.oxsoul for line in _oxsoul_lines(_pattern(root))]
        return [
            _quoted(line) for line in [*found, *(line for root in self.cortex for line in cortex_lines(_pattern(root)))]
        ]


def find(repo: Path) -> Stores:
    """Look through the files that git has or would add. Raises SoulSyncError where ``repo`` is no repository."""
    layout = locate(repo)
    git = Git(layout.git_dir, layout.root)
    listed = git.out("ls-files", "-z", "--cached", "--others", "--exclude-standard").split(b"\0")
    paths = sorted({decode(path) for path in listed if path})
    entries = (path.split("/") for path in paths if path.endswith(".json"))
    cortex = {"/".join(p[:-2]) for p in entries if len(p) > 1 and p[-2] in TYPES and p[-1].startswith(PREFIX)}
    return Stores(tuple(sorted(_oxsoul(layout.root, paths))), tuple(sorted(cortex)))


def _oxsoul(top: Path, paths: Iterable[str]) -> set[str]:
    texts = [path for path in paths if path.endswith(".md")]
    texts.sort(key=lambda path: path.rpartition("/")[2] != INDEX_MD)
    roots: set[str] = set()
    for path in texts[:MAX_LOOKED_AT]:
        root = _root(path)
        if root not in roots and _belongs(top / path, path.rpartition("/")[2]):
            roots.add(root)
    return roots


def _root(path: str) -> str:
    """The store that a memory at ``path`` would belong to."""
    parts = path.split("/")[:-1]
    if len(parts) > 1 and parts[-2] in BESIDE:
        parts = parts[:-2]
    elif parts and parts[-1] == ".trash":
        parts.pop()
    return "/".join(parts)


def _belongs(file: Path, name: str) -> bool:
    """Whether a file is an index of OxSoul, or a memory with a category and a source that the format knows."""
    try:
        data = plain.read(file)
        if name == INDEX_MD:
            return data.decode("utf-8", "replace").lstrip("\ufeff").startswith(INDEX_TITLE)
        memory = oxsoul.parse(data)
    except (OSError, Malformed):
        return False
    return memory.is_valid and memory.category in oxsoul.CATEGORIES and memory.source in oxsoul.SOURCES


def _oxsoul_lines(root: str) -> list[str]:
    """The lines of one store, for its own folders alone: what else lies below belongs to the repository."""
    folders = [root, *(f"{root}/{name}/*" for name in BESIDE), f"{root}/.trash"]
    return [
        *(f"{folder}/*.md merge=soul-oxsoul" for folder in folders),
        f"{root}/README.md !merge",  # no memory can have this name
        *oxsoul_indexes(root),
    ]


def _pattern(root: str) -> str:
    """The pattern that matches a folder itself, whatever its name holds."""
    escaped = "".join(f"\\{c}" if c in "\\*?[" else c for c in root)
    return f"/{escaped}" if root else ""


def _quoted(line: str) -> str:
    """The line with its pattern in quotes where that holds blanks (gitattributes(5): C-style)."""
    pattern, _, attribute = line.rpartition(" ")
    if not any(c in pattern for c in ' \t"\n'):
        return line
    inner = pattern.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("\n", "\\n")
    return f'"{inner}" {attribute}'
