from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.access.failure import classify
from soulsync.errors import DeniedError, OfflineError, RefusedError, SoulSyncError
from tests.access.client import remote

THERE = remote("git@github.com:me/kaoru.soul.git")
TAIL = """\
fatal: Could not read from remote repository.

Please make sure you have the correct access rights
and the repository exists.
"""
CHANGED = """\
@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @
@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
IT IS POSSIBLE THAT SOMEONE IS DOING SOMETHING NASTY!
Someone could be eavesdropping on you right now (man-in-the-middle attack)!
It is also possible that a host key has just been changed.
The fingerprint for the ED25519 key sent by the remote host is
SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU.
Please contact your system administrator.
Add correct host key in /home/kaoru/.soulsync/kaoru/known_hosts to get rid of this message.
Offending ED25519 key in /home/kaoru/.soulsync/kaoru/known_hosts:1
Host key for github.com has changed and you have requested strict checking.
Host key verification failed.
"""
OPEN = """\
@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
@         WARNING: UNPROTECTED PRIVATE KEY FILE!          @
@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
Permissions 0644 for '/home/kaoru/id_ed25519' are too open.
It is required that your private key files are NOT accessible by others.
This private key will be ignored.
Load key "/home/kaoru/id_ed25519": bad permissions
git@github.com: Permission denied (publickey).
"""

OFFLINE = [
    "ssh: Could not resolve hostname github.com: Temporary failure in name resolution",
    "ssh: Could not resolve hostname github.com: Name or service not known",
    "ssh: Could not resolve hostname github.com: nodename nor servname provided, or not known",
    "ssh: connect to host github.com port 22: Connection refused",
    "ssh: connect to host github.com port 22: Connection timed out",
    "ssh: connect to host github.com port 22: Operation timed out",
    "ssh: connect to host github.com port 22: Network is unreachable",
    "ssh: connect to host github.com port 22: No route to host",
    "ssh: connect to host github.com port 22: Host is down",
    "ssh: connect to host github.com port 22: Cannot assign requested address",
    "kex_exchange_identification: Connection closed by remote host\nConnection closed by 140.82.121.4 port 22",
    "kex_exchange_identification: read: Connection reset by peer\nConnection reset by 140.82.121.4 port 22",
    "kex_exchange_identification: banner line contains invalid characters",
    "ssh_exchange_identification: Connection closed by remote host",
    "Connection timed out during banner exchange\nConnection to 140.82.121.4 port 22 timed out",
    "Connection closed by UNKNOWN port 65535",
    "Connection to github.com closed by remote host.",
    "Connection to 140.82.121.4 port 22 timed out",
    "Timeout, server github.com not responding.",
    "client_loop: send disconnect: Broken pipe",
    "packet_write_wait: Connection to 140.82.121.4 port 22: Broken pipe",
    "ssh_dispatch_run_fatal: Connection to 140.82.121.4 port 22: message authentication code incorrect",
    "Received disconnect from 140.82.121.4 port 22:11: Server going down",
    "Unable to negotiate with 140.82.121.4 port 22: no matching host key type found. Their offer: ssh-rsa",
    "Not allowed at this time",
    "fatal: the remote end hung up unexpectedly",
    "fetch-pack: unexpected disconnect while reading sideband packet\nfatal: early EOF",
    "remote: Internal Server Error",
    "",
]
DENIED = [
    "git@github.com: Permission denied (publickey).",
    "git@host: Permission denied (publickey,password,keyboard-interactive).",
    "Received disconnect from 127.0.0.1 port 22:2: Too many authentication failures\nDisconnected from 127.0.0.1",
    "ERROR: Repository not found.",
    "ERROR: Permission to me/kaoru.soul.git denied to deploy key",
    "ERROR: Permission to me/kaoru.soul.git denied to someone.",
    "ERROR: Your account is suspended. Please check your email for more information.",
    "remote: \nremote: ========\nremote: ERROR: The project you were looking for could not be found\nremote: ========",
    "remote: You are not allowed to download code from this project.",
    "Gitea: Unauthorized\nUser: 2:x with Key: 3:laptop is not authorized to read me/kaoru.soul.",
    "Gitea: Unknown git command\nCannot find repository: me/kaoru.soul",
    "Gogs: Repository does not exist or you do not have access",
    "Gogs: Key permission denied",
    "conq: repository access denied.",
    "Unauthorized",
    "remote: TF401019: The Git repository with name or identifier x does not exist or you do not have permissions.",
    "fatal: '/srv/kaoru.soul.git' does not appear to be a git repository",
    "soulsync: this is not a repository of this key.",
    "no such identity: /home/kaoru/id_ed25519: No such file or directory\ngit@host: Permission denied (publickey).",
    'Load key "/home/kaoru/id_ed25519": invalid format\ngit@host: Permission denied (publickey).',
    'Load key "/home/kaoru/id_ed25519": error in libcrypto\ngit@host: Permission denied (publickey).',
    OPEN,
]
READ_ONLY = [
    "ERROR: The key you are authenticating with has been marked as read only.",
    "remote: ERROR: This deploy key does not have write access to this project.",
    "Forgejo: Unauthorized\nDeploy Key: 2:laptop is not authorized to write to me/kaoru.soul.",
    "Gogs: Cannot push with deployment key: 7",
    "conq: repository access denied. access via a deployment key is read-only.",
    "Access denied: DeployKey does not support push code",
    "remote: You are not allowed to push code to this project.",
    "GitLab: You are not allowed to write to this project's wiki",
    "ERROR: This repository was archived so it is read-only.",
    "soulsync: this key may only read.",
]
REFUSED = [
    CHANGED,
    "No ED25519 host key is known for github.com and you have requested strict checking.\nHost key verification failed",
]
OTHER = [
    " ! [remote rejected] main -> main (pre-receive hook declined)",
    " ! [rejected]        main -> main (fetch first)",
    " ! [remote rejected] main -> main (permission denied)",
    "fatal: protocol error: bad line length character: Welc",
    "error: insufficient permission for adding an object to repository database ./objects",
    "fatal: bad object 0000000000000000000000000000000000000001",
]


