"""The page where a forge takes a deploy key, and its word for write access."""

from __future__ import annotations

import pytest

from soulsync.access.forge import forge_of, settings_page
from tests.access.client import remote

PAGES = [
    ("git@github.com:me/kaoru.soul.git", "https://github.com/me/kaoru.soul/settings/keys/new", "Allow write access"),
    (
        "ssh://git@ssh.github.com:443/me/kaoru.soul.git",
        "https://github.com/me/kaoru.soul/settings/keys/new",
        "Allow write access",
    ),
    ("git@corp.ghe.com:me/a", "https://corp.ghe.com/me/a/settings/keys/new", "Allow write access"),
    (
        "git@GitLab.com:group/sub/kaoru.soul.git",
        "https://gitlab.com/group/sub/kaoru.soul/-/settings/repository#js-deploy-keys-settings",
        "Grant write permissions to this key",
    ),
    (
        "ssh://git@gitlab.example.org:2222/me/a.git",
        "https://gitlab.example.org/me/a/-/settings/repository#js-deploy-keys-settings",
        "Grant write permissions to this key",
    ),
    ("git@codeberg.org:me/a.git", "https://codeberg.org/me/a/settings/keys", "Enable Write Access"),
    ("git@git-gitea.example.org:me/a.git", "https://git-gitea.example.org/me/a/settings/keys", "Enable Write Access"),
    (
        "git@forgejo.example.org:me/薰.git",
        "https://forgejo.example.org/me/%E8%96%B0/settings/keys",
        "Enable Write Access",
    ),
    ("git@bitbucket.org:me/a.git", "https://bitbucket.org/me/a/admin/access-keys/", ""),
]


@pytest.mark.parametrize(("address", "page", "word"), PAGES)
def test_a_forge_has_a_page_and_a_word(address: str, page: str, word: str) -> None:
    forge = forge_of(remote(address))
    assert forge is not None
    assert settings_page(remote(address)) == page
    assert forge.write_word == word
    assert forge.writes == bool(word)


@pytest.mark.parametrize("address", ["git@example.org:me/a.git", "git@notgithub.com:me/a", "git@mygitlab.com:me/a"])
def test_a_host_that_says_nothing_has_no_page(address: str) -> None:
    assert forge_of(remote(address)) is None
    assert settings_page(remote(address)) is None


def test_a_soul_without_a_remote_has_no_page() -> None:
    assert forge_of(None) is None
    assert settings_page(None) is None
