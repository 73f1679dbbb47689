"""The last look before anything leaves the machine: only ``main``, only forward, only to the soul's own address.

No network: a hook that talks to a server can hang every push (MongLong0214/commitlore#623).
"""

from __future__ import annotations

import os

from soulsync import spec
from soulsync.formats.agent import agent_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.hooks import Place
    from soulsync.repo.git import Git


def problems(place: Place, url: str, refs: list[str]) -> Iterator[str]:
    """Say why this push may not go, one sentence and a remedy each.

    ``url`` is where git will really push to, after ``url.*.pushInsteadOf``; ``refs`` are git's lines
    ``local-ref local-id remote-ref remote-id``.
    """
    yield from _wrong_address(place.remote, url)
    git = place.git()
    for line in refs:
        # A ref may hold any character but a blank; ids and remote ref are taken from the right.
        _, local, ref, remote = line.rsplit(" ", 3)
        if ref != spec.MAIN_REF:
            yield f"Only main is pushed, not {ref}. Merge it into main."
        elif not local.strip("0"):
            yield "main of the remote would be deleted; a soul's history is append-only. Do not push this."
        else:
            yield from _wrong_step(git, local, remote)
            yield from _wrong_agent(git, local, place.agent_id)


def _wrong_address(configured: str, url: str) -> Iterator[str]:
    if not configured:
        yield "This soul has no remote yet. Set it: soulsync remote set URL."
    elif not is_ssh(configured) and os.environ.get("SOUL_ALLOW_LOCAL_REMOTE") != "1":
        yield f"{configured} is no SSH address. Set one: soulsync remote set URL."
    elif canonical(url) != canonical(configured):
        yield f"A soul is pushed to {configured} alone, not to {url}. Use soulsync sync."


def is_ssh(url: str) -> bool:
    """Whether an address has one of the two SSH forms of §7; its parts are checked when it is configured."""
    return canonical(url).startswith("ssh://")


def canonical(url: str) -> str:
    """Give one spelling for the two forms of an SSH address, ``host:path`` and ``ssh://host/path``; paths stay."""
    if "://" in url or url.startswith(("/", ".")) or "::" in url:
        return url.rstrip("/")
    host, colon, path = url.partition(":")
    if not colon or "/" in host:
        return os.path.abspath(url)  # noqa: PTH100 - pathlib is not loaded here
    return f"ssh://{host}/{path.strip('/')}"


def _wrong_step(git: Git, local: str, remote: str) -> Iterator[str]:
    """Say when the remote's tip is not in the history of what would replace it; a new branch has no tip."""
    if not remote.strip("0"):
        return
    if git.run("cat-file", "-e", f"{remote}^{{commit}}", check=False).code != 0:
        yield f"The remote is at {remote[:10]}, which is not here yet. Run soulsync sync, or git pull."
    elif git.run("merge-base", "--is-ancestor", remote, local, check=False).code != 0:
        yield f"The push would drop {remote[:10]} from the remote's history, which is append-only. Merge it first."


def _wrong_agent(git: Git, local: str, expected: str) -> Iterator[str]:
    if not expected:
        return
    held = git.run("cat-file", "blob", f"{local}:{spec.AGENT_JSON}", check=False)
    found = agent_id(held.out) if held.code == 0 else None
    if found != expected:
        what = f"the agent {found}" if found else "no agent that can be read"
        yield f"{spec.AGENT_JSON} in {local[:10]} names {what}; this soul is {expected}. Put its id back."
