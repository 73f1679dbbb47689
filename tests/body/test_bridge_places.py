from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from soulsync.body.bridge import claude_hook, claude_place, openclaw_hook, openclaw_place
from soulsync.errors import RefusedError, SoulSyncError, UsageError
from tests.bodies import git

LIMIT = 60


def wait_for(file: Path) -> str:
    """The text of a file that another process writes in one step."""
    end = time.monotonic() + LIMIT
    while not file.exists():
        assert time.monotonic() < end, f"{file} does not come"
        time.sleep(0.02)
    return file.read_text()


def writer_of(file: Path) -> list[str]:
    """A program that says in ``file``, in one step, in which folder it ran."""
    script = "import os, sys; f = sys.argv[1]; open(f + '~', 'w').write(os.getcwd()); os.rename(f + '~', f)"
    return [sys.executable, "-c", script, str(file)]


# -- OpenClaw -------------------------------------------------------------------------------------------------------


def test_the_workspace_of_openclaw(home: Path) -> None:
    assert openclaw_place.workspace({}) == home / ".openclaw/workspace"
    assert openclaw_place.workspace({"OPENCLAW_PROFILE": "Default"}) == home / ".openclaw/workspace"
    assert openclaw_place.workspace({"OPENCLAW_PROFILE": "work"}) == home / ".openclaw-work/workspace"
    assert openclaw_place.workspace({"OPENCLAW_STATE_DIR": "/srv/claw"}) == Path("/srv/claw/workspace")
    chosen = {"OPENCLAW_WORKSPACE_DIR": " ~/claw ", "OPENCLAW_PROFILE": "work"}
    assert openclaw_place.workspace(chosen) == home / "claw"
    assert openclaw_place.workspace(chosen, "other") == home / ".openclaw-other/workspace"
    with pytest.raises(UsageError):
        openclaw_place.workspace({}, "../x")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"agents": {"defaults": {"workspace": "~/mine"}}}', "mine"),
        ('{"agents": {"defaults": {"workspace": 7}}}', ".openclaw/workspace"),
        ('{"agents": []}', ".openclaw/workspace"),
        ("// JSON5\n{agents: {}}", ".openclaw/workspace"),
        ("\x00\xff", ".openclaw/workspace"),
    ],
)
def test_the_config_of_openclaw_may_name_another(home: Path, text: str, found: str) -> None:
    (home / ".openclaw").mkdir()
    (home / ".openclaw/openclaw.json").write_bytes(text.encode("latin-1"))
    assert openclaw_place.workspace({}) == home / found


def test_a_hook_folder_comes_and_goes(tmp_path: Path) -> None:
    folder = tmp_path / "hooks/soulsync"
    assert not openclaw_hook.remove(folder)
    openclaw_hook.install(folder, ["python", 'it\'s "x"', "a\\b"])
    openclaw_hook.install(folder, ["python", 'it\'s "x"', "a\\b"])
    about = (folder / "HOOK.md").read_text()
    (line,) = [line for line in about.split("\n") if line.startswith("metadata: ")]
    assert json.loads(line.removeprefix("metadata: ")) == {"openclaw": {"events": list(openclaw_hook.EVENTS)}}
    assert "name: soulsync\n" in about.split("---")[1]
    assert json.dumps(["python", 'it\'s "x"', "a\\b"]) in (folder / "handler.js").read_text()
    (folder / "notes.txt").write_text("mine")
    assert openclaw_hook.is_installed(folder)
    assert openclaw_hook.remove(folder)
    assert [file.name for file in folder.iterdir()] == ["notes.txt"]
    openclaw_hook.install(tmp_path / "other", ["x"])
    assert openclaw_hook.remove(tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_another_hook_of_that_name_stays(tmp_path: Path) -> None:
    folder = tmp_path / "soulsync"
    folder.mkdir()
    (folder / "HOOK.md").write_text("---\nname: soulsync\n---\n")
    with pytest.raises(RefusedError):
        openclaw_hook.install(folder, ["x"])
    assert not openclaw_hook.remove(folder)
    assert [file.name for file in folder.iterdir()] == ["HOOK.md"]


def test_the_handler_starts_the_command_and_does_not_wait(tmp_path: Path) -> None:
    openclaw_hook.install(tmp_path / "soulsync", writer_of(tmp_path / "said"))
    handler = tmp_path / "soulsync/handler.js"
    text = handler.read_text()
    assert text.count("export default") == 1
    assert "detached: true" in text
    node = shutil.which("node")
    if node is not None:  # where OpenClaw can run; what it runs is read above in any case
        module = tmp_path / "handler.mjs"
        module.write_text(text)
        script = "import(process.argv[1]).then(async (m) => { await m.default({}); await m.default({}); })"
        subprocess.run([node, "-e", script, str(module)], check=True, timeout=LIMIT)
        assert wait_for(tmp_path / "said") == "/"
        openclaw_hook.install(tmp_path / "soulsync", [str(tmp_path / "no such program")])
        module.write_text(handler.read_text())
        subprocess.run([node, "-e", script, str(module)], check=True, timeout=LIMIT)


# -- Claude Code ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/home/kai/web_app.v2", "-home-kai-web-app-v2"),
        ("/srv/über", "-srv--ber"),
        ("/srv/u\u0308ber", "-srv--ber"),
        ("/srv/x\U0001f600", "-srv-x--"),
    ],
)
def test_the_name_of_a_project_folder(path: str, name: str) -> None:
    assert claude_place.folder_name(path) == name


