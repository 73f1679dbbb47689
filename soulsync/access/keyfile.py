"""The private key's file: whether ssh can use it, and what stands in clear in it. Standard library only."""

from __future__ import annotations

import base64
import os
import re
import shlex
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from soulsync.errors import DeniedError
from soulsync.files import write_durably
from soulsync.lang import tr

if TYPE_CHECKING:
    from pathlib import Path

KIND = "ssh-ed25519"
"""The one type of a body's key (soul-repo-v4 §7)."""

_BEGIN = "-----BEGIN OPENSSH PRIVATE KEY-----"
_END = "-----END OPENSSH PRIVATE KEY-----"
_MAGIC = b"openssh-key-v1\0"
_OTHER_KEY = re.compile(r"-----BEGIN (?:ENCRYPTED )?((?:RSA |DSA |EC )?PRIVATE KEY)-----")


@dataclass(frozen=True, slots=True)
class Header:
    """What stands in clear at the front of an ``openssh-key-v1`` file (OpenSSH PROTOCOL.key)."""

    cipher: bytes
    blob: bytes


def check_private(path: Path) -> None:
    """Raise DeniedError unless ``path`` is a key that ssh can use without asking anybody.

    That is a regular file, ours, closed to others, that holds an ed25519 key (§7) without a passphrase.
    """
    _check_file(path)
    header = read_header(path)
    if header.cipher != b"none":
        raise DeniedError(
            tr("The deploy key has a passphrase, and nobody is there to type it: {path}.", path=path),
            tr("Take it off: ssh-keygen -p -N '' -f {path}.", path=shlex.quote(str(path))),
        )
    _check_kind(path, first_string(header.blob).decode("ascii", "replace"))


def ready(path: Path) -> None:
    """``check_private``, and a file whose lines were damaged by an editor or a copy is put right.

    OpenSSH 9.2 refuses a key without its last line break, and one whose lines end in CR, with "error in libcrypto".
    """
    check_private(path)
    data = path.read_bytes()
    lines = [line.strip() for line in data.split(b"\n")]
    whole = b"\n".join(line for line in lines if line) + b"\n"
    if data != whole:
        write_durably(path, whole)


def _check_file(path: Path) -> None:
    try:
        info = path.lstat()
    except FileNotFoundError:
        raise DeniedError(tr("The deploy key is missing: {path}.", path=path), _make_another()) from None
    except OSError as error:
        raise DeniedError(
            tr("The deploy key can't be read: {path}: {strerror}.", path=path, strerror=error.strerror),
            tr("Check the folder."),
        ) from None
    if not stat.S_ISREG(info.st_mode):
        raise DeniedError(
            tr("The deploy key is not a regular file: {path}.", path=path),
            _make_another(),
        )
    if info.st_uid != os.geteuid():
        remedy = tr("Run as the owner, or: chown {uid} {path}.", uid=os.geteuid(), path=shlex.quote(str(path)))
        raise DeniedError(tr("The deploy key belongs to another user: {path}.", path=path), remedy)
    if info.st_mode & 0o077:
        mode = stat.S_IMODE(info.st_mode)
        raise DeniedError(
            tr("The deploy key is open to others (mode {mode:04o}): {path}.", mode=mode, path=path),
            tr("Run: chmod 600 {path}.", path=shlex.quote(str(path))),
        )


def _check_kind(path: Path, kind: str) -> None:
    if kind != KIND:
        raise DeniedError(
            tr("The deploy key is of the type {kind}; a body's key is {wanted}: {path}.",
               kind=kind, wanted=KIND, path=path),
            _make_another(),
        )  # fmt: skip


def _read_text(path: Path) -> str:
    try:
        return path.read_text("ascii").strip()
    except FileNotFoundError:
        raise DeniedError(tr("The deploy key is missing: {path}.", path=path), _make_another()) from None
    except (OSError, UnicodeDecodeError):
        raise DeniedError(tr("The deploy key can't be read: {path}.", path=path), _make_another()) from None


def read_header(path: Path) -> Header:
    """The header of the private key at ``path``, of whatever type, locked or not. Raises DeniedError where none is."""
    text = _read_text(path)
    other = _OTHER_KEY.match(text)
    if other:  # PEM and PKCS #8, as `ssh-keygen -m PEM` and openssl write them
        _check_kind(path, other[1])
    try:
        return _disarm(text)
    except (ValueError, IndexError):
        raise DeniedError(tr("The deploy key is damaged: {path}.", path=path), _make_another()) from None


def _disarm(text: str) -> Header:
    if not (text.startswith(_BEGIN) and text.endswith(_END)):
        raise ValueError("no armour")
    data = base64.b64decode("".join(text[len(_BEGIN) : -len(_END)].split()), validate=True)
    if not data.startswith(_MAGIC):
        raise ValueError("no magic")
    cipher, rest = _take(data[len(_MAGIC) :])
    for _ in ("key derivation", "its options"):
        _, rest = _take(rest)
    blob, _ = _take(rest[4:])  # after the number of keys
    first_string(blob)
    return Header(cipher, blob)


def _take(data: bytes) -> tuple[bytes, bytes]:
    end = 4 + int.from_bytes(data[:4], "big")
    if len(data) < end or len(data) < 4:
        raise ValueError("short")
    return data[4:end], data[end:]


def first_string(blob: bytes) -> bytes:
    """The type that a public key's bytes begin with. Raises ValueError where they are cut short."""
    return _take(blob)[0]


def _make_another() -> str:
    return tr("Make a new one with: soulsync key rotate.")
