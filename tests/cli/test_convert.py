"""``soulsync convert``: six directions on disk, the account of losses, and nothing that is there is touched."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from soulsync.body import locks
from soulsync.formats import cortex, entries, oxsoul
from soulsync.formats.cortex import normal
from tests.formats.conversions import soul_entries
from tests.formats.cortexes import realistic
from tests.stores.cortex.conftest import Store

if TYPE_CHECKING:
    from pathlib import Path

    from tests.lived import Lived

OX = """---
name: {name}
description: 用户偏好 pnpm 管理依赖  # not a comment
category: feedback
importance: 0.7
confidence: 0.9   # sure
source: manual
tags: [pnpm, 偏好]
created: 2026-09-04T00:00:00.000Z
updated: 2026-09-05T00:00:00.000Z
x_fingerprint: ab
---
用户偏好 pnpm。
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the commands run."""
    folder = tmp_path / "place"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def convert(lived: Lived, src: str, dst: str, source: str, target: str, *more: str, code: int = 0) -> Any:
    said = lived.run("convert", src, dst, "--from", source, "--to", target, "--json", *more)
    assert said.code == code, said
    return json.loads(said.out)


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".lock")
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def entries_in(folder: Path) -> list[dict[str, object]]:
    return [cortex.parse(path.read_bytes()) for path in sorted(folder.rglob("MEM-*.json"))]


def test_two_hundred_memories_of_cortex_through_oxsoul_and_back(lived: Lived, place: Path) -> None:
    Store(place / "store").add(realistic())
    there = convert(lived, "store", "ox", "cortex", "oxsoul")
    assert (there["written"], len(there["items"]), there["problems"]) == (True, 200, [])
    assert [item for item in there["items"] if item["losses"]] == []
    memories = [oxsoul.parse(path.read_bytes()) for path in (place / "ox").glob("*.md") if path.name != "MEMORY.md"]
    assert len(memories) == 200
    assert all(not oxsoul.faults(memory) and (memory.confidence or 0) <= 0.6 for memory in memories)
    assert "> 共 200 条。" in (place / "ox" / "MEMORY.md").read_text("utf-8")
    convert(lived, "ox", "back", "oxsoul", "cortex")
    assert [normal(one) for one in entries_in(place / "back")] == [normal(one) for one in entries_in(place / "store")]


def test_two_hundred_entries_of_a_soul_by_both_ways_and_back(lived: Lived, place: Path) -> None:
    texts = soul_entries()
    (place / "MEMORY.md").write_bytes(entries.render(texts))
    convert(lived, "MEMORY.md", "store", "soul", "cortex")
    convert(lived, "store", "ox", "cortex", "oxsoul")
    answer = convert(lived, "ox", "soul", "oxsoul", "soul")
    assert len(answer["items"]) == 200
    back = entries.parse((place / "soul" / "memories" / "MEMORY.md").read_bytes())
    assert sorted(back) == sorted(texts)


def test_the_account_for_people(lived: Lived, place: Path) -> None:
    (place / "ox").mkdir()
    for name in ("a", "b"):
        (place / "ox" / f"{name}.md").write_text(OX.format(name=name), "utf-8")
    words = ("convert", "ox", "store", "--from", "oxsoul", "--to", "cortex")
    assert lived.ok(*words, "--dry-run").splitlines()[:6] == [
        "a.md → semantic/MEM-a",
        '    category: "feedback" becomes "fact"',
        "    importance: 0.7 becomes 0.5",
        '    source: "manual" becomes "import"',
        '    tags: ["pnpm", "偏好"] becomes ["pnpm"]',
        '    x_fingerprint: "ab" is dropped',
    ]
    assert not (place / "store").exists()
    assert lived.ok(*words).splitlines() == [
        "2 memories written.",
        "What does not come back from there:",
        '  category × 2: "feedback" becomes "fact"',
        "  importance × 2: 0.7 becomes 0.5",
        '  source × 2: "manual" becomes "import"',
        '  tags × 2: ["pnpm", "偏好"] becomes ["pnpm"]',
        '  x_fingerprint × 2: "ab" is dropped',
    ]
    assert lived.ok(*words) == "0 memories written.\n2 are there already.\n"
    assert [entry["confidence"] for entry in entries_in(place / "store")] == [0.9, 0.9]


def test_an_import_into_oxsoul_bears_its_brand(lived: Lived, place: Path) -> None:
    Store(place / "store").put("MEM-a", title="Door", confidence=0.9, scope="global")
    answer = convert(lived, "store", "ox", "cortex", "oxsoul")
    assert answer["items"] == [
        {
            "source": "semantic/MEM-a",
            "target": "a.md",
            "action": "write",
            "losses": [],
            "kept": ["scope"],
            "reasons": [],
        }
    ]
    memory = oxsoul.parse((place / "ox" / "a.md").read_bytes())
    assert (memory.source, memory.confidence, memory.description) == ("import", 0.6, "Door")
    assert memory.extra["x_origin_confidence"] == "0.9"
    assert memory.extra["x_import_from"] == "cortex:semantic/MEM-a"
    assert memory.extra["x_cortex_scope"] == '"global"'
    (line,) = (place / "ox" / ".access.jsonl").read_text().splitlines()
    assert {key: json.loads(line)[key] for key in ("op", "name")} == {"op": "import", "name": "a"}


def test_names_that_are_taken(lived: Lived, place: Path) -> None:
    store = Store(place / "store")
    for kind in ("episodic", "semantic"):
        store.put("MEM-A", kind, content=f"{kind} thing")
    (place / "ox").mkdir()
    (place / "ox" / "a.md").write_text(OX.format(name="a"), "utf-8")
    before = (place / "ox" / "a.md").read_bytes()
    answer = convert(lived, "store", "ox", "cortex", "oxsoul", code=1)  # two entries with one id are a finding
    assert [item["target"] for item in answer["items"]] == ["a-2.md", "a-3.md"]
    assert all("memory_id" in item["kept"] for item in answer["items"])
    assert (place / "ox" / "a.md").read_bytes() == before
    again = convert(lived, "store", "ox", "cortex", "oxsoul", code=1)
    assert [(item["action"], item["target"]) for item in again["items"]] == [("there", "a-2.md"), ("there", "a-3.md")]
    assert "> 共 3 条。" in (place / "ox" / "MEMORY.md").read_text("utf-8")

    Store(place / "other").put("MEM-a-2", content="in the way")
    answer = convert(lived, "ox", "other", "oxsoul", "cortex")
    assert [item["target"] for item in answer["items"]] == ["episodic/MEM-A", "semantic/MEM-A-3", "semantic/MEM-a-4"]
    assert len(entries_in(place / "other")) == 4


def test_a_soul_keeps_what_it_has_and_sorts_by_file(lived: Lived, place: Path) -> None:
    store = Store(place / "store")
    store.put("MEM-a", content="Prefers tea", scope="user")
    store.put("MEM-b", content="The door code changed")
    memories = place / "soul" / "memories"
    memories.mkdir(parents=True)
    (memories / "USER.md").write_bytes(b"Prefers tea\r\n\xc2\xa7\r\nold \xff\n")
    (memories / "USER.md").chmod(0o600)
    answer = convert(lived, "store", "soul", "cortex", "soul")
    assert [(item["action"], item["target"]) for item in answer["items"]] == [
        ("there", "memories/USER.md"), ("write", "memories/MEMORY.md"),
    ]  # fmt: skip
    assert (memories / "USER.md").read_bytes() == b"Prefers tea\r\n\xc2\xa7\r\nold \xff\n"
    assert (memories / "MEMORY.md").read_text() == "The door code changed\n"
    convert(lived, "store", "soul/memories/USER.md", "cortex", "soul")
    assert (memories / "USER.md").read_bytes() == b"Prefers tea\n\xc2\xa7\nold \xff\n\xc2\xa7\nThe door code changed\n"
    assert (memories / "USER.md").stat().st_mode & 0o777 == 0o600


def test_what_is_too_long_is_refused_with_its_length_and_stops_nothing(lived: Lived, place: Path) -> None:
    (place / "MEMORY.md").write_text("字" * 4123 + "\n§\nshort\n", "utf-8")
    before = files(place)
    answer = convert(lived, "MEMORY.md", "store", "soul", "cortex", code=1)
    assert [(item["source"], item["action"]) for item in answer["items"]] == [
        ("MEMORY.md 1", "refuse"), ("MEMORY.md 2", "write"),
    ]  # fmt: skip
    assert answer["items"][0]["reasons"] == ["content is 4123 characters long; at most 4000 are allowed"]
    assert [entry["content"] for entry in entries_in(place / "store")] == ["short"]
    said = lived.run("convert", "MEMORY.md", "store", "--from", "soul", "--to", "cortex")
    assert "refused: MEMORY.md 1: content is 4123 characters long" in said.out
    assert files(place).items() >= before.items()


def test_bad_sources_are_named_and_stop_nothing(lived: Lived, place: Path, tmp_path: Path) -> None:
    ox = place / "ox"
    ox.mkdir()
    (ox / "good.md").write_bytes(b"\xef\xbb\xbf" + OX.format(name="good").replace("\n", "\r\n").encode().rstrip())
    (ox / "fence.md").write_text("---\nname: fence\n")
    (ox / "plain.md").write_text("no frontmatter\n")
    (ox / "latin.md").write_bytes(OX.format(name="latin").encode() + b"\xe9")
    (ox / "nameless.md").write_text("---\ndescription: d\n---\nb\n")
    (ox / "newer.md").write_text("---\nname: newer\ndescription: d\nspec: 1\n---\nb\n")
    (ox / "huge.md").write_bytes(OX.format(name="huge").encode() + b"x" * 1_048_576)
    (ox / "enormous.md").write_bytes(b"x" * (16 * 1_048_576 + 1))
    (ox / "path.md").write_text("---\nname: ../../path\ndescription: d\nconfidence: NaN\n---\nb\n")
    (ox / "folder.md").mkdir()
    (ox / "link.md").symlink_to(tmp_path / "secret")
    (ox / "MEMORY.md").write_text("x")
    before = files(ox)
    answer = convert(lived, "ox", "store", "oxsoul", "cortex", code=1)
    assert {(problem["path"], problem["rule"]) for problem in answer["problems"]} == {
        ("nameless.md", "missing"),
        *((f"{name}.md", "unreadable") for name in ("fence", "plain", "latin", "newer", "enormous", "folder", "link")),
    }
    assert [(item["source"], item["action"]) for item in answer["items"]] == [
        ("good.md", "write"), ("huge.md", "refuse"), ("path.md", "write"),
    ]  # fmt: skip
    good, odd = entries_in(place / "store")
    assert (good["memory_id"], good["content"]) == ("MEM-good", "用户偏好 pnpm。")
    assert str(odd["memory_id"]).startswith("MEM-semantic-")
    assert "confidence" not in odd
    assert files(ox) == before


def test_bad_files_of_a_soul_and_of_a_store(lived: Lived, place: Path) -> None:
    (place / "memories").mkdir()
    (place / "memories" / "MEMORY.md").write_bytes(
        "\ufeffcaf\u00e9\r\n§\r\nlatin \udcff".encode("utf-8", "surrogateescape")
    )
    (place / "memories" / "USER.md").mkdir()
    answer = convert(lived, ".", "store", "soul", "cortex", code=1)
    assert [item["action"] for item in answer["items"]] == ["write", "refuse"]
    assert [problem["path"] for problem in answer["problems"]] == ["memories/USER.md"]
    store = Store(place / "bad")
    store.put("MEM-a")
    store.write("semantic/MEM-b.json", "{")
    answer = convert(lived, "bad", "ox", "cortex", "oxsoul", code=1)
    assert [item["target"] for item in answer["items"]] == ["a.md"]
    assert [problem["rule"] for problem in answer["problems"]] == ["json"]
    answer = convert(lived, "bad/semantic/MEM-a.json", "one.md", "cortex", "soul")
    assert (place / "one.md").read_text() == "content of MEM-a\n"


def test_the_store_of_a_project_is_found_in_it(lived: Lived, place: Path) -> None:
    Store(place / "project" / ".agent" / "memory").put("MEM-a")
    assert len(convert(lived, "project", "ox", "cortex", "oxsoul")["items"]) == 1
    (place / "ox" / "b.md").write_text(OX.format(name="b"), "utf-8")
    convert(lived, "ox", "project", "oxsoul", "cortex")
    assert (place / "project" / ".agent" / "memory" / "semantic" / "MEM-b.json").exists()


def test_a_project_folder_of_oxsoul_has_its_own_label(lived: Lived, place: Path) -> None:
    Store(place / "store").put("MEM-a")
    convert(lived, "store", "home/projects/0a58b444", "cortex", "oxsoul")
    index = (place / "home" / "projects" / "0a58b444" / "MEMORY.md").read_text("utf-8")
    assert index.startswith("# 牛魂索引 — 项目级\n")


def test_a_soul_over_a_mebibyte_is_refused(lived: Lived, place: Path) -> None:
    store = Store(place / "store")
    store.put("MEM-a", content="字" * 4000, scope="user")
    store.put("MEM-b", content="short")
    (place / "soul" / "memories").mkdir(parents=True)
    (place / "soul" / "memories" / "USER.md").write_text("x" * 1_045_000)
    before = files(place)
    said = lived.run("convert", "store", "soul", "--from", "cortex", "--to", "soul")
    assert said.code == 1
    assert "over the limit of 1 MiB" in said.err
    assert files(place) == before


def test_no_way_through_links(lived: Lived, place: Path, tmp_path: Path) -> None:
    Store(place / "store").put("MEM-a")
    (tmp_path / "out").mkdir()
    (place / "ox").symlink_to(tmp_path / "out")
    (place / "M.md").symlink_to(tmp_path / "out" / "m.md")
    (place / "soul").mkdir()
    (place / "soul" / "memories").symlink_to(tmp_path / "out")
    for target, name in (("oxsoul", "ox"), ("soul", "M.md"), ("soul", "soul")):
        said = lived.run("convert", "store", name, "--from", "cortex", "--to", target)
        assert (said.code, "is a link" in said.err) == (1, True), said
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("store", "x", "--from", "cortex", "--to", "cortex"),
        ("store", "x", "--from", "cortex"),
        ("nowhere", "x", "--from", "cortex", "--to", "soul"),
        ("store", "x", "--from", "yaml", "--to", "soul"),
    ],
)
def test_usage(lived: Lived, place: Path, words: tuple[str, ...]) -> None:
    Store(place / "store").put()
    lived.fails(2, "convert", *words)


def test_nothing_to_convert_writes_nothing(lived: Lived, place: Path) -> None:
    (place / "empty").mkdir()
    assert lived.ok("convert", "empty", "dst", "--from", "oxsoul", "--to", "cortex") == "0 memories written.\n"
    assert not (place / "dst").exists()


def test_into_a_live_soul_it_waits_for_who_writes_there(
    lived: Lived, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "MEMORY.md").write_bytes(entries.render(["one"]))
    monkeypatch.setattr(locks, "WRITER_PATIENCE", 0.0)
    into = str(lived.soul / ".agent" / "memory")
    words = ("--from", "soul", "--to", "cortex")
    with locks.worktree_lock(lived.home):
        assert "Try again" in lived.fails(75, "convert", "MEMORY.md", into, *words)
        assert "would be written" in lived.ok("convert", "MEMORY.md", into, *words, "--dry-run")
        lived.ok("convert", "MEMORY.md", "elsewhere", *words)
    lived.ok("convert", "MEMORY.md", into, *words)
    assert [one["content"] for one in entries_in(lived.soul / ".agent")] == ["one"]
