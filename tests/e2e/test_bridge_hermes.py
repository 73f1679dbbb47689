"""A soul and the files of a Hermes Agent, kept alike by copying (bridges §1, §2)."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.bodies import snapshot
from tests.bridged import Hermes

if TYPE_CHECKING:
    from tests.bodies import Body


@pytest.fixture
def hermes(one: Body) -> Hermes:
    """A Hermes Agent beside the body ``one``, bridged, nothing carried yet."""
    agent = Hermes(one)
    agent.bridge()
    return agent


def test_the_first_contact_keeps_all_memories(one: Body, hermes: Hermes) -> None:
    one.remember("from the soul", "known to both")
    hermes.set_entries("from hermes", "known to both")
    carried = hermes.carried()
    assert one.entries() == ["from the soul", "known to both", "from hermes"] == hermes.entries()
    assert {(c["direction"], c["done"], c["text"]) for c in carried["changes"] if c["text"]} == {
        ("to-soul", "added", "from hermes"),
        ("to-native", "added", "from the soul"),
    }
    assert one.clean()
    assert not hermes.memory.read_bytes().endswith(b"\n")
    assert hermes.carried()["changes"] == []


def test_additions_removals_and_edits_go_both_ways(one: Body, hermes: Hermes) -> None:
    one.set_entries(["a", "b", "c", "d"])
    hermes.carried()
    hermes.set_entries("a", "B", "d", "new here")
    one.set_entries(["b", "c", "d", "new there"])
    hermes.carried()
    assert one.entries() == hermes.entries()
    assert set(one.entries()) == {"B", "d", "new here", "new there"}


def test_what_is_cut_off_by_the_limit_stays_in_the_soul(one: Body, hermes: Hermes) -> None:
    hermes.configure("memory:\n  memory_char_limit: 40\n")
    one.set_entries(["short", "x" * 60, "y" * 20, "z" * 30])
    carried = hermes.carried()
    assert hermes.entries() == ["short", "y" * 20]
    assert [left["text"] for left in carried["left_out"]] == ["x" * 60, "z" * 30]
    hermes.set_entries("y" * 20)
    hermes.carried()
    assert one.entries() == ["x" * 60, "y" * 20, "z" * 30]
    assert hermes.entries() == ["y" * 20]


def test_both_files_and_the_limits_of_hermes(one: Body, hermes: Hermes) -> None:
    for path in ("memories/MEMORY.md", "memories/USER.md"):
        one.set_entries([f"{number:03} {'x' * 96}" for number in range(40)], path)
    hermes.carried()
    assert len(hermes.memory.read_text()) == 21 * 103 - 3 <= 2200
    assert len(hermes.user.read_text()) == 13 * 103 - 3 <= 1375


def test_a_removal_in_the_soul_reaches_hermes_and_stays(one: Body, hermes: Hermes) -> None:
    one.set_entries(["keep", "drop"])
    hermes.carried()
    one.forget("drop")
    hermes.carried()
    assert hermes.entries() == ["keep"]
    hermes.carried()
    assert one.entries() == ["keep"]


def test_the_default_text_yields_and_is_in_history(one: Body, hermes: Hermes) -> None:
    one.write("SOUL.md", "# Kaoru\n\nI am calm.\n")
    hermes.soul.write_text("# Someone\n\nA text that hermes had.\n")
    hermes.carried()
    assert hermes.soul.read_text() == "# Kaoru\n\nI am calm.\n" == one.read("SOUL.md")
    assert "A text that hermes had." in one.git("log", "-p", "--", "SOUL.md")
    assert one.clean()


def test_a_personality_of_its_own_goes_before_a_seed(one: Body, hermes: Hermes) -> None:
    hermes.soul.write_text("# Hermes\n\nI am quick.\n")
    hermes.carried()
    assert one.read("SOUL.md") == "# Hermes\n\nI am quick.\n" == hermes.soul.read_text()


def test_the_later_of_two_personalities_wins_and_the_other_is_in_history(one: Body, hermes: Hermes) -> None:
    one.write("SOUL.md", "# Kaoru\n\nfirst\n")
    hermes.carried()
    hermes.soul.write_text("# Kaoru\n\nby hermes, earlier\n")
    past = time.time() - 1000
    os.utime(hermes.soul, (past, past))
    one.write("SOUL.md", "# Kaoru\n\nby the soul, later\n")
    hermes.carried()
    assert hermes.soul.read_text() == "# Kaoru\n\nby the soul, later\n" == one.read("SOUL.md")
    assert "by hermes, earlier" in one.git("log", "-p", "--", "SOUL.md")
    one.write("SOUL.md", "# Kaoru\n\nby the soul, earlier\n")
    os.utime(one.soul / "SOUL.md", (past, past))
    hermes.soul.write_text("# Kaoru\n\nby hermes, later\n")
    hermes.carried()
    assert one.read("SOUL.md") == "# Kaoru\n\nby hermes, later\n" == hermes.soul.read_text()
    assert "by the soul, earlier" in one.git("log", "-p", "--", "SOUL.md")


def test_a_sync_carries_before_it_commits_and_after_it_merged(one: Body, two: Body) -> None:
    hermes = Hermes(one)
    hermes.bridge()
    hermes.set_entries("by hermes")
    two.remember("by the other body")
    two.sync()
    result = one.sync()
    assert result["pushed"]
    assert result["warnings"] == []
    assert set(hermes.entries()) == {"by hermes", "by the other body"} == set(one.entries())
    two.sync()
    assert set(two.entries()) == {"by hermes", "by the other body"}
    two.forget("by hermes")
    two.sync()
    one.sync()
    assert hermes.entries() == ["by the other body"]


def test_a_sync_without_network_carries_too(one: Body) -> None:
    hermes = Hermes(one)
    hermes.bridge()
    one.remember("here")
    hermes.set_entries("there")
    moved = one.folder.parent / "away"
    (one.folder.parent / "remotes").rename(moved)
    assert one.run("sync").returncode != 0
    assert set(hermes.entries()) == {"here", "there"} == set(one.entries())
    assert one.clean()


def test_a_body_without_bridges_loads_none_of_this(one: Body) -> None:
    script = (
        "import sys; from soulsync.__main__ import run; code = run(['sync', '--quiet']);"
        "print(code, [name for name in sys.modules if 'soulsync.body.bridge' in name or name == 'yaml'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env=one.env, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "0 []\n"


def test_diff_writes_nothing(one: Body, hermes: Hermes) -> None:
    one.remember("from the soul")
    hermes.set_entries("from hermes")
    before = snapshot(one.folder, without=[".soulsync/kaoru/state/git"])
    (found,) = json.loads(one.ok("bridge", "diff", "hermes", "--json"))["bridges"]
    assert {(c["direction"], c["text"]) for c in found["changes"] if c["path"] == "memories/MEMORY.md"} == {
        ("to-soul", "from hermes"),
        ("to-native", "from the soul"),
    }
    assert snapshot(one.folder, without=[".soulsync/kaoru/state/git"]) == before
    assert "memories/MEMORY.md: from hermes" in one.ok("bridge", "diff")


def test_two_bridges_of_one_soul_show_each_other(one: Body, hermes: Hermes) -> None:
    second = one.folder / "profiles" / "coder"
    (second / "memories").mkdir(parents=True)
    (second / "memories" / "MEMORY.md").write_text("by the coder")
    one.ok("bridge", "add", "hermes", "--name", "coder", "--path", str(second))
    hermes.set_entries("by hermes")
    one.ok("bridge", "sync")
    assert set(hermes.entries()) == {"by hermes", "by the coder"}
    assert set(hermes.entries(second / "memories" / "MEMORY.md")) == {"by hermes", "by the coder"}
    bridges = json.loads(one.ok("bridge", "list", "--json"))["bridges"]
    assert [bridge["name"] for bridge in bridges] == ["hermes", "coder"]


def test_of_two_frameworks_that_changed_one_text_the_later_wins_and_both_are_in_history(
    one: Body, hermes: Hermes
) -> None:
    """Whichever bridge comes first: its text is in no commit yet when the second one meets it."""
    second = one.folder / "profiles" / "coder"
    second.mkdir(parents=True)
    one.ok("bridge", "add", "hermes", "--name", "coder", "--path", str(second))
    one.write("SOUL.md", "# Kaoru\n\nfirst\n")
    one.ok("bridge", "sync")
    for number, (later, earlier) in enumerate(((hermes.home, second), (second, hermes.home))):
        (later / "SOUL.md").write_text(f"# Kaoru\n\nlater {number}\n")
        (earlier / "SOUL.md").write_text(f"# Kaoru\n\nearlier {number}\n")
        past = time.time() - 1000
        os.utime(earlier / "SOUL.md", (past, past))
        one.ok("bridge", "sync")
        texts = {one.read("SOUL.md"), hermes.soul.read_text(), (second / "SOUL.md").read_text()}
        assert texts == {f"# Kaoru\n\nlater {number}\n"}
        history = one.git("log", "-p", "--", "SOUL.md")
        assert f"earlier {number}" in history
        assert f"later {number}" in history


def test_a_removed_bridge_leaves_all_files_and_a_new_one_starts_with_the_union(one: Body, hermes: Hermes) -> None:
    one.set_entries(["a", "b"])
    hermes.carried()
    before = snapshot(hermes.home)
    one.ok("bridge", "remove", "hermes")
    assert snapshot(hermes.home) == before
    assert not (one.home / "bridges.toml").exists()
    hermes.set_entries("a")
    hermes.bridge()
    hermes.carried()
    assert hermes.entries() == ["a", "b"]


def test_the_folder_is_that_of_the_environment_or_of_the_active_profile(one: Body, hermes: Hermes) -> None:
    one.ok("bridge", "remove", "hermes")
    profile = hermes.home / "profiles" / "coder"
    profile.mkdir(parents=True)
    (hermes.home / "active_profile").write_text("coder\n")
    assert json.loads(one.ok("bridge", "add", "hermes", "--json"))["path"] == str(profile)
    other = one.folder / "other"
    other.mkdir()
    words = ("bridge", "add", "hermes", "--name", "other", "--json")
    assert json.loads(one.ok(*words, HERMES_HOME=str(other)))["path"] == str(other)


def test_what_makes_no_sense_is_refused(one: Body, hermes: Hermes) -> None:
    assert "There is a bridge hermes already." in one.fails(2, "bridge", "add", "hermes")
    assert "leads to" in one.fails(2, "bridge", "add", "hermes", "--name", "again")
    assert "has no folder" in one.fails(2, "bridge", "add", "hermes", "--name", "x", "--path", "/nowhere/at/all")
    assert "no projects" in one.fails(2, "bridge", "add", "hermes", "--name", "x", "--project", "p")
    inside = ("bridge", "add", "hermes", "--name", "x", "--path", str(one.soul))
    assert "lie in one another" in one.fails(2, *inside)
    assert "can't name a bridge" in one.fails(2, "bridge", "add", "hermes", "--name", "No Name", "--path", "/tmp")
    assert "no bridge nobody" in one.fails(2, "bridge", "sync", "nobody")
    assert "no bridge nobody" in one.fails(2, "bridge", "remove", "nobody")


def test_hooks_go_in_and_out(one: Body, hermes: Hermes) -> None:
    one.ok("bridge", "remove", "hermes")
    config = "# mine\nmodel: x\n"
    hermes.configure(config)
    (hermes.home / "shell-hooks-allowlist.json").write_text('{"approvals": [{"event": "e", "command": "/bin/c"}]}')
    one.ok("bridge", "add", "hermes", "--hooks")
    written = (hermes.home / "config.yaml").read_text()
    assert written.startswith(config)
    approvals = json.loads((hermes.home / "shell-hooks-allowlist.json").read_text())["approvals"]
    ours = [approval for approval in approvals if approval["command"] != "/bin/c"]
    assert {approval["event"] for approval in ours} == {"post_tool_call", "on_session_finalize"}
    (command,) = {approval["command"] for approval in ours}
    assert json.dumps(command) in written
    one.remember("before the hook")
    subprocess.run(shlex.split(command), env={**os.environ, "HOME": "/nonexistent"}, check=True, timeout=60)
    assert hermes.entries() == ["before the hook"]
    one.ok("bridge", "remove", "hermes")
    assert (hermes.home / "config.yaml").read_text() == config
    assert len(json.loads((hermes.home / "shell-hooks-allowlist.json").read_text())["approvals"]) == 1


def test_hooks_that_cannot_be_written_build_no_bridge(one: Body, hermes: Hermes) -> None:
    one.ok("bridge", "remove", "hermes")
    hermes.configure("{model: x}\n")
    assert "can't be changed" in one.fails(1, "bridge", "add", "hermes", "--hooks")
    assert json.loads(one.ok("bridge", "list", "--json")) == {"bridges": []}
    assert not (hermes.home / "shell-hooks-allowlist.json").exists()


def test_detach_takes_the_hooks_out(one: Body, hermes: Hermes) -> None:
    one.ok("bridge", "remove", "hermes")
    hermes.configure("model: x\n")
    one.ok("bridge", "add", "hermes", "--hooks")
    taken = json.loads(one.ok("detach", "--json"))
    assert "hooks of the bridge hermes" in json.dumps(taken)
    assert (hermes.home / "config.yaml").read_text() == "model: x\n"


def test_the_doctor_looks_at_the_bridges(one: Body, hermes: Hermes) -> None:
    one.remember("first")
    hermes.carried()
    hermes.memory.write_text("")
    checks = {check["name"]: check for check in json.loads(one.run("doctor", "--offline", "--json").stdout)["checks"]}
    assert not checks["bridges"]["ok"]
    assert "is empty all of a sudden" in checks["bridges"]["detail"]
    assert "--accept-empty" in checks["bridges"]["fix"]
