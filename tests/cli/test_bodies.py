"""``soulsync bodies``: a table on a wide terminal, blocks on a narrow one, aligned whatever the names."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from soulsync.body.census import Inhabitant
from soulsync.cli.bodies import _key, _seen, grouped, timeline

if TYPE_CHECKING:
    from tests.lived import Lived


def ago(days: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - days * 86_400))


@pytest.fixture
def many(lived: Lived) -> Lived:
    seen = {"phone": ago(0.1), "my-very-long-body-name-that-has-forty-chars": ago(30), "never": "soon"}
    for body, when in seen.items():
        lived.write(f"bodies/{body[:40]}.json", f'{{"kind": "runtime", "runtime": "x/1", "lastSeen": "{when}"}}')
    lived.write("memories/MEMORY.md", "a\n")
    lived.commit("1", "phone", ago(3))
    lived.commit("2", "一个 书房的\x1b[31m电脑 👩‍💻", ago(-3))
    return lived


def test_json(many: Lived) -> None:
    found = {one["body"]: one for one in many.json("bodies")}
    assert {"body", "kind", "lastSeen", "entries", "commits"} <= set(found["phone"])
    assert (found["phone"]["entries"], found["phone"]["commits"], found["phone"]["kind"]) == (1, 1, "runtime")
    assert found["laptop"]["kind"] == "bridge"


@pytest.mark.parametrize("columns", ["200", "80", "70", "64", "63", "40", "20"])
def test_it_fits_the_width(many: Lived, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    said = many.ok("bodies")
    assert max(cell_len(line) for line in said.splitlines()) <= int(columns)
    assert "\x1b" not in said
    together = re.sub(r"\s+", "", said)
    assert "laptop*" in together
    assert "电脑" in together
    assert re.search(r"[▁▂▃▄▅▆▇█]", said)


def test_when_each_was_seen(many: Lived, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    rows = {line.split()[0]: line for line in many.ok("bodies").splitlines() if line.strip()}
    assert "2 h ago" in rows["phone"]
    assert "never" in rows["never"].removeprefix("never")
    assert "its clock is ahead" in rows["一个"]
    assert re.search(r"just now|\d min ago", rows["laptop"])


def test_what_each_body_lacks_and_who_shares_a_key(many: Lived, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "SHA256:" + "k" * 43
    for body in ("phone", "tablet"):
        many.write(f"bodies/{body}.json", f'{{"kind": "bridge", "lastSeen": "{ago(1)}", "keyFingerprint": "{key}"}}')
    many.commit("3", "phone", ago(1))
    many.commit("4", "laptop", ago(0.5))
    many.commit("5", "laptop", ago(0.4))
    found = {one["body"]: one for one in many.json("bodies")}
    assert [found[body]["unseen"] for body in ("laptop", "phone", "tablet")] == [0, 2, None]
    assert found["phone"]["sharesKeyWith"] == ["tablet"]
    assert found["laptop"]["sharesKeyWith"] == []
    assert found["tablet"]["keyFingerprint"] == key
    monkeypatch.setenv("COLUMNS", "200")
    said = many.ok("bodies")
    assert f"{key[:19]}… = tablet" in said
    assert re.search(r"^phone +1 d ago +2 +1 +2 ", said, re.MULTILINE)
    assert re.search(r"^tablet +1 d ago +– ", said, re.MULTILINE)
    monkeypatch.setenv("COLUMNS", "40")
    assert "2 commits behind" in many.ok("bodies")


def test_a_silent_body_and_a_shared_key_are_red() -> None:
    silent = Inhabitant("a", last_seen=ago(8))
    fresh = Inhabitant("a", last_seen=ago(6), fingerprint="SHA256:" + "k" * 43)
    assert (_seen(silent, time.time())[1], _seen(fresh, time.time())[1]) == ("red", "")
    assert _key(fresh)[1] == "dim"
    fresh.shares_key_with = ["b"]
    assert _key(fresh)[1] == "red"


def test_the_timeline_shows_any_activity_and_the_most() -> None:
    assert timeline([0, 1, 100, 0]) == "·▁█·"
    assert timeline([0] * 30) == "·" * 30
    assert timeline([]) == ""
    assert grouped([1, 2, 3, 4, 5], 2) == [3, 7, 5]
