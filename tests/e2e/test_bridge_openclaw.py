"""Memories of OpenClaw workspaces of two bodies that share a soul, by way of a real remote."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.bodies import LIMIT
from tests.claws import MEMORY, USER, Claw, another, fresh, in_step

if TYPE_CHECKING:
    from tests.bodies import Body

ROOT = str(Path(__file__).parents[2])


@pytest.fixture
def mine(one: Body) -> Claw:
    return fresh(one)


@pytest.fixture
def other(two: Body, mine: Claw) -> Claw:
    return another(two)


def test_memories_of_one_workspace_come_into_the_other_and_the_structure_stays(mine: Claw, other: Claw) -> None:
    in_step(mine, other)
    told = ["Mio lives in Kyoto\nand grows tea", "The build runs at night.", "Rain is good"]
    assert sorted(mine.body.entries()) == sorted(told)
    assert other.body.entries() == mine.body.entries()
    assert other.read("MEMORY.md").startswith("- Rain is good\n")
    assert sorted(other.read("MEMORY.md").split("- ")[1:]) == sorted(
        ["Rain is good\n", "Mio lives in Kyoto\n  and grows tea\n", "The build runs at night.\n"]
    )
    assert mine.read("MEMORY.md") == MEMORY + "\n- Rain is good\n"


def test_what_openclaw_ships_is_no_memory_and_does_not_replace_the_soul(mine: Claw) -> None:
    mine.body.write("SOUL.md", "# kaoru\n\nI like rain.\n")
    mine.carry()
    assert mine.body.entries("memories/USER.md") == []
    assert mine.read("USER.md") == USER
    assert mine.read("SOUL.md") == "# kaoru\n\nI like rain.\n"
    assert mine.body.git("log", "--all", "--format=%h", "-S", "becoming someone", "--", "SOUL.md") != ""


def test_an_edit_and_a_removal_on_one_side_reach_the_other(mine: Claw, other: Claw) -> None:
    in_step(mine, other)
    other.write("MEMORY.md", other.read("MEMORY.md").replace("- Rain is good\n", "- Rain is best\n"))
    mine.write("MEMORY.md", mine.read("MEMORY.md").replace("The build runs at night.\n", ""))
    in_step(mine, other)
    assert mine.body.entries() == other.body.entries()
    assert sorted(mine.body.entries()) == ["Mio lives in Kyoto\nand grows tea", "Rain is best"]
    assert "- Rain is best\n" in mine.read("MEMORY.md")
    assert "build" not in other.read("MEMORY.md")
    assert mine.read("MEMORY.md").startswith(MEMORY.partition("The build")[0])


def test_entries_that_markdown_can_not_hold_come_back_as_they_were(mine: Claw, other: Claw) -> None:
    odd = ["---", "# no heading\n\n\n```\n- x\n```", "_(optional)_", "<!-- a -->", "a §\n  b", '§"x"']
    mine.body.remember(*odd, path="memories/USER.md")
    in_step(mine, other)
    in_step(mine, other)
    assert other.body.entries("memories/USER.md") == odd
    assert mine.read("USER.md").startswith(USER)


def test_what_does_not_fit_stays_in_the_soul(mine: Claw) -> None:
    texts = [f"{number} {'x' * 300}" for number in range(20)]
    mine.body.remember(*texts, path="memories/USER.md")
    told = mine.carry()
    assert 0 < len(told["left_out"]) < 20
    assert len(mine.read("USER.md")) <= 4000
    mine.write("USER.md", mine.read("USER.md") + "- Likes tea\n")
    mine.carry()
    assert sorted(mine.body.entries("memories/USER.md")) == sorted([*texts, "Likes tea"])


def test_a_profile_and_a_workspace_elsewhere(one: Body) -> None:
    for env, folder in (("OPENCLAW_PROFILE", ".openclaw-work/workspace"), ("OPENCLAW_WORKSPACE_DIR", "claw")):
        (one.folder / folder).mkdir(parents=True)
        (one.folder / folder / "MEMORY.md").write_text(f"- from {folder}\n")
        value = "work" if env == "OPENCLAW_PROFILE" else str(one.folder / folder)
        one.ok("bridge", "add", "openclaw", "--name", env.rpartition("_")[2].lower(), **{env: value})
    one.ok("bridge", "sync")
    assert one.entries() == ["from .openclaw-work/workspace", "from claw"]


def test_the_hook_is_written_when_asked_for_and_goes_with_the_bridge(one: Body) -> None:
    claw = Claw(one)
    claw.add("--hooks")
    (hook,) = (one.folder / ".openclaw/hooks").iterdir()
    assert sorted(file.name for file in hook.iterdir()) == ["HOOK.md", "handler.js"]
    (line,) = [line for line in (hook / "handler.js").read_text().split("\n") if line.startswith("const [")]
    claw.write("MEMORY.md", MEMORY)
    words = json.loads(line.partition(" = ")[2].removesuffix(";"))
    subprocess.run(words, env={"PATH": one.env["PATH"], "PYTHONPATH": ROOT}, cwd="/", timeout=LIMIT, check=True)
    assert len(one.entries()) == 2
    one.ok("bridge", "remove", "openclaw")
    assert not hook.exists()
    claw.add()
    assert list((one.folder / ".openclaw/hooks").iterdir()) == []
