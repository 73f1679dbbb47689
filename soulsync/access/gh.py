"""Adding a deploy key with GitHub's own program ``gh``, when the person asks for it.

``gh`` uses the login that it keeps itself; no token is read here, and none is passed on.
"""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

from soulsync.access.forge import GITHUB, forge_of
from soulsync.errors import DeniedError, UsageError
from soulsync.lang import tr

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.access.address import Remote

SECONDS = 60
NOT_LOGGED_IN = 4
"""What ``gh`` exits with where it wants a login (its manual, EXIT CODES)."""


def check(remote: Remote | None) -> None:
    """Raise ``UsageError`` (2) where ``gh`` can't add a key: another forge, or no such program here."""
    if remote is None or forge_of(remote) is not GITHUB:
        raise UsageError(tr("--add-key works with GitHub alone."), tr("Leave it out, and add the key by hand."))
    if shutil.which("gh") is None:
        raise UsageError(
            tr("--add-key needs the program gh, which is not here."),
            tr("Install it (https://cli.github.com), or leave --add-key out and add the key by hand."),
        )


def add_deploy_key(remote: Remote, public: Path, title: str) -> None:
    """Add the key in the file ``public`` to the repository, with write access.

    Raises ``DeniedError`` (4) with what ``gh`` said.
    """
    repo = (
        remote.owner_path if remote.host in ("github.com", "ssh.github.com") else f"{remote.host}/{remote.owner_path}"
    )
    argv = ["gh", "repo", "deploy-key", "add", str(public), "--repo", repo, "--allow-write", "--title", title]
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as e:
        raise DeniedError(tr("gh could not add the key: {said}.", said=e), _by_hand()) from None
    if done.returncode == NOT_LOGGED_IN:
        raise DeniedError(
            tr("gh is not logged in."), tr("Run `gh auth login`, then this again; or add the key by hand.")
        )
    if done.returncode != 0:
        raise DeniedError(tr("gh could not add the key: {said}.", said=_last_line(done)), _by_hand())


def _last_line(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
    return lines[-1].rstrip(".") if lines else f"exit {done.returncode}"


def _by_hand() -> str:
    return tr("Add the key by hand, then run this again.")
