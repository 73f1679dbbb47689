"""Merge drivers: nothing overrides them, and a plain ``git merge`` of real paths proves them."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body.doctor import proof, settings, trial_files
from soulsync.body.doctor.finding import Finding, Look, ill, some, well
from soulsync.body.doctor.installation import not_installed, recorded
from soulsync.errors import SoulSyncError
from soulsync.lang import tr
from soulsync.merge.rules import MODULES, rule_for
from soulsync.repo import merge, objects
from soulsync.repo.git import Git
from soulsync.repo.install import driver_command
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from soulsync.body.doctor.patient import Patient

_CONVERSIONS = ("filter", "ident", "working-tree-encoding")
"""Attributes by which plain git commits other bytes than the file holds; soulsync never runs them (§6)."""


def git_settings(patient: Patient) -> Finding:
    """Whether nothing else in the soul's own config makes plain git run a program or go elsewhere."""
    found = settings.foreign(patient.git_dir)
    if found:
        return ill(
            tr("The soul's .git/config holds {keys}: plain git obeys it, soulsync does not.", keys=some(found)),
            tr(
                "Unless you know why, take it out: git -C {root} config --unset-all {key}. Your own wishes belong into "
                "~/.gitconfig.",
                root=shlex.quote(str(patient.config.soul)),
                key=shlex.quote(found[0]),
            ),
        )
    return well(tr("none that run programs"))


def overrides(patient: Patient) -> Finding:
    """Whether no other config, of the work tree or the command line, puts another driver in the place of ours."""
    git = Git(patient.git_dir, patient.config.soul, user_config=True)
    said = git.run("config", "--show-scope", "-z", "--get-regexp", r"^merge\.soul-.*\.driver$", check=False).out
    words = said.decode("utf-8", "surrogateescape").split("\0")
    effective: dict[str, tuple[str, str]] = {}
    for scope, setting in zip(words[::2], words[1::2], strict=False):
        key, _, value = setting.partition("\n")
        effective[key] = scope, value  # the last one counts
    python, start = recorded(patient)
    wrong = {
        key: effective.get(key, ("local", ""))[0]
        for rule in MODULES
        if effective.get(key := f"merge.{rule}.driver", ("", ""))[1] != driver_command(rule, python, start)
    }
    if not wrong:
        return well(tr("none"))
    key, scope = next(iter(wrong.items()))
    if scope == "local":
        return not_installed(patient, tr("Another command stands in {keys}.", keys=some(list(wrong))))
    return ill(
        tr("The {scope} config overrides {keys}.", scope=scope, keys=some(list(wrong))),
        tr(
            "Take it out: git -C {root} config --{scope} --unset-all {key}.",
            root=shlex.quote(str(patient.config.soul)),
            scope=scope,
            key=key,
        ),
    )


def attributes(patient: Patient) -> Finding:
    """Whether git, with all attribute files of this user, chooses our drivers and converts nothing on the way."""
    paths = [path for path in trial_files.base(patient) if not path.startswith(".")]
    git = Git(patient.git_dir, patient.config.soul, user_config=True)
    out = git.out("check-attr", "-z", "merge", *_CONVERSIONS, "--", *paths).decode("utf-8", "surrogateescape")
    words = out.split("\0")
    wrong = [
        f"{path}: {name}={value}"
        for path, name, value in zip(words[::3], words[1::3], words[2::3], strict=False)
        if value != (rule_for(path) if name == "merge" else "unspecified") and (name == "merge" or value != "unset")
    ]
    if wrong:
        return ill(
            tr("Attributes change what plain git does: {attributes}.", attributes=some(wrong)),
            tr(
                "Take the line out of {file}, of a .gitattributes in the soul, or of your own attributes file "
                "(core.attributesFile).",
                file=patient.git_dir / "info" / "attributes",
            ),
        )
    return well(tr("each path has its driver"))


def proved(patient: Patient) -> Finding:
    """Whether a plain ``git merge`` of every kind of file gives what a sync gives, byte for byte."""
    ours, theirs = _sides(patient)
    expected = merge.merge_commits(patient.soul, ours, theirs).tree
    with proof.trial(patient, ours, hooks=Path(os.devnull)) as trial:
        done = trial.git("merge", "--quiet", "--no-ff", "--no-edit", "--no-verify", "-m", "trial", theirs)
        if done.code != 0:
            raise SoulSyncError(
                tr("In the trial, git {command} failed: {said}.", command="merge", said=proof.last_line(done)),
                tr("Run `soulsync install`, then `soulsync doctor` again."),
            )
        tree = trial.must("rev-parse", "HEAD^{tree}")
    # An index of memories is what a rebuild gives: hooks bring it after the merge, no driver can.
    changed = objects.diff(patient.soul.repo, expected, tree)
    odd = sorted(shown(path) for path in changed if not spec.is_oxsoul_index(path))
    if odd:
        return not_installed(patient, tr("A plain git merge came out differently: {paths}.", paths=some(odd)))
    return well(
        tr("a plain git merge of {count} files gave what a sync gives", count=len(trial_files.side(patient, "ours")))
    )


def _sides(patient: Patient) -> tuple[str, str]:
    """Two commits that both change every kind of file."""
    base = proof.commit(patient.soul, trial_files.base(patient), None, 0)
    ours, theirs = (
        proof.commit(patient.soul, trial_files.side(patient, side), base, hour)
        for hour, side in enumerate(("ours", "theirs"), 1)
    )
    return ours, theirs


_NEEDS = ("config", "repository")
LOOKS = (
    Look("git-settings", git_settings, (*_NEEDS, "git-config")),
    Look("driver-overrides", overrides, (*_NEEDS, "installation")),
    # Plain git obeys what stands in the soul's config: it is started only where nothing of others stands there. Even
    # `git check-attr` reads the index, and so starts what core.fsmonitor names (git 2.39).
    Look("attributes", attributes, (*_NEEDS, "installation", "git-settings")),
    Look("drivers", proved, (*_NEEDS, "installation", "git-settings")),
)
