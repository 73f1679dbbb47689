"""What a sync did, as lines for a person."""

from __future__ import annotations

from soulsync.lang import tr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

    from soulsync.body.result import SyncResult
    from soulsync.repo.soul import Soul

MOST = 10
"""Lines of one kind that are shown; `--json` has all of them."""


def lines(result: SyncResult, soul: Soul | None) -> Iterator[str]:
    """The outcome, what came in from whom, what lost in a merge, what was left out."""
    if result.error is None:
        yield f"{result.agent} ({result.body}): {outcome(result.outcome)}"
    if result.incoming and soul is not None:
        yield f"  {arrived(soul, result)}"
    yield from (f"  {line}" for line in losers(result)[:MOST])
    yield from (f"  {line}" for line in left_out(result))
    yield from (f"  {tr('note: {text}', text=warning)}" for warning in result.warnings)


def outcome(word: str) -> str:
    """The contract's word as a sentence."""
    return {
        "unchanged": tr("nothing to do."),
        "committed": tr("committed here."),
        "pulled": tr("brought in what the other bodies did."),
        "pushed": tr("sent what changed here."),
        "merged": tr("merged what changed here and elsewhere."),
    }.get(word, word)


def arrived(soul: Soul, result: SyncResult) -> str:
    """What came in, in memory terms: ``3 memories from phone, 1 note from server; 1 note replaced, …``."""
    from soulsync.body.summary import of_incoming

    found = of_incoming(soul, result.incoming)
    parts = [
        tr("{things} from {body}", things=tr(", ").join(_things(counts)), body=body) for body, counts in found.items()
    ]
    line = "; ".join(parts) or _no_memory(len(result.incoming))
    lost = [m["path"] for m in result.merged if m["lost"]]
    if lost:
        replaced = tr("{count} replaced, `soulsync restore {path}` has the old one", count=len(lost), path=lost[0])
        line = f"{line}; {replaced}"
    return line


def _no_memory(count: int) -> str:
    if count == 1:
        return tr("1 commit that changed no memory")
    return tr("{count} commits that changed no memory", count=count)


def _things(counts: Counter[str]) -> Iterator[str]:
    for kind, number in sorted(counts.items()):
        yield _thing(kind, number)


def _thing(kind: str, count: int) -> str:
    if count == 1:
        return {
            "memories": tr("1 memory"),
            "forgotten": tr("1 memory forgotten"),
            "notes": tr("1 note"),
            "journal": tr("1 journal section"),
            "identity": tr("1 identity field"),
            "personality": tr("the personality"),
            "files": tr("1 file"),
        }[kind]
    return {
        "memories": tr("{count} memories", count=count),
        "forgotten": tr("{count} memories forgotten", count=count),
        "notes": tr("{count} notes", count=count),
        "journal": tr("{count} journal sections", count=count),
        "identity": tr("{count} identity fields", count=count),
        "personality": tr("the personality"),
        "files": tr("{count} files", count=count),
    }[kind]


def losers(result: SyncResult) -> list[str]:
    """The paths at which one whole version won, and how to get the other."""
    return [
        tr("{path}: the newer version stays; `soulsync restore {path}` has the other one.", path=merged["path"])
        for merged in result.merged
        if merged["lost"]
    ]


def left_out(result: SyncResult) -> list[str]:
    """What was not committed, and why."""
    return [tr("left out: {path} ({reason})", path=s["path"], reason=reason(s["reason"])) for s in result.skipped]


def reason(word: str) -> str:
    """The contract's word for a path that was left out, in plain words."""
    return {
        "too-large": tr("over 1 MiB"),
        "binary": tr("binary"),
        "symlink": tr("a link"),
        "nested-repository": tr("a repository of its own"),
        "unportable": tr("a name that other systems can't hold"),
        "malformed": tr("can't be read"),
        "not-ours": tr("belongs to another body"),
    }.get(word, word)
