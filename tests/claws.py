"""A body with an OpenClaw workspace beside it, as far as its files go."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.bodies import Body

USER = """\
# USER.md - About Your Human

_Learn about the person you're helping. Update this as you go._

- **Name:**
- **Timezone:**

## Context

_(What do they care about?)_

---

The more you know, the better you can help. But remember — you're learning about a person, not building a dossier. \
Respect the difference.
"""
MEMORY = """\
# Long-term memory

<!-- keep this short -->

## People

- Mio lives in Kyoto
  and grows tea

## Work

The build runs at night.
"""
DEFAULT_SOUL = "# SOUL.md - Who You Are\n\n_You're not a chatbot. You're becoming someone._\n"


class Claw:
    """The workspace of one body."""

    def __init__(self, body: Body) -> None:
        self.body, self.folder = body, body.folder / ".openclaw/workspace"
        self.folder.mkdir(parents=True)

    def write(self, path: str, text: str | bytes) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)

    def read(self, path: str) -> str:
        return (self.folder / path).read_text("utf-8")

    def add(self, *options: str) -> None:
        self.body.ok("bridge", "add", "openclaw", *options)

    def carry(self, *options: str) -> dict[str, Any]:
        """One round of the bridge alone; what it says of it."""
        (told,) = json.loads(self.body.run("bridge", "sync", "--json", *options).stdout)["bridges"]
        return dict(told)

    def problems(self) -> list[str]:
        return [fault["problem"] for fault in self.carry()["faults"]]


def another(body: Body) -> Claw:
    """A second workspace, with one memory of its own and a bridge to it."""
    claw = Claw(body)
    claw.write("MEMORY.md", "- Rain is good\n")
    claw.add()
    return claw


def in_step(*claws: Claw) -> None:
    """Carry and sync until everybody has everything."""
    for _ in range(2):
        for claw in claws:
            assert claw.carry()["faults"] == []
            claw.body.sync()
    for claw in claws:
        claw.carry()


def fresh(body: Body) -> Claw:
    """A workspace that somebody has used a little, with a bridge to it."""
    claw = Claw(body)
    claw.write("USER.md", USER)
    claw.write("MEMORY.md", MEMORY)
    claw.write("SOUL.md", DEFAULT_SOUL)
    claw.add()
    return claw
