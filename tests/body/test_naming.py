"""Names of agents and bodies: which may stand, and which are proposed."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from soulsync import spec
from soulsync.body import naming
from soulsync.errors import UsageError
from tests.access.client import remote

if TYPE_CHECKING:
    from collections.abc import Callable

HOSTS = [
    ("laptop", "laptop"),
    ("Kaoru's MacBook-Pro.local", "kaoru-s-macbook-pro"),
    ("DESKTOP_AB12.corp.example.org", "desktop-ab12"),
    ("x" * 60, "x" * 40),
    ("薰", "body"),
    ("localhost", "body"),
    ("localhost.localdomain", "body"),
    ("", "body"),
    ("10.0.0.7", "body"),
    ("ip-10-0-0-7.eu-west-1.compute.internal", "body"),
    ("CON", "body"),
    ("aux.local", "body"),
    ("3f2a91c0d1e2", "body"),  # a container's id reads like a MAC address
]


@pytest.mark.parametrize(("host", "name"), HOSTS)
def test_the_machines_name_is_proposed_cleaned(host: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: host)
    monkeypatch.delenv("TERMUX_VERSION", raising=False)
    assert naming.proposed_body() == name
    assert naming.check_body(name) == name


def test_in_termux_every_machine_is_localhost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "localhost")
    monkeypatch.setenv("TERMUX_VERSION", "0.118.3")
    assert naming.proposed_body() == "phone"


@pytest.mark.parametrize(
    ("name", "example"), [("Lap Top", "lap-top"), ("my_phone", "my-phone"), ("a/../b", "a-b"), ("x" * 41, "x" * 40)]
)
def test_a_name_that_will_not_do_is_answered_with_one_that_does(name: str, example: str) -> None:
    with pytest.raises(UsageError) as raised:
        naming.check_body(name)
    assert f"--body {example}." in raised.value.remedy
    assert "a-z, 0-9 and -" in raised.value.problem


@pytest.mark.parametrize("name", ["con", "aux", "nul", "com1", "lpt9"])
def test_a_device_of_windows_is_no_name_since_its_journal_would_never_be_committed(name: str) -> None:
    assert spec.is_body_name(name)
    with pytest.raises(UsageError, match="Windows"):
        naming.check_body(name)
    with pytest.raises(UsageError, match="a-z, 0-9") as raised:
        naming.check_body(name.upper())
    assert f"--body {name}." not in raised.value.remedy


@pytest.mark.parametrize("name", ["ip-10-0-0-7", "00-1a-2b-3c-4d-5e", "192-168-1-2"])
def test_an_address_is_no_name(name: str) -> None:
    assert spec.is_body_name(name)
    with pytest.raises(UsageError, match="network address"):
        naming.check_body(name)


def test_the_agent_is_named_after_its_repository() -> None:
    assert naming.agent_name(None, remote("git@host:me/kaoru.soul.git")) == "kaoru"
    assert naming.agent_name("other", remote("git@host:me/kaoru.soul.git")) == "other"


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: naming.agent_name(None, None), "--agent NAME"),
        (lambda: naming.agent_name(None, remote("git@host:me/My Soul.git")), "--agent my-soul"),
        (lambda: naming.agent_name("薰", None), "--agent NAME"),
    ],
)
def test_an_agent_without_a_name_is_told_how_to_get_one(call: Callable[[], str], says: str) -> None:
    with pytest.raises(UsageError) as raised:
        call()
    assert says in raised.value.remedy


def test_who_is_asked_may_answer_with_another_name() -> None:
    assert naming.body_name(None, lambda _: "phone") == "phone"
    assert naming.body_name("laptop", lambda _: pytest.fail("asked for a name that was given")) == "laptop"
    assert spec.is_body_name(naming.body_name(None, None))


def test_the_next_free_name_is_a_name() -> None:
    assert naming.next_free("laptop", {"laptop"}) == "laptop-2"
    assert naming.next_free("laptop", {"laptop", "laptop-2", "laptop-3"}) == "laptop-4"
    assert spec.is_body_name(naming.next_free("x" * 40, set()))
