"""OpenClaw workspaces of two bodies that share a soul, by way of a real remote."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.bodies import LIMIT, git

if TYPE_CHECKING:
    from tests.bodies import Body

ROOT = str(Path(__file__).parents[2])
USER = """\
# USER.md - About Your Human

_Learn about the person you're helping. Update this as you go._

- **Name:**
- **Timezone:**

## Context

_(What do they care about?)_

---

The more you know, the better you can help. But remember — you're learning about a person, not building a dossier. \
Respect the difference.
"""
MEMORY = """\
# Long-term memory

<!-- keep this short -->

## People

- Mio lives in Kyoto
  and grows tea

## Work

The build runs at night.
"""
DEFAULT_SOUL = "# SOUL.md - Who You Are\n\n_You're not a chatbot. You're becoming someone._\n"
DAY = "2026-02-24"


class Claw:
    """The workspace of one body."""

    def __init__(self, body: Body) -> None:
        self.body, self.folder = body, body.folder / ".openclaw/workspace"
        self.folder.mkdir(parents=True)

    def write(self, path: str, text: str | bytes) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)

    def read(self, path: str) -> str:
        return (self.folder / path).read_text("utf-8")

    def add(self, *options: str) -> None:
        self.body.ok("bridge", "add", "openclaw", *options)

    def carry(self, *options: str) -> dict[str, Any]:
        """One round of the bridge alone; what it says of it."""
        (told,) = json.loads(self.body.run("bridge", "sync", "--json", *options).stdout)["bridges"]
        return dict(told)

    def problems(self) -> list[str]:
        return [fault["problem"] for fault in self.carry()["faults"]]


@pytest.fixture
def mine(one: Body) -> Claw:
    claw = Claw(one)
    claw.write("USER.md", USER)
    claw.write("MEMORY.md", MEMORY)
    claw.write("SOUL.md", DEFAULT_SOUL)
    claw.add()
    return claw


@pytest.fixture
def other(two: Body, mine: Claw) -> Claw:
    claw = Claw(two)
    claw.write("MEMORY.md", "- Rain is good\n")
    claw.add()
    return claw


def in_step(*claws: Claw) -> None:
    """Carry and sync until everybody has everything."""
    for _ in range(2):
        for claw in claws:
            assert claw.carry()["faults"] == []
            claw.body.sync()
    for claw in claws:
        claw.carry()


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


def test_daily_files_become_the_journal_and_others_can_read_it(mine: Claw, other: Claw) -> None:
    mine.write(f"memory/{DAY}.md", "- tea at nine\n")
    mine.write(f"memory/{DAY}-api.md", "## 9:05 Call\nlong\n")
    mine.write("memory/topics.md", "stays here\n")
    in_step(mine, other)
    assert mine.body.read(f"journal/one/{DAY}.md") == f"# {DAY} · one\n\n- tea at nine\n"
    assert other.read(f"memory/bodies/one/{DAY}-api.md") == f"# {DAY} · one\n\n## 09:05 Call\nlong\n"
    assert not (mine.folder / "memory/bodies/one").exists()
    mine.write(f"memory/{DAY}.md", "- tea at nine\n- rain\n")
    (mine.folder / f"memory/{DAY}-api.md").unlink()
    in_step(mine, other)
    assert other.read(f"memory/bodies/one/{DAY}.md") == f"# {DAY} · one\n\n- tea at nine\n- rain\n"
    assert other.body.exists(f"journal/one/{DAY}-api.md")
    assert json.loads(other.body.ok("validate", "--json"))["ok"]


def test_a_section_that_the_body_wrote_stays_beside_the_daily_file(mine: Claw) -> None:
    mine.body.ok("journal", "write", "Own", "words", "--json")
    (day,) = [file.name for file in (mine.body.soul / "journal/one").glob("2*.md")]
    mine.write(f"memory/{day}", "- tea\n")
    assert mine.carry()["faults"] == []
    text = mine.body.read(f"journal/one/{day}")
    assert "\n- tea\n" in text
    assert "Own\n\nwords\n" in text


def test_a_copy_of_another_journal_that_was_changed_is_left_and_named(mine: Claw, other: Claw) -> None:
    mine.write(f"memory/{DAY}.md", "- tea\n")
    in_step(mine, other)
    other.write(f"memory/bodies/one/{DAY}.md", "mine now\n")
    assert len(other.problems()) == 1
    assert other.read(f"memory/bodies/one/{DAY}.md") == "mine now\n"
    assert "tea" in other.body.read(f"journal/one/{DAY}.md")


def test_notes_go_both_ways_and_so_do_their_deletions(mine: Claw, other: Claw) -> None:
    mine.write("memory/notes/astro/moons.md", "# Moons\n\nPhobos\n")
    mine.write("memory/notes/a/b/c/d/deep.md", "# Too deep\n")
    other.body.write("notes/tea.md", "# Tea\n\ngreen\n")
    in_step(mine, other)
    assert other.read("memory/notes/astro/moons.md") == "# Moons\n\nPhobos\n"
    assert mine.read("memory/notes/tea.md") == "# Tea\n\ngreen\n"
    assert not other.body.exists("notes/a")
    (other.folder / "memory/notes/astro/moons.md").unlink()
    in_step(mine, other)
    assert not (mine.folder / "memory/notes/astro/moons.md").exists()
    assert (mine.folder / "memory/notes/a/b/c/d/deep.md").exists()


def test_a_repository_in_the_workspace_is_left_alone(mine: Claw) -> None:
    git(mine.folder, "init", "-q")
    git(mine.folder, "add", "MEMORY.md")
    before = {file: file.read_bytes() for file in (mine.folder / ".git").rglob("*") if file.is_file()}
    mine.body.remember("new")
    assert mine.carry()["faults"] == []
    assert "- new\n" in mine.read("MEMORY.md")
    assert {file: file.read_bytes() for file in (mine.folder / ".git").rglob("*") if file.is_file()} == before


FAULTS = {
    "missing": lambda file: file.unlink(),
    "empty": lambda file: file.write_bytes(b""),
    "only structure": lambda file: file.write_text("# Long-term memory\n"),
    "not UTF-8": lambda file: file.write_bytes(b"- caf\xe9\n"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_file_removes_nothing(mine: Claw, fault: str) -> None:
    mine.carry()
    held = mine.body.entries()
    assert len(held) == 2
    FAULTS[fault](mine.folder / "MEMORY.md")
    assert len(mine.problems()) == 1
    assert mine.body.entries() == held
    mine.body.sync()
    assert mine.body.entries() == held


def test_a_linked_file_is_a_fault_and_stays_a_link(mine: Claw, tmp_path: Path) -> None:
    mine.carry()
    held, elsewhere = mine.body.entries(), tmp_path / "elsewhere.md"
    elsewhere.write_text("- from elsewhere\n")
    (mine.folder / "MEMORY.md").unlink()
    (mine.folder / "MEMORY.md").symlink_to(elsewhere)
    assert len(mine.problems()) == 1
    assert mine.body.entries() == held
    assert (mine.folder / "MEMORY.md").is_symlink()
    assert elsewhere.read_text() == "- from elsewhere\n"


def test_an_empty_file_that_was_meant_is_confirmed(mine: Claw) -> None:
    mine.carry()
    mine.write("MEMORY.md", "# Nothing left\n")
    assert mine.carry("--accept-empty")["faults"] == []
    assert mine.body.entries() == []
    assert mine.read("MEMORY.md") == "# Nothing left\n"


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
