from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from soulsync.access import files

if TYPE_CHECKING:
    from pathlib import Path


def test_a_replaced_file_is_private_and_leaves_nothing_beside(tmp_path: Path) -> None:
    path = tmp_path / "known_hosts"
    path.write_text("old")
    path.chmod(0o644)
    files.replace(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_replaces_nothing(tmp_path: Path) -> None:
    path = tmp_path / "k"
    path.write_text("old")
    with pytest.raises(FileExistsError):
        files.write_new(path, b"new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_system_without_hard_links_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    files.write_new(tmp_path / "k", b"new")
    assert (tmp_path / "k").read_bytes() == b"new"
    with pytest.raises(FileExistsError):
        files.write_new(tmp_path / "k", b"newer")
    assert (tmp_path / "k").read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [tmp_path / "k"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "k"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        files.replace(path, b"new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
