"""``init --add-key`` and what it says. A stand-in takes the place of ``gh``; nothing here reaches GitHub."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from soulsync.body import connect
from soulsync.cli.init_talk import Talk
from soulsync.errors import DeniedError
from tests.access.test_gh import stand_in
from tests.bodies import Body

if TYPE_CHECKING:
    from pathlib import Path

UNKNOWN = DeniedError("No access to me/kaoru.soul at github.com: Permission denied (publickey).", "Add the key.")


@pytest.fixture
def setup(home: Path) -> connect.Setup:
    """A body that is to live at GitHub and has not been there."""
    return connect.prepare(connect.Wanted("me/kaoru.soul", "laptop"))


def talk(setup: connect.Setup, *, quiet: bool = False) -> Talk:
    return Talk(setup, 60.0, quiet=quiet, add_key=True, qr=False)


def test_owner_and_name_are_an_address_at_github(setup: connect.Setup) -> None:
    assert setup.config.remote == "git@github.com:me/kaoru.soul.git"
    assert setup.config.agent == "kaoru"


def test_the_key_is_added_once_and_the_next_try_comes_at_once(
    setup: connect.Setup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = stand_in(tmp_path, monkeypatch)
    speaker = talk(setup)
    assert speaker.refused(UNKNOWN)
    called = json.loads(log.read_text())["argv"]
    assert called[3:] == [
        str(setup.home.root / "id_ed25519.pub"), "--repo", "me/kaoru.soul", "--allow-write",
        "--title", "kaoru@laptop (soulsync)",
    ]  # fmt: skip
    assert "gh added the key to me/kaoru.soul" in capsys.readouterr().out
    log.unlink()
    assert not speaker.refused(UNKNOWN)
    assert not log.exists()
    assert setup.public_key in capsys.readouterr().out.splitlines()


def test_what_gh_could_not_do_is_told_and_the_key_is_shown(
    setup: connect.Setup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in(tmp_path, monkeypatch, code=4, said="gh auth login\n")
    speaker = talk(setup)
    assert speaker.refused(UNKNOWN)
    assert not speaker.refused(UNKNOWN)
    out = capsys.readouterr().out
    assert "gh is not logged in" in out
    assert setup.public_key in out.splitlines()
    assert "https://github.com/me/kaoru.soul/settings/keys/new" in out
    assert len(speaker.warnings) == 1


def test_a_program_hears_of_it_in_the_json_alone(
    setup: connect.Setup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in(tmp_path, monkeypatch, code=1, said="HTTP 404: Not Found\n")
    speaker = talk(setup, quiet=True)
    assert speaker.refused(UNKNOWN)
    assert not speaker.refused(UNKNOWN)
    assert capsys.readouterr().out == ""
    assert "HTTP 404" in speaker.warnings[0]


def test_another_forge_is_wrong_usage_before_anything_is_asked_there(tmp_path: Path) -> None:
    body = Body(tmp_path / "one", "one", None)
    line = body.fails(2, "init", "git@127.0.0.1:me/kaoru.soul.git", "--body", "one", "--add-key")
    assert "GitHub alone" in line
