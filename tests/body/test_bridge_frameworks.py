from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.body.bridge import claude_code, claude_hook, note_paths, openclaw, openclaw_hook
from soulsync.body.bridge.mapping import Entries, Folder, Text, back
from soulsync.body.bridge.record import Bridge
from soulsync.body.bridge.registry import MODULES, framework
from soulsync.errors import UsageError
from soulsync.formats.claude_index import INDEX
from soulsync.repo.paths import is_portable


def folder(bridge: Bridge, key: str, body: str = "kai") -> Folder:
    module = framework(bridge.framework)
    (found,) = [pair for pair in module.mappings(bridge, body) if pair.key == key]
    assert isinstance(found, Folder)
    return found


CLAW = Bridge("claw", "openclaw", Path("/srv/claw/workspace"))
CODE = Bridge("code", "claude-code", Path("/srv/.claude/projects/-srv-web/memory"), "web")


def test_both_are_known() -> None:
    assert framework("openclaw") is openclaw
    assert framework("claude-code") is claude_code
    assert {"openclaw", "claude-code"} <= set(MODULES)


# -- which file goes where ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "note"),
    [
        ("tea.md", "notes/tea.md"),
        ("a/b/tea.md", "notes/a/b/tea.md"),
        ("a/b/c/tea.md", "notes/a/b/c/tea.md"),
        ("a/b/c/d/tea.md", None),
        ("tea.txt", None),
        ("tea.incoming-2.md", None),
        (".hidden.md", None),
        ("a/.git/x.md", None),
        ("nul.md", None),
        ("a:b.md", None),
        ("caf\udce9.md", None),
        ("über den tag.md", "notes/über den tag.md"),
    ],
)
def test_which_files_are_notes(path: str, note: str | None) -> None:
    assert note_paths.to_soul("notes", path) == note
    if note is not None:
        assert back("notes", partial(note_paths.to_soul, "notes"))(note) == path


PARTS = st.sampled_from(["a", "B", ".x", "..", "", "x.md", "y.incoming.md", "con.md", "MEMORY.md", "é.md", "a b.md"])


@given(st.lists(PARTS, min_size=1, max_size=6).map("/".join))
def test_both_ways_are_each_others_inverse(path: str) -> None:
    for pair in (folder(CLAW, "notes"), folder(CODE, "memory")):
        there = pair.to_soul(path)
        if there is not None:
            assert pair.to_native(there) == path
            assert there.startswith(f"{pair.soul}/")
            assert is_portable(there)
        back = pair.to_native(f"{pair.soul}/{path}")
        assert back is None or pair.to_soul(back) == f"{pair.soul}/{path}"


def test_a_project_is_a_folder_of_notes_and_its_index_stays() -> None:
    pair = folder(CODE, "memory")
    assert pair.to_soul("tea.md") == "notes/claude/web/tea.md"
    assert pair.to_soul("a/tea.md") == "notes/claude/web/a/tea.md"
    assert pair.to_soul("a/b/tea.md") is None
    assert pair.to_soul(INDEX) is None
    assert pair.to_native(f"notes/claude/web/{INDEX}") is None
    assert pair.to_native("notes/claude/other/tea.md") is None


def test_daily_files_go_into_the_own_journal_and_others_come() -> None:
    own, others = folder(CLAW, "journal"), folder(CLAW, "bodies")
    assert own.to_soul("2026-02-24-tea.md") == "journal/kai/2026-02-24-tea.md"
    assert own.to_soul("notes/2026-02-24.md") is None
    assert own.to_soul("topics.md") is None
    assert own.to_native("journal/kai/2026-02-24.md") is None
    assert others.to_native("journal/two/2026-02-24.md") == "two/2026-02-24.md"
    assert others.to_native("journal/kai/2026-02-24.md") is None
    assert others.to_native("journal/two/.gitkeep") is None
    assert others.to_soul("two/2026-02-24.md") is None


def test_the_rest_of_the_workspace_of_openclaw() -> None:
    pairs = {pair.key: pair for pair in openclaw.mappings(CLAW, "kai")}
    soul, memory, user = pairs["soul"], pairs["memory"], pairs["user"]
    assert isinstance(soul, Text)
    assert soul.is_default(b"# SOUL.md - Who You Are\n\n_You're not a chatbot. You're becoming someone._\n")
    assert not soul.is_default("# 薰\n\nI like rain.\n".encode())
    assert isinstance(memory, Entries)
    assert isinstance(user, Entries)
    long = ["x" * 3990, "y" * 30, "z"]
    assert user.project(b"", long) == ["x" * 3990, "z"]
    assert memory.project(b"", long) == long


# -- where they lie -------------------------------------------------------------------------------------------------


def test_a_workspace_has_no_project_and_a_memory_folder_needs_one(home: Path) -> None:
    assert openclaw.locate(None, None, {}) == home / ".openclaw/workspace"
    assert openclaw.locate("~/claw", None, {}) == home / "claw"
    with pytest.raises(UsageError):
        openclaw.locate(None, "web", {})
    for project in (None, "a/b", "..", "con", "", "x y"):
        with pytest.raises(UsageError):
            claude_code.locate(str(home), project, {})
    with pytest.raises(UsageError, match="not a folder"):
        claude_code.locate(str(home / "nowhere"), "web", {})


def test_a_project_is_found_by_its_own_folder_or_by_that_of_its_memories(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web = home / "web"
    web.mkdir()
    memories = claude_code.locate(str(web), "web", {})
    assert memories.is_relative_to(home / ".claude/projects")
    memories.mkdir(parents=True)
    assert claude_code.locate(str(memories), "web", {}) == memories
    monkeypatch.chdir(web)
    assert claude_code.locate(None, "web", {}) == memories


# -- hooks ----------------------------------------------------------------------------------------------------------


def test_the_hooks_of_openclaw(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENCLAW_STATE_DIR", "OPENCLAW_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    bridge = Bridge("claw", "openclaw", home / "elsewhere/workspace")
    openclaw.install_hooks(bridge, "kaoru", ["true"])
    assert openclaw_hook.is_installed(home / ".openclaw/hooks/soulsync-kaoru-claw")
    assert openclaw.remove_hooks(bridge, "kaoru")
    assert not openclaw.remove_hooks(bridge, "kaoru")
    (home / ".openclaw-work").mkdir()
    (home / ".openclaw-work/openclaw.json").write_text("{}")
    bridge = Bridge("claw", "openclaw", home / ".openclaw-work/workspace")
    openclaw.install_hooks(bridge, "kaoru", ["true"])
    assert openclaw_hook.is_installed(home / ".openclaw-work/hooks/soulsync-kaoru-claw")
    assert openclaw.remove_hooks(bridge, "kaoru")
    assert not (home / ".openclaw-work/hooks/soulsync-kaoru-claw").exists()


def test_the_hooks_of_claude_code(home: Path) -> None:
    bridge = Bridge("code", "claude-code", home / ".claude/projects/-srv-web/memory", "web")
    claude_code.install_hooks(bridge, "kaoru", ["true"])
    settings, mark = home / ".claude/settings.json", claude_hook.mark_of("kaoru", "code")
    assert claude_hook.is_installed(settings, mark)
    assert claude_code.remove_hooks(bridge, "kaoru")
    assert not claude_hook.is_installed(settings, mark)
    assert not claude_code.remove_hooks(bridge, "kaoru")
