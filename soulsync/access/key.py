"""The deploy key of one body: made on this machine, never leaving it but for its public half (soul-repo-v4 §7).

Reading keys needs the standard library only, so that checking one costs a sync nothing; ``cryptography`` is loaded
to make a key.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

from soulsync.access.keyfile import first_string, read_header
from soulsync.errors import SoulSyncError
from soulsync.files import PRIVATE, PUBLIC, write_durably, write_new
from soulsync.lang import tr

if TYPE_CHECKING:
    from pathlib import Path


def generate(path: Path, comment: str) -> str:
    """Make an ed25519 key pair in OpenSSH format, ``path`` (0600) and ``path.pub`` (0644); return the public line.

    Raises SoulSyncError when a key is there already: a key is replaced on purpose, never by accident.
    """
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.generate()
    public = private.public_key().public_bytes(form.Encoding.OpenSSH, form.PublicFormat.OpenSSH).decode()
    secret = private.private_bytes(form.Encoding.PEM, form.PrivateFormat.OpenSSH, form.NoEncryption())
    try:
        write_new(path, secret, PRIVATE)
    except FileExistsError:
        raise SoulSyncError(
            tr("There is a key already: {path}.", path=path), tr("Replace it with: soulsync key rotate.")
        ) from None
    line = f"{public} {_one_line(comment)}".rstrip()
    write_durably(_beside(path), f"{line}\n".encode(), PUBLIC)
    return line


def public_line(path: Path) -> str:
    """The public half of the key at ``path``, ``ssh-ed25519 AAAA… comment``, safe to show.

    ``path.pub`` is believed for its comment, and only when it is the same key: the private key file holds the public
    half in clear, so a missing or foreign ``.pub`` misleads nobody. Raises DeniedError when the key can't be read.
    """
    blob = read_header(path).blob
    shown = base64.b64encode(blob).decode()
    try:
        words = _beside(path).read_text("utf-8").split(None, 2)
    except (OSError, UnicodeDecodeError):
        words = []
    comment = words[2] if len(words) > 2 and words[1] == shown else ""
    return f"{first_string(blob).decode('ascii', 'replace')} {shown} {_one_line(comment)}".rstrip()


def with_comment(path: Path, comment: str) -> str:
    """The public line of the key at ``path`` with this comment, which ``path.pub`` has from now on."""
    words = public_line(path).split(None, 2)
    line = f"{words[0]} {words[1]} {_one_line(comment)}".rstrip()
    beside = _beside(path)
    try:
        standing = beside.read_bytes()
    except OSError:
        standing = b""
    if standing != f"{line}\n".encode():
        write_durably(beside, f"{line}\n".encode(), PUBLIC)
    return line


def fingerprint(public_line: str) -> str:
    """``SHA256:…`` of a public key line, as ssh and the forges show it. Raises SoulSyncError when it is none."""
    return fingerprint_of(public_blob(public_line))


def public_blob(public_line: str) -> bytes:
    """The key's bytes of a public key line ``TYPE BASE64 [COMMENT]``. Raises SoulSyncError when it is none."""
    words = public_line.split(None, 2)
    try:
        if len(public_line.strip().splitlines()) != 1:
            raise ValueError("more than one line")
        blob = base64.b64decode(words[1], validate=True)
        if first_string(blob).decode("ascii") == words[0]:
            return blob
    except (IndexError, ValueError):
        pass
    raise SoulSyncError(tr("This is not a public SSH key."), tr("A public key line reads: ssh-ed25519 AAAA… comment."))


def fingerprint_of(blob: bytes) -> str:
    """``SHA256:…`` of a key's bytes."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")


def _beside(path: Path) -> Path:
    return path.with_name(path.name + ".pub")


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
