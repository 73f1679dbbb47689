"""What stands where soulsync keeps its own files: a pipe would let it wait for ever, a folder would make it fail oddly.

Nothing here is an attack: whoever can write into the home folder of a body is that body. It is about accidents, and
about saying in one line what is in the way.
"""

from __future__ import annotations

import os

from soulsync.errors import SoulSyncError
from soulsync.lang import tr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

_FOLDERS = ("state", "git", "info", "believed", "recovery")
_FILES = ("known_hosts", "config", "HEAD", "attributes", "exclude")
_SUFFIXES = (".toml", ".pub", ".log", ".json", ".lock")
_SCANNED = ("", "state", "state/git", "state/git/info", "state/believed")


def refuse_odd(root: Path) -> None:
    """Raise ``SoulSyncError`` where a file of ours is a folder, a pipe, a socket or a device, or can't be read.

    The private key is looked at where it is used; a link to a plain file is fine.
    """
    for name in _SCANNED:
        try:
            with os.scandir(root / name) as found:
                entries = list(found)
        except FileNotFoundError:
            continue
        except NotADirectoryError:
            raise _in_the_way(str(root / name)) from None
        except PermissionError:
            raise _closed(str(root / name), "u+rwx") from None
        for entry in entries:
            _look(entry)


def _look(entry: os.DirEntry[str]) -> None:
    try:
        file, folder = entry.is_file(), entry.is_dir()
    except OSError:  # a link that leads through a file, or in a circle
        file = folder = False
    ours = entry.name in _FILES or entry.name.endswith(_SUFFIXES)
    if entry.name in _FOLDERS and not folder:
        raise _in_the_way(entry.path)
    if (ours and folder) or not (file or folder or entry.is_symlink() or entry.name == "id_ed25519"):
        raise _in_the_way(entry.path)
    if ours and file and not os.access(entry.path, os.R_OK):
        raise _closed(entry.path, "u+rw")


def _in_the_way(path: str) -> SoulSyncError:
    return SoulSyncError(
        tr("{path} is in the place of something that soulsync keeps there.", path=path),
        tr("Move it away, then run the same command again."),
    )


def _closed(path: str, bits: str) -> SoulSyncError:
    from shlex import quote

    return SoulSyncError(
        tr("{path} can't be read.", path=path), tr("Run: chmod {bits} {path}.", bits=bits, path=quote(path))
    )
