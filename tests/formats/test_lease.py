from __future__ import annotations

import pytest

from soulsync.formats import lease
from soulsync.formats.lease import Lease, Malformed


def test_one_line() -> None:
    assert lease.render(Lease("pc", 1790530000000)) == b'{"body": "pc", "until": 1790530000000}\n'
    assert lease.parse(b'{\n"until": 1790530000000, "x": 1, "body":"pc"}') == Lease("pc", 1790530000000)
    assert lease.parse(b'{"body": "pc", "until": 1790530000000.5}').until == 1790530000000


def test_valid_until_its_end() -> None:
    held = Lease("pc", 1000)
    assert [held.valid_at(at) for at in (0, 999, 1000)] == [True, True, False]


@pytest.mark.parametrize("body", ["", '"body": 1, ', '"body": "", '])
def test_without_a_body(body: str) -> None:
    with pytest.raises(Malformed, match="without the body"):
        lease.parse(f'{{{body}"until": 1}}'.encode())


@pytest.mark.parametrize("until", ["null", "true", '"1"', "1e999", "9" * 5000, "[1]"])
def test_without_an_end(until: str) -> None:
    with pytest.raises(Malformed, match="without the time"):
        lease.parse(f'{{"body": "pc", "until": {until}}}'.encode())


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b"{"])
def test_malformed(data: bytes) -> None:
    with pytest.raises(Malformed):
        lease.parse(data)


def test_values() -> None:
    assert Lease("a", 1) != Lease("a", 2)
    assert Lease("a", 1) != ("a", 1)
    assert len({Lease("a", 1), Lease("a", 1)}) == 1
    assert repr(Lease("a", 1)) == "Lease('a', 1)"
