"""Which key opens which repository of the embedded server: one file, read again at every question."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from filelock import FileLock

from soulsync.access.key import fingerprint
from soulsync.errors import RefusedError, SoulSyncError
from soulsync.files import write_durably
from soulsync.lang import tr

if TYPE_CHECKING:
    from pathlib import Path

_LOCK_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Grant:
    """What one key may do: read ``repo``, and write it if ``write``."""

    repo: str
    write: bool
    key: str


class Keyring:
    """The grants below one root, by fingerprint: a key is tied to one repository by the shape of the file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = FileLock(path.with_name(path.name + ".lock"), timeout=_LOCK_SECONDS)

    def find(self, print_: str) -> Grant | None:
        """The grant of the key with fingerprint ``print_``; a revoked key has none from that moment on."""
        return self._load().get(print_)

    def add(self, repo: str, public_line: str, *, write: bool) -> None:
        """Let the key open ``repo``. Raises RefusedError when it opens another one: a deploy key is never shared."""
        print_ = fingerprint(public_line)
        with self._lock:
            grants = self._load()
            old = grants.get(print_)
            if old is not None and old.repo != repo:
                raise RefusedError(
                    tr("This key opens {repo} already.", repo=old.repo), tr("Make one key per body and repository.")
                )
            self._store({**grants, print_: Grant(repo, write, public_line.strip())})

    def remove(self, repo: str, public_line: str) -> None:
        """Take the key away from ``repo``; nothing happens when it has no access."""
        print_ = fingerprint(public_line)
        with self._lock:
            grants = self._load()
            if print_ in grants and grants[print_].repo == repo:
                del grants[print_]
                self._store(grants)

    def _load(self) -> dict[str, Grant]:
        try:
            stored = json.loads(self._path.read_text("utf-8"))
            return {print_: Grant(**grant) for print_, grant in stored.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise SoulSyncError(
                tr("The list of keys can't be read: {path}: {error}.", path=self._path, error=error), tr("Repair it.")
            ) from None

    def _store(self, grants: dict[str, Grant]) -> None:
        text = json.dumps({print_: asdict(grant) for print_, grant in grants.items()}, indent=2, ensure_ascii=False)
        write_durably(self._path, f"{text}\n".encode())
