"""The merge driver as a program: three files in, one out, and what it does when something is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from soulsync import driver
from soulsync.driver import Files, conflict, main, merge_files
from soulsync.merge.rules import MODULES
from soulsync.shipped import PACKAGE

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = {"click", "pygit2", "paramiko", "filelock", "rich", "cryptography"}
SLOW = {"re", "dataclasses", "subprocess", "typing", "json", "pathlib", "enum", "collections", "inspect"}


class Case:
    """Three files in a folder, as git makes them."""

    def __init__(self, folder: Path, base: bytes, ours: bytes, theirs: bytes) -> None:
        self.folder = folder
        for name, data in (("base", base), ("ours", ours), ("theirs", theirs)):
            (folder / name).write_bytes(data)
        self.args = [str(folder / name) for name in ("base", "ours", "theirs")]

    @property
    def ours(self) -> bytes:
        return (self.folder / "ours").read_bytes()

    def start(self, rule: str, *more: str, **env: str) -> subprocess.CompletedProcess[bytes]:
        """Run the script that the config names, as git does."""
        argv = [sys.executable, "-I", "-S", str(PACKAGE / "start.py"), "merge", rule, *self.args, *more]
        return subprocess.run(
            argv, capture_output=True, cwd=self.folder, env={**os.environ, **env}, timeout=60, check=False
        )


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return Case(tmp_path, "a\n§\nb\n".encode(), "a\n§\nb\n§\nc\n".encode(), "b\n§\nd\n".encode())


def test_merges_into_ours_and_leaves_nothing_else(case: Case, capfd: pytest.CaptureFixture[str]) -> None:
    (case.folder / "ours").chmod(0o640)
    assert main(["soul-entries", *case.args, "memories/MEMORY.md", "7"]) == 0
    assert case.ours.decode() == "b\n§\nc\n§\nd\n"
    assert sorted(p.name for p in case.folder.iterdir()) == ["base", "ours", "theirs"]
    assert (case.folder / "ours").stat().st_mode & 0o777 == 0o640
    assert capfd.readouterr() == ("", "")


def test_the_path_may_be_missing_and_more_arguments_may_follow(case: Case) -> None:
    assert main(["soul-entries", *case.args]) == 0
    assert main(["soul-entries", *case.args, "", "7", "base label", "ours label", "%S"]) == 0
    assert main(["soul-entries", *case.args, "x", "no number"]) == 0


@pytest.mark.parametrize("rule", MODULES)
def test_each_rule_starts_from_its_script_and_takes_empty_and_odd_files(tmp_path: Path, rule: str) -> None:
    for base, ours, theirs in ((b"", b"x", b"y"), (b"a", b"", b"b"), (b"", b"\xff\x00", b"{"), (b"z", b"<<<<<<<", b"")):
        case = Case(tmp_path, base, ours, theirs)
        result = case.start(rule, "notes/a b.md", "7")
        assert (result.returncode, result.stdout) == (0, b""), result.stderr
        assert result.stderr.count(b"\n") <= 1


def test_what_gave_way_is_one_line_on_stderr(tmp_path: Path) -> None:
    case = Case(tmp_path, b"old\n", b"one\n", b"two\n")
    result = case.start("soul-newest", "notes/a.md", "7")
    assert result.returncode == 0
    assert result.stderr.startswith(b"soulsync: notes/a.md: ")
    assert result.stderr.count(b"\n") == 1
    assert case.ours in (b"one\n", b"two\n")


def test_the_merge_of_merge_bases_is_silent(tmp_path: Path) -> None:
    case = Case(tmp_path, b"old\n", b"one\n", b"two\n")
    assert case.start("soul-newest", "notes/a.md", "9").stderr == b""
    assert not Files("b", "o", "t", "p", 8).inner  # one more alone is a rename
    assert Files("b", "o", "t", "p", 10).inner


def test_wrong_usage_writes_nothing(case: Case, capfd: pytest.CaptureFixture[str]) -> None:
    before = case.ours
    assert main([]) == 2
    assert main(["soul-entries", *case.args[:2]]) == 2
    assert case.ours == before
    assert capfd.readouterr().err.startswith("usage: soulsync-merge RULE BASE OURS THEIRS")


def test_an_unknown_rule_keeps_both_sides(case: Case, capfd: pytest.CaptureFixture[str]) -> None:
    ours, theirs = case.ours, (case.folder / "theirs").read_bytes()
    assert main(["soul-unknown", *case.args]) == 2
    assert ours in case.ours
    assert theirs in case.ours
    assert "no merge rule is called soul-unknown" in capfd.readouterr().err


def test_a_deadline_leaves_both_sides_whole(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    many = ["\n§\n".join(f"{side} {i}" for i in range(60_000)).encode() for side in "box"]
    case = Case(tmp_path, many[0], many[1], many[2])
    base, ours, theirs = case.args
    assert merge_files("soul-entries", Files(base, ours, theirs, "memories/MEMORY.md"), limit=0.005) == (1, True)
    assert case.ours == conflict(many[0], many[1], many[2])
    assert "not merged within 0.005 seconds" in capfd.readouterr().err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["base", "ours", "theirs"]


def test_files_that_are_not_there_are_no_merge(case: Case, capfd: pytest.CaptureFixture[str]) -> None:
    before = case.ours
    (case.folder / "theirs").unlink()
    assert driver.run(["soul-entries", *case.args]) == (1, False)
    assert case.ours == before
    assert "Nothing was written" in capfd.readouterr().err


def test_the_script_tells_a_kept_conflict_from_a_fault(case: Case) -> None:
    (case.folder / "theirs").unlink()
    assert case.start("soul-entries").returncode == 1  # not SAFE: the guard in the config takes over
    case = Case(case.folder, b"", b"1", b"2")
    assert case.start("soul-unknown").returncode == 3


def test_conflict_markers_stand_on_lines_of_their_own() -> None:
    assert conflict(b"b", b"o", b"", 9) == b"<<<<<<<<< ours\no\n||||||||| base\nb\n=========\n>>>>>>>>> theirs\n"


def test_a_module_in_the_soul_is_not_imported(case: Case) -> None:
    for name in ("json", "os", "soulsync", "importlib"):
        (case.folder / f"{name}.py").write_text("raise SystemExit(99)\n")
    assert case.start("soul-agent", "agent.json", PYTHONPATH=str(case.folder)).returncode == 0


def imported(*argv: str, cwd: Path) -> set[str]:
    """The modules that a run of the start script imports."""
    command = [sys.executable, "-I", "-S", "-X", "importtime", str(PACKAGE / "start.py"), *argv]
    result = subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=60, check=False)
    assert result.returncode in (0, 2), result.stderr
    return {line.rpartition("|")[2].strip() for line in result.stderr.splitlines() if line.startswith("import time:")}


def test_the_driver_starts_light(case: Case) -> None:
    seen = imported("merge", "soul-entries", *case.args, "memories/MEMORY.md", "7", cwd=case.folder)
    assert "soulsync.formats.entries" in seen
    assert not seen & (HEAVY | SLOW)


@pytest.mark.parametrize("rule", MODULES)
def test_no_rule_imports_a_third_party_package(tmp_path: Path, rule: str) -> None:
    case = Case(tmp_path, b"{}", b'{"a": 1}\n', b'{"a": 2}\n')
    assert not imported("merge", rule, *case.args, "x", "7", cwd=tmp_path) & HEAVY


def test_the_hooks_import_no_third_party_package(tmp_path: Path) -> None:
    assert not imported("hook", "no-such-hook", cwd=tmp_path) & (HEAVY | SLOW)
