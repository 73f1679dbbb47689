"""``agent.json``: who the agent is (soul-repo-v4 §3.1)."""

from __future__ import annotations

from soulsync.formats import json_text
from soulsync.formats.json_text import render
from soulsync.formats.text import Malformed
from soulsync.spec import is_agent_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Malformed", "agent_id", "id_of", "is_seed", "is_uuid4", "parse", "problems", "render"]

HEX = frozenset("0123456789abcdefABCDEF")


def parse(data: bytes) -> dict[str, object]:
    """Read ``agent.json``. Raises :class:`Malformed` for what is not one JSON object in UTF-8."""
    return json_text.parse_object(data)


def agent_id(data: bytes) -> str | None:
    """Give the id in a file, or None when the file does not parse or holds no id."""
    try:
        return id_of(parse(data))
    except Malformed:
        return None


def id_of(agent: dict[str, object]) -> str | None:
    """Give the id of an agent, or None when there is none that is text."""
    found = agent.get("id")
    return found if isinstance(found, str) and found else None


def is_seed(agent: dict[str, object]) -> bool:
    """Whether the identity was generated and never edited."""
    return agent.get("seed") is True


def is_uuid4(text: str) -> bool:
    """Whether ``text`` is a UUID of version 4 in its usual form, 8-4-4-4-12 hex digits."""
    parts = text.split("-")
    if [len(part) for part in parts] != [8, 4, 4, 4, 12] or not HEX.issuperset("".join(parts)):
        return False
    return parts[2][0] == "4" and parts[3][0] in "89abAB"


def problems(agent: dict[str, object]) -> list[str]:
    """Name what §3.1 forbids, one sentence each; an empty list for a valid agent. Unknown fields are free."""
    found = [f"{field} {fault}" for field, fits, fault in _REQUIRED if not _fits(agent.get(field), fits)]
    found += [
        f"{field} is not text" for field in ("pronouns", "description") if not isinstance(agent.get(field, ""), str)
    ]
    if "seed" in agent and agent["seed"] is not True:
        found.append("seed is there and not true")
    return found


def _fits(value: object, fits: Callable[[str], bool]) -> bool:
    return isinstance(value, str) and fits(value)


def _is_color(text: str) -> bool:
    return len(text) == 7 and text[0] == "#" and HEX.issuperset(text[1:])


def _is_language(text: str) -> bool:
    """Loosely BCP 47: subtags of 1 to 8 ASCII letters or digits, the first of letters."""
    tags = text.split("-")
    return tags[0].isalpha() and all(tag.isascii() and tag.isalnum() and len(tag) <= 8 for tag in tags)


def _is_timestamp(text: str) -> bool:
    from soulsync.formats.instants import is_timestamp  # a merge has no need of it, and datetime takes time to load

    return is_timestamp(text)


_REQUIRED: tuple[tuple[str, Callable[[str], bool], str], ...] = (
    ("id", is_uuid4, "is not a UUID v4"),
    ("name", is_agent_name, "is not of the form [a-z0-9][a-z0-9-]{0,39}"),
    ("displayName", lambda text: bool(text.strip()), "is empty or not text"),
    ("color", _is_color, "is not of the form #RRGGBB"),
    ("language", _is_language, "is not a BCP 47 language tag"),
    ("createdAt", _is_timestamp, "is not ISO 8601 in UTC with milliseconds and Z"),
)
