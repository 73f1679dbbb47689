"""Names: what may be created, what travels to every system, what two systems take for one; and contents as blobs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.repo import paths
from soulsync.repo.content import is_binary, keeps_crlf, normalise, same

UNSAFE = [".git", "a/.GIT", ".git/x", "git~1", "GIT~2/x", ".git.", ".git ", ".git::$INDEX_ALLOCATION", ".g\u200cit",
          "\ufeff.git", "..", "a/../b", "./a", "", "a//b", "/a", "a/", "a\0b"]  # fmt: skip
UNPORTABLE = ["con", "CON.md", "aux.tar.gz", "com1", "lpt9.x", "a:b", "a\\b", "a*", "q?", 'a"', "<a", "a>", "a|b", "a.",
              "a ", "a\tb", "a\x7f", "\udcff", "n" * 256, "天" * 86, "nul .md"]  # fmt: skip
PORTABLE = [
    "a",
    ".gitignore",
    ".github/x",
    "git",
    "git~",
    "console",
    "com",
    "com10",
    "a b",
    "天/地.md",
    "🦀",
    "n" * 255,
]


def test_what_may_be_created() -> None:
    assert [path for path in UNSAFE if paths.is_safe(path) or paths.can_hold(path)] == []
    assert [path for path in UNPORTABLE + PORTABLE if not paths.is_safe(path)] == []
    assert not paths.can_hold("n" * 256)


def test_what_travels() -> None:
    assert [path for path in UNPORTABLE if paths.is_portable(path) or paths.is_portable(f"d/{path}/f")] == []
    assert [path for path in PORTABLE if not paths.is_portable(path)] == []


@given(st.binary(min_size=1, max_size=20))
def test_bytes_survive(raw: bytes) -> None:
    assert paths.encode(paths.decode(raw)) == raw
    assert paths.shown(paths.decode(raw)).isprintable()


def test_twins() -> None:
    assert paths.twin_key("Café/STRASSE") == paths.twin_key("cafe\u0301/strasse")
    assert paths.twin_key("a") != paths.twin_key("b")
    assert paths.parents("a/b/c") == ["a", "a/b"]
    assert paths.parents("a") == []


def test_binary_and_text() -> None:
    assert is_binary(b"x" * 7999 + b"\0")
    assert not is_binary(b"x" * 8000 + b"\0")
    assert not is_binary(b"\xff\xfe")


@pytest.mark.parametrize(("path", "data", "blob"), [
    ("a.md", b"a\r\nb\rc\n", b"a\nb\rc\n"), ("a.txt", b"a\r\nb", b"a\nb"), ("a.txt", b"a\r\nb\rc", b"a\r\nb\rc"),
    ("a.json", b"\x01\x01\r\n", b"\x01\x01\n"), ("a.bin", b"\x01\x01\r\n", b"\x01\x01\r\n"), ("a", b"x\n", b"x\n"),
])  # fmt: skip
def test_crlf(path: str, data: bytes, blob: bytes) -> None:
    assert normalise(path, data) == blob
    assert same(path, data, blob)


def test_where_git_add_keeps_crlf() -> None:
    assert keeps_crlf("a.txt", b"a\r\n")
    assert not keeps_crlf("a.md", b"a\r\n")
    assert not keeps_crlf("a.txt", b"a\n")
