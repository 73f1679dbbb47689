"""Faults of the soul: its repository, what a person left open in it, its identity, its files."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from soulsync import spec

if TYPE_CHECKING:
    from tests.bodies import Remote
    from tests.body.doctor.conftest import Doctor


def test_an_object_that_is_gone(at: Doctor) -> None:
    at.well("repository")
    blob = at.body.git("rev-parse", "HEAD:agent.json")
    (at.body.soul / ".git/objects" / blob[:2] / blob[2:]).unlink()
    assert "init" in at.ill("repository", "git fsck", blob)


def test_a_git_directory_that_leads_elsewhere(at: Doctor) -> None:
    index = at.body.soul / ".git/index"
    index.rename(at.body.folder / "index")
    index.symlink_to(at.body.folder / "index")
    assert "remove it" in at.ill("repository", str(index))


def test_work_that_a_person_left_open(at: Doctor) -> None:
    at.well("branch")
    at.body.git("switch", "-q", "-c", "other")
    assert "switch main" in at.ill("branch", "the branch other")
    at.body.git("checkout", "-q", "--detach")
    at.ill("branch", "detached HEAD")
    at.body.git("switch", "-q", "main")
    (at.body.soul / ".git/MERGE_HEAD").write_text(at.body.head() + "\n")
    assert "git merge --abort" in at.ill("branch", "a merge is open")


def test_an_identity_that_changed(at: Doctor) -> None:
    good = at.body.read("agent.json")
    at.body.write("agent.json", "{")
    assert "restore agent.json" in at.ill("identity", "can't be read")
    at.body.write("agent.json", json.dumps({**json.loads(good), "id": "0" * 8 + "-0000-4000-8000-" + "0" * 12}))
    at.ill("identity", "00000000…")
    at.body.sync()
    at.well("identity")
    at.body.delete("agent.json")
    at.ill("identity", "missing")


@pytest.mark.parametrize("path", [".gitignore", ".gitattributes", ".soul-spec.json"])
def test_a_fixed_file_that_differs(at: Doctor, path: str) -> None:
    at.body.write(path, "*\n")
    at.repairs("fixed-files", path)
    assert at.body.read(path) == spec.FIXED_FILES[path]
    assert any(file.read_text() == "*\n" for file in (at.home.state / "recovery").iterdir())
    at.body.delete(path)
    at.repairs("fixed-files", path)


def test_fixed_files_that_may_differ(at: Doctor) -> None:
    """The README is generated; a higher version is v4 plus things we preserve (§2)."""
    at.body.write("README.md", "# other words\n")
    at.body.write(".soul-spec.json", '{"spec": "soul-repo", "version": 5, "more": true}\n')
    at.well("fixed-files")


def test_files_that_stay_on_this_machine(at: Doctor) -> None:
    at.well("left-out")
    at.body.write("notes/large.md", "x" * (spec.MAX_FILE_BYTES + 1))
    at.body.write("notes/b.bin", b"\0")
    (at.body.soul / "notes/link.md").symlink_to("large.md")
    subprocess.run(["git", "init", "-q", str(at.body.soul / "tools/own")], check=True, timeout=20)
    remedy = at.ill("left-out", "notes/b.bin (binary)", "notes/large.md (too-large)", "and 1 more")
    assert "text files alone" in remedy
    for name in ("notes/large.md", "notes/b.bin"):
        at.body.delete(name)
    at.ill("left-out", "notes/link.md (symlink)", "tools/own (nested-repository)")
    (at.body.soul / "notes/link.md").unlink()
    (at.body.soul / "tools/own").rename(at.body.folder / "own")
    at.body.write("notes/con.md", "x")
    assert "Rename" in at.ill("left-out", "notes/con.md (unportable)")
    at.body.delete("notes/con.md")
    at.body.write("bodies/phone.json", "{}")
    assert "belongs to" in at.ill("left-out", "bodies/phone.json (not-ours)")


def test_what_other_programs_put_into_the_soul(at: Doctor, remote: Remote) -> None:
    for name in ("names", "large-files", "links", "nested-repositories"):
        at.well(name)
    remote.commit({"notes/con.md": "x", "notes/Twin.md": "x", "notes/twin.md": "y", "notes/l.md": "x" * 2_000_000})
    at.body.sync()
    head = at.body.head()
    at.body.git("update-index", "--add", "--cacheinfo", f"120000,{at.body.git('rev-parse', 'HEAD:SOUL.md')},notes/to")
    at.body.git("update-index", "--add", "--cacheinfo", f"160000,{head},notes/nested")
    at.body.git("commit", "-q", "--no-verify", "-m", "by another program")
    assert "Rename" in at.ill("names", "notes/con.md", "notes/twin.md")
    assert "Split" in at.ill("large-files", "notes/l.md")
    at.ill("links", "notes/to")
    assert "git rm --cached" in at.ill("nested-repositories", "notes/nested")
