"""The two baselines of a bridge: what a framework changed since it was shown something, brought into the soul (§1).

``shown`` is what the framework was shown last, None before the first contact. Copies of an entry count as one, as they
do in a merge of memories (soul-repo-v4 §4 rule 11).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Shown:
    """What a framework was shown: ``entries``, and ``next`` where a run was cut off while it showed that instead.

    Which of the two the file holds is not known then: removed is only what is in both, added only what is in neither.
    """

    __slots__ = ("entries", "next")

    def __init__(self, entries: Sequence[str] | None, following: Sequence[str] | None = None) -> None:
        self.entries = None if entries is None else list(entries)
        self.next = None if following is None else list(following)

    @property
    def certain(self) -> set[str]:
        """What the framework has seen for certain, so that its absence is a removal."""
        seen = set(self.entries or ())
        return seen if self.next is None else seen & set(self.next)

    @property
    def possible(self) -> set[str]:
        """What the framework may have seen, so that its presence is no addition."""
        return {*(self.entries or ()), *(self.next or ())}


def absorbed(soul: Sequence[str], native: Sequence[str], shown: Shown) -> list[str]:
    """The soul's entries after what the framework added and removed: ``soul + (native − shown) − (shown − native)``.

    What was never shown is never removed. The order is the soul's; an addition stands behind the entry that the
    framework has before it, an edit where the old text stood. At the first contact additions follow at the end.
    """
    added = _additions(soul, native, shown)
    removed = shown.certain - set(native)
    if not added:
        return [entry for entry in soul if entry not in removed]
    placed = _placed(soul, native, added, shown)
    return [entry for entry in placed if entry not in removed]


def _additions(soul: Sequence[str], native: Sequence[str], shown: Shown) -> set[str]:
    return set(native) - shown.possible - set(soul)


def _placed(soul: Sequence[str], native: Sequence[str], added: set[str], shown: Shown) -> list[str]:
    """The soul's list with the additions in their places; what was removed still stands in it."""
    held = set(soul)
    anchor: str | None = None
    behind: dict[str | None, list[str]] = {}
    for entry in dict.fromkeys(native):
        if entry in added:
            # None stands for the place of the first entry that was shown; for the end, at the first contact.
            behind.setdefault(None if shown.entries is None else anchor, []).append(entry)
        elif entry in held:
            anchor = entry
    result: list[str] = []
    first = len(soul)
    if shown.entries is not None:
        first = next((at for at, entry in enumerate(soul) if entry in shown.possible), first)
    for at, entry in enumerate(soul):
        if at == first:
            result += behind.pop(None, [])
        result.append(entry)
        result += behind.pop(entry, [])
    return result + behind.pop(None, [])


SAME, SOUL, NATIVE, BOTH = "same", "soul", "native", "both"


def changed_side(soul: bytes | None, native: bytes | None, base: bytes | None) -> str:
    """Which side of a file changed since both held ``base``; None is a file that is not there.

    ``BOTH`` where they have to be merged. A deletion gives way to a change: then the changed side counts alone.
    """
    if soul == native:
        return SAME
    if soul == base:
        return NATIVE
    if native == base:
        return SOUL
    if soul is None:
        return NATIVE
    return SOUL if native is None else BOTH
