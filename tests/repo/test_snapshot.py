"""What a commit takes from the work tree, what it leaves, and what it puts back (soul-repo-v4 §4 rule 4, §6)."""

from __future__ import annotations

import os
import shutil
import threading
import time

import pytest

from soulsync import spec
from soulsync.repo import objects
from soulsync.repo.objects import EXECUTABLE, SUBMODULE, SYMLINK, Entry
from tests.repo.helpers import ID, MEMORY, OTHER_ID, Lab, entries, identity, skipped

BIG = b"x" * (spec.MAX_FILE_BYTES + 1)


@pytest.fixture
def lab(lab: Lab) -> Lab:
    """A soul whose base is checked out."""
    lab.check_out(lab.base())
    return lab


def blob(lab: Lab, edit: Entry | None) -> bytes:
    assert edit is not None
    return objects.read_blob(lab.repo, edit.id)


# What is committed.


def test_a_clean_work_tree_gives_nothing(lab: Lab) -> None:
    assert lab.status().clean
    taken = lab.snapshot()
    assert (taken.edits, taken.restore, taken.skipped, taken.warnings) == ({}, [], [], [])


def test_what_was_changed_added_and_deleted(lab: Lab) -> None:
    lab.write("notes/a.md", "new\n")
    lab.write("notes/deep/er/c.md", "c\n")
    lab.write("extra 天/x", "x\n").chmod(0o755)
    (lab.root / "notes/b.md").unlink()
    taken = lab.snapshot()
    assert taken.edits == {
        "notes/a.md": lab.entry("new\n"),
        "notes/b.md": None,
        "notes/deep/er/c.md": lab.entry("c\n"),
        "extra 天/x": lab.entry("x\n", EXECUTABLE),
    }
    assert (taken.restore, taken.skipped) == ([], [])


def test_spec_paths_are_committed_whatever_an_ignore_file_says(lab: Lab) -> None:
    lab.write(".gitignore", "*.md\n/journal/\nbodies\nlocks\nextra\n*.log\n")
    lab.write("notes/.gitignore", "*\n")
    for path in ("notes/n.md", "memories/X.md", "journal/one/2026-01-01.md", "bodies/x.txt", "extra/e", "my.log"):
        lab.write(path, "text\n")
    edits = lab.snapshot().edits
    assert {"notes/n.md", "memories/X.md", "journal/one/2026-01-01.md", "bodies/x.txt", "notes/.gitignore"} < set(edits)
    assert not {"extra/e", "my.log"} & set(edits)


def test_litter_is_never_committed_whatever_an_ignore_file_says(lab: Lab) -> None:
    lab.write(".gitignore", "!*.tmp\n!*.lock\n")
    litter = ["notes/a.tmp", "notes/.a.md.swp", "memories/.DS_Store", "notes/a.incoming-2.md", "memories/X.lock",
              "memories/.mem_x", "memories/MEMORY.md.bak.1", "memories/.access.jsonl", "x.tmp"]  # fmt: skip
    for path in litter:
        lab.write(path, "litter\n")
    assert set(lab.snapshot().edits) == {".gitignore"}


def test_what_the_user_excludes_stays_out_and_spec_paths_do_not(lab: Lab) -> None:
    (lab.root / ".git/info").mkdir(exist_ok=True)
    (lab.root / ".git/info/exclude").write_text("private\n*.md")
    again = Lab.__new__(Lab)
    again.__dict__.update(lab.__dict__)
    again.soul = type(lab.soul)(lab.root, lab.soul.engine)
    lab.write("private/x", "x")
    lab.write("notes/n.md", "n")
    assert set(again.snapshot().edits) == {"notes/n.md"}


def test_content_is_stored_as_git_add_stores_it(lab: Lab) -> None:
    files = {
        "notes/crlf.md": b"a\r\nb\r\n", "extra/auto.txt": b"a\r\nb\r\n", "extra/mixed": b"a\r\nb\n\rc\r\n",
        "extra/odd": b"\x01\x02\x03\r\n" * 3, "notes/lone.md": b"a\rb\n",
        "notes/bad.md": b"\xff\xfe\r\n", "e.json": b"{}\r\n",
    }  # fmt: skip
    for path, data in files.items():
        lab.write(path, data)
    edits = lab.snapshot().edits
    lab.git("-c", "core.safecrlf=false", "add", "-A")
    for path in files:
        assert objects.read_blob(lab.repo, lab.git("rev-parse", f":{path}")) == blob(lab, edits[path]), path


