"""Which path is merged by which rule, and one file merged by its rule (soul-repo-v4 §4).

The merge driver and the sync engine both call :func:`merge_file`; nothing else merges a file. A rule's module is
imported only when a file needs it: git starts the driver once per file.
"""

from __future__ import annotations

from soulsync import spec
from soulsync.merge.result import OURS, THEIRS, Merged, Sides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Rule = Callable[[str, "bytes | None", "bytes | None", "bytes | None", Sides], Merged]

MODULES = {
    "soul-entries": "soulsync.merge.entries",
    "soul-agent": "soulsync.merge.agent",
    "soul-newest": "soulsync.merge.newest",
    "soul-journal": "soulsync.merge.journal",
    "soul-body": "soulsync.merge.body",
    "soul-lease": "soulsync.merge.lease",
    "soul-oxsoul": "soulsync.merge.oxsoul",
    "soul-oxsoul-index": "soulsync.merge.oxsoul_index",
    "soul-cortex": "soulsync.merge.cortex",
}
"""Name of the merge driver -> module with its ``merge(path, base, ours, theirs, sides)``."""

_ATTRIBUTES = (
    ("*", "soul-newest"),
    ("memories/*.md", "soul-entries"),
    ("/agent.json", "soul-agent"),
    ("journal/**", "soul-journal"),
    ("bodies/*.json", "soul-body"),
    ("locks/consolidation.json", "soul-lease"),
)
STORE_RULES = ("soul-oxsoul", "soul-oxsoul-index", "soul-cortex")
"""The rules of the other two memory formats, whose stores may lie in any repository."""


def rule_for(path: str) -> str:
    """Name the merge driver of ``path``, a path in the repository with ``/`` between its parts."""
    if spec.is_memories(path):
        return "soul-entries"
    if path == spec.AGENT_JSON:
        return "soul-agent"
    if path.startswith("journal/"):
        return "soul-journal"
    if spec.is_registry(path):
        return "soul-body"
    if path == spec.LEASE_JSON:
        return "soul-lease"
    if spec.is_oxsoul_index(path):
        return "soul-oxsoul-index"
    if spec.is_oxsoul(path):
        return "soul-oxsoul"
    return "soul-cortex" if spec.is_cortex(path) else "soul-newest"


def attributes_lines() -> list[str]:
    """Give the lines for ``.git/info/attributes``: git then chooses as :func:`rule_for` does (the last match wins)."""
    lines = [f"{pattern} merge={rule}" for pattern, rule in _ATTRIBUTES]
    for root in spec.OXSOUL_ROOTS:
        lines += oxsoul_lines(f"/{root}")
    for root in spec.CORTEX_ROOTS:
        lines += cortex_lines(f"/{root}")
    return lines


def oxsoul_lines(root: str) -> list[str]:
    """Give the lines for an OxSoul store; ``root`` is its pattern: a slash before each of its folders, none behind."""
    return [f"{root}/**/*.md merge=soul-oxsoul", *oxsoul_indexes(root)]


def oxsoul_indexes(root: str) -> list[str]:
    """Give the lines for the indexes of an OxSoul store."""
    folders = [root, *(f"{root}/{scope}/*" for scope in spec.OXSOUL_SCOPES)]
    return [f"{folder}/{spec.INDEX_MD} merge=soul-oxsoul-index" for folder in folders]


def cortex_lines(root: str) -> list[str]:
    """Give the line for an ``.agent/memory`` store; ``root`` is its pattern as for :func:`oxsoul_lines`."""
    return [f"{root}/**/*.json merge=soul-cortex"]


def merge_file(
    rule: str, path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None, sides: Sides
) -> Merged:
    """Merge one file by its rule; None stands for a file that is not there.

    No content makes it raise. Raises ``ValueError`` for a name that is no rule.
    """
    if rule not in MODULES:
        raise ValueError(f"no merge rule is called {rule}")
    if spec.never_vanishes(path):
        # The deletion is not believed (§4 rule 4): that side counts as unchanged.
        ours = base if ours is None else ours
        theirs = base if theirs is None else theirs
    if base is None and ours is not None and theirs is not None:
        # Git hands a driver an empty file for a base that is not there; both must merge alike.
        base = b""
    undisputed = _undisputed(base, ours, theirs)
    # agent.json is looked at even so: a change of its id is not believed, on one side or on both (§4 rule 12).
    if undisputed is not None and rule != "soul-agent":
        return undisputed
    return _module(rule)(path, base, ours, theirs, sides)


def _undisputed(base: bytes | None, ours: bytes | None, theirs: bytes | None) -> Merged | None:
    """Settle what needs no rule: both sides say the same, or only one changed anything (§4 rule 1)."""
    if ours in (theirs, base):
        return Merged(theirs)
    return Merged(ours) if theirs == base else None


def _module(rule: str) -> Rule:
    # Not importlib, which loads warnings: this runs in every merge driver.
    merge: Rule = __import__(MODULES[rule], fromlist=("merge",)).merge
    return merge


def survivor(ours: bytes | None, theirs: bytes | None) -> Merged:
    """Keep the side that is there: a deletion that the other side's change overrules."""
    return Merged(ours, OURS) if theirs is None else Merged(theirs, THEIRS)
