"""``.agent/memory/<type>/<memory_id>.json``: one distilled memory a file (cortex-agent, schema version 1)."""

from __future__ import annotations

from soulsync.formats import json_text
from soulsync.formats.instants import instant
from soulsync.formats.json_text import Number, render
from soulsync.formats.text import Malformed

__all__ = [
    "FIELDS", "MAX_CONTENT", "SCOPES", "TYPES", "Entry", "Malformed", "default_title", "expires", "is_expired",
    "is_memory_id", "normal", "number", "parse", "path_of", "render", "tags_of", "unique_id",
]  # fmt: skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

Entry = dict[str, object]

TYPES = ("episodic", "semantic", "procedural")
"""The types in the order in which equal scores are listed; each has a folder of its name."""
SCOPES = ("user", "project", "skill", "runtime", "global")
FIELDS = (
    "schema_version", "memory_id", "type", "title", "content", "tags", "source_conversation_id", "source_decision_id",
    "source_run_id", "scope", "expires_at", "pinned", "confidence", "created_at", "updated_at",
)  # fmt: skip
"""Every field of the closed schema, in the order in which entries of our own are written."""
PREFIX = "MEM-"
MAX_TITLE = 200
MAX_CONTENT = 4000
MAX_TAGS = 10
MAX_ID = 250
"""Characters of an id: with ``.json`` it must fit the 255 bytes of a file name."""
DERIVED_TITLE = 80
EPISODIC_DAYS = 90
DAY = 86_400_000_000
"""Microseconds."""
_ALNUM = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_ID = _ALNUM | frozenset("._-")


def parse(data: bytes) -> Entry:
    """Read one entry as it stands, valid or not. Raises :class:`Malformed` for what is no JSON object in UTF-8."""
    return json_text.parse_object(data)


def is_memory_id(text: object, prefix: str = PREFIX) -> bool:
    """Whether ``text`` is ``<prefix>[A-Za-z0-9][A-Za-z0-9._-]*`` as a whole and fits a file name: safe in a path."""
    if not isinstance(text, str) or not text.startswith(prefix) or (prefix == PREFIX and len(text) > MAX_ID):
        return False
    rest = text[len(prefix) :]
    return bool(rest) and rest[0] in _ALNUM and _ID.issuperset(rest)


def path_of(entry: Mapping[str, object]) -> str:
    """Give the path below the store: ``<type>/<memory_id>.json``. Raises ``ValueError`` for an id that is no id."""
    name, kind = entry.get("memory_id"), entry.get("type")
    if not is_memory_id(name) or kind not in TYPES:
        raise ValueError(f"{name!r} of type {kind!r} names no file")
    return f"{kind}/{name}.json"


def number(value: object) -> float | None:
    """Read a number of an entry, whatever its literal; None for what is none (``true`` is none)."""
    if isinstance(value, Number):
        return float(value.literal)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def default_title(content: str) -> str:
    """Derive a title: the content, of which more than 80 code points are cut to 77 and ``...``."""
    return content if len(content) <= DERIVED_TITLE else content[: DERIVED_TITLE - 3] + "..."


def tags_of(entry: Mapping[str, object]) -> list[str]:
    """Give the tags of an entry; none where it has none."""
    tags = entry.get("tags")
    return [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []


def expires(kind: str, created: str, *, pinned: bool = False) -> str | None:
    """Give the day on which a new entry expires: 90 days after ``created`` for episodic ones, else and pinned: never.

    None too where ``created`` is no time, or so late that the day can't be written.
    """
    from datetime import UTC, datetime, timedelta

    micros = instant(created)
    if kind != "episodic" or pinned or micros is None:
        return None
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros, days=EPISODIC_DAYS)
    except OverflowError:
        return None
    return moment.date().isoformat()


def is_expired(entry: Mapping[str, object], now: int) -> bool:
    """Whether ``expires_at`` lies strictly before ``now`` (microseconds since the epoch); pinned entries never expire.

    A date means 00:00 UTC; what is no time never expires.
    """
    if entry.get("pinned") is True:
        return False
    ends = instant(entry.get("expires_at"))
    return ends is not None and ends < now


def unique_id(wanted: str, taken: set[str]) -> str:
    """Give ``wanted``, or with ``-2``, ``-3``, … behind it when that is taken; ``taken`` holds ids in lower case.

    Two ids that differ in case alone are one file on macOS and Windows.
    """
    found, count = wanted, 1
    while found.lower() in taken:
        count += 1
        end = f"-{count}"
        found = wanted[: MAX_ID - len(end)] + end
    return found


def normal(entry: Mapping[str, object]) -> Entry:
    """Give what an entry says: absent and null are one, so are absent and ``project``, false, and no tags."""
    said = {field: value for field, value in entry.items() if value is not None}
    return {"scope": "project", "pinned": False, "tags": [], **said}