def test_crlf_in_a_committed_file_is_kept_where_git_add_keeps_it(lab: Lab) -> None:
    old = lab.commit({"extra/auto.txt": "a\r\n", "notes/x.md": "a\r\n"}, str(lab.soul.head), at=1)
    lab.check_out(old)
    lab.write("extra/auto.txt", "a\r\nb\r\n")
    lab.write("notes/x.md", "a\r\nb\r\n")
    edits = lab.snapshot().edits
    assert blob(lab, edits["extra/auto.txt"]) == b"a\r\nb\r\n"
    assert blob(lab, edits["notes/x.md"]) == b"a\nb\n"


# What is left out.


def test_too_large_and_binary_files_are_named_and_block_nothing(lab: Lab) -> None:
    lab.write("notes/big.md", BIG)
    lab.write("notes/limit.md", BIG[:-1])
    lab.write("extra/bin", b"a" * 7999 + b"\0")
    lab.write("extra/late", b"a" * 8000 + b"\0")
    taken = lab.snapshot()
    assert set(taken.edits) == {"notes/limit.md", "extra/late"}
    assert skipped(taken) == {"notes/big.md": "too-large", "extra/bin": "binary"}


def test_a_committed_file_that_grows_too_large_keeps_its_last_version(lab: Lab) -> None:
    lab.write(MEMORY, BIG)
    lab.write("notes/a.md", b"\0")
    taken = lab.snapshot()
    assert taken.edits == {}
    assert skipped(taken) == {MEMORY: "too-large", "notes/a.md": "binary"}


def test_links_are_never_committed_and_never_followed(lab: Lab) -> None:
    outside = lab.root.parent / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret\n")
    (lab.root / "notes/link.md").symlink_to(outside / "secret.md")
    (lab.root / "things").symlink_to(outside)
    (lab.root / "notes/a.md").unlink()
    (lab.root / "notes/a.md").symlink_to(outside / "secret.md")
    taken = lab.snapshot()
    assert taken.edits == {}
    assert skipped(taken) == {"notes/link.md": "symlink", "things": "symlink", "notes/a.md": "symlink"}


@pytest.mark.parametrize("ignored", [False, True])
def test_a_folder_replaced_by_a_link_is_no_deletion(lab: Lab, ignored: bool) -> None:
    outside = lab.root.parent / "outside"
    shutil.copytree(lab.root / "notes", outside)
    (outside / "new.md").write_text("elsewhere\n")
    shutil.rmtree(lab.root / "notes")
    (lab.root / "notes").symlink_to(outside)
    if ignored:
        lab.write(".gitignore", "notes\n")
    edits = lab.snapshot().edits
    assert set(edits) <= {".gitignore"}


def test_nested_repositories_are_not_entered(lab: Lab) -> None:
    for path in ("notes/repo", "extra/repo", "notes/hidden/deep/repo"):
        lab.write(f"{path}/f.md", "x")
        lab.git("init", "-q", path)
    lab.write("notes/pointer/.git", "gitdir: ../../x\n")
    lab.write("notes/hidden/own.md", "own")
    lab.write(".gitignore", "notes/hidden\n")
    taken = lab.snapshot()
    assert set(taken.edits) == {".gitignore", "notes/hidden/own.md"}
    for path in ("notes/repo", "extra/repo", "notes/hidden/deep/repo"):
        assert skipped(taken)[path] == "nested-repository"


def test_a_tracked_file_replaced_by_a_repository_keeps_its_last_version(lab: Lab) -> None:
    (lab.root / "notes/a.md").unlink()
    lab.git("init", "-q", "notes/a.md")
    taken = lab.snapshot()
    assert "notes/a.md" not in taken.edits
    assert skipped(taken)["notes/a.md"] == "nested-repository"


@pytest.mark.parametrize(
    "name", ["a:b.md", "con", "nul.md", "x.", "x ", "q?.md", "back\\slash.md", "\udcff.md", "t\tb"]
)
@pytest.mark.parametrize("staged", [False, True])
def test_names_that_some_system_refuses_are_left_out(lab: Lab, name: str, staged: bool) -> None:
    lab.write(f"notes/{name}", "x\n")
    if staged:
        lab.git("add", "-A")
    taken = lab.snapshot()
    assert taken.edits == {}
    assert skipped(taken) == {f"notes/{name}": "unportable"}


