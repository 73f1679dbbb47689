"""What in a soul's ``.git/config`` makes plain git run a program or go elsewhere, and is not ours.

soulsync itself never reads that file; plain git in the soul obeys it (git-config(1), "variables that run a command").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from soulsync.repo import config_file
from soulsync.repo.install_config import OWN_SECTION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_RUNS = re.compile(
    r"core\.(sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand|hookspath)"
    r"|sequence\.editor|diff\.external|diff\..*\.(command|textconv)|filter\..*\.(clean|smudge|process)"
    r"|merge\..*\.driver|(merge|diff)tool\..*\.(cmd|path)|gpg\.(.*\.)?program|gpg\.ssh\.defaultkeycommand"
    r"|pager\..*|alias\..*|credential\.(.*\.)?helper|remote\..*\.(uploadpack|receivepack|vcs|proxy)"
    r"|interactive\.difffilter|trailer\..*\.(command|cmd)|sendemail\..*|submodule\..*\.update"
    r"|(web|man|guitool|browser)\..*|uploadpack\.packobjectshook|tar\..*\.command"
)
_LEADS_ELSEWHERE = re.compile(
    r"include(if\..*)?\.path|url\..*\.(push)?insteadof|core\.worktree|protocol\.(.*\.)?allow|remote\..*\.pushurl"
)
_OFF = ("", "false", "0", "no", "off")


def foreign(git_dir: Path) -> list[str]:
    """The keys of the soul's own config that plain git obeys at its cost and soulsync did not set, in order."""
    found: list[str] = []
    for name in ("config", "config.worktree"):
        values = config_file.read(git_dir / name)
        found += [key for key in values if _is_foreign(key, values[key], values)]
    return list(dict.fromkeys(found))


def _is_foreign(key: str, said: list[str], values: dict[str, list[str]]) -> bool:
    if key == "core.fsmonitor":
        return said[-1].lower() not in _OFF
    if _is_harmless(key, said[-1]):
        return False
    if not (_RUNS.fullmatch(key) or _LEADS_ELSEWHERE.fullmatch(key)):
        return False
    if key.startswith(("merge.soul-", f"{OWN_SECTION}.")):
        return False  # another command than ours there is named by the check of the installation
    return said not in _ours(key, values)


def _is_harmless(key: str, value: str) -> bool:
    """Whether a key that may name a program names none here: an alias for a command of git, a pager that is off."""
    if key.startswith("alias.") or (key.startswith("submodule.") and key.endswith(".update")):
        return not value.startswith("!")
    return (key == "core.pager" or key.startswith("pager.")) and value.lower() in (
        *_OFF,
        "cat",
        "true",
        "yes",
        "on",
        "1",
    )


def _ours(key: str, values: dict[str, list[str]]) -> Iterator[list[str]]:
    """What ``install`` noted as its own value of a key of others, such as ``core.sshCommand``."""
    note = f"{OWN_SECTION}.{key}.ours"
    yield from (value for name, value in values.items() if name.lower() == note.lower())
