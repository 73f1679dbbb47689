"""From one memory format to another, with an account of every field that would not come back from there.

The account is no list kept by hand: what was converted is converted back, and what differs is named.
"""

from __future__ import annotations

from soulsync.formats import conversion_memory, conversion_soul
from soulsync.formats.conversion_items import CORTEX, FORMATS, OXSOUL, SOUL, OxSoul, SoulEntry, said
from soulsync.formats.conversion_memory import KEPT
from soulsync.formats.cortex_rules import faults
from soulsync.formats.entries import is_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from soulsync.formats.conversion_items import Item

__all__ = ["CORTEX", "FORMATS", "OXSOUL", "SOUL", "Converted", "Loss", "OxSoul", "Refusal", "SoulEntry", "convert"]


class Loss:
    """A ``field`` whose ``value`` does not come back; ``becomes`` is what would come back, None where nothing would."""

    __slots__ = ("becomes", "field", "value")

    def __init__(self, field: str, value: object, becomes: object) -> None:
        self.field = field
        self.value = value
        self.becomes = becomes

    def __repr__(self) -> str:
        return f"Loss({self.field!r}, {self.value!r}, {self.becomes!r})"


class Refusal:
    """Why the target can't hold an item at all: the ``rule`` it would break in ``field``, and what was ``found``.

    Rules are those of :mod:`soulsync.formats.cortex_rules`, and ``section-sign``, ``empty`` and ``unicode`` of a soul.
    """

    __slots__ = ("field", "found", "rule")

    def __init__(self, field: str, rule: str, found: str = "") -> None:
        self.field = field
        self.rule = rule
        self.found = found

    def __repr__(self) -> str:
        return f"Refusal({self.field!r}, {self.rule!r}, {self.found!r})"


class Converted:
    """The ``item`` in the other format; the ``losses``; the fields ``kept`` in ``x_`` fields; or ``refusals``."""

    __slots__ = ("item", "kept", "losses", "refusals")

    def __init__(self, item: Item, losses: list[Loss], kept: list[str], refusals: list[Refusal]) -> None:
        self.item = item
        self.losses = losses
        self.kept = kept
        self.refusals = refusals


def convert(item: Item, target: str, now: str, *, user: bool | None = None) -> Converted:
    """Convert an item into the ``target`` format at the time ``now`` (RFC 3339).

    ``user``: for a soul of which one file alone is written, whether that is the one about the user.
    """
    found = to(item, target, now)
    if isinstance(found, SoulEntry) and user is not None:
        found.user = user
    refusals = _refusals(found)
    if refusals:
        return Converted(found, [], [], refusals)
    losses = _losses(said(item), said(to(found, format_of(item), now)))
    kept = [key.removeprefix(KEPT) for key in found.fields if key.startswith(KEPT)] if isinstance(found, OxSoul) else []
    return Converted(found, losses, kept, [])


def to(item: Item, target: str, now: str) -> Item:
    """The item in the ``target`` format, which must not be its own. Raises ``ValueError`` where it is."""
    if isinstance(item, SoulEntry) and target != SOUL:
        return conversion_soul.cortex_of(item, now) if target == CORTEX else conversion_soul.oxsoul_of(item, now)
    if isinstance(item, OxSoul) and target != OXSOUL:
        return conversion_memory.to_cortex(item, now) if target == CORTEX else conversion_soul.of_oxsoul(item)
    if isinstance(item, dict) and target != CORTEX:
        return conversion_memory.to_oxsoul(item) if target == OXSOUL else conversion_soul.of_cortex(item)
    raise ValueError(f"{target} is no other format")


def format_of(item: Item) -> str:
    """Name the format of an item."""
    return SOUL if isinstance(item, SoulEntry) else OXSOUL if isinstance(item, OxSoul) else CORTEX


def _losses(before: dict[str, object], after: dict[str, object]) -> list[Loss]:
    return [
        Loss(field, value, after.get(field))
        for field, value in before.items()
        if conversion_memory.differ(value, after.get(field))
    ]


def _refusals(item: Item) -> list[Refusal]:
    if isinstance(item, SoulEntry):
        if not item.text:
            return [Refusal("text", "empty")]
        return [] if is_entry(item.text) and _is_utf8(item.text) else [Refusal("text", "section-sign")]
    if isinstance(item, OxSoul):
        return [] if _is_utf8(item.body + item.text("description")) else [Refusal("body", "unicode")]
    return [Refusal(fault.field, fault.rule, fault.found) for fault in faults(item)]


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
