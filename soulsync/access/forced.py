"""Souls on a machine that runs OpenSSH: one ``authorized_keys`` line per deploy key (``soulsync remote authorize``).

The line forces a command, so the key opens one repository and nothing else: no shell, no forwarding, no other path
(sshd(8), "AUTHORIZED_KEYS FILE FORMAT"). The command is plain ``sh`` and needs no soulsync on the server; git gets a
clean environment, whatever variables sshd lets a client set, and settings that no file can take back.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync.access.bare import SERVICES, serve_argv, serve_env
from soulsync.access.key import public_blob
from soulsync.errors import RefusedError, UsageError
from soulsync.files import write_durably
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEGINS = 'restrict,command="exec /bin/sh -c '
_NAME = "soulsync"
"""What stands before the repository's path at the end of the command: ``$0`` of the shell."""
_PATH = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin"


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
    command = "exec " + shlex.join(["/bin/sh", "-c", _script(path, write=write), _NAME, path])
    escaped = command.replace('"', '\\"')  # the one escape that sshd undoes there
    return f'restrict,command="{escaped}" {public_line.strip()}'


def authorize(authorized_keys: Path, repository: Path, public_line: str, *, write: bool = True) -> bool:
    """Let the key open ``repository``; whether anything had to be changed.

    Raises RefusedError when the key opens another repository, or stands there in a line of another make: sshd obeys the
    first line that names a key.
    """
    blob = _words(public_line)[1]
    wanted = forced_line(repository, public_line, write=write)
    with _locked(authorized_keys):
        lines = _read(authorized_keys)
        kept = [line for line in lines if not (_is_ours(line) and blob in line.split())]
        if any(blob in line.split() for line in kept if not line.lstrip().startswith("#")):
            raise RefusedError(
                tr("This key is in {authorized_keys} already, with other rights.", authorized_keys=authorized_keys),
                tr("Make a new key."),
            )
        others = {opens(line) for line in lines if line not in kept} - {repository.absolute(), None}
        if others:
            raise RefusedError(
                tr("This key opens {repo} already.", repo=others.pop()), tr("Make one key per body and repository.")
            )
        if lines == [*kept, wanted] or (wanted in lines and len(lines) == len(kept) + 1):
            return False
        _write(authorized_keys, [*kept, wanted])
        return True


def revoke(authorized_keys: Path, public_line: str, repository: Path | None = None) -> bool:
    """Take away the line that ``authorize`` wrote for this key (and ``repository``); whether there was one.

    Others stay. What is open ends with its connection; no new one begins.
    """
    blob = _words(public_line)[1]
    with _locked(authorized_keys):
        lines = _read(authorized_keys)
        kept = [line for line in lines if not (_is_ours(line) and blob in line.split() and _is_for(line, repository))]
        if kept == lines:
            return False
        _write(authorized_keys, kept)
        return True


def opens(line: str) -> Path | None:
    """The repository that a line of ours opens; None for a line that does not tell."""
    with contextlib.suppress(ValueError):
        command = line.removeprefix('restrict,command="').rpartition('" ')[0].replace('\\"', '"')
        words = shlex.split(command)
        if words[:3] == ["exec", "/bin/sh", "-c"] and words[4:5] == [_NAME]:
            return Path(words[5])
    return None


def _is_for(line: str, repository: Path | None) -> bool:
    return repository is None or opens(line) in (None, repository.absolute())


def _script(path: str, *, write: bool) -> str:
    """A ``case`` on what the client asked for; ``$1`` is the repository. Other spellings match nothing."""
    read, receive = (_cases(service, path) for service in SERVICES)
    refusal = "echo 'soulsync: this key may only read.' >&2; exit 1"
    branches = [
        f"{read}) {_serve(SERVICES[0])};;",
        f"{receive}) {_serve(SERVICES[1]) if write else refusal};;",
        "*) echo 'soulsync: this is not a repository of this key.' >&2; exit 1;;",
    ]
    protocol = 'case "$GIT_PROTOCOL" in version=[0-9]) ;; *) GIT_PROTOCOL=;; esac; '
    return protocol + 'case "$SSH_ORIGINAL_COMMAND" in ' + " ".join(branches) + " esac"


def _serve(service: str) -> str:
    """Git on ``$1`` with no variable of the client's but the version of git's protocol.

    ``AcceptEnv`` may let a client set ``GIT_CONFIG_COUNT`` or ``LD_PRELOAD``; ``restrict`` does not take that away.
    """
    argv = serve_argv(service, Path("/$1"))
    words = ['"$1"' if word == "/$1" else shlex.quote(word) for word in argv]
    words = ['safe.directory="$1"' if word == "'safe.directory=/$1'" else word for word in words]
    git = shutil.which("git")
    env = {**serve_env(), "PATH": f"{Path(git).parent}:{_PATH}" if git else _PATH}
    settings = [shlex.quote(f"{name}={value}") for name, value in env.items()]
    return " ".join(["exec", "/usr/bin/env", "-i", *settings, 'GIT_PROTOCOL="$GIT_PROTOCOL"', *words])


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


def _words(public_line: str) -> list[str]:
    public_blob(public_line)
    return public_line.split()


def _is_ours(line: str) -> bool:
    return line.startswith(_BEGINS)


@contextlib.contextmanager
def _locked(authorized_keys: Path) -> Iterator[None]:
    """One writer at a time, by a kernel lock on the folder itself: no file of ours is left in ``~/.ssh``."""
    authorized_keys.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fd = os.open(authorized_keys.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def _read(authorized_keys: Path) -> list[str]:
    """The lines as sshd counts them: by line feeds alone."""
    try:
        text = authorized_keys.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return []
    return text.removesuffix("\n").split("\n") if text else []


def _write(authorized_keys: Path, lines: list[str]) -> None:
    """Replace the file (what a link leads to, if it is one), still of its owner: sshd reads it as that account."""
    target = authorized_keys.resolve()
    owner = (target if target.exists() else target.parent).stat()
    write_durably(target, "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))
    if os.geteuid() == 0:
        os.chown(target, owner.st_uid, owner.st_gid)
