"""Whose soul is meant: ``--home``, ``--agent``, the environment, several agents on one machine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.bodies import Body, Remote

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def both(one: Body, tmp_path: Path) -> Body:
    """A machine on which the agents kaoru and maki live, each with a remote of its own."""
    maki = Remote(tmp_path / "remotes" / "maki.soul.git")
    one.ok("init", maki.url, "--body", "one")
    return one


def agent_of(body: Body, *words: str, **env: str) -> str:
    return str(json.loads(body.ok(*words, "status", "--json", **env))["agent"])


def test_the_only_agent_needs_no_name(one: Body) -> None:
    assert agent_of(one) == "kaoru"


def test_several_agents_need_one(both: Body) -> None:
    for words in (["sync"], ["status"], ["lease", "acquire"], ["undo", "HEAD"]):
        line = both.fails(2, *words)
        assert "kaoru, maki" in line
        assert "--agent" in line


def test_by_option_and_by_environment(both: Body) -> None:
    assert agent_of(both, "--agent", "maki") == "maki"
    assert agent_of(both, SOULSYNC_AGENT="maki") == "maki"
    assert agent_of(both, "--agent", "kaoru", SOULSYNC_AGENT="maki") == "kaoru"


def test_an_agent_that_does_not_live_here(both: Body) -> None:
    assert "kaoru, maki" in both.fails(2, "--agent", "nobody", "sync")
    both.fails(2, "--agent", "../kaoru", "sync")


def test_home_by_option_by_environment_and_by_default(one: Body, tmp_path: Path) -> None:
    assert agent_of(one, "--home", str(one.base), SOULSYNC_HOME=str(tmp_path / "none")) == "kaoru"
    assert agent_of(one, SOULSYNC_HOME="") == "kaoru"
    one.fails(2, "--home", str(tmp_path / "none"), "status")


def test_all_syncs_every_agent(both: Body, tmp_path: Path) -> None:
    for agent in ("kaoru", "maki"):
        both.write(f"../../{agent}/soul/notes/n.md", f"# {agent}\n")
    both.ok("sync", "--all")
    for agent in ("kaoru", "maki"):
        shown = Remote(tmp_path / "remotes" / f"{agent}.soul.git", create=False)
        assert shown.git("show", "main:notes/n.md") == f"# {agent}"


def test_all_goes_on_after_one_that_fails(both: Body, tmp_path: Path) -> None:
    (both.base / "kaoru" / "config.toml").write_text("not = [toml")
    both.write("../../maki/soul/notes/n.md", "# maki\n")
    assert both.run("sync", "--all").returncode == 1
    shown = Remote(tmp_path / "remotes" / "maki.soul.git", create=False)
    assert shown.git("show", "main:notes/n.md") == "# maki"


def test_all_with_json_is_one_value(both: Body) -> None:
    assert [result["agent"] for result in json.loads(both.ok("sync", "--all", "--json"))] == ["kaoru", "maki"]


def test_all_with_dry_run_changes_nothing(both: Body) -> None:
    both.write("notes/n.md", "# n\n")
    before = both.head()
    both.ok("sync", "--all", "--dry-run")
    assert both.head() == before
