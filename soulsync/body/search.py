"""Finding text in memories, notes and journals of all bodies, ranked, with excerpts; Chinese by overlapping pairs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Any

from soulsync import spec
from soulsync.formats import entries, journal, note
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_HAN = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_HAN}]+|[^\W{_HAN}]+")
_IS_HAN = re.compile(rf"[{_HAN}]")
EXCERPT = 160
TITLE_WEIGHT = 2.0
PHRASE_WEIGHT = 2.0


@dataclass(frozen=True, slots=True)
class Passage:
    """One thing that can be found: an entry, a note, a journal section."""

    kind: str
    path: str
    title: str
    text: str
    body: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that matches, with its ``score`` and an ``excerpt`` around the first match."""

    passage: Passage
    score: float
    excerpt: str

    def as_json(self) -> dict[str, Any]:
        """``{kind, path, title, body, score, excerpt, text}``."""
        found = self.passage
        return {
            "kind": found.kind,
            "path": shown(found.path),
            "title": found.title,
            "body": found.body,
            "score": round(self.score, 4),
            "excerpt": self.excerpt,
            "text": found.text,
        }


def search(soul: Path, query: str, limit: int = 20) -> list[Hit]:
    """The best passages of the soul for ``query``; ties by path, then by place in the file."""
    terms = tokens(query)
    phrase = " ".join(query.casefold().split())
    if not terms:
        return []
    passages = list(_passages(soul))
    weights = _rarity(passages, terms)
    hits = []
    for passage in passages:
        score = _score(passage, terms, weights, phrase)
        if score > 0:
            hits.append(Hit(passage, score, excerpt(passage.text, phrase, terms)))
    return sorted(hits, key=lambda hit: -hit.score)[:limit]


def tokens(text: str) -> list[str]:
    """Words in lower case; a run of Han, kana or hangul as its overlapping pairs, a single one as itself."""
    found: list[str] = []
    for run in _TOKEN.findall(text.casefold()):
        if _IS_HAN.match(run) and len(run) > 1:
            found.extend(run[i : i + 2] for i in range(len(run) - 1))
        else:
            found.append(run)
    return found


def _rarity(passages: list[Passage], terms: list[str]) -> dict[str, float]:
    """A word that few passages hold says more: the logarithm of how rare it is."""
    counts = dict.fromkeys(terms, 0)
    for passage in passages:
        text = f"{passage.title}\n{passage.text}".casefold()
        for term in counts:
            counts[term] += term in text
    return {term: log(1 + len(passages) / count) if count else 0.0 for term, count in counts.items()}


def _score(passage: Passage, terms: list[str], weights: dict[str, float], phrase: str) -> float:
    title, text = passage.title.casefold(), passage.text.casefold()
    score = sum(weights[t] * ((t in text) + TITLE_WEIGHT * (t in title)) for t in dict.fromkeys(terms))
    if score and phrase in " ".join(text.split()):
        score += PHRASE_WEIGHT * max(weights.values())
    return score


def excerpt(text: str, phrase: str, terms: list[str]) -> str:
    """One line around the first match, at most about 160 characters."""
    line = " ".join(text.split())
    low = line.casefold()
    places = [low.find(wanted) for wanted in (phrase, *terms)]
    at = next((place for place in places if place >= 0), 0)
    start = max(0, min(at - EXCERPT // 3, len(line) - EXCERPT))
    cut = line[start : start + EXCERPT]
    return ("… " if start else "") + cut + (" …" if start + EXCERPT < len(line) else "")


def _passages(soul: Path) -> Iterator[Passage]:
    for file in _files(soul, "memories", "*.md"):
        path = str(file.relative_to(soul))
        for text in entries.parse(file.read_bytes()):
            yield Passage("memory", path, "", text)
    for file in _files(soul, "notes", "**/*.md"):
        parsed = note.parse(file.read_bytes())
        path = str(file.relative_to(soul))
        title = " ".join(part for part in (parsed.topic or file.stem, parsed.summary) if part)
        yield Passage("note", path, title, parsed.text)
    for file in _files(soul, "journal", "*/*.md"):
        yield from _sections(str(file.relative_to(soul)), file.read_bytes())


def _sections(path: str, data: bytes) -> Iterator[Passage]:
    body = path.split("/")[1]
    parsed = journal.parse(data)
    if not parsed.sections:
        yield Passage("journal", path, "", parsed.preamble, body)
    for section in parsed.sections:
        yield Passage("journal", path, f"{section.time} {section.title}".strip(), section.body, body)


def _files(soul: Path, folder: str, pattern: str) -> list[Path]:
    """Plain files only, without conflict copies and links, and nothing that no commit would take."""
    found = sorted((soul / folder).glob(pattern))
    return [
        file
        for file in found
        if ".incoming" not in file.name
        and not file.is_symlink()
        and file.is_file()
        and file.stat().st_size <= 16 * spec.MAX_FILE_BYTES
    ]
