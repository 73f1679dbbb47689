"""``config.toml``."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from soulsync.body import config as config_file
from soulsync.body.config import Config
from soulsync.body.home import Home
from soulsync.errors import SoulSyncError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def kaoru(tmp_path: Path) -> Home:
    found = Home(tmp_path / "kaoru")
    found.make()
    return found


def test_what_is_saved_is_loaded(kaoru: Home, tmp_path: Path) -> None:
    config = Config("kaoru", "one", tmp_path / "a 'soul', 薰", "git@host:kaoru.soul.git", True, 3, 30)
    config_file.save(kaoru, config)
    assert config_file.load(kaoru) == config
    assert stat.S_IMODE(kaoru.config_file.stat().st_mode) == 0o600


def test_keys_that_we_do_not_know_are_kept(kaoru: Home) -> None:
    kaoru.config_file.write_text('agent = "kaoru"\nbody = "one"\nmood = "calm"\n[bridge]\npath = "/x"\n')
    config_file.save(kaoru, config_file.load(kaoru))
    assert config_file.load(kaoru).other == {"mood": "calm", "bridge": {"path": "/x"}}


def test_defaults(kaoru: Home) -> None:
    kaoru.config_file.write_text('agent = "kaoru"\nbody = "one"\n')
    config = config_file.load(kaoru)
    assert (config.soul, config.remote, config.port_443) == (kaoru.default_soul, None, False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x = [",
        'agent = "kaoru"',
        'agent = "kaoru"\nbody = "../x"',
        'agent = "kaoru"\nbody = "one"\nconnect_timeout = "5"',
        'agent = "kaoru"\nbody = "one"\nconnect_timeout = 0',
        'agent = "kaoru"\nbody = "one"\nnetwork_timeout = -1',
        'agent = "kaoru"\nbody = "one"\nconnect_timeout = true',
        'agent = "kaoru"\nbody = "one"\nremote = 7',
    ],
)
def test_a_config_that_cannot_be_used_says_why(text: str, kaoru: Home) -> None:
    kaoru.config_file.write_text(text)
    with pytest.raises(SoulSyncError, match=r"config\.toml"):
        config_file.load(kaoru)


def test_bytes_that_are_no_text(kaoru: Home) -> None:
    kaoru.config_file.write_bytes(b"\xff\xfe")
    with pytest.raises(SoulSyncError, match=r"config\.toml"):
        config_file.load(kaoru)
