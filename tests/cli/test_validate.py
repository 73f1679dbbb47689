"""``soulsync validate``: what is checked, what is told, and that nothing is changed."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from soulsync.merge.oxsoul_index import rebuilt
from tests.bodies import Body
from tests.merge.test_stores import entry, memory
from tests.repo.validation.sample import SOUL, write

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def nobody(tmp_path: Path) -> Body:
    """A machine without any body: ``validate`` needs none."""
    return Body(tmp_path / "machine", "one", None)


def findings(body: Body, *words: str) -> list[tuple[str, int | None, str]]:
    """What is found, with the exit code that goes with it."""
    done = body.run("validate", "--json", *words)
    printed: dict[str, Any] = json.loads(done.stdout)
    assert set(printed) == {"ok", "findings"}
    assert all(set(one) == {"path", "line", "rule", "message"} for one in printed["findings"])
    assert done.returncode == (0 if printed["ok"] else 1), done.stderr
    assert printed["ok"] == (printed["findings"] == [])
    return [(one["path"], one["line"], one["rule"]) for one in printed["findings"]]


def test_the_soul_of_this_body(one: Body) -> None:
    one.ok("memory", "add", "Likes tea.")
    one.ok("journal", "write", "Walk", "It rained.")
    one.ok("note", "write", "travel/kyoto", "In spring.")
    one.sync()
    assert one.ok("validate") == "Nothing deviates from the spec.\n"
    one.write("memories/MEMORY.md", "A\n§\n\n§\nB")
    one.write("notes/broken.md", "# broken\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n")
    before = {path: path.read_bytes() for path in one.soul.rglob("*") if path.is_file()}
    assert findings(one) == [
        ("memories/MEMORY.md", 3, "empty-entry"),
        ("memories/MEMORY.md", 5, "final-newline"),
        ("notes/broken.md", 2, "conflict-marker"),
    ]
    assert {path: path.read_bytes() for path in one.soul.rglob("*") if path.is_file()} == before
    told = one.run("validate")
    assert told.returncode == 1
    assert told.stdout.splitlines() == [
        "memories/MEMORY.md:3: an entry is empty [empty-entry]",
        "memories/MEMORY.md:5: the last line has no line end [final-newline]",
        "notes/broken.md:2: a merge left its conflict markers here [conflict-marker]",
        "3 findings at 2 places.",
    ]
    one.git("branch", "draft")
    assert ("draft", None, "branch") in findings(one)


def test_a_folder_that_is_no_repository(nobody: Body, tmp_path: Path) -> None:
    root = write(tmp_path / "soul", {"SOUL.md": b"# other\n"})
    assert findings(nobody, str(root)) == [("SOUL.md", 1, "soul-heading")]
    (tmp_path / "empty").mkdir()
    assert ("agent.json", None, "missing") in findings(nobody, str(tmp_path / "empty"))
    assert nobody.run("validate", str(tmp_path / "nowhere")).returncode == 2


def test_a_bare_repository(nobody: Body, tmp_path: Path) -> None:
    root = write(tmp_path / "soul", {"notes/a b.md": b"# a b\n"})
    commit = ["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "-m", "x"]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], commit, ["clone", "-q", "--bare", ".", "../bare.git"]):
        subprocess.run(["git", *words], cwd=root, check=True, timeout=20)
    assert findings(nobody, str(tmp_path / "bare.git")) == [("notes/a b.md", None, "note-name")]
    subprocess.run(["git", "branch", "-m", "main", "other"], cwd=tmp_path / "bare.git", check=True, timeout=20)
    assert findings(nobody, str(tmp_path / "bare.git")) == [("main", None, "missing")]


@pytest.mark.parametrize(
    ("path", "data", "found"),
    [
        ("memories/MEMORY.md", b"A", ("memories/MEMORY.md", 1, "final-newline")),
        ("notes/travel/a b.md", b"# a\n", ("notes/travel/a b.md", None, "note-name")),
        ("bodies/laptop.json", b"{}\n", ("bodies/laptop.json", None, "body-field")),
        ("agent.json", b"[]\n", ("agent.json", None, "json")),
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_a_single_file_of_a_soul_and_outside_of_one(
    nobody: Body, tmp_path: Path, path: str, data: bytes, found: tuple[str, int | None, str], whole: bool
) -> None:
    write(tmp_path / "soul", {path: data} if whole else {**dict.fromkeys(SOUL), path: data})
    assert found in findings(nobody, str(tmp_path / "soul" / path))


def test_entries_of_agent_memory(nobody: Body, tmp_path: Path) -> None:
    store = tmp_path / "project/.agent/memory/semantic"
    store.mkdir(parents=True)
    (store / "MEM-007.json").write_bytes(entry())
    (store / "MEM-008.json").write_bytes(entry())
    wrong = [("semantic/MEM-008.json", None, "file-name")]
    assert findings(nobody, str(tmp_path / "project")) == wrong
    assert findings(nobody, "--format", "cortex", str(store.parent)) == wrong
    assert findings(nobody, str(store / "MEM-007.json")) == []
    assert findings(nobody, str(store / "MEM-008.json")) == [("MEM-008.json", None, "file-name")]


def test_a_store_within_a_soul(nobody: Body, tmp_path: Path) -> None:
    root = write(tmp_path / "soul", {".agent/memory/semantic/MEM-007.json": b"{\n"})
    assert findings(nobody, str(root)) == [(".agent/memory/semantic/MEM-007.json", 2, "json")]


def test_a_name_that_would_move_the_cursor_is_escaped(nobody: Body, tmp_path: Path) -> None:
    root = write(tmp_path / "soul", {"extra/\x1b[2J.txt": b"x\n"})
    done = nobody.run("validate", str(root))
    assert done.stdout.startswith("extra/\\x1b[2J.txt: ")
    assert "\x1b" not in done.stdout


def test_an_oxsoul_store(nobody: Body, tmp_path: Path) -> None:
    store = tmp_path / "store"
    (store / "projects/0a1b2c3d").mkdir(parents=True)
    (store / "inbox/app").mkdir(parents=True)
    good = memory()
    (store / "tea.md").write_bytes(good)
    (store / "MEMORY.md").write_bytes(rebuilt("", [("tea.md", good)], None))
    (store / "inbox/app/tea.md").write_bytes(good)
    assert findings(nobody, str(store)) == []
    (store / "beer.md").write_bytes(memory(importance="much", category="drink"))
    (store / "projects/0a1b2c3d/x.md").write_bytes(b"---\nname: x\n")
    (store / "Tea!.md").symlink_to("tea.md")
    assert findings(nobody, "--format", "oxsoul", str(store)) == [
        ("MEMORY.md", 3, "index"),
        ("Tea!.md", None, "symlink"),
        ("beer.md", 2, "file-name"),
        ("beer.md", 4, "category"),
        ("beer.md", 5, "not-a-number"),
        ("projects/0a1b2c3d/MEMORY.md", None, "index"),
        ("projects/0a1b2c3d/x.md", 1, "frontmatter"),
    ]
    assert findings(nobody, str(store / "beer.md")) == [
        ("beer.md", 2, "file-name"), ("beer.md", 4, "category"), ("beer.md", 5, "not-a-number"),
    ]  # fmt: skip
