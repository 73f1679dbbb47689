"""A store in a folder of its own."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from soulsync.stores.cortex import reading, writing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Store:
    """An ``.agent/memory`` store for a test."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True)

    def put(self, name: str = "MEM-a", kind: str = "semantic", **fields: Any) -> Path:
        """Write an entry as another program would."""
        entry = {
            "schema_version": 1, "memory_id": name, "type": kind, "content": f"content of {name}",
            "created_at": "2026-11-06T08:00:00.000Z", **fields,
        }  # fmt: skip
        return self.write(f"{kind}/{name}.json", json.dumps(entry, ensure_ascii=False, indent=2) + "\n")

    def write(self, path: str, data: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data.encode() if isinstance(data, str) else data)
        return file

    def add(self, entries: list[dict[str, Any]]) -> None:
        writing.write_all(self.root, entries)

    def ids(self) -> list[str]:
        return [str(entry["memory_id"]) for entry in reading.scan(self.root).entries]

    def rules(self) -> list[tuple[str, int | None, str]]:
        return [(one.path, one.line, one.rule) for one in reading.scan(self.root).findings]

    def files(self) -> dict[str, bytes]:
        return {str(p.relative_to(self.root)): p.read_bytes() for p in sorted(self.root.rglob("*")) if p.is_file()}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store, made and used under the usual umask."""
    before = os.umask(0o022)
    yield Store(tmp_path / "project" / ".agent" / "memory")
    os.umask(before)
