"""Folders that a command line names: where a file is in the way, that is wrong usage, and nothing is made."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from soulsync.files import in_the_way

if TYPE_CHECKING:
    from tests.lived import Lived

WAYS = {"file": "file", "file/below/it": "file", "nowhere": "nowhere", "itself/": "itself", "nowhere/below": "nowhere"}
"""What is named, and what is in the way."""
COMMANDS = [
    ("remote", "serve", "--port", "0", "--root"),
    ("remote", "create"),
    ("demo", "--keep"),
    ("init", "--agent", "mari", "--body", "phone", "--dir"),
    ("--home", "{}", "init", "--agent", "mari", "--body", "phone"),
    ("install", "--repo"),
    ("uninstall", "--repo"),
    ("oxsoul", "list", "--store"),
    ("oxsoul", "add", "tea", "--store"),
    ("oxsoul", "index", "--store"),
    ("oxsoul", "restore", "tea", "--store"),
    ("cortex", "list", "--store"),
    ("cortex", "forget", "MEM-a", "--store"),
    ("cortex", "distill", "--from-soul", "--store"),
    ("convert", "memories", "--from", "soul", "--to", "cortex"),
    ("convert", "memories", "--from", "soul", "--to", "oxsoul"),
    ("convert", "store", "--from", "cortex", "--to", "soul"),
]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file, a link to nothing and a link to itself; the commands run in it."""
    folder = tmp_path / "place"
    (folder / "memories").mkdir(parents=True)
    (folder / "memories" / "MEMORY.md").write_text("tea\n")
    (folder / "store" / "semantic").mkdir(parents=True)
    (folder / "file").write_text("mine")
    (folder / "nowhere").symlink_to("missing")
    (folder / "itself").symlink_to("itself")
    monkeypatch.chdir(folder)
    return folder


def listed(folder: Path) -> list[str]:
    return sorted(f"{above}/{name}" for above, *names in os.walk(folder) for some in names for name in some)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(("named", "way"), WAYS.items(), ids=list(WAYS))
def test_a_file_in_the_way_is_wrong_usage(
    lived: Lived, place: Path, words: tuple[str, ...], named: str, way: str
) -> None:
    before = listed(place), listed(lived.home.root.parent)
    full = [word.format(named) for word in words] if "{}" in words else [*words, named]
    told = lived.fails(2, *full)
    assert way in told
    assert (listed(place), listed(lived.home.root.parent)) == before
    assert (place / "file").read_text() == "mine"


def test_what_is_in_the_way_of_a_folder(place: Path) -> None:
    assert [in_the_way(Path(named)) for named in WAYS] == [
        Path("file"), place / "file", Path("nowhere"), Path("itself"), place / "nowhere",
    ]  # fmt: skip
    (place / "link").symlink_to("memories")
    for fine in (".", "memories", "memories/a/b", "link", "link/new", "new/../file/.."):
        assert in_the_way(Path(fine)) is None