def test_the_memory_folder_of_a_project(home: Path) -> None:
    plain = home / "plain"
    plain.mkdir()
    projects = home / ".claude/projects"
    assert claude_place.memory_folder(plain, {}) == projects / claude_place.folder_name(str(plain)) / "memory"
    other = {"CLAUDE_CONFIG_DIR": str(home / "conf")}
    assert claude_place.memory_folder(plain, other).is_relative_to(home / "conf/projects")


def test_all_work_trees_share_the_folder_of_the_main_one(home: Path) -> None:
    main, linked = home / "main", home / "linked"
    (main / "deep/down").mkdir(parents=True)
    env = {**os.environ, "HOME": str(home)}
    git(main, "init", "-q", env=env)
    git(main, "-c", "user.name=k", "-c", "user.email=k@k", "commit", "-q", "--allow-empty", "-m", "x", env=env)
    git(main, "worktree", "add", "-q", str(linked), env=env)
    found = {claude_place.memory_folder(path, {}) for path in (main, main / "deep/down", linked)}
    assert len(found) == 1


def test_a_name_that_is_too_long_is_found_by_its_beginning(home: Path) -> None:
    long = Path("/srv/" + "x" * 250)
    projects = home / ".claude/projects"
    short = claude_place.folder_name(str(long))[:200]
    assert claude_place.memory_folder(long, {}) == projects / short / "memory"
    (projects / f"{short}-abc").mkdir(parents=True)
    assert claude_place.memory_folder(long, {}) == projects / f"{short}-abc/memory"


def test_hooks_in_the_settings_come_and_go(tmp_path: Path) -> None:
    file, mark = tmp_path / "claude/settings.json", claude_hook.mark_of("kaoru", "work")
    assert not claude_hook.remove(file, mark)
    assert not file.exists()
    claude_hook.install(file, writer_of(tmp_path / "said it's"), mark)
    assert claude_hook.is_installed(file, mark)
    groups = [group for event in json.loads(file.read_bytes())["hooks"].values() for group in event]
    (command,) = {hook["command"] for group in groups for hook in group["hooks"]}
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, timeout=LIMIT, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")
    assert wait_for(tmp_path / "said it's") == str(tmp_path)
    assert claude_hook.remove(file, mark)
    assert json.loads(file.read_bytes()) == {}
    assert not claude_hook.is_installed(file, mark)


def test_linked_settings_are_written_where_they_lie_and_keep_their_mode(tmp_path: Path) -> None:
    real, file = tmp_path / "dotfiles/settings.json", tmp_path / "settings.json"
    real.parent.mkdir()
    real.write_text('{"model": "x"}')
    real.chmod(0o640)
    file.symlink_to(real)
    claude_hook.install(file, ["true"], "# m")
    assert file.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert json.loads(real.read_bytes())["model"] == "x"


def test_settings_that_are_not_read_are_not_written(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text("{// mine\n}")
    with pytest.raises(SoulSyncError, match="Correct it"):
        claude_hook.install(file, ["true"], "# m")
    assert file.read_text() == "{// mine\n}"
    assert not claude_hook.is_installed(file, "# m")
