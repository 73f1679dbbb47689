from __future__ import annotations

import itertools
import subprocess
from typing import TYPE_CHECKING

import pytest

from soulsync.merge.result import BOTH, OURS, THEIRS, Merged, Sides
from soulsync.merge.rules import MODULES, attributes_lines, merge_file, rule_for

if TYPE_CHECKING:
    from pathlib import Path

ODD_PATHS = [
    "notes/天 文.md",
    'notes/"q".md',
    "notes/a\nb.md",
    "notes/ a ",
    "-x",
    "notes/[a]*?.md",
    "!x",
    "#x",
    "\\x",
    "memories/天.md",
    "oxsoul/.trash/tea.md",
    "oxsoul/inbox/my-project/MEMORY.md",
    "oxsoul/engines/node-22/deep/MEMORY.md",
    "x/.agent/memory/semantic/MEM-1.json",
    ".agent/memory/.trash/semantic/MEM-1.json",
    ".agent/other/MEM-1.json",
]
PARTS = [
    "memories",
    "journal",
    "bodies",
    "locks",
    "agent.json",
    "consolidation.json",
    "MEMORY.md",
    ".md",
    ".json",
    "a b.md",
    "Agent.json",
    "oxsoul",
    "projects",
    ".agent",
    "memory",
    "cortex",
]


def said_by_git(repository: Path, paths: list[str]) -> list[str]:
    for command in (["init", "-q"], ["config", "core.ignorecase", "false"]):
        subprocess.run(["git", *command], cwd=repository, check=True, timeout=20)
    (repository / ".git/info/attributes").write_text("".join(line + "\n" for line in attributes_lines()))
    # What the tracked files say has to lose against the repository's own.
    (repository / ".gitattributes").write_text(
        "* text=auto eol=lf\n*.md text diff=markdown\n*.md -merge\n*.json merge=union\n"
    )
    asked = "\0".join(paths) + "\0"
    run = ["git", "check-attr", "-z", "--stdin", "merge"]
    answer = subprocess.run(
        run, cwd=repository, input=asked.encode(), capture_output=True, check=True, timeout=20
    ).stdout
    fields = answer.decode().split("\0")
    assert fields[0:-1:3] == paths
    return fields[2::3]


def test_git_chooses_the_same_rules(tmp_path: Path) -> None:
    paths = ODD_PATHS + ["/".join(parts) for depth in (1, 2, 3) for parts in itertools.product(PARTS, repeat=depth)]
    assert said_by_git(tmp_path, paths) == [rule_for(path) for path in paths]


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("memories/MEMORY.md", "soul-entries"),
        ("memories/projects.md", "soul-entries"),
        ("memories/deep/x.md", "soul-newest"),
        ("memories/notes.txt", "soul-newest"),
        ("agent.json", "soul-agent"),
        ("old/agent.json", "soul-newest"),
        ("SOUL.md", "soul-newest"),
        ("notes/a/b.md", "soul-newest"),
        ("journal/one/2026-10-01.md", "soul-journal"),
        ("journal/one/2026-10-01-import.md", "soul-journal"),
        ("bodies/one.json", "soul-body"),
        ("locks/consolidation.json", "soul-lease"),
        ("locks/other.json", "soul-newest"),
        (".soul-spec.json", "soul-newest"),
        ("anything/else.bin", "soul-newest"),
        ("oxsoul/tea.md", "soul-oxsoul"),
        ("oxsoul/projects/0a1b2c3d/tea.md", "soul-oxsoul"),
        ("oxsoul/inbox/app/MEMORY.md", "soul-oxsoul"),
        ("oxsoul/MEMORY.md", "soul-oxsoul-index"),
        ("oxsoul/engines/node-22/MEMORY.md", "soul-oxsoul-index"),
        ("oxsoul/notes.txt", "soul-newest"),
        ("deep/oxsoul/MEMORY.md", "soul-newest"),
        (".agent/memory/semantic/MEM-007.json", "soul-cortex"),
        ("cortex/episodic/MEM-007.json", "soul-cortex"),
        (".agent/rules.json", "soul-newest"),
    ],
)
def test_rule_for(path: str, rule: str) -> None:
    assert rule_for(path) == rule
    assert rule in MODULES


def test_an_unknown_rule_is_a_fault_of_the_caller() -> None:
    with pytest.raises(ValueError, match="no merge rule is called soul-entires"):
        merge_file("soul-entires", "memories/MEMORY.md", b"", b"a", b"b", Sides())


@pytest.mark.parametrize(
    "path", ["SOUL.md", "memories/USER.md", ".gitignore", "README.md", "notes/.gitkeep", "journal/.gitkeep"]
)
def test_what_must_be_there_survives_its_deletion(path: str) -> None:
    rule = rule_for(path)
    for sides in (Sides(), Sides(9, 1), Sides(1, 9)):
        assert merge_file(rule, path, b"old\n", None, b"new\n", sides).data == b"new\n"
        assert merge_file(rule, path, b"old\n", b"new\n", None, sides).data == b"new\n"
        assert merge_file(rule, path, b"old\n", None, b"old\n", sides).data == b"old\n"
        assert merge_file(rule, path, b"old\n", None, None, sides).data == b"old\n"
        assert merge_file(rule, path, None, None, b"new\n", sides).data == b"new\n"


def test_another_memories_file_counts_as_one_without_entries_where_it_was_deleted() -> None:
    path, base = "memories/trip.md", b"A\n\xc2\xa7\nB\n"
    assert merge_file("soul-entries", path, base, None, base, Sides(1, 9)) == Merged(None)
    assert merge_file("soul-entries", path, base, None, b"A\n\xc2\xa7\nX\n", Sides(9, 1)) == Merged(b"X\n")
    assert merge_file("soul-entries", path, base, b"A\n", None, Sides(9, 1)) == Merged(None)


def test_a_note_follows_the_newer_act() -> None:
    assert merge_file("soul-newest", "notes/a.md", b"old", None, b"new", Sides(9, 1)) == Merged(None, OURS)
    assert merge_file("soul-newest", "notes/a.md", b"old", None, b"new", Sides(1, 9)) == Merged(b"new", THEIRS)


@pytest.mark.parametrize("rule", list(MODULES))
def test_a_base_that_is_missing_and_one_that_is_empty_are_alike(rule: str) -> None:
    """Git hands its drivers an empty file for a base that is not there."""
    path = {"soul-agent": "agent.json"}.get(rule, "x/y")
    for ours, theirs in ((b"", b"a"), (b"{}", b""), (b"a\r\n", b"b"), (b'{"a": 1}', b'{"b": 2}')):
        for inner in (False, True):
            sides = Sides(1, 2, inner=inner)
            assert merge_file(rule, path, None, ours, theirs, sides) == merge_file(rule, path, b"", ours, theirs, sides)


def test_values_of_the_result() -> None:
    assert Merged(b"") != Merged(None)
    assert Merged(b"a").kept == BOTH
    assert repr(Merged(b"a", OURS, ("odd",))) == "Merged(b'a', 'ours', ('odd',))"
    assert len({Merged(b"a"), Merged(b"a"), Merged(b"a", OURS)}) == 2
    assert Merged(b"a") != b"a"
