"""``recall``: which entries a query brings back, and in what order (cortex-agent's scores to four decimals).

A run of Han characters is one token, as in cortex-agent; beyond that its overlapping pairs count here, so that
``决策`` finds ``决策风格``.
"""

from __future__ import annotations

from soulsync.formats.cortex import DAY, TYPES, Entry, is_expired, number, tags_of
from soulsync.formats.instants import instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

DEFAULT_LIMIT = 5
TAG_WEIGHT, TITLE_WEIGHT, CONTENT_WEIGHT = 0.5, 0.4, 0.3
CONFIDENCE_WEIGHT = 0.2
RECENCY_WEIGHT = 0.1
RECENT_DAYS = 30
PAIRS_SHARE = 0.5
"""What a field without the whole token is worth at most, where it holds the token's pairs."""
_RUN = "[a-z0-9_\u4e00-\u9fff]+"
_ORDER = {kind: place for place, kind in enumerate(TYPES)}


class Recalled:
    """The answer to a query: ``hits`` as (entry, score), best first, at most ``limit``, and what became of the rest.

    ``scanned`` entries were of the wanted types; ``out_of_scope``, ``expired`` and ``unsure`` of them were filtered
    out, for one reason each, in this order; ``matched`` is what was left before the limit.
    """

    __slots__ = ("expired", "hits", "limit", "matched", "out_of_scope", "scanned", "unsure")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.hits: list[tuple[Entry, float]] = []
        self.scanned = self.matched = self.out_of_scope = self.expired = self.unsure = 0


class Filters:
    """Which entries count: of these ``types`` (none named: all), this ``scope``, this ``least`` confidence."""

    __slots__ = ("include_expired", "least", "scope", "types")

    def __init__(
        self,
        types: Collection[str] = (),
        scope: str | None = None,
        least: float | None = None,
        *,
        include_expired: bool = False,
    ) -> None:
        self.types = frozenset(types)
        self.scope = scope
        self.least = least
        self.include_expired = include_expired


def recall(
    entries: Iterable[Entry], query: str, now: int, limit: int, filters: Filters, *, every: bool = False
) -> Recalled:
    """Rank valid ``entries`` for ``query`` at the time ``now`` (microseconds since the epoch).

    A limit of 0 counts as 5, a negative one as 1. Entries that match no token are left out, unless ``every`` is set or
    the query is blank. Order: score, then type, then id.
    """
    found = Recalled(max(1, limit or DEFAULT_LIMIT))
    words = [_Word(token) for token in tokens(query)]
    every = every or not query.strip()
    scored = []
    for entry in entries:
        if _passes(entry, now, filters, found):
            matches = _matches(entry, words)
            if matches or every:
                scored.append((entry, round(matches + _standing(entry, now), 4)))
    scored.sort(key=lambda hit: (-hit[1], _ORDER.get(str(hit[0].get("type")), len(_ORDER)), str(hit[0]["memory_id"])))
    found.matched = len(scored)
    found.hits = scored[: found.limit]
    return found


def tokens(text: str) -> list[str]:
    """Lower case, split on everything but ``a-z 0-9 _`` and U+4E00 to U+9FFF; in order, repeated ones too."""
    import re

    return re.findall(_RUN, text.lower())


def score(entry: Entry, query: str, now: int) -> float:
    """Give the score of an entry for a query, to four decimals."""
    return round(_matches(entry, [_Word(token) for token in tokens(query)]) + _standing(entry, now), 4)


class _Word:
    """A token of the query; ``pairs`` are the overlapping pairs of its Han runs, of a single character itself."""

    __slots__ = ("pairs", "token")

    def __init__(self, token: str) -> None:
        import re

        self.token = token
        runs = re.findall("[\u4e00-\u9fff]+", token)
        self.pairs = [run[i : i + 2] for run in runs for i in range(max(1, len(run) - 1))]

    def share_of(self, text: str) -> float:
        """How much of a field's weight this token earns in ``text``, which is in lower case."""
        # Most fields hold nothing of the token: looking for it is far cheaper than cutting them into tokens.
        if self.token in text and self.token in tokens(text):
            return 1.0
        if not self.pairs:
            return 0.0
        return PAIRS_SHARE * sum(pair in text for pair in self.pairs) / len(self.pairs)


def _passes(entry: Entry, now: int, filters: Filters, found: Recalled) -> bool:
    if filters.types and entry.get("type") not in filters.types:
        return False
    found.scanned += 1
    if filters.scope is not None and (entry.get("scope") or "project") != filters.scope:
        found.out_of_scope += 1
    elif not filters.include_expired and is_expired(entry, now):
        found.expired += 1
    elif filters.least is not None and _confidence(entry) < filters.least:
        found.unsure += 1
    else:
        return True
    return False


def _matches(entry: Entry, words: list[_Word]) -> float:
    if not words:
        return 0.0
    title, content = entry.get("title"), entry.get("content")
    fields = (
        (TAG_WEIGHT, " ".join(tags_of(entry))),
        (TITLE_WEIGHT, title if isinstance(title, str) else ""),
        (CONTENT_WEIGHT, content if isinstance(content, str) else ""),
    )
    lowered = [(weight, text.lower()) for weight, text in fields]
    return sum(weight * word.share_of(text) for word in words for weight, text in lowered)


def _standing(entry: Entry, now: int) -> float:
    """What an entry is worth without a query: its confidence, and how recent it is."""
    return CONFIDENCE_WEIGHT * _confidence(entry) + _recency(entry, now)


def _confidence(entry: Entry) -> float:
    return number(entry.get("confidence")) or 0.0


def _recency(entry: Entry, now: int) -> float:
    created = instant(entry.get("created_at"))
    if created is None:
        return 0.0
    age = (now - created) / DAY
    return RECENCY_WEIGHT * (1 - age / RECENT_DAYS) if 0 <= age <= RECENT_DAYS else 0.0
