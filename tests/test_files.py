from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from soulsync import files

if TYPE_CHECKING:
    from pathlib import Path


def test_a_replaced_file_is_private_and_leaves_nothing_beside(tmp_path: Path) -> None:
    path = tmp_path / "known_hosts"
    path.write_text("old")
    path.chmod(0o644)
    files.write_durably(path, b"new")
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
        files.write_durably(path, b"new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_made_and_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "new" / "state.json"
    files.write_durably(file, b"1")
    assert (file.read_bytes(), file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (b"1", 0o600, 0o700)
    with pytest.raises(IsADirectoryError):
        files.write_durably(tmp_path / "new", b"3")
    assert list(tmp_path.iterdir()) == [tmp_path / "new"]


KILLED = """\
import os, signal, sys
from pathlib import Path
from soulsync import files
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
files.write_new(Path(sys.argv[1]), b"secret")
"""


def test_what_a_killed_run_was_writing_is_swept_and_what_a_living_one_writes_stays(tmp_path: Path) -> None:
    """A temporary file of the private key holds the key."""
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "id_ed25519")], timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    [left] = tmp_path.iterdir()
    assert (left.read_bytes(), left.stat().st_mode & 0o777) == (b"secret", 0o600)
    living, foreign = tmp_path / f".id_ed25519.{os.getpid()}-00.tmp", tmp_path / ".a note of mine.tmp"
    for file in (living, foreign):
        file.touch()
    files.sweep(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([living, foreign])
