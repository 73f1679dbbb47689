"""Paths of a repository: bytes on disk and in git, text with surrogates for odd bytes everywhere else."""

from __future__ import annotations

import os

_WINDOWS_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"com{i}" for i in range(1, 10)), *(f"lpt{i}" for i in range(1, 10))]
)
_WINDOWS_FORBIDDEN = frozenset('\\:*?"<>|') | frozenset(map(chr, range(32))) | {"\x7f"}
# Characters that HFS+ ignores in names, so that ".g\u200cit" is ".git" there (git's utf8.c, CVE-2014-9390).
_HFS_IGNORED = dict.fromkeys(
    [*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF],
)


def encode(path: str) -> bytes:
    """The bytes that git and the disk know ``path`` by."""
    return path.encode("utf-8", "surrogateescape")


def decode(raw: bytes) -> str:
    """The text form of a path; bytes that are not UTF-8 become surrogates and come back by ``encode``."""
    return raw.decode("utf-8", "surrogateescape")


def shown(path: str) -> str:
    """``path`` for people and for JSON: no surrogates, no control characters."""
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def is_git_alias(segment: str) -> bool:
    """Whether some file system takes ``segment`` for ``.git``: by case, HFS+ ignorables, NTFS names or streams."""
    if segment.isascii() and "git" not in segment.lower():
        return False  # as good as all; a large tree has many
    name = segment.translate(_HFS_IGNORED).lower().split(":", 1)[0].rstrip(". ")
    return name == ".git" or (name.startswith("git~") and name[4:].isdigit())


def is_safe(path: str) -> bool:
    """Whether ``path`` may be created below the work tree at all: relative, no ``..``, nothing that is ``.git``."""
    segments = path.split("/")
    return "\0" not in path and not any(s in {"", ".", ".."} or is_git_alias(s) for s in segments)


def is_portable(path: str) -> bool:
    """Whether every system that a body may run on can hold ``path`` (soul-repo-v4 §3.4)."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return is_safe(path) and all(_is_portable_segment(s) for s in path.split("/"))


def _is_portable_segment(segment: str) -> bool:
    if segment[-1] in ". " or not _WINDOWS_FORBIDDEN.isdisjoint(segment) or len(segment.encode()) > 255:
        return False
    return segment.split(".", 1)[0].rstrip().lower() not in _WINDOWS_RESERVED


def can_hold(path: str) -> bool:
    """Whether the file system of this machine takes ``path``."""
    if not is_safe(path) or any(len(encode(s)) > 255 for s in path.split("/")):
        return False
    return os.name != "nt" or is_portable(path)


def twin_key(path: str) -> str:
    """What two paths share when a file system that folds case or normalises Unicode takes them for one."""
    import unicodedata

    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold())


def parents(path: str) -> list[str]:
    """The folders above ``path``, outermost first, without the top itself."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: i + 1]) for i in range(len(parts))]
