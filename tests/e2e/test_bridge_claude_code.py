"""What Claude Code remembers of one project on two machines, by way of a real remote."""

from __future__ import annotations

import json
import subprocess
import time
from typing import TYPE_CHECKING, Any

import pytest

from soulsync.body.bridge.claude_place import folder_name
from tests.bodies import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Body

TEA = "---\nname: tea\ndescription: 'How tea is made here: green'\nmetadata: {type: user, n: 1.0e5}\n---\n\nNo milk.\n"
OLD = "---\r\ntype: feedback\r\nname: Old form\r\n---\r\ntext\r\n"
PATH = "notes/claude/web/tea.md"
INDEX = "# Memory\n\n- [How we drink tea](tea.md) — green only\n\nA sentence of my own.\n"


class Code:
    """A project and its memories on the machine of one body."""

    def __init__(self, body: Body, project: str) -> None:
        self.body, self.project = body, body.folder / project
        self.project.mkdir(parents=True)
        self.folder = body.folder / ".claude/projects" / folder_name(str(self.project)) / "memory"

    def write(self, path: str, text: str | bytes) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)

    def read(self, path: str) -> str:
        return (self.folder / path).read_bytes().decode()

    def add(self, *options: str) -> None:
        self.body.ok("bridge", "add", "claude-code", "--project", "web", "--path", str(self.project), *options)

    def carry(self, *options: str) -> dict[str, Any]:
        (told,) = json.loads(self.body.run("bridge", "sync", "--json", *options).stdout)["bridges"]
        return dict(told)


@pytest.fixture
def mine(one: Body) -> Code:
    code = Code(one, "src/web_app")
    code.write("MEMORY.md", INDEX)
    code.write("tea.md", TEA)
    code.add()
    return code


@pytest.fixture
def other(two: Body, mine: Code) -> Code:
    code = Code(two, "work/web")
    code.add()
    return code


def in_step(*codes: Code) -> None:
    for _ in range(2):
        for code in codes:
            assert code.carry()["faults"] == []
            code.body.sync()
    for code in codes:
        code.carry()


def test_topics_go_to_the_other_machine_byte_for_byte_and_get_a_line(mine: Code, other: Code) -> None:
    mine.write("notes/old.md", "---\ntype: feedback\nname: Old form\n---\ntext\n")
    in_step(mine, other)
    assert mine.body.read("notes/claude/web/tea.md") == TEA
    assert other.read("tea.md") == TEA
    assert other.read("notes/old.md") == mine.read("notes/old.md")
    assert other.read("MEMORY.md") == ("- [Old form](notes/old.md)\n- [tea](tea.md) — How tea is made here: green\n")
    assert mine.read("MEMORY.md") == INDEX.replace("only\n", "only\n- [Old form](notes/old.md)\n")
    assert not mine.body.exists("notes/claude/web/MEMORY.md")
    assert json.loads(other.body.ok("validate", "--json"))["ok"]


def test_line_ends_of_the_other_kind_stay_where_they_are(mine: Code) -> None:
    mine.write("old.md", OLD)
    assert mine.carry()["faults"] == []
    assert mine.read("old.md") == OLD
    assert mine.body.read("notes/claude/web/old.md") == OLD.replace("\r\n", "\n")


def test_a_topic_that_goes_takes_its_line_along_and_no_other(mine: Code, other: Code) -> None:
    mine.write("rain.md", "# Rain\n")
    in_step(mine, other)
    (other.folder / "tea.md").unlink()
    in_step(mine, other)
    assert not (mine.folder / "tea.md").exists()
    assert mine.read("MEMORY.md") == "# Memory\n\n- [Rain](rain.md)\n\nA sentence of my own.\n"
    assert other.read("MEMORY.md") == "- [Rain](rain.md)\n"


def test_two_edits_of_one_topic_are_both_in_the_history(mine: Code, other: Code) -> None:
    in_step(mine, other)
    mine.write("tea.md", TEA.replace("No milk", "Some milk"))
    mine.carry()
    mine.body.sync()
    other.write("tea.md", TEA.replace("No milk", "Much milk"))
    in_step(other, mine)
    assert mine.read("tea.md") == other.read("tea.md")
    for said in ("Some milk", "Much milk"):
        assert mine.body.git("log", "--all", "--full-history", "--format=%h", "-S", said, "--", PATH) != ""


def test_another_project_is_another_folder(mine: Code) -> None:
    code = Code(mine.body, "src/other")
    code.write("tea.md", "# Coffee\n")
    mine.body.ok("bridge", "add", "claude-code", "--project", "shop", "--path", str(code.project), "--name", "shop")
    mine.body.ok("bridge", "sync")
    assert mine.body.read("notes/claude/shop/tea.md") == "# Coffee\n"
    assert mine.body.read("notes/claude/web/tea.md") == TEA


def test_a_fault_of_a_file_removes_nothing(mine: Code, tmp_path: Path) -> None:
    mine.write("rain.md", "# Rain\n")
    mine.carry()
    mine.write("rain.md", b"caf\xe9")
    (mine.folder / "tea.md").unlink()
    (mine.folder / "tea.md").symlink_to(tmp_path / "elsewhere.md")
    assert len(mine.carry()["faults"]) == 2
    assert mine.body.read("notes/claude/web/rain.md") == "# Rain\n"
    assert mine.body.read("notes/claude/web/tea.md") == TEA
    (mine.folder / "tea.md").unlink()
    (mine.folder / "rain.md").write_bytes(b"")
    assert mine.carry()["faults"] != []
    assert mine.body.read("notes/claude/web/rain.md") == "# Rain\n"


def test_a_folder_from_which_everything_went_is_a_fault(mine: Code) -> None:
    mine.carry()
    (mine.folder / "tea.md").unlink()
    (mine.folder / "MEMORY.md").unlink()
    assert len(mine.carry()["faults"]) == 1
    assert mine.body.read("notes/claude/web/tea.md") == TEA
    assert mine.carry("--accept-empty")["faults"] == []
    assert not mine.body.exists("notes/claude/web/tea.md")


def test_hooks_come_when_asked_for_and_go_with_the_bridge(one: Body) -> None:
    settings = one.folder / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text('{\n  "model": "x",\n  "hooks": {}\n}\n')
    code = Code(one, "web")
    code.add("--hooks")
    hooks = json.loads(settings.read_bytes())["hooks"]
    assert sorted(hooks) == ["SessionStart", "Stop"]
    code.write("tea.md", TEA)
    command = hooks["Stop"][0]["hooks"][0]["command"]
    done = subprocess.run(["sh", "-c", command], env=one.env, capture_output=True, timeout=LIMIT, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")
    end = time.monotonic() + LIMIT
    while not one.exists(PATH) or one.git("log", "--format=%h", "--", PATH) == "":
        assert time.monotonic() < end, "the bridge did not run"
        time.sleep(0.05)
    one.ok("bridge", "remove", "claude-code")
    assert json.loads(settings.read_bytes()) == {"model": "x"}


def test_a_project_must_be_named(one: Body) -> None:
    one.fails(2, "bridge", "add", "claude-code")
    one.fails(2, "bridge", "add", "claude-code", "--project", "a/b")
