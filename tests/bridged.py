"""A body with a Hermes Agent beside it, as far as its files go: it writes them as its memory tool does."""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from typing import TYPE_CHECKING, Any

from tests.bodies import SEPARATOR

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Body


class Hermes:
    """The home of a Hermes Agent of ``body``."""

    def __init__(self, body: Body) -> None:
        self.body, self.home = body, body.folder / ".hermes"
        self.memory, self.user = (self.home / "memories" / name for name in ("MEMORY.md", "USER.md"))
        self.soul = self.home / "SOUL.md"
        self.memory.parent.mkdir(parents=True)

    def entries(self, file: Path | None = None) -> list[str]:
        text = (file or self.memory).read_text("utf-8")
        return [entry.strip() for entry in text.split(SEPARATOR) if entry.strip()]

    def set_entries(self, *texts: str, file: Path | None = None) -> None:
        """Write them by a new file that takes the place of the old one, under the lock beside it."""
        file = file or self.memory
        with file.with_suffix(".md.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._write(file, SEPARATOR.join(texts))

    def add(self, text: str) -> None:
        with self.memory.with_suffix(".md.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            have = self.entries() if self.memory.exists() else []
            self._write(self.memory, SEPARATOR.join([*have, text]))

    @staticmethod
    def _write(file: Path, text: str) -> None:
        fd, name = tempfile.mkstemp(dir=file.parent, prefix=".mem_", suffix=".tmp")
        with os.fdopen(fd, "w", encoding="utf-8") as opened:
            opened.write(text)
        os.replace(name, file)  # noqa: PTH105

    def configure(self, text: str) -> None:
        (self.home / "config.yaml").write_text(text)

    def bridge(self) -> None:
        self.body.ok("bridge", "add", "hermes")

    def carried(self, *options: str) -> dict[str, Any]:
        """One round, without a fault; what it carried."""
        (one,) = json.loads(self.body.ok("bridge", "sync", "--json", *options))["bridges"]
        return dict(one)

    def faults(self, *options: str) -> list[dict[str, str]]:
        """One round with faults; these."""
        done = self.body.run("bridge", "sync", "--json", *options)
        assert done.returncode == 1, done.stdout + done.stderr
        (one,) = json.loads(done.stdout)["bridges"]
        assert one["faults"]
        return list(one["faults"])
