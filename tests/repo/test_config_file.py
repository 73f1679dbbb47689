"""The reader of config files against git itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from soulsync.repo.config_file import read
from soulsync.repo.git import Git

if TYPE_CHECKING:
    from pathlib import Path

ODD = """\
; a comment
[core]
\tbare = false   # and another
\tignoreCase
[Remote "ori\\"gin\\\\ ]x"] url = git@host:a/b.git ; tail
[merge "soul-entries"]
\tdriver = '/a b/python' -I \\
  -S \\"x\\" ; cut
\tname = " two  blanks "  and\\tmore   \n
[branch.main]
\tremote = a#b
\tRemote = "a#b;c"
\tempty =
"""


def by_git(path: Path) -> dict[str, list[str]]:
    out = Git(path.parent).run("config", "--file", str(path), "--no-includes", "--list", "-z").out
    values: dict[str, list[str]] = {}
    for record in out.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        key, newline, value = record.partition("\n")
        values.setdefault(key, []).append(value if newline else "true")
    return values


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("config")


def test_reads_what_git_reads(folder: Path) -> None:
    path = folder / "odd"
    path.write_text(ODD)
    assert read(path) == by_git(path)
    assert read(path)["merge.soul-entries.driver"] == ["'/a b/python' -I   -S \"x\""]


def test_carriage_returns_and_odd_bytes(folder: Path) -> None:
    path = folder / "crlf"
    path.write_bytes(b"[a]\r\n\tb = \xff \xe7\x81\xb5\r\n\tc = 1\r\n")
    assert read(path) == by_git(path)


def test_no_file_has_no_keys(folder: Path) -> None:
    assert read(folder / "none") == {}


BLANK_FOR_PYTHON = "\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u2028\u3000"
"""``str.strip`` takes them off; git does not."""


@pytest.mark.parametrize("blank", BLANK_FOR_PYTHON)
def test_only_what_git_calls_blank_is_stripped(folder: Path, blank: str) -> None:
    path = folder / "blanks"
    path.write_text(f"[a]\n\tb = {blank}\n\tc = x{blank}\n\td = {blank}x \r\n\te = x\t\n", newline="")
    assert read(path) == by_git(path)


@settings(max_examples=25)
@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30))
@example("\x0c")
@example("x\x0c")
@example("a\r")
def test_reads_back_what_git_wrote(folder: Path, value: str) -> None:
    path = folder / "written"
    path.unlink(missing_ok=True)
    Git(folder).run("config", "--file", str(path), 'some.Sub ] " \\ §.key', value)
    assert read(path) == by_git(path)
