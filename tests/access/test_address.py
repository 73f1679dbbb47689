from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.access.address import Remote, parse_remote
from soulsync.errors import RefusedError

if TYPE_CHECKING:
    from pathlib import Path

GOOD = [
    # text, url, host, port, user, path, repo_name
    ("git@github.com:me/kaoru.soul.git", None, "github.com", None, "git", "me/kaoru.soul.git", "kaoru"),
    (
        " git@github.com:me/kaoru.soul.git\n",
        "git@github.com:me/kaoru.soul.git",
        "github.com",
        None,
        "git",
        None,
        "kaoru",
    ),
    ("ssh://git@github.com/me/kaoru.soul.git", None, "github.com", None, "git", "/me/kaoru.soul.git", "kaoru"),
    ("ssh://git@host.example:2222/a/b", None, "host.example", 2222, "git", "/a/b", "b"),
    ("SSH://git@host/a/b.git", "ssh://git@host/a/b.git", "host", None, "git", "/a/b.git", "b"),
    ("ssh://kaoru@[::1]:2022/srv/kaoru.soul.git", None, "::1", 2022, "kaoru", "/srv/kaoru.soul.git", "kaoru"),
    ("git@[fe80::1%eth0]:kaoru.soul.git", None, "fe80::1%eth0", None, "git", "kaoru.soul.git", "kaoru"),
    ("host:kaoru.soul", None, "host", None, None, "kaoru.soul", "kaoru"),
    ("ssh://host/~me/kaoru.soul.git/", None, "host", None, None, "/~me/kaoru.soul.git/", "kaoru"),
    ("ssh://git@host/with%20space/100%25.git", None, "host", None, "git", "/with space/100%.git", "100%"),
    ("git@host:心/薰.soul.git", None, "host", None, "git", "心/薰.soul.git", "薰"),
    ("org-1+x@host_name:a/b.git", None, "host_name", None, "org-1+x", "a/b.git", "b"),
]


@pytest.mark.parametrize(("text", "url", "host", "port", "user", "path", "name"), GOOD)
def test_an_ssh_address_is_read(
    text: str, url: str | None, host: str, port: int | None, user: str | None, path: str | None, name: str
) -> None:
    remote = parse_remote(text, allow_local=False)
    assert (remote.url, remote.host, remote.port, remote.user) == (url or text, host, port, user)
    assert path is None or remote.path == path
    assert remote.repo_name == name
    assert not remote.is_local


@pytest.mark.parametrize("text", [row[0].strip() for row in GOOD])
def test_git_splits_the_address_as_we_do(text: str) -> None:
    remote = parse_remote(text, allow_local=False)
    said = subprocess.run(
        ["git", "fetch-pack", "--diag-url", remote.url], capture_output=True, text=True, check=True, timeout=20
    ).stdout
    found = dict(line.removeprefix("Diag: ").split("=", 1) for line in said.splitlines())
    host = f"[{remote.host}]" if ":" in (remote.host or "") and remote.port is None else remote.host
    user_and_host = (f"{remote.user}@" if remote.user else "") + str(host)
    assert found["protocol"] == "ssh"
    assert found["userandhost"].replace("[", "").replace("]", "") == user_and_host.replace("[", "").replace("]", "")
    assert found["port"] == (str(remote.port) if remote.port else "NONE")
    # git turns /~user into ~user for the other side
    assert found["path"] == (remote.path[1:] if remote.path.startswith("/~") else remote.path)