def test_twins_by_case_or_unicode_form_are_left_out(lab: Lab) -> None:
    lab.check_out(lab.commit({"notes/caf\u00e9.md": "1", "notes/deep/x.md": "1"}, str(lab.soul.head), at=1))
    for path in ("notes/A.md", "notes/cafe\u0301.md", "Notes/z.md", "notes/DEEP/y.md", "new/One", "new/one"):
        lab.write(path, "x")
    taken = lab.snapshot()
    assert set(taken.edits) == {"new/One"}
    assert set(skipped(taken).values()) == {"unportable"}
    assert len(taken.skipped) == 5


def test_a_rename_in_case_alone_is_no_twin(lab: Lab) -> None:
    lab.check_out(lab.commit({"Extra/x": "1"}, str(lab.soul.head), at=1))
    (lab.root / "notes/a.md").rename(lab.root / "notes/A.md")
    (lab.root / "Extra").rename(lab.root / "extra")
    edits = lab.snapshot().edits
    assert set(edits) == {"notes/a.md", "notes/A.md", "Extra/x", "extra/x"}


@pytest.mark.parametrize("kind", ["fifo", "socket"])
def test_what_is_no_file_does_not_hang(lab: Lab, kind: str) -> None:
    (lab.root / MEMORY).unlink()
    if kind == "fifo":
        os.mkfifo(lab.root / MEMORY)
    else:
        import socket

        here = os.open(lab.root / "memories", os.O_RDONLY)
        server = socket.socket(socket.AF_UNIX)
        server.bind(f"/proc/self/fd/{here}/MEMORY.md")
        server.close()
        os.close(here)
    taken = lab.snapshot()
    assert taken.edits == {}


# Whose it is.


def test_only_journals_of_others_may_be_changed(lab: Lab) -> None:
    files = {"journal/two/d.md": "old", "bodies/two.json": "{}", spec.LEASE_JSON: "{}"}
    lab.check_out(lab.commit(files, str(lab.soul.head), at=1))
    for path in ("journal/two/d.md", "bodies/two.json", spec.LEASE_JSON, "bodies/one.json", "bodies/three.json"):
        lab.write(path, '{"x": 1}\n')
    taken = lab.snapshot()
    assert set(taken.edits) == {"journal/two/d.md", "bodies/one.json"}
    assert set(taken.restore) == {"bodies/two.json", spec.LEASE_JSON}
    assert set(skipped(taken).values()) == {"not-ours"}
    assert any("journal/two/d.md" in warning for warning in taken.warnings)


def test_deletions_of_what_belongs_to_others_are_put_back(lab: Lab) -> None:
    files = {"journal/two/d.md": "old", "bodies/two.json": "{}", "journal/one/d.md": "mine", spec.LEASE_JSON: "{}"}
    lab.check_out(lab.commit(files, str(lab.soul.head), at=1))
    for path in files:
        (lab.root / path).unlink()
    taken = lab.snapshot()
    assert taken.edits == {"journal/one/d.md": None}
    assert set(taken.restore) == {"journal/two/d.md", "bodies/two.json", spec.LEASE_JSON}


@pytest.mark.parametrize("path", [*spec.FIXED_FILES, "SOUL.md", MEMORY, "journal/.gitkeep"])
def test_a_required_file_that_vanishes_is_put_back(lab: Lab, path: str) -> None:
    (lab.root / path).unlink()
    taken = lab.snapshot()
    assert (taken.edits, taken.restore) == ({}, [path])
    assert any(path in warning for warning in taken.warnings)


def test_without_agent_json_no_deletion_is_believed(lab: Lab) -> None:
    for path in ("agent.json", "notes/a.md", "notes/b.md", "bodies/one.json"):
        (lab.root / path).unlink()
    lab.write("notes/new.md", "n")
    taken = lab.snapshot()
    assert set(taken.edits) == {"notes/new.md"}
    assert set(taken.restore) == {"agent.json", "notes/a.md", "notes/b.md", "bodies/one.json"}
    assert "4 files restored" in taken.warnings[-1]


# Identity and memories that may be half-written.


def test_a_malformed_identity_is_left_out_and_the_next_one_is_taken(lab: Lab) -> None:
    lab.write("agent.json", identity()[:40])
    lab.write("notes/n.md", "n")
    taken = lab.save()
    assert set(taken.edits) == {"notes/n.md"}
    assert skipped(taken) == {"agent.json": "malformed"}
    lab.write("agent.json", identity(color="#112233"))
    assert set(lab.snapshot().edits) == {"agent.json"}


