"""Hooks, fired: each one that does nothing is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.body.doctor import hooks, proof, trial_files
from soulsync.body.doctor.patient import Patient
from soulsync.repo.install_hooks import HOOKS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.body.doctor.conftest import Doctor


def test_each_hook_fires_and_is_missed_when_it_does_nothing(at: Doctor) -> None:
    """Also one that says that its program is gone: a word of its own is no work."""
    patient = Patient(at.home, alone=False)
    base = proof.commit(patient.soul, trial_files.base(patient), None, 0)
    assert tuple(sorted(hooks.FIRE)) == tuple(sorted(HOOKS))
    with proof.trial(patient, base) as trial:
        for name, fires in hooks.FIRE.items():
            file = at.body.soul / ".git/hooks" / name
            good = file.read_text()
            assert fires(patient, trial, base), name
            file.write_text(f"#!/bin/sh\n{good.splitlines()[1]}\nexit 0\n")
            assert not fires(patient, trial, base), name
            file.write_text(good.replace("start.py", "gone.py"))
            assert not fires(patient, trial, base), name


def test_silent_hooks_are_named_with_the_way_out(at: Doctor) -> None:
    for file in (at.body.soul / ".git/hooks").iterdir():
        file.write_text(file.read_text().replace("start.py", "gone.py"))
    remedy = at.ill("hooks", "did nothing: commit-msg, pre-commit, pre-push, and 2 more")
    assert "soulsync install" in remedy
    assert "--git-path hooks" in remedy


def test_hooks_of_others_are_not_set_off(at: Doctor, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    for name in ("post-commit", "pre-commit.before-soulsync", "post-checkout"):
        hook = at.body.soul / ".git/hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
        hook.chmod(0o755)
    detail = at.well("hooks")
    assert "5 hooks fired" in detail
    assert "post-commit" in detail
    at.well("drivers")
    assert not ran.exists()