BAD = [
    "",
    "   ",
    "https://github.com/me/kaoru.soul.git",
    "https://token@github.com/me/kaoru.soul.git",
    "http://host/a",
    "git://host/a",
    "git+ssh://host/a",
    "ssh+git://host/a",
    "ftp://host/a",
    "file:///srv/a.git",
    "ext::sh -c touch% /tmp/x",
    "fd::3",
    "ssh::host:a",
    "/srv/a.git",
    "./a.git",
    "a.git",
    "~/a.git",
    "-oProxyCommand=x@host:a",
    "--upload-pack=x:a",
    "git@-host:a",
    "-host:a",
    "git@host:-a",
    "ssh://-oProxyCommand=x/a",
    "ssh://-x@host/a",
    "ssh://git@-oProxyCommand=x/a",
    "ssh://git@%2doProxyCommand=x/a",
    "ssh://%2dx@host/a",
    "ssh://git:secret@host/a",
    "ssh://git@host",
    "ssh://git@host/",
    "ssh://git@host//",
    "ssh:///a",
    "ssh://@host/a",
    "git@host:",
    "git@host:/",
    "@host:a",
    "git@:a",
    "ssh://git@host:0/a",
    "ssh://git@host:65536/a",
    "ssh://git@host:2x/a",
    "ssh://git@host:-1/a",
    "ssh://git@ho st/a",
    "ssh://git@host`id`/a",
    "ssh://git@host;id/a",
    "ssh://git@$HOME/a",
    "ssh://git@[::1/a",
    "ssh://git@[host]/a",
    "git@[zz]:a",
    "ssh://git@host/a%0ab",
    "ssh://git@host/a%00b",
    "ssh://git@host/a%ff",
    "git@host:a\nb",
    "git@host:a\tb",
    "git@host:a\x1b[0m",
    "git@host:a\x85b",
    "git@host:a\u2028b",
    "a@b@host:a",
]


@pytest.mark.parametrize("text", BAD)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(RefusedError) as raised:
        parse_remote(text, allow_local=False)
    assert raised.value.exit_code == 3
    assert raised.value.remedy


def test_a_web_address_is_answered_with_its_ssh_form_and_no_token() -> None:
    with pytest.raises(RefusedError) as raised:
        parse_remote("https://oauth2:glpat-SECRET@gitlab.com/me/kaoru.soul.git", allow_local=False)
    assert "git@gitlab.com:me/kaoru.soul.git" in str(raised.value)
    assert "SECRET" not in str(raised.value)


def test_a_path_passes_only_when_asked_for() -> None:
    remote = parse_remote("/srv/kaoru.soul.git", allow_local=True)
    assert remote == Remote("/srv/kaoru.soul.git", None, None, None, "/srv/kaoru.soul.git", is_local=True)
    assert remote.repo_name == "kaoru"


@pytest.mark.parametrize("text", ["file:///srv/a", "ext::sh -c id", "-x", "https://host/a/b", "git@-h:a", "/a\nb"])
def test_local_paths_open_no_other_door(text: str) -> None:
    with pytest.raises(RefusedError):
        parse_remote(text, allow_local=True)


@pytest.mark.parametrize("text", ["me/kaoru.soul", "me/kaoru.soul.git"])
def test_owner_and_name_alone_mean_github(text: str) -> None:
    assert parse_remote(text, allow_local=False).url == "git@github.com:me/kaoru.soul.git"
    assert parse_remote(text, allow_local=True).url == "git@github.com:me/kaoru.soul.git"


def test_a_folder_of_that_name_is_meant_where_paths_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "me" / "kaoru.soul").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert parse_remote("me/kaoru.soul", allow_local=True).is_local
    assert not parse_remote("me/kaoru.soul", allow_local=False).is_local


@pytest.mark.parametrize(
    "text", ["me/..", "../me", "me/...git", "me/a/b", "me", "me/", "/me", "-me/a", "~/a", "me/a b"]
)
def test_what_github_has_no_name_for_is_no_address(text: str) -> None:
    with pytest.raises(RefusedError):
        parse_remote(text, allow_local=False)


TEXTS = st.text(st.sampled_from(list("ab-@:/[].~%2dssh\\ \n'\"$`é")), max_size=24)


@given(st.one_of(TEXTS, TEXTS.map(lambda text: f"ssh://{text}"), TEXTS.map(lambda text: f"git@host:{text}"), st.text()))
def test_no_text_does_more_than_be_refused(text: str) -> None:
    try:
        remote = parse_remote(text, allow_local=False)
    except RefusedError:
        return
    assert remote.host
    assert not remote.host.startswith("-")
    assert not (remote.user or "").startswith("-")
    assert not remote.url.startswith("-")
    assert remote.path
    assert parse_remote(remote.url, allow_local=False) == remote
