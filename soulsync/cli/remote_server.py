"""``soulsync remote create`` and ``authorize``: souls on a machine of one's own that runs OpenSSH."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import click

from soulsync.cli.context import print_json, say
from soulsync.cli.folders import usable
from soulsync.cli.texts import json_option
from soulsync.errors import SoulSyncError, UsageError, system_problem
from soulsync.lang import tr

_NO_SHELLS = ("nologin", "false", "git-shell")
_MAX_KEY_FILE = 64 * 1024


@click.command(name="create")
@click.argument("path", type=click.Path(path_type=Path))
@json_option
def create(path: Path, as_json: bool) -> None:
    """Make PATH on this machine a repository for a soul: it refuses force-push and deletion.

    One that is there already gets what it lacks. OpenSSH serves it, to the keys that `remote authorize` lets in.

    \b
    Example:
      soulsync remote create ~/souls/kaoru.soul.git
    """
    from soulsync.access.bare import ensure_bare

    path = _whole(path)
    usable(path.parent, tr("Choose another place."))
    made = ensure_bare(path)
    if as_json:
        print_json({"path": str(path), "created": made, "address": _address(path)})
        return
    told = tr("Made {path}: it refuses force-push and deletion.", path=path)
    say(told if made else tr("{path} is there already; it refuses force-push and deletion.", path=path))
    say(tr("Let a body in: soulsync remote authorize {path} --key FILE", path=shlex.quote(str(path))))
    say(tr("Its address for `soulsync init`: {address}", address=_address(path)))


@click.command(name="authorize")
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--key", "key_file", required=True, metavar="FILE", help="File with one public key; - reads it from stdin."
)
@click.option("--remove", is_flag=True, help="Take the key's access to PATH away.")
@click.option("--read-only", is_flag=True, help="The key may read and not write.")
@click.option(
    "--authorized-keys", "keys_file", metavar="FILE", type=click.Path(path_type=Path),
    help="The account's list of keys (default: ~/.ssh/authorized_keys).",
)  # fmt: skip
@json_option
def authorize(path: Path, key_file: str, remove: bool, read_only: bool, keys_file: Path | None, as_json: bool) -> None:
    """Let one deploy key reach the repository PATH through this machine's OpenSSH, and nothing else.

    The key gets one line in authorized_keys that forces git on that repository alone: no shell, no forwarding, no
    other path. --remove revokes it: no new connection begins.

    \b
    Example:
      soulsync remote authorize ~/souls/kaoru.soul.git --key laptop.pub
    """
    from soulsync.access import forced
    from soulsync.access.bare import is_bare

    path, keys = _whole(path), _whole(keys_file or Path("~/.ssh/authorized_keys"))
    line = public_line(key_file)
    if remove:
        changed = forced.revoke(keys, line, path)
        _tell_removed(path, line, keys, changed, as_json)
        return
    if path.is_symlink() or not is_bare(path):
        raise UsageError(
            tr("{path} is no bare repository.", path=path), tr("Make one: soulsync remote create {path}.", path=path)
        )
    changed = forced.authorize(keys, path, line, write=not read_only)
    _tell(path, line, changed, as_json)
    for note in [] if as_json else _notes(keys):
        say(tr("note: {text}", text=note))


def _tell(path: Path, line: str, changed: bool, as_json: bool) -> None:
    from soulsync.access.key import fingerprint

    if as_json:
        print_json({"path": str(path), "fingerprint": fingerprint(line), "changed": changed, "address": _address(path)})
        return
    told = tr("The key {fingerprint} opens {path} and nothing else.", fingerprint=fingerprint(line), path=path)
    say(told if changed else tr("{told} It did so before.", told=told))
    say(tr("Its address for `soulsync init`: {address}", address=_address(path)))


def _tell_removed(path: Path, line: str, keys: Path, changed: bool, as_json: bool) -> None:
    from soulsync.access.key import fingerprint

    if as_json:
        print_json({"path": str(path), "fingerprint": fingerprint(line), "changed": changed, "address": None})
    elif changed:
        say(tr("The key {fingerprint} opens {path} no more.", fingerprint=fingerprint(line), path=path))
    else:
        say(tr("The key {fingerprint} had no line for {path} in {keys}.",
               fingerprint=fingerprint(line), path=path, keys=keys))  # fmt: skip


def _whole(path: Path) -> Path:
    """``path`` without ``~`` and ``..``; links are left as they are."""
    return Path(os.path.normpath(path.expanduser().absolute()))


def _address(path: Path) -> str:
    """How a body reaches ``path``, as far as this machine knows its own name and account."""
    import getpass
    import socket
    from urllib.parse import quote

    return f"ssh://{getpass.getuser()}@{socket.gethostname()}{quote(str(path))}"


def public_line(file: str) -> str:
    """The one public key in ``file``; blank lines and comments around it are passed over.

    Raises UsageError for a private key, several keys, one with options of its own, and a certificate.
    """
    from soulsync.access.key import public_blob

    text = _text(file)
    if "PRIVATE KEY" in text:
        raise UsageError(tr("{file} holds a private key.", file=file), tr("Give its public half, the file with .pub."))
    lines = [line.strip() for line in text.split("\n")]
    lines = [line for line in lines if line and not line.startswith("#")]
    if len(lines) != 1:
        raise UsageError(
            tr("{file} holds {count} keys.", file=file, count=len(lines)), tr("Give one public key at a time.")
        )
    words = lines[0].split(None, 2)
    try:
        public_blob(lines[0])
    except SoulSyncError as e:
        raise UsageError(e.problem, tr("Give the line that `soulsync key show` prints, without options.")) from None
    if "-cert-" in words[0]:
        raise UsageError(tr("{file} holds a certificate.", file=file), tr("Give the public key itself."))
    comment = "".join(c for c in " ".join(words[2:]) if c.isprintable())
    return f"{words[0]} {words[1]} {comment}".rstrip()


def _text(file: str) -> str:
    try:
        if file == "-":
            return sys.stdin.buffer.read(_MAX_KEY_FILE).decode("utf-8") if sys.stdin else ""
        with Path(file).open("rb") as opened:
            return opened.read(_MAX_KEY_FILE).decode("utf-8")
    except OSError as e:
        raise UsageError(tr("{problem}.", problem=system_problem(e)), tr("Give a file with one public key.")) from e
    except UnicodeDecodeError as e:
        raise UsageError(tr("This is not a public SSH key."), tr("Give a file with one public key.")) from e


def _notes(keys: Path) -> list[str]:
    """What keeps sshd from obeying the line although it stands there."""
    import pwd

    open_ = [folder for folder in (keys.parent, keys.parent.parent) if folder.stat().st_mode & 0o022]
    notes = [
        tr("sshd ignores the keys while others may write to {folder}: chmod go-w {folder}", folder=shlex.quote(str(f)))
        for f in open_
    ]
    shell = pwd.getpwuid(os.geteuid()).pw_shell
    if Path(shell).name in _NO_SHELLS:
        notes.append(
            tr("sshd runs the command with the login shell, and {shell} refuses: chsh -s /bin/sh", shell=shell)
        )
    return notes
