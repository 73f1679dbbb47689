"""What ``install`` put into the soul: that it stands, and starts this very soulsync."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync.body import outfit
from soulsync.body.doctor.finding import Finding, Look, ill, some, well
from soulsync.lang import tr
from soulsync.repo import config_file, install_hooks
from soulsync.repo.install_config import Config
from soulsync.repo.layout import locate
from soulsync.shipped import PACKAGE

if TYPE_CHECKING:
    from soulsync.body.doctor.patient import Patient


def interpreter(patient: Patient) -> Finding:
    """Whether drivers and hooks start this very soulsync: an upgrade or a move leaves them with the old one."""
    python, start = recorded(patient)
    gone = [path for path in (python, start) if path and not Path(path).exists()]
    if gone:
        return not_installed(patient, tr("{paths} is gone.", paths=some(gone)))
    here = str(PACKAGE / "start.py")
    if start != here or not python or not Path(python).samefile(sys.executable):
        found = f"{python} {start}".strip() or "–"
        return not_installed(patient, tr("Drivers and hooks start {found}, not this soulsync.", found=found))
    return well(python)


def recorded(patient: Patient) -> tuple[str, str]:
    """The interpreter and the script that drivers and hooks start, as ``install`` noted them."""
    values = config_file.read(patient.git_dir / "config")
    return values.get("soulsync.python", [""])[-1], values.get("soulsync.start", [""])[-1]


def not_installed(patient: Patient, detail: str) -> Finding:
    """What ``install`` puts right."""
    return ill(detail, tr("Run `soulsync install`."), lambda: outfit.put_on(patient.home, patient.config))


def installation(patient: Patient) -> Finding:
    """Whether every driver, attribute, hook and setting stands as ``install`` would put it, seen with git's eyes."""
    elsewhere = _hooks_elsewhere(patient)
    if elsewhere:
        return not_installed(patient, elsewhere)
    todo = outfit.put_on(patient.home, patient.config, dry_run=True, python=recorded(patient)[0])
    if todo:
        return not_installed(patient, tr("Still to do: {changes}.", changes=some(todo)))
    return well(tr("drivers, attributes, hooks and settings stand"))


def _hooks_elsewhere(patient: Patient) -> str | None:
    """Whether git was told later to take its hooks from another folder, as no file of the repository tells."""
    layout = locate(patient.config.soul)
    folder, scope = install_hooks.outer_folder(layout, Config(layout))
    noted = config_file.read(layout.common / "config").get("soulsync.outerhooks", [""])[-1]
    if str(folder or "") == noted:
        return None
    return tr(
        "Git takes its hooks from {folder} now ({scope} core.hooksPath).", folder=folder or "–", scope=scope or "–"
    )


def git_config(patient: Patient) -> Finding:
    """Whether git can read the soul's config: else plain git does nothing at all there."""
    file = patient.git_dir / "config"
    said = patient.soul.git.run("config", "--file", str(file), "--list", check=False) if file.exists() else None
    if said is not None and said.code != 0:
        problem = said.err.strip().removeprefix("fatal: ").removeprefix("error: ")
        return ill(
            tr("Git can't read {file}: {said}.", file=file, said=problem),
            tr("Correct that line, or move the file away and run `soulsync install`."),
        )
    return well(tr("git can read it"))


_NEEDS = ("config", "repository")
LOOKS = (
    Look("git-config", git_config, _NEEDS),
    Look("interpreter", interpreter, (*_NEEDS, "git-config")),
    Look("installation", installation, (*_NEEDS, "interpreter")),
)