@pytest.mark.parametrize("said", OFFLINE)
def test_the_server_cannot_be_reached(said: str) -> None:
    error = classify(f"{said}\n{TAIL}", THERE)
    assert (type(error), error.exit_code, error.outcome) == (OfflineError, 5, "offline")
    assert "github.com" in error.problem


@pytest.mark.parametrize("said", DENIED)
def test_there_is_no_access(said: str) -> None:
    error = classify(f"{said}\n{TAIL}", THERE)
    assert (type(error), error.exit_code, error.outcome) == (DeniedError, 4, "denied")
    assert error.remedy


@pytest.mark.parametrize(
    ("address", "path", "where"),
    [
        ("git@github.com:me/kaoru.soul.git", "me/kaoru.soul.git", "github.com"),
        ("git@github.com:me/kaoru.soul", "me/kaoru.soul", "github.com"),
        ("kaoru@home:/srv/souls/kaoru.soul.git", "/srv/souls/kaoru.soul.git", "home"),
        ("kaoru@home:souls/kaoru.soul.git/", "souls/kaoru.soul.git/", "home"),
        ("ssh://kaoru@home:2222/~/my%20soul.git", "/~/my soul.git", "home:2222"),
    ],
)
def test_the_path_is_shown_as_it_was_written(address: str, path: str, where: str) -> None:
    there = remote(address)
    denied, missing, reads = (
        "kaoru@home: Permission denied (publickey)",
        "ERROR: Repository not found",
        "this key may only read",
    )
    assert classify(denied, there).problem == f"No access to {path} at {where}: {denied}."
    assert classify(reads, there).problem == f"The deploy key may only read {path} at {where}: {reads}."
    problem = f"{where} has no repository {path}, or hides it from this key: {missing}."
    assert classify(missing, there).problem == problem


@pytest.mark.parametrize("said", READ_ONLY)
def test_a_key_that_may_only_read_is_told_from_one_without_access(said: str) -> None:
    error = classify(f"{said}\n{TAIL}", THERE)
    assert isinstance(error, DeniedError)
    assert "only read" in error.problem
    assert "write access" in error.remedy


@pytest.mark.parametrize("said", REFUSED)
def test_the_host_key_is_not_the_pinned_one(said: str) -> None:
    error = classify(f"{said}\n{TAIL}", THERE)
    assert (type(error), error.exit_code, error.outcome) == (RefusedError, 3, "refused")
    assert "key trust-host" in error.remedy


def test_the_new_fingerprint_is_named() -> None:
    assert "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU" in classify(CHANGED, THERE).problem


@pytest.mark.parametrize("said", OTHER)
def test_anything_else_is_a_failure_that_quotes_what_was_said(said: str) -> None:
    error = classify(
        f"To github.com:me/kaoru.soul.git\n{said}\nerror: failed to push some refs to 'x'\nhint: x\n", THERE
    )
    assert (type(error), error.exit_code) == (SoulSyncError, 1)
    assert said.strip().removeprefix("fatal: ")[:20] in error.problem


@pytest.mark.parametrize(
    "said",
    [
        "ERROR: Repository not found.",
        "remote: ERROR: The project you were looking for could not be found",
        "Gitea: Unknown git command\nCannot find repository: me/kaoru.soul",
        "fatal: '/srv/kaoru.soul.git' does not appear to be a git repository",
        "soulsync: this is not a repository of this key.",
    ],
)
def test_a_repository_that_is_not_there_is_told_from_a_key_that_is_not_known(said: str) -> None:
    error = classify(f"{said}\n{TAIL}", THERE)
    assert isinstance(error, DeniedError)
    assert "no repository me/kaoru.soul" in error.problem
    assert "address" in error.remedy


def test_a_server_that_went_silent_is_told_with_the_step() -> None:
    assert "in time (listing its branches)." in classify("", THERE, timed_out=True, step="listing its branches").problem


def test_silence_until_the_time_is_over_is_offline() -> None:
    assert isinstance(classify("", THERE, timed_out=True), OfflineError)
    assert isinstance(classify("remote: Enumerating objects: 5", THERE, timed_out=True), OfflineError)
    assert isinstance(classify("git@h: Permission denied (publickey).", THERE, timed_out=True), DeniedError)


def test_nothing_said_is_a_failure() -> None:
    assert type(classify("", THERE)) is SoulSyncError


@given(st.text())
def test_any_text_gives_one_line(said: str) -> None:
    error = classify(said, THERE)
    assert "\n" not in str(error)
    assert "\x1b" not in str(error)