def test_a_changed_id_is_put_back_and_the_rest_is_taken(lab: Lab) -> None:
    lab.write("agent.json", identity(OTHER_ID, color="#112233"))
    taken = lab.snapshot()
    text = blob(lab, taken.edits["agent.json"]).decode()
    assert ID in text
    assert "#112233" in text
    assert taken.restore == ["agent.json"]


def test_only_the_id_changed(lab: Lab) -> None:
    lab.write("agent.json", identity(OTHER_ID))
    taken = lab.snapshot()
    assert taken.edits == {}
    assert taken.restore == ["agent.json"]


@pytest.mark.parametrize(("path", "half", "whole"), [
    (MEMORY, "A", entries("A", "B", "C", "D")),
    ("agent.json", "{", identity(color="#112233")),
])  # fmt: skip
def test_a_file_caught_in_the_middle_is_read_again(lab: Lab, path: str, half: str, whole: str) -> None:
    lab.write(path, half)
    started = threading.Event()

    def finish() -> None:
        started.wait(10)
        time.sleep(0.03)
        lab.write(path, whole)

    found = lab.status()
    writer = threading.Thread(target=finish)
    writer.start()
    started.set()
    from soulsync.repo import snapshot

    taken = snapshot.take(lab.soul, lab.worktree, found, "one")
    writer.join()
    assert blob(lab, taken.edits[path]).decode() == whole


def test_memories_that_really_shrank_are_believed_and_told(lab: Lab) -> None:
    lab.write(MEMORY, "")
    taken = lab.snapshot()
    assert blob(lab, taken.edits[MEMORY]) == b""
    assert any("from 3 to 0 entries" in warning for warning in taken.warnings)


# A file here, a folder there.


@pytest.mark.parametrize("path", ["memories", "journal", "bodies", "journal/two", "notes"])
def test_a_file_never_takes_the_place_of_a_folder_of_the_spec(lab: Lab, path: str) -> None:
    lab.check_out(lab.commit({"journal/two/d.md": "old"}, str(lab.soul.head), at=1))
    shutil.rmtree(lab.root / path)
    lab.write(path, "a file\n")
    taken = lab.save()
    assert taken.edits == {}
    assert skipped(taken)[path] == "unportable"


def test_an_extra_folder_may_become_a_file_unless_it_holds_what_is_not_checked_out(lab: Lab) -> None:
    link = Entry(SYMLINK, lab.entry("t").id)
    lab.check_out(lab.commit({"x/a": "1", "x/b/c": "2", "y/a": "1", "y/l": link}, str(lab.soul.head), at=1))
    for path in ("x", "y"):
        shutil.rmtree(lab.root / path)
        lab.write(path, "a file\n")
    taken = lab.save()
    assert taken.edits == {"x": lab.entry("a file\n"), "x/a": None, "x/b/c": None}
    assert lab.look_up("y/l") == link
    assert lab.look_up("x") == lab.entry("a file\n")


def test_a_folder_may_take_the_place_of_a_note_but_not_of_a_required_file(lab: Lab) -> None:
    for path in ("notes/a.md", "SOUL.md"):
        (lab.root / path).unlink()
        lab.write(f"{path}/x.md", "deep")
    taken = lab.save()
    assert taken.edits == {"notes/a.md": None, "notes/a.md/x.md": lab.entry("deep")}
    assert skipped(taken) == {"SOUL.md/x.md": "unportable"}


def test_a_folder_without_anything_to_commit_deletes_no_file(lab: Lab) -> None:
    (lab.root / "notes/a.md").unlink()
    lab.write("notes/a.md/big", BIG)
    assert lab.snapshot().edits == {}


@pytest.mark.parametrize("mode", [SYMLINK, SUBMODULE])
def test_entries_that_are_never_checked_out_stay(lab: Lab, mode: int) -> None:
    entry = Entry(mode, lab.entry("target").id)
    lab.git("update-ref", "refs/heads/main", lab.commit({"x": entry, "notes/l": entry}, str(lab.soul.head), at=1))
    lab.git("read-tree", "--reset", "main")
    lab.write("x/inside", "new")
    lab.write("notes/l", "a file")
    lab.write("notes/n.md", "n")
    taken = lab.save()
    assert set(taken.edits) == {"notes/n.md"}
    assert lab.look_up("x") == entry
    assert lab.look_up("notes/l") == entry
