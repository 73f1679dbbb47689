"""Souls on a machine that runs OpenSSH: one ``authorized_keys`` line per deploy key (``soulsync remote authorize``).

The line forces a command, so the key opens one repository and nothing else: no shell, no forwarding, no other path
(sshd(8), "AUTHORIZED_KEYS FILE FORMAT"). The command is plain ``sh`` and needs no soulsync on the server.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync.access.bare import SERVICES
from soulsync.access.key import public_blob
from soulsync.errors import UsageError
from soulsync.files import write_durably
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterable


def forced_line(repository: Path, public_line: str, *, write: bool = True) -> str:
    """The ``authorized_keys`` line that ties a public key to the bare repository at ``repository``.

    The login shell of the account must be a POSIX one (sshd runs forced commands with it), not ``git-shell``.
    Raises UsageError for a path that can't stand in such a line, SoulSyncError when the key is none.
    """
    public_blob(public_line)
    path = str(repository.absolute())
    if any(not c.isprintable() for c in path):
        raise UsageError(
            tr("This path can't stand in authorized_keys: {path!r}.", path=path), tr("Use a plainer name.")
        )
    command = "exec /bin/sh -c " + shlex.quote(_script(path, write=write))
    escaped = command.replace('"', '\\"')  # the one escape that sshd undoes there
    return f'restrict,command="{escaped}" {public_line.strip()}'


def authorize(authorized_keys: Path, repository: Path, public_line: str, *, write: bool = True) -> None:
    """Put the line of this key into ``authorized_keys``, in place of any other line that we wrote for it.

    Raises UsageError when the key stands there with a line of another make: it opens more than one repository.
    """
    kept = list(_other_lines(authorized_keys, public_line))
    blob = public_line.split()[1]
    if any(blob in line.split() for line in kept):
        raise UsageError(
            tr("This key is in {authorized_keys} already, with other rights.", authorized_keys=authorized_keys),
            tr("Make a new key."),
        )
    _write(authorized_keys, [*kept, forced_line(repository, public_line, write=write)])


def revoke(authorized_keys: Path, public_line: str) -> None:
    """Take away the line that ``authorize`` wrote for this key; others stay."""
    _write(authorized_keys, list(_other_lines(authorized_keys, public_line)))


def _script(path: str, *, write: bool) -> str:
    """A ``case`` on what the client asked for. Spellings of other repositories match nothing."""
    read, receive = (_cases(service, path) for service in SERVICES)
    refusal = "echo 'soulsync: this key may only read.' >&2; exit 1"
    quoted = shlex.quote(path)
    branches = [
        f"{read}) exec git upload-pack --strict {quoted};;",
        f"{receive}) {f'exec git receive-pack {quoted}' if write else refusal};;",
        "*) echo 'soulsync: this is not a repository of this key.' >&2; exit 1;;",
    ]
    return 'case "$SSH_ORIGINAL_COMMAND" in ' + " ".join(branches) + " esac"


def _cases(service: str, path: str) -> str:
    """The exact commands by which git asks for ``service`` on ``path``, as ``case`` patterns."""
    commands = [f"git{dash}{service} {_git_quote(spelling)}" for spelling in _spellings(path) for dash in "- "]
    return "|".join(shlex.quote(command) for command in commands)


def _spellings(path: str) -> list[str]:
    """How an address may write ``path``: whole, or relative to the account's home folder; ``.git`` may be left out."""
    spellings = [path]
    home = str(Path.home())
    if path.startswith(f"{home}/"):
        relative = path[len(home) + 1 :]
        spellings += [relative, f"~/{relative}", f"/~/{relative}"]
    return [*spellings, *(text.removesuffix(".git") for text in spellings if text.endswith(".git"))]


def _git_quote(text: str) -> str:
    """git's quoting of a path for the other side's shell (quote.c, ``sq_quote_buf``)."""
    return "'" + text.replace("'", "'\\''").replace("!", "'\\!'") + "'"


def _other_lines(authorized_keys: Path, public_line: str) -> Iterable[str]:
    blob = public_blob(public_line) and public_line.split()[1]
    try:
        lines = authorized_keys.read_text("utf-8", "surrogateescape").splitlines()
    except FileNotFoundError:
        return []
    return [
        line for line in lines if not (line.startswith('restrict,command="exec /bin/sh -c') and blob in line.split())
    ]


def _write(authorized_keys: Path, lines: list[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    write_durably(authorized_keys, text.encode("utf-8", "surrogateescape"))
