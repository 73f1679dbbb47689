"""The 200 memories of ``fixtures/oxsoul/realistic.json`` as files of a store."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync.formats import oxsoul
from soulsync.formats.instants import timestamp

if TYPE_CHECKING:
    from collections.abc import Iterator

FIXTURE = Path(__file__).parents[3] / "fixtures" / "oxsoul" / "realistic.json"
DAY = 86_400_000
BEGIN = 1_780_000_000_000


def memories(seed: int = 1) -> Iterator[tuple[str, oxsoul.Memory]]:
    """Name and memory, with times, importance and sureness by ``seed``."""
    chance = random.Random(seed)
    for template in json.loads(FIXTURE.read_text("utf-8"))["templates"]:
        for words in template["with"]:
            name, description, body, tags = (
                template[key].format(*words) for key in ("name", "description", "body", "tags")
            )
            created = BEGIN + chance.randrange(300) * DAY
            fields: dict[str, str | float | list[str]] = {
                "name": name, "description": description, "category": template["category"],
                "importance": chance.randrange(11) / 10, "confidence": chance.randrange(5, 11) / 10,
                "source": chance.choice(oxsoul.SOURCES), "tags": tags.split(","), "created": timestamp(created),
                "updated": timestamp(created + chance.randrange(60) * DAY), "x_read_count": str(chance.randrange(40)),
            }  # fmt: skip
            yield name, oxsoul.new(fields, body)


def write(folder: Path, count: int = 200) -> None:
    """Write the first ``count`` of them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, memory in list(memories())[:count]:
        (folder / f"{name}.md").write_bytes(oxsoul.render(memory))
