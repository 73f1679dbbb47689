"""Files as they should not be: each is named, none stops the rest, none is changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from soulsync.errors import SoulSyncError
from soulsync.formats.oxsoul_index import target_of
from soulsync.merge.oxsoul_index import rebuilt
from soulsync.stores.oxsoul import checking, importing, reading, sources, writing

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.stores.oxsoul.places import Place

GOOD = (
    "---\nname: {name}\ndescription: d of {name}\ncategory: fact\nimportance: 0.5\nconfidence: 1\nsource: manual\n"
    "created: 2026-09-04T00:00:00.000Z\nupdated: 2026-09-04T00:00:00.000Z\n---\ntext\n"
)


def good(name: str) -> str:
    return GOOD.format(name=name)


BAD: dict[str, bytes] = {
    "bom.md": b"\xef\xbb\xbf" + good("bom").encode(),
    "crlf.md": good("crlf").replace("\n", "\r\n").encode(),
    "no-final-newline.md": good("no-final-newline").rstrip("\n").encode(),
    "not-utf-8.md": b"---\nname: \xff\n---\n",
    "twice.md": good("twice").replace("source:", "confidence: 0.5\nsource:").encode(),
    "no-fence.md": b"---\nname: no-fence\ndescription: d\n",
    "no-block.md": b"just text\n",
    "empty.md": b"",
    "other-name.md": good("another").encode(),
    "look-alike-p\u043d.md": good("look-alike-p\u043d").encode(),
    "invisible-\u200b.md": good("invisible-\u200b").encode(),
    "up.md": good("../../up").encode(),
    "nan.md": good("nan").replace("0.5", "NaN").encode(),
    "infinite.md": good("infinite").replace("0.5", "-Infinity").encode(),
    "large.md": good("large").encode() + b"x" * 1_048_576,
    "beyond.md": good("beyond").replace("importance: 0.5", "importance: 7").encode(),
    "no-description.md": good("no-description").replace("description", "descriptoin").encode(),
    "future.md": good("future").replace("---\nname", "---\nspec: 1\nname").encode(),
    "line\nend.md": good("line").encode(),
}
READ = {"bom", "crlf", "no-final-newline", "large"}
"""What is read without a word when it is listed."""


@pytest.fixture
def store(place: Place, tmp_path: Path) -> Place:
    for name, data in BAD.items():
        (place.root / name).write_bytes(data)
    (place.root / "good.md").write_text(good("good"))
    (place.root / "folder.md").mkdir()
    (tmp_path / "outside.md").write_text(good("outside"))
    (place.root / "link.md").symlink_to(tmp_path / "outside.md")
    (place.root / "loop.md").symlink_to("loop.md")
    os.mkfifo(place.root / "pipe.md")
    return place


def state(place: Place) -> dict[str, bytes]:
    files = (path for path in place.root.iterdir() if path.is_file() and not path.is_symlink())
    return {path.name: path.read_bytes() for path in files if path.name not in ("MEMORY.md", ".soulsync.lock")}


def test_each_is_named_in_the_list_and_none_stops_the_rest(store: Place) -> None:
    before = state(store)
    found = reading.scan(store)
    assert {one.path for one in found.problems} == {
        *(name for name in BAD if name.removesuffix(".md") not in READ), "folder.md", "link.md", "loop.md", "pipe.md",
    }  # fmt: skip
    assert READ | {"good"} <= {one.name for one in found.memories}
    said = {one.path: one.message for one in found.problems}
    assert "link" in said["link.md"]
    assert "folder" in said["folder.md"]
    assert "UTF-8" in said["not-utf-8.md"]
    assert "spec: 1" in said["future.md"]
    assert "../../up" in said["up.md"]
    assert state(store) == before


def test_each_is_named_by_validate(store: Place) -> None:
    before = state(store)
    found = checking.check(store.root)
    harmless = {"crlf.md", "no-final-newline.md"}
    assert {name for name in BAD if name not in harmless} | {"folder.md", "link.md", "loop.md", "pipe.md"} <= {
        one.path for one in found
    }
    assert not harmless & {one.path for one in found}
    rules = {(one.path, one.line, one.rule) for one in found}
    assert ("nan.md", 5, "not-a-number") in rules
    assert ("twice.md", 7, "duplicate-key") in rules
    assert ("other-name.md", 2, "file-name") in rules
    assert ("future.md", 2, "spec-version") in rules
    assert ("no-fence.md", 1, "frontmatter") in rules
    assert state(store) == before


def test_the_index_lists_what_can_be_read_and_leads_nowhere_else(store: Place) -> None:
    before = state(store)
    with writing.locked(store.root):
        count = writing.rebuild(store)
    lines = store.index_file.read_text("utf-8").splitlines()[4:]
    assert len(lines) == count
    assert "- [up](up.md) — d of ../../up [fact/0.5/]" in lines
    assert {target for line in lines if (target := target_of(line))} >= {"good.md", "up.md", "bom.md", "line end.md"}
    assert not [line for line in lines if "/" in (target_of(line) or "/")]
    files = sorted(state(store).items())
    assert rebuilt("", files, None) == store.index_file.read_bytes()
    assert state(store) == before


def test_a_file_that_may_not_be_read_is_named(place: Place) -> None:
    if os.getuid() == 0:  # root may read everything; what the system says then is said by a folder that is gone
        (place.root / "gone.md").symlink_to("/proc/self/fd/999999")
    else:
        (place.root / "gone.md").write_text(good("gone"))
        (place.root / "gone.md").chmod(0)
    assert [one.path for one in reading.scan(place).problems] == ["gone.md"]


@pytest.mark.parametrize("target", ["../x.md", "/etc/passwd", "b.md", "a.md#x", "..\\a.md"])
def test_a_link_of_the_index_that_leads_elsewhere_is_named(place: Place, target: str) -> None:
    (place.root / "a.md").write_text(good("a"))
    writing.rebuild(place)
    text = place.index_file.read_text("utf-8").replace("(a.md)", f"({target})")
    place.index_file.write_text(text, "utf-8")
    found = [one for one in checking.check(place.root) if one.rule == "index-link"]
    assert [(one.path, one.line) for one in found] == [("MEMORY.md", 5)]
    writing.rebuild(place)
    assert checking.check(place.root) == []


def test_slugs_of_an_inbox_that_lead_elsewhere_are_named(place: Place, tmp_path: Path) -> None:
    (place.root / "inbox" / ".hidden").mkdir(parents=True)
    (place.root / "inbox" / "fine").mkdir()
    (place.root / "inbox" / "out").symlink_to(tmp_path)
    found = {one.path for one in checking.check(place.root) if one.rule == "inbox"}
    assert found == {"inbox/.hidden", "inbox/out"}


def test_an_index_that_is_a_folder_is_an_error_and_stays(place: Place) -> None:
    (place.root / "a.md").write_text(good("a"))
    place.index_file.mkdir()
    with pytest.raises(SoulSyncError, match="index"):
        writing.rebuild(place)
    assert place.index_file.is_dir()


def test_an_index_that_is_a_link_is_not_written_through(place: Place, tmp_path: Path) -> None:
    (place.root / "a.md").write_text(good("a"))
    (tmp_path / "victim").write_text("mine")
    place.index_file.symlink_to(tmp_path / "victim")
    with pytest.raises(SoulSyncError):
        writing.rebuild(place)
    assert (tmp_path / "victim").read_text() == "mine"


def test_the_access_log_is_not_written_through_a_link(place: Place, tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("mine")
    (place.root / ".access.jsonl").symlink_to(tmp_path / "victim")
    writing.log(place, "add", ["a"])
    assert (tmp_path / "victim").read_text() == "mine"


def test_a_path_that_is_not_utf_8_is_written_as_text(place: Place, tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    (folder / os.fsdecode(b"\xff.md")).write_text(good("a"))
    found = sources.read(place.root, str(folder))
    items = importing.plan(place, found, importing.Wishes(), "2026-12-01T00:00:00.000Z")
    assert importing.apply(place, items) == ["a"]
    (stored,) = reading.scan(place).memories
    assert stored.memory.extra["x_import_from"].endswith("/caf\ufffd/\ufffd.md")


def test_a_name_that_is_not_utf_8_is_named(place: Place) -> None:
    (place.root / os.fsdecode(b"\xff.md")).write_text(good("a"))
    assert [one.path for one in reading.scan(place).problems] == ["\udcff.md"]
    writing.rebuild(place)
    assert b"- [\xff](\xff.md)" in place.index_file.read_bytes()
    assert {one.path for one in checking.check(place.root)} == {"\udcff.md"}


def test_a_memory_over_a_mebibyte_is_named_and_its_index_is_true(place: Place) -> None:
    (place.root / "large.md").write_bytes(BAD["large.md"])
    writing.rebuild(place)
    assert [(one.path, one.rule) for one in checking.check(place.root)] == [("large.md", "too-large")]
