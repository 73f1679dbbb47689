"""What a merge rule gives back. A merge result is data; text for people is made at the edge."""

from __future__ import annotations

BOTH, OURS, THEIRS, REBUILT = "both", "ours", "theirs", "rebuilt"


class Merged:
    """The outcome of merging one file.

    ``data`` is the result, or None where the file is gone. ``kept`` says whose content it is: ``both`` (nothing lost by
    the rule), ``ours`` or ``theirs`` (the other side's version lost and stays in history), ``rebuilt``.
    ``faults`` are short English sentences about input that could not be read.
    """

    __slots__ = ("data", "faults", "kept")

    def __init__(self, data: bytes | None, kept: str = BOTH, faults: tuple[str, ...] = ()) -> None:
        self.data = data
        self.kept = kept
        self.faults = faults

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Merged):
            return NotImplemented
        return (self.data, self.kept, self.faults) == (other.data, other.kept, other.faults)

    def __hash__(self) -> int:
        return hash((self.data, self.kept, self.faults))

    def __repr__(self) -> str:
        return f"Merged({self.data!r}, {self.kept!r}, {self.faults!r})"


class Sides:
    """What the rules may know about the two sides beside their bytes; never the clock of the machine that merges.

    ``ours_time`` and ``theirs_time`` are committer times in seconds (soul-repo-v4 §4 rule 3), None when unknown.
    ``inner`` is true when the two sides are themselves merge bases (a criss-cross history): the result is a base.
    ``ours_unpushed`` and ``theirs_unpushed`` are true when that side's identity never reached a remote (rule 12).
    """

    __slots__ = ("inner", "ours_time", "ours_unpushed", "theirs_time", "theirs_unpushed")

    def __init__(
        self,
        ours_time: int | None = None,
        theirs_time: int | None = None,
        *,
        inner: bool = False,
        ours_unpushed: bool = False,
        theirs_unpushed: bool = False,
    ) -> None:
        self.ours_time = ours_time
        self.theirs_time = theirs_time
        self.inner = inner
        self.ours_unpushed = ours_unpushed
        self.theirs_unpushed = theirs_unpushed
