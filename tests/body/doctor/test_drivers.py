"""Faults of the installation, and the proof by a plain merge that tells what no file tells."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from soulsync.body.doctor import settings, trial_files
from soulsync.body.doctor.patient import Patient
from soulsync.merge.rules import MODULES, rule_for
from tests.bodies import git, snapshot

if TYPE_CHECKING:
    from tests.body.doctor.conftest import Doctor


def of_user(at: Doctor, *words: str) -> None:
    at.body.git("config", "--global", *words)


def test_the_proof_leaves_the_soul_as_it_was(at: Doctor) -> None:
    """Also its objects: those of a trial are the same each time."""

    def all_of_it() -> tuple[object, ...]:
        refs = at.body.git("for-each-ref"), at.body.head(), at.body.git("symbolic-ref", "HEAD")
        return snapshot(at.body.soul, without=(".git/objects",)), refs, at.body.git("worktree", "list")

    before = all_of_it()
    assert "10 files" in at.well("drivers")
    assert "5 hooks" in at.well("hooks")
    objects = snapshot(at.body.soul / ".git/objects")
    at.well("drivers")
    at.well("hooks")
    assert snapshot(at.body.soul / ".git/objects") == objects
    assert all_of_it() == before
    assert not list(at.home.state.glob("doctor-*"))
    at.well("repository")


def test_a_trial_has_a_file_for_each_rule_but_the_identity_and_the_index(at: Doctor) -> None:
    """No trial needs another identity; an index is what a rebuild gives, which no driver writes."""
    patient = Patient(at.home, alone=False)
    tried = {rule_for(path) for path in trial_files.side(patient, "ours")}
    assert tried == set(MODULES) - {"soul-agent", "soul-oxsoul-index"}
    assert set(trial_files.side(patient, "ours")) <= set(trial_files.base(patient))


def test_an_interpreter_that_is_gone_or_another(at: Doctor) -> None:
    at.well("interpreter")
    at.body.git("config", "soulsync.python", "/gone/python")
    at.repairs("interpreter", "/gone/python is gone")
    at.body.git("config", "soulsync.start", str(Path(__file__)))
    at.repairs("interpreter", "not this soulsync")
    at.body.git("config", "--unset", "soulsync.python")
    at.repairs("interpreter")


def test_a_config_that_git_can_not_read(at: Doctor) -> None:
    at.well("git-config")
    file = at.body.soul / ".git/config"
    good = file.read_text()
    file.write_text(good + "[merge\n")
    assert "soulsync install" in at.ill("git-config", str(file), "bad config line")
    file.unlink()
    at.well("git-config")
    at.repairs("installation")
    assert at.body.git("config", "soulsync.body") == "one"


def test_drivers_attributes_and_hooks_that_were_changed(at: Doctor) -> None:
    at.well("installation")
    at.body.git("config", "merge.soul-entries.driver", "true")
    at.repairs("installation", "merge.soul-entries.driver")
    (at.body.soul / ".git/info/attributes").unlink()
    at.repairs("installation", "in attributes")
    (at.body.soul / ".git/hooks/pre-push").unlink()
    at.repairs("installation", "pre-push")
    (at.body.soul / ".git/hooks/pre-push").chmod(0o644)
    at.repairs("installation", "pre-push")


def test_a_hooks_folder_that_was_set_for_all_repositories_later(at: Doctor, tmp_path: Path) -> None:
    (tmp_path / "hooks").mkdir()
    of_user(at, "core.hooksPath", str(tmp_path / "hooks"))
    at.repairs("installation", f"takes its hooks from {tmp_path / 'hooks'} now (global core.hooksPath)")
    at.well("hooks")


def test_a_hooks_folder_of_one_work_tree_is_named_and_left(at: Doctor, tmp_path: Path) -> None:
    at.body.git("config", "extensions.worktreeConfig", "true")
    at.body.git("config", "--worktree", "core.hooksPath", str(tmp_path))
    at.ill("installation", "worktree core.hooksPath", repairable=True)


PROGRAMS = {
    "core.fsmonitor": "/tmp/spy",
    "core.pager": "spy",
    "filter.lfs.clean": "spy %f",
    "diff.odd.textconv": "spy",
    "merge.other.driver": "spy %A",
    "credential.https://host.helper": "spy",
    "alias.st": "!spy",
    "include.path": "/tmp/elsewhere",
    "url.ssh://other/.insteadOf": "git@host:",
    "core.worktree": "/tmp",
    "remote.origin.uploadpack": "spy",
    "gpg.ssh.program": "spy",
}


@pytest.mark.parametrize("file", ["config", "config.worktree"])
def test_what_makes_plain_git_run_a_program(tmp_path: Path, file: str) -> None:
    for key, value in PROGRAMS.items():
        git(tmp_path, "config", "--file", file, key, value)
        found = [name.lower() for name in settings.foreign(tmp_path)]
        assert key.lower() in found
    assert len(found) == len(PROGRAMS)


def test_a_foreign_setting_is_named_with_the_way_out(at: Doctor) -> None:
    at.well("git-settings")
    at.body.git("config", "core.pager", "spy")
    remedy = at.ill("git-settings", "core.pager")
    assert f"git -C {at.body.soul} config --unset-all core.pager" in remedy
    at.body.git("config", "--unset-all", "core.pager")
    at.well("git-settings")


def test_what_is_ours_or_harmless_is_no_foreign_setting(at: Doctor) -> None:
    at.body.git("config", "core.fsmonitor", "false")
    at.body.git("config", "user.name", "somebody")
    for key, value in (("color.ui", "always"), ("alias.st", "status"), ("pager.log", "false"), ("core.pager", "cat")):
        at.body.git("config", key, value)
    at.body.git("config", "protocol.version", "2")
    at.well("git-settings")


def test_a_driver_that_another_config_overrides(at: Doctor) -> None:
    at.well("driver-overrides")
    of_user(at, "merge.soul-entries.driver", "true")
    at.well("driver-overrides")  # the repository's own comes later
    at.body.git("config", "extensions.worktreeConfig", "true")
    at.body.git("config", "--worktree", "merge.soul-entries.driver", "true")
    remedy = at.ill("driver-overrides", "worktree", "merge.soul-entries.driver")
    assert "config --worktree --unset-all merge.soul-entries.driver" in remedy


def test_attributes_of_others(at: Doctor, tmp_path: Path) -> None:
    at.well("attributes")
    mine = tmp_path / "attributes"
    mine.write_text("*.md filter=lfs\n")
    of_user(at, "core.attributesFile", str(mine))
    assert "core.attributesFile" in at.ill("attributes", "memories/MEMORY.md: filter=lfs")
    of_user(at, "--unset", "core.attributesFile")
    file = at.body.soul / ".git/info/attributes"
    file.write_text(file.read_text() + "memories/** merge=union\n")
    assert str(file) in at.ill("attributes", "memories/MEMORY.md: merge=union")


def test_the_proof_names_the_file_that_a_driver_merges_wrongly(at: Doctor) -> None:
    """A merge that keeps one side without a word, as a driver does that never runs."""
    at.body.git("config", "merge.soul-entries.driver", "true")
    at.ill("drivers", "memories/MEMORY.md", "memories/USER.md", repairable=True)
    at.body.git("config", "merge.soul-entries.driver", f"{shlex.quote(sys.executable)} -c 'raise SystemExit(1)'")
    assert "soulsync install" in at.ill("drivers", "git merge failed")


def test_plain_git_is_not_started_where_it_would_run_a_strangers_program(at: Doctor, tmp_path: Path) -> None:
    spy = tmp_path / "ran"
    at.body.git("config", "core.fsmonitor", f"touch {spy}; false")
    done = at.body.run("doctor", "--offline", "--json")
    assert done.returncode == 1
    names = [
        name for name in ("driver-overrides", "attributes", "drivers", "hooks") if f'"name": "{name}"' in done.stdout
    ]
    assert names == ["driver-overrides"]
    assert not spy.exists()
