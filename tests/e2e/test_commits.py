"""The commits of a body: who, when, with which words; and when it says that it was seen."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest

from tests.bodies import in_turn

if TYPE_CHECKING:
    from tests.bodies import Body, Remote


def test_author_committer_and_message(one: Body) -> None:
    one.identify(displayName="薰", seed=None)
    one.sync()
    shown = one.git("log", "-1", "--format=%an|%ae|%cn|%ce|%s|%b")
    assert shown == "薰 (one)|kaoru@one.local|薰 (one)|kaoru@one.local|更新身份（one）|"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("K<a>o\nr\r\nu", "Kao r u (one)"),
        ("  ", "kaoru (one)"),
        ("<>", "kaoru (one)"),
        ("薰 \U0001f98a", "薰 \U0001f98a (one)"),
    ],
)
def test_a_display_name_that_git_would_not_take(name: str, shown: str, one: Body) -> None:
    one.identify(displayName=name)
    one.sync()
    assert one.git("log", "-1", "--format=%an") == shown
    assert one.git("log", "-1", "--format=%ae") == "kaoru@one.local"


def test_every_message_ends_with_the_body_in_full_width_brackets(one: Body, two: Body) -> None:
    one.remember("x")
    two.remember("y")
    two.write("notes/n.md", "# n\n")
    in_turn(one, two)
    one.ok("lease", "acquire")
    one.ok("lease", "release")
    one.ok("undo", "HEAD~2")
    for subject, email in (line.split("\t") for line in one.git("log", "--format=%s%x09%ae").splitlines()):
        body = email.removeprefix("kaoru@").removesuffix(".local")
        assert re.fullmatch(rf"\S.*（{body}）", subject), subject


def test_the_committer_date_follows_the_newest_parent_and_the_author_date_the_clock(one: Body, remote: Remote) -> None:
    future = int(time.time()) + 5000
    remote.commit({"notes/n.md": "# n\n"}, GIT_COMMITTER_DATE=f"@{future} +0000")
    one.sync()
    one.remember("x")
    one.sync()
    author, committer = map(int, one.git("log", "-1", "--format=%at %ct").split())
    assert committer == future + 1
    assert author < future - 4000


def test_a_snapshot_is_one_commit_with_what_changed_in_its_subject(one: Body) -> None:
    one.remember("x")
    one.write("notes/n.md", "# n\n")
    one.write("own/tool.py", "print()\n")
    one.sync()
    assert one.subjects("-1") == ["更新记忆、笔记、其他文件（one）"]


def test_nothing_new_makes_no_commit(one: Body, two: Body, remote: Remote) -> None:
    tip = remote.head()
    for _ in range(3):
        in_turn(one, two, rounds=1)
    assert remote.head() == tip


def test_last_seen_is_renewed_in_a_push_that_happens_anyway_after_an_hour(one: Body) -> None:
    one.age_registry(hours=2)
    before = one.last_seen()
    assert one.sync()["outcome"] == "unchanged"
    assert one.last_seen() == before
    one.remember("x")
    assert one.sync()["committed"] == ["bodies/one.json", "memories/MEMORY.md"]
    assert one.last_seen() > before


def test_last_seen_is_left_alone_within_the_hour(one: Body) -> None:
    one.age_registry(hours=0.5)
    before = one.last_seen()
    one.remember("x")
    one.sync()
    assert one.last_seen() == before


def test_last_seen_is_renewed_by_itself_after_a_day(one: Body) -> None:
    one.age_registry(hours=25)
    before = one.last_seen()
    assert one.sync()["outcome"] == "pushed"
    assert one.last_seen() > before
    assert one.subjects("-1") == ["登记身体（one）"]
    assert one.sync()["outcome"] == "unchanged"


def test_last_seen_is_not_renewed_by_a_push_that_only_carries_a_merge(one: Body, two: Body) -> None:
    one.age_registry(hours=2)
    two.sync()
    before = one.last_seen()
    one.write("notes/mine.md", "# mine\n")
    one.git("add", "-A")
    one.git("commit", "-q", "-m", "the agent's own commit")
    two.remember("from two")
    two.sync()
    result = one.sync()
    assert (result["outcome"], result["pushed"]) == ("merged", True)
    assert one.last_seen() == before


def test_last_seen_from_the_future_is_put_right(one: Body) -> None:
    """A clock that once ran ahead must not make this body look seen for ever."""
    one.age_registry(hours=-1000)
    assert one.sync()["outcome"] == "pushed"
    assert one.last_seen() < time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600))


def test_what_the_registry_says_besides_is_kept(one: Body) -> None:
    path = "bodies/one.json"
    one.write(path, one.read(path).replace('"kind"', '"mood": "calm",\n  "kind"'))
    one.age_registry(hours=25)
    one.sync()
    assert '"mood": "calm"' in one.read(path)


def test_a_registry_that_cannot_be_read_as_a_file_makes_no_commit_each_time(one: Body, remote: Remote) -> None:
    one.delete("bodies/one.json")
    (one.soul / "bodies" / "one.json").symlink_to("/dev/null")
    one.sync()
    tip = remote.head()
    one.sync()
    one.sync()
    assert remote.head() == tip


def test_another_bodys_files_are_not_ours_to_change(one: Body, two: Body) -> None:
    theirs = one.read("bodies/two.json")
    one.write("bodies/two.json", "{}\n")
    one.write("locks/consolidation.json", '{"body": "one", "until": 99999999999999}\n')
    result = one.sync()
    assert {(s["path"], s["reason"]) for s in result["skipped"]} == {
        ("bodies/two.json", "not-ours"),
        ("locks/consolidation.json", "not-ours"),
    }
    assert one.read("bodies/two.json") == theirs
    assert one.git("ls-files", "locks") == ""


def test_the_id_of_the_agent_never_changes(one: Body) -> None:
    before = one.identity()["id"]
    one.identify(id="00000000-0000-4000-8000-000000000000", description="new")
    result = one.sync()
    assert one.identity()["id"] == before
    assert one.identity()["description"] == "new"
    assert any("id" in text for text in result["warnings"])


def test_an_identity_that_does_not_parse_is_left_out_and_the_rest_goes(one: Body, remote: Remote) -> None:
    one.write("agent.json", '{"id": "half')
    one.remember("goes")
    result = one.sync()
    assert result["skipped"] == [{"path": "agent.json", "reason": "malformed"}]
    assert "goes" in remote.git("show", "main:memories/MEMORY.md")
    assert remote.git("show", "main:agent.json").startswith("{\n")
