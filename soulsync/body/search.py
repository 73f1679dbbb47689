"""Finding text in memories, notes and journals of all bodies, ranked, with excerpts; Chinese by overlapping pairs."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Any

from soulsync import spec
from soulsync.body.notes import is_note
from soulsync.formats import entries, journal, note
from soulsync.repo.paths import shown
from soulsync.repo.worktree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_HAN = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_HAN}]+|[^\W{_HAN}]+")
_IS_HAN = re.compile(rf"[{_HAN}]")
EXCERPT = 160
TITLE_WEIGHT = 2.0
WORD_WEIGHT = 4.0
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
    phrase = " ".join(fold(query).split())
    terms = tokens(query) or phrase.split()  # nothing but signs, such as an emoji: looked for as they are
    if not terms:
        return []
    every = [(passage, _Folded(passage)) for passage in passages(soul)]
    weights = _rarity([folded for _, folded in every], terms)
    scored = [(folded.score(weights, phrase), passage) for passage, folded in every]
    best = sorted((hit for hit in scored if hit[0] > 0), key=lambda hit: -hit[0])[:limit]
    return [Hit(passage, score, excerpt(passage.text, phrase, terms)) for score, passage in best]


def fold(text: str) -> str:
    """``text`` in the form in which spellings of one word are equal: composed, half-width, lower case."""
    return unicodedata.normalize("NFKC", text).casefold()


def tokens(text: str) -> list[str]:
    """Words in lower case; a run of Han, kana or hangul as its overlapping pairs, a single one as itself."""
    found: list[str] = []
    for run in _TOKEN.findall(fold(text)):
        if _IS_HAN.match(run) and len(run) > 1:
            found.extend(run[i : i + 2] for i in range(len(run) - 1))
        else:
            found.append(run)
    return found


class _Folded:
    """A passage made ready for comparison."""

    __slots__ = ("text", "title", "words")

    def __init__(self, passage: Passage) -> None:
        self.title, self.text = fold(passage.title), " ".join(fold(passage.text).split())
        self.words = frozenset(_TOKEN.findall(self.title + " " + self.text))

    def holds(self, term: str) -> bool:
        """Whether the term occurs; one or two letters only as a word, since every text holds them somewhere."""
        if len(term) < 3 and term.isalnum() and not _IS_HAN.match(term):
            return term in self.words
        return term in self.title or term in self.text

    def score(self, weights: dict[str, float], phrase: str) -> float:
        """What each term that occurs is worth: in the title more, as a whole word more, all together most."""
        score = sum(
            weight * ((term in self.text) + TITLE_WEIGHT * (term in self.title) + WORD_WEIGHT * (term in self.words))
            for term, weight in weights.items()
            if self.holds(term)
        )
        if score and (phrase in self.text or phrase in self.title):
            score += PHRASE_WEIGHT * max(weights.values())
        return score


def _rarity(passages: list[_Folded], terms: list[str]) -> dict[str, float]:
    """A word that few passages hold says more: the logarithm of how rare it is."""
    counts = {term: sum(passage.holds(term) for passage in passages) for term in terms}
    return {term: log(1 + len(passages) / count) if count else 0.0 for term, count in counts.items()}


def excerpt(text: str, phrase: str, terms: list[str]) -> str:
    """One line around the first match, at most about 160 characters."""
    line = unicodedata.normalize("NFC", " ".join(text.split()))
    low = fold(line)
    places = [low.find(wanted) for wanted in (phrase, *terms)]
    at = next((place for place in places if place >= 0), 0)
    start = max(0, min(at - EXCERPT // 3, len(line) - EXCERPT))
    cut = line[start : start + EXCERPT]
    return ("… " if start else "") + cut + (" …" if start + EXCERPT < len(line) else "")


def passages(soul: Path) -> Iterator[Passage]:
    """Everything that can be found in a soul: entries, notes, journal sections, by path, in the order of the file."""
    worktree = WorkTree(soul, soul / ".git" / "soulsync")
    for path, data in _files(worktree, "memories"):
        if spec.is_memories(path):
            for text in entries.parse(data):
                yield Passage("memory", path, "", text)
    for path, data in _files(worktree, "notes"):
        yield _note(path, data)
    for path, data in _files(worktree, "journal"):
        yield from _sections(path, data)


def _note(path: str, data: bytes) -> Passage:
    parsed = note.parse(data)
    stem = path.rpartition("/")[2].removesuffix(".md")
    return Passage("note", path, " ".join(p for p in (parsed.topic or stem, parsed.summary) if p), parsed.text)


def _sections(path: str, data: bytes) -> Iterator[Passage]:
    body = path.split("/")[1]
    parsed = journal.parse(data)
    before = parsed.preamble.partition("\n")[2] if parsed.preamble.startswith("# ") else parsed.preamble
    if before.strip():
        yield Passage("journal", path, "", before.strip("\n"), body)
    for section in parsed.sections:
        yield Passage("journal", path, f"{section.time} {section.title}".strip(), section.body, body)


def _files(worktree: WorkTree, folder: str) -> Iterator[tuple[str, bytes]]:
    """Plain files only, without conflict copies, and nothing larger than what is checked out; links not followed."""
    for path in sorted(worktree.files_below(folder)):
        if is_note(path):
            data = worktree.look(path, limit=spec.MAX_CHECKOUT_BYTES).data
            if data is not None:
                yield path, data
