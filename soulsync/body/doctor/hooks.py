"""Hooks, proved by firing each of them in a throw-away work tree."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from soulsync.body.doctor import proof, trial_files
from soulsync.body.doctor.finding import Finding, Look, ill, some, well
from soulsync.body.doctor.installation import recorded
from soulsync.lang import tr
from soulsync.repo import config_file, install_hooks
from soulsync.repo.layout import locate

if TYPE_CHECKING:
    from collections.abc import Callable

    from soulsync.body.doctor.patient import Patient
    from soulsync.body.doctor.proof import Trial

REFUSES_BODY = "belongs to the body"
REFUSES_PUSH = ("A soul is pushed to", "has no remote yet", "is no SSH address")
TELLS = "git show"
"""What the hooks say when they have looked; one whose program is missing has words of its own, the drivers too."""
NOTE = "notes/trial/one.md"


def fired(patient: Patient) -> Finding:
    """Whether git runs each hook and each does its work."""
    others = _of_others(patient)
    folder = _copies(patient) if others else None
    try:
        base = proof.commit(patient.soul, trial_files.base(patient), None, 0)
        with proof.trial(patient, base, hooks=folder) as trial:
            silent = [name for name, fires in FIRE.items() if not fires(patient, trial, base)]
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
    if silent:
        return ill(
            tr("Git ran, and these hooks did nothing: {names}.", names=some(silent)),
            tr("Run `soulsync install`; `git -C {root} rev-parse --git-path hooks` tells where git looks.",
               root=shlex.quote(str(patient.config.soul))),
        )  # fmt: skip
    fires = tr("{count} hooks fired", count=len(FIRE))
    return well(f"{fires}; {tr('those of others were not run: {names}', names=some(others))}" if others else fires)


def _commit_msg(patient: Patient, trial: Trial, base: str) -> bool:
    """The body's name stands at the end of the subject."""
    trial.go(base)
    trial.write(NOTE, "# one\n\ncommit\n")
    trial.must("commit", "--quiet", "--message", "trial")
    return trial.must("log", "-1", "--format=%s").endswith(f"（{patient.config.body}）")


def _pre_commit(patient: Patient, trial: Trial, base: str) -> bool:
    """A page in another body's journal is refused."""
    trial.go(base)
    other = "trial" if patient.config.body != "trial" else "trial-2"
    trial.write(f"journal/{other}/2001-01-01.md", f"# 2001-01-01 · {other}\n")
    done = trial.git("commit", "--quiet", "--message", "trial")
    return done.code != 0 and REFUSES_BODY in done.err


def _pre_push(patient: Patient, trial: Trial, base: str) -> bool:
    """A push to anywhere else than the soul's address is refused; a dry run, which sends nothing either way."""
    trial.go(base)
    done = trial.git("push", "--quiet", "--dry-run", str(patient.git_dir), "HEAD:refs/heads/main")
    return done.code != 0 and any(words in done.err for words in REFUSES_PUSH)


def _post_merge(_patient: Patient, trial: Trial, base: str) -> bool:
    """A merge that drops a memory is told of."""
    theirs = proof.commit(trial.soul, {"memories/MEMORY.md": "first\n§\nsecond\n§\ndropped\n"}, base, 1)
    ours = proof.commit(trial.soul, {NOTE: "# one\n\nours\n"}, base, 2)
    trial.go(ours)
    done = trial.git("merge", "--quiet", "--no-edit", "--strategy=ours", "-m", "trial", theirs)
    return done.code == 0 and TELLS in done.err


def _post_rewrite(_patient: Patient, trial: Trial, base: str) -> bool:
    """A rebase in which a version of a note gives way is told of."""
    onto = proof.commit(trial.soul, {NOTE: "# one\n\nnewer\n"}, base, 4)
    mine = proof.commit(trial.soul, {NOTE: "# one\n\nolder\n", "tools/trial.txt": "mine\n"}, base, 3)
    trial.go(mine)
    done = trial.git("rebase", "--quiet", "--no-autostash", "--no-autosquash", onto)
    if done.code != 0:
        trial.git("rebase", "--abort")
    return done.code == 0 and TELLS in done.err


FIRE: dict[str, Callable[[Patient, Trial, str], bool]] = {
    "commit-msg": _commit_msg,
    "pre-commit": _pre_commit,
    "pre-push": _pre_push,
    "post-merge": _post_merge,
    "post-rewrite": _post_rewrite,
}
"""For each hook what sets it off, beginning at a commit of the trial; whether it did its work."""


def _of_others(patient: Patient) -> list[str]:
    """The hooks of other tools that git would run beside ours: a trial must not set off what they do."""
    layout = locate(patient.config.soul)
    outer = config_file.read(layout.common / "config").get("soulsync.outerhooks", [""])[-1]
    folders = [folder for folder in (layout.common / "hooks", Path(outer) if outer else None) if folder]
    return [
        path.name
        for folder in folders
        for path in sorted(folder.glob("*"))
        if os.access(path, os.X_OK) and not path.name.endswith(".sample") and not install_hooks.is_ours(path)
    ]


def _copies(patient: Patient) -> Path:
    """A folder with our hooks alone, as they stand, but for what runs those of others."""
    folder = Path(mkdtemp(prefix=proof.PREFIX, dir=patient.home.state))
    python, start = recorded(patient)
    for name in install_hooks.HOOKS:
        file = folder / name
        file.write_bytes(install_hooks.render(name, python, start, ""))
        file.chmod(0o755)
    return folder


LOOKS = (Look("hooks", fired, ("config", "repository", "installation", "git-settings")),)
