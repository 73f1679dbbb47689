"""A valid soul as files, and what is found when some of them are others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.formats import json_text
from soulsync.repo.validation import soul, source

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from soulsync.formats.finding import Finding

IDENTITY: dict[str, object] = {
    "id": "0b6d2c1e-6c1f-4a53-9a57-2f1f0f3c9d10",
    "name": "kaoru",
    "displayName": "薰",
    "pronouns": "she/her",
    "description": "",
    "color": "#7f5af0",
    "language": "zh-CN",
    "createdAt": "2026-01-01T00:00:00.000Z",
}
BODY: dict[str, object] = {
    "body": "laptop",
    "kind": "bridge",
    "bridge": "soulsync/1.0.0.1",
    "keyFingerprint": "SHA256:ab:cd",
    "lastSeen": "2026-01-02T00:00:00.000Z",
}
SOUL: dict[str, bytes] = {
    **{path: text.encode() for path, text in spec.FIXED_FILES.items()},
    "agent.json": json_text.render(IDENTITY),
    "SOUL.md": "# 薰\n\n安静，认真。\n".encode(),
    "memories/MEMORY.md": "用户喜欢茶。\n§\nSee §3 of\nthe manual.\n".encode(),
    "memories/USER.md": b"",
    "journal/laptop/2026-01-02-walk.md": "# 2026-01-02 · laptop\n\n## 09:30 散步\n\n下雨了。\n".encode(),
    "journal/laptop/import-2024.md": b"an imported journal keeps its form\n",
    "notes/travel/kyoto.md": b"# kyoto\n> by train\n\nIn spring.\n",
    "bodies/laptop.json": json_text.render(BODY),
    "locks/consolidation.json": b'{"body": "laptop", "until": 1790000000000}\n',
    "extra/plan.txt": b"the agent's own\n",
}


def write(root: Path, files: Mapping[str, bytes | None]) -> Path:
    """Put the sample with other ``files`` (None: absent) below ``root``."""
    for path, data in {**SOUL, **files}.items():
        if data is not None:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
    return root


def found(root: Path) -> list[Finding]:
    return soul.check(source.of_folder(root))


def brief(findings: list[Finding]) -> list[tuple[str, int | None, str]]:
    """Findings without their words."""
    return [(one.path, one.line, one.rule) for one in findings]
