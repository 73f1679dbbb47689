from __future__ import annotations

import pytest

from soulsync.formats import body

SEEN = "2026-10-01T00:00:00.000Z"
GOOD: dict[str, object] = {"body": "pc", "kind": "bridge", "bridge": "soulsync/0.1.0", "lastSeen": SEEN}


def test_a_new_body_is_a_good_one() -> None:
    assert body.new("pc", "0.1.0", SEEN) == GOOD
    fields = body.new("pc", "0.1.0", SEEN, framework="hermes", host="tower", key_fingerprint="SHA256:x")
    assert list(fields) == ["body", "kind", "bridge", "framework", "host", "keyFingerprint", "lastSeen"]
    assert body.problems(fields, "pc") == []
    assert body.parse(body.render(fields)) == fields


def test_new_refuses_what_must_not_stand_there() -> None:
    with pytest.raises(ValueError, match="looks like a network address"):
        body.new("pc", "0.1.0", SEEN, host="ip-10-0-0-1.internal")
    with pytest.raises(ValueError, match="no name for a body"):
        body.new("My PC", "0.1.0", SEEN)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"body": "other"}, "body is not the file name"),
        ({"kind": "ghost"}, "kind is"),
        ({"bridge": None}, "no runtime, framework or bridge"),
        ({"lastSeen": "today"}, "lastSeen is not"),
        ({"host": "192.168.0.7"}, "host looks like"),
    ],
)
def test_problems(change: dict[str, object], said: str) -> None:
    found = body.problems({**GOOD, **change}, "pc")
    assert len(found) == 1
    assert found[0].startswith(said)


def test_a_file_name_that_names_no_body() -> None:
    assert len(body.problems({**GOOD, "body": "P C"}, "P C")) == 1
    assert len(body.problems({**GOOD, "body": "p" * 41}, "p" * 41)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "10.0.0.1",
        "ip-10-0-0-1",
        "ec2-203-0-113-25.compute.example",
        "host.10.1.2.3.nip.example",
        "::1",
        "fe80::1%eth0",
        "[2001:DB8::1]:22",
        "2001:db8:0:0:0:0:0:1",
        "::ffff:10.0.0.1",
        "aa:bb:cc:dd:ee:ff",
        "AA-BB-CC-DD-EE-FF",
        "pc-aa-bb-cc-dd-ee-ff",
        "aabb.ccdd.eeff",
        "001122aabbcc",
        " 10.0.0.1 ",
    ],
)
def test_looks_like_an_address(text: str) -> None:
    assert body.looks_like_address(text)


@pytest.mark.parametrize(
    "text",
    [
        "pc",
        "tower-2",
        "kitchen.local",
        "10.0.0",
        "300.1.1.1",
        "v1.2.3",
        "2026-10-01",
        "std::string",
        "a:b",
        "cafe",
        "honor9",
        "1.2.3.4567",
        "",
    ],
)
def test_does_not_look_like_an_address(text: str) -> None:
    assert not body.looks_like_address(text)
