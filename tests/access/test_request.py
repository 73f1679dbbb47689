from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.access.request import Request, parse_command, protocol_of, repo_name
from soulsync.errors import UsageError


@pytest.mark.parametrize(
    ("command", "service", "repo"),
    [
        (b"git-upload-pack '/kaoru.soul.git'", "upload-pack", "kaoru.soul"),
        (b"git-upload-pack 'kaoru.soul'", "upload-pack", "kaoru.soul"),
        (b"git upload-pack '/me/kaoru.soul.git'", "upload-pack", "me/kaoru.soul"),
        (b"git-receive-pack 'me/kaoru.soul'", "receive-pack", "me/kaoru.soul"),
        (b"git receive-pack '/a/b/c.git'", "receive-pack", "a/b/c"),
    ],
)
def test_what_git_sends_is_understood(command: bytes, service: str, repo: str) -> None:
    assert parse_command(command) == Request(service, repo)
    assert Request(service, repo).writes == (service == "receive-pack")


@pytest.mark.parametrize(
    "command",
    [
        b"",
        b"id",
        b"sh",
        b"git",
        b"git-shell -c id",
        b"git-upload-archive '/a.git'",
        b"git-upload-pack",
        b"git-upload-pack ",
        b"git-upload-pack /a.git",
        b'git-upload-pack "/a.git"',
        b"git-upload-pack  '/a.git'",
        b"git-upload-pack '/a.git' ",
        b"git-upload-pack '/a.git';id",
        b"git-upload-pack '/a.git' && id",
        b"git-upload-pack '/a.git'\nid",
        b"git-upload-pack --upload-pack=id '/a.git'",
        b"git-upload-pack '--help'",
        b"git-upload-pack '-x'",
        b"git-upload-pack ''",
        b"git-upload-pack '/'",
        b"git-upload-pack '.git'",
        b"git-upload-pack '.'",
        b"git-upload-pack '..'",
        b"git-upload-pack '../a.git'",
        b"git-upload-pack '/../a.git'",
        b"git-upload-pack '/a/../b.git'",
        b"git-upload-pack '/a..b.git'",
        b"git-upload-pack '//a.git'",
        b"git-upload-pack '/a//b.git'",
        b"git-upload-pack '/a.git/'",
        b"git-upload-pack '/a.git/objects'",
        b"git-upload-pack '/a.git.git'",
        b"git-upload-pack '~/a.git'",
        b"git-upload-pack '/~me/a.git'",
        b"git-upload-pack '/a b.git'",
        b"git-upload-pack '/a$(id).git'",
        b"git-upload-pack '/a'\\''b.git'",
        b"git-upload-pack '/a\0b.git'",
        b"git-upload-pack '/a\xff.git'",
        b"git-upload-pack '/a/b/c/d.git'",
        b"GIT-UPLOAD-PACK '/a.git'",
        b"exec git-upload-pack '/a.git'",
        b"git-receive-pack'/a.git'",
    ],
)
def test_anything_else_is_no_request(command: bytes) -> None:
    assert parse_command(command) is None


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: f"git-upload-pack '{text}'".encode()))
def test_no_command_names_a_place_outside(command: bytes) -> None:
    request = parse_command(command)
    if request is not None:
        assert request.service in ("upload-pack", "receive-pack")
        assert not request.repo.startswith(("/", ".", "-", "~"))
        assert ".." not in request.repo
        assert repo_name(request.repo) == request.repo


def test_a_repository_is_named_with_or_without_its_ending() -> None:
    assert repo_name("me/kaoru.soul.git") == repo_name("me/kaoru.soul") == "me/kaoru.soul"
    for text in ("", "/a", "a/", "../a", "-a", ".a", "a b", "a.lock", "a.git/b"):
        with pytest.raises(UsageError):
            repo_name(text)


@pytest.mark.parametrize(
    ("value", "heard"),
    [
        (b"version=2", "version=2"),
        (b"version=1", "version=1"),
        (b"version=22", None),
        (b"version=2:x", None),
        (b"", None),
    ],
)
def test_only_gits_own_protocol_words_are_heard(value: bytes, heard: str | None) -> None:
    assert protocol_of(value) == heard
