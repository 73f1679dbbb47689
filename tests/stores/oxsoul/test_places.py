from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.errors import UsageError
from soulsync.formats.oxsoul_names import fnv1a, fnv1a_utf16
from soulsync.stores.oxsoul import places

if TYPE_CHECKING:
    from pathlib import Path


def test_the_store_is_named_or_in_the_environment_or_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("OXSOUL_HOME", raising=False)
    assert places.home(None) == tmp_path / ".oxsoul"
    monkeypatch.setenv("OXSOUL_HOME", str(tmp_path / "other"))
    assert places.home(None) == tmp_path / "other"
    assert places.home(str(tmp_path / "third")) == tmp_path / "third"


def test_a_file_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError):
        places.home(str(tmp_path / "file"))


def test_the_four_kinds_of_place(tmp_path: Path) -> None:
    project = places.find(tmp_path, project="/home/alice/proj/")
    found = [
        places.find(tmp_path), project, places.find(tmp_path, employee="li"),
        places.find(tmp_path, engine="unity-2022"),
    ]  # fmt: skip
    assert [one.below for one in found] == ["", "projects/0a58b444", "employees/li", "engines/unity-2022"]
    assert [one.label for one in found] == ["用户级", "项目级", "员工 li", "引擎 unity-2022"]
    assert all(places.is_place(one.below) for one in found)


def test_the_folder_of_a_project_is_found_also_over_utf_16(tmp_path: Path) -> None:
    path = "/home/alice/项目"
    assert places.find(tmp_path, project=path).below == f"projects/{fnv1a(path)}"
    (tmp_path / "projects" / fnv1a_utf16(path)).mkdir(parents=True)
    assert places.find(tmp_path, project=path).below == f"projects/{fnv1a_utf16(path)}"
    (tmp_path / "projects" / fnv1a(path)).mkdir()
    assert places.find(tmp_path, project=path).below == f"projects/{fnv1a(path)}"


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", ".hidden", "a\0", "a b", "名"])
def test_a_name_that_would_lead_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    for kind in ("employee", "engine"):
        with pytest.raises(UsageError):
            places.find(tmp_path, **{kind: name})
    assert not places.is_place(f"employees/{name}")


def test_two_places_at_once_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        places.find(tmp_path, employee="a", engine="b")


def test_every_place_that_is_there(tmp_path: Path) -> None:
    for below in ("projects/0a58b444", "engines/unity-2022", "inbox/x", ".trash", "employees/li"):
        (tmp_path / below).mkdir(parents=True)
    (tmp_path / "projects" / "link").symlink_to(tmp_path)
    assert [one.below for one in places.every(tmp_path)] == [
        "", "projects/0a58b444", "employees/li", "engines/unity-2022",
    ]  # fmt: skip
