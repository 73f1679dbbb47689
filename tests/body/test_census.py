"""Who lives in a soul, and what a sync brought."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from soulsync.body import census, summary
from soulsync.repo import history
from tests.lived import MEMORY

if TYPE_CHECKING:
    from tests.lived import Lived


def ago(days: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - days * 86_400))


def test_every_body_that_is_registered_or_ever_wrote(lived: Lived) -> None:
    lived.write(
        "bodies/phone.json", '{"body": "phone", "kind": "runtime", "runtime": "iris/2", "lastSeen": "2025-01-01"}'
    )
    lived.write("bodies/broken.json", "{")
    lived.write("bodies/odd.json", '{"kind": 7, "lastSeen": [1]}')
    lived.write(MEMORY, "a\n§\nb\n")
    lived.commit("1", "phone", ago(1.5))
    lived.write(MEMORY, "b\n§\nc\n")
    lived.commit("2", "gone-tablet", ago(45))
    lived.write(MEMORY, "a\n§\nb\n§\nc\n")
    lived.commit("3", "laptop", ago(0))
    found = {one.body: one for one in census.count(lived.repo)}
    assert list(found) == ["broken", "gone-tablet", "laptop", "odd", "phone"]
    assert {body: one.entries for body, one in found.items()} == {
        "broken": 0, "gone-tablet": 1, "laptop": 0, "odd": 0, "phone": 2,
    }  # fmt: skip
    phone = found["phone"]
    assert (phone.kind, phone.program, phone.last_seen, phone.commits) == ("runtime", "iris/2", "2025-01-01", 1)
    assert (sum(phone.days), phone.days[-2]) == (1, 1)
    assert sum(found["gone-tablet"].days) == 0
    assert found["laptop"].days[-1] == found["laptop"].commits == 2
    assert (found["odd"].kind, found["odd"].last_seen, found["broken"].kind) == (None, None, None)
    assert {"body", "kind", "lastSeen", "entries", "commits"} <= set(phone.as_json())


def test_a_body_that_writes_from_the_future_is_told(lived: Lived) -> None:
    lived.commit("soon", "near", ago(-0.001))
    lived.commit("later", "far", ago(-2))
    found = {one.body: one.from_the_future for one in census.count(lived.repo)}
    assert found == {"far": True, "laptop": False, "near": False}


def test_a_soul_without_a_commit_has_no_bodies(lived: Lived) -> None:
    (lived.soul / ".git/refs/heads/main").unlink()
    assert census.count(lived.repo) == []


def test_what_came_in_is_counted_by_body_and_kind(lived: Lived) -> None:
    lived.write(MEMORY, "a\n§\nb\n")
    lived.write("notes/n.md", "# n\n")
    first = lived.commit("1", "phone")
    lived.write(MEMORY, "b\n")
    lived.write("journal/tablet/2025-11-30.md", "# 2025-11-30 · tablet\n\n## 08:00 Up\n")
    second = lived.commit("2", "tablet")
    incoming = [commit.as_json() for commit in history.commits(lived.repo, second, limit=2)]
    assert [item["commit"] for item in incoming] == [second, first]
    assert summary.of_incoming(lived.repo, incoming) == {
        "phone": {"memories": 2, "notes": 1},
        "tablet": {"forgotten": 1, "journal": 1},
    }
