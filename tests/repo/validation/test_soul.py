"""What deviates from soul-repo v4 is named, with its place; a valid soul has no findings."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pygit2
import pytest

from soulsync import spec
from soulsync.formats import json_text
from soulsync.repo.validation import soul, source
from tests.repo.validation.sample import BODY, IDENTITY, SOUL, brief, found, write

if TYPE_CHECKING:
    from pathlib import Path

AGENT = "agent.json"
MEMORY = "memories/MEMORY.md"
DAY = "journal/laptop/2026-01-03.md"
LAPTOP = "bodies/laptop.json"
LEASE = "locks/consolidation.json"
MERGED = b"a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n"


def identity(**fields: object) -> bytes:
    return json_text.render({**IDENTITY, **fields})


def body(**fields: object) -> bytes:
    return json_text.render({**BODY, **fields})


def test_a_valid_soul_has_no_findings(tmp_path: Path) -> None:
    assert found(write(tmp_path, {})) == []


def test_an_empty_folder_lacks_everything(tmp_path: Path) -> None:
    lacking = {*spec.FIXED_FILES, *spec.REQUIRED_FILES, *spec.REQUIRED_DIRS}
    assert brief(found(tmp_path)) == [(path, None, "missing") for path in sorted(lacking)]


CASES: list[tuple[str, bytes, int | None, str]] = [
    (AGENT, identity(id="7"), 2, "agent-field"),
    (AGENT, identity(name="Kaoru"), 3, "agent-field"),
    (AGENT, identity(color="red"), 7, "agent-field"),
    (AGENT, identity(seed=False), 10, "agent-field"),
    (AGENT, b'{\n  "id": 1,\n', 3, "json"),
    (AGENT, b"[]\n", None, "json"),
    (AGENT, json_text.render(IDENTITY)[:-1], 10, "json-form"),
    (AGENT, json_text.one_line(IDENTITY), 1, "json-form"),
    (".soul-spec.json", b'{"spec": "soul-repo", "version": 3}\n', 1, "spec-version"),
    (".soul-spec.json", b'{\n  "spec": "other",\n  "version": 4\n}\n', 2, "spec-version"),
    ("SOUL.md", "# 别人\n".encode(), 1, "soul-heading"),
    (MEMORY, b"A\n\xc2\xa7\nB", 3, "final-newline"),
    (MEMORY, b"A\n\xc2\xa7\n\xc2\xa7\nB\n", 3, "empty-entry"),
    (MEMORY, b"A\n\xc2\xa7\n\nB\n", 3, "entry-blanks"),
    (MEMORY, b"A\n\xc2\xa7 \nB\n", 2, "delimiter"),
    (MEMORY, b"A\n\xc2\xa7\n", 3, "empty-entry"),
    (MEMORY, b"\n", 1, "empty-entry"),
    (MEMORY, b"A\r\n", 1, "line-end"),
    (MEMORY, b"A\nB\xff\n", 2, "utf-8"),
    (MEMORY, b"\xef\xbb\xbfA\n", 1, "byte-order-mark"),
    (MEMORY, MERGED, 2, "conflict-marker"),
    (MEMORY, b"x" * spec.MAX_FILE_BYTES + b"\n", None, "too-large"),
    ("notes/picture.md", b"\x89PNG\0", None, "binary"),
    ("memories/deep/x.md", b"A\n", None, "misplaced"),
    (DAY, b"# 2026-01-03\n", 1, "journal-heading"),
    (DAY, "# 2026-01-04 · laptop\n".encode(), 1, "journal-heading"),
    (DAY, "# 2026-01-03 · laptop\n\n## 25:00 x\n".encode(), 3, "journal-time"),
    ("journal/laptop/2026-02-30.md", "# 2026-02-30 · laptop\n".encode(), None, "journal-name"),
    ("journal/2026-01-03.md", b"x\n", None, "misplaced"),
    ("journal/My laptop/2026-01-03.md", "# 2026-01-03 · My laptop\n".encode(), None, "body-name"),
    ("notes/a/b/c/d/e.md", b"# e\n", None, "note-depth"),
    ("notes/kyoto trip.md", b"# kyoto trip\n", None, "note-name"),
    (f"notes/{'x' * 61}.md", b"# x\n", None, "note-name"),
    ("notes/kyoto.md", b"In spring.\n", 1, "note-heading"),
    ("notes/claude/web/tea.md", b"---\nname: tea\n", 1, "note-heading"),
    ("notes/tea.md", b"---\nname: tea\n---\n", 1, "note-heading"),
    ("notes/kyoto.txt", b"In spring.\n", None, "misplaced"),
    (LAPTOP, body(body="phone"), 2, "body-field"),
    (LAPTOP, body(kind="robot"), 3, "body-field"),
    (LAPTOP, body(lastSeen="yesterday"), 6, "body-field"),
    (LAPTOP, body(host="10.0.0.7"), 7, "body-field"),
    (LAPTOP, body(net={"wifi": "00:1a:2b:3c:4d:5e"}), None, "address"),
    (LAPTOP, b"{", 1, "json"),
    ("bodies/laptop.txt", b"x\n", None, "misplaced"),
    (LEASE, b'{"until": 5}\n', 1, "lease"),
    (LEASE, b'{"body": "laptop", "until": 1.5}\n', 1, "lease"),
    (LEASE, b'{"body": "My laptop", "until": 5}\n', 1, "lease"),
    (LEASE, b'{\n  "body": "laptop",\n  "until": 5\n}\n', 1, "json-form"),
    ("locks/other.json", b"{}\n", None, "misplaced"),
    ("extra/con.txt", b"x\n", None, "unportable"),
    ("extra/a:b", b"x\n", None, "unportable"),
    ("extra/Plan.txt", b"x\n", None, "twin-name"),
    ("extra/broken.txt", MERGED, 2, "conflict-marker"),
]


@pytest.mark.parametrize(("path", "data", "line", "rule"), CASES, ids=lambda value: str(value)[:40])
def test_one_fault_is_the_one_finding(tmp_path: Path, path: str, data: bytes, line: int | None, rule: str) -> None:
    findings = found(write(tmp_path, {path: data}))
    assert [one.rule for one in findings] == [rule], findings
    one = findings[0]
    assert one.message
    if rule == "twin-name":
        assert one.path in (path, "extra/plan.txt")
    else:
        assert one.path == path
    if rule == "address":
        line = SOUL[LAPTOP].count(b"\n")
    assert one.line == line


@pytest.mark.parametrize("path", [*spec.FIXED_FILES, *spec.REQUIRED_FILES])
def test_what_is_required_and_missing_is_named(tmp_path: Path, path: str) -> None:
    assert (path, None, "missing") in brief(found(write(tmp_path, {path: None})))


@pytest.mark.parametrize("path", ["README.md", ".gitattributes", ".gitignore"])
def test_another_text_in_a_fixed_file_is_left_to_others(tmp_path: Path, path: str) -> None:
    """Several implementations share a soul, each with its own text (§2)."""
    assert found(write(tmp_path, {path: b"# other\n"})) == []


def test_a_later_version_of_the_spec_is_read_as_this_one(tmp_path: Path) -> None:
    assert found(write(tmp_path, {".soul-spec.json": b'{"spec": "soul-repo", "version": 5}\n'})) == []


def test_what_is_no_file_is_named_and_not_followed(tmp_path: Path) -> None:
    root = write(tmp_path / "soul", {})
    (tmp_path / "secret.md").write_bytes(b"\xff")
    (root / "notes/link.md").symlink_to(tmp_path / "secret.md")
    (root / "notes/loop").symlink_to(root)
    os.mkfifo(root / "notes/pipe.md")
    (root / "notes/inner/.git").mkdir(parents=True)
    (root / "notes/inner/bad.md").write_bytes(b"\0")
    assert brief(found(root)) == [
        ("notes/inner", None, "nested-repository"),
        ("notes/link.md", None, "symlink"),
        ("notes/loop", None, "symlink"),
        ("notes/pipe.md", None, "not-a-file"),
    ]


def test_a_name_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    root = write(tmp_path, {})
    (root / os.fsdecode(b"extra/\xff.txt")).write_bytes(b"x\n")
    (finding,) = found(root)
    assert finding.rule == "unportable"
    assert finding.as_json()["path"] == "extra/\\xff.txt"


def test_what_is_never_committed_is_no_part_of_the_soul(tmp_path: Path) -> None:
    litter = {"memories/MEMORY.md.lock": b"\0", "notes/a.incoming.md": b"\0", "memories/.mem_1": b"", "x.swp": b"\0"}
    assert found(write(tmp_path, litter)) == []


def test_a_tree_of_a_commit_is_checked_without_a_work_tree(tmp_path: Path) -> None:
    root = write(tmp_path / "soul", {MEMORY: b"A\n\xc2\xa7\n\xc2\xa7\nB\n", "notes/a.incoming.md": b"# a\n"})
    (root / "notes/link.md").symlink_to("kyoto.md")
    for words in (["init", "-q", "-b", "main"], ["add", "-f", "-A"]):
        subprocess.run(["git", *words], cwd=root, check=True, timeout=20)
    run = subprocess.run(["git", "write-tree"], cwd=root, check=True, timeout=20, capture_output=True, text=True)
    repo = pygit2.Repository(str(root))
    assert brief(soul.check(source.of_tree(repo, run.stdout.strip()))) == [
        (MEMORY, 3, "empty-entry"),
        ("notes/a.incoming.md", None, "never-committed"),
        ("notes/link.md", None, "symlink"),
    ]


def test_faults_of_one_file_are_all_named_in_order(tmp_path: Path) -> None:
    root = write(tmp_path, {AGENT: identity(id="7", color="red", displayName=" ")})
    assert [(line, rule) for path, line, rule in brief(found(root)) if path == AGENT] == [
        (2, "agent-field"),
        (4, "agent-field"),
        (7, "agent-field"),
    ]
