"""One input for every parser and merge rule, and a mutator of real files: shared by the tests, the soak and atheris."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.formats import (
    agent,
    body,
    conversion,
    cortex_rules,
    entries,
    instants,
    journal,
    json_lines,
    json_text,
    lease,
    note,
    openclaw,
)
from soulsync.formats.text import Malformed
from soulsync.merge.order import merge_lists
from soulsync.merge.result import BOTH, OURS, THEIRS, Sides
from soulsync.merge.rules import MODULES, merge_file
from soulsync.repo import paths
from soulsync.shipped import shipped

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    Files = tuple[bytes | None, bytes | None, bytes | None]

SLOW = 2.0
"""Seconds that no input of this size may take."""
PATHS = {
    "soul-entries": "memories/MEMORY.md",
    "soul-agent": "agent.json",
    "soul-newest": "SOUL.md",
    "soul-journal": "journal/one/2026-01-01.md",
    "soul-body": "bodies/one.json",
    "soul-lease": "locks/consolidation.json",
    "soul-oxsoul": "oxsoul/topic.md",
    "soul-oxsoul-index": "oxsoul/MEMORY.md",
    "soul-cortex": ".agent/memory/semantic/MEM-a.json",
}
PARSERS: tuple[Callable[[bytes], object], ...] = (agent.parse, body.parse, lease.parse, json_text.parse)
PIECES = (
    b"\xc2\xa7", b"\n\xc2\xa7\n", b"\r\n", b"\r", b"\n", b"\xef\xbb\xbf", b"\xff", b"\xed\xa0\x80", b"\0", b"\x1b[2J",
    b"## 10:00 x\n", b"## 24:60\n", b"# 2026-01-01 \xc2\xb7 one\n", b"# ", b"> ", b"\xe2\x80\xae", b"\xe3\x80\x80",
    b"{", b"}", b"[", b"]", b'"', b"\\u", b"\\ud800", b"null", b"true", b"-0", b"1e999", b"1.0e5", b"9" * 40, b"NaN",
    b'"id":', b'"seed":true', b'"until":', b'"body":', b'"lastSeen":"0001-01-01T00:00:00+23:59"', b'"until":1e18',
    b'"lastSeen":"9999-12-31T23:59:59.999Z"', b"<<<<<<< ", b"=======\n", b">>>>>>> ", b"\n\n\n",
)  # fmt: skip


def seeds() -> list[bytes]:
    """The files that the project ships as examples; every finding of a fuzzer is added to them."""
    files = sorted(path for path in shipped("fixtures").rglob("*") if path.is_file())
    return [data for data in (path.read_bytes() for path in files) if len(data) < 20_000]


class Mutator:
    """Makes inputs from the fixtures; everything is chosen by ``chance``."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.seeds = chance, seeds()

    def files(self) -> Files:
        """Base, ours and theirs: most often relatives of each other."""
        base = self._seed()
        ours, theirs = self._mutated(base), self._mutated(base)
        if self.chance.random() < 0.1:
            theirs = self._seed()
        found = [None if self.chance.random() < 0.04 else data for data in (base, ours, theirs)]
        return found[0], found[1], found[2]

    def sides(self) -> Sides:
        """Commit times, often equal or unknown, and the flags."""
        chance = self.chance
        times = [chance.choice([None, 0, 1, 10**9, 2**63 - 1, -5, chance.randint(0, 2 * 10**9)]) for _ in range(2)]
        flags = {name: chance.random() < 0.1 for name in ("inner", "ours_unpushed", "theirs_unpushed")}
        return Sides(times[0], times[1], **flags)

    def _seed(self) -> bytes:
        if self.chance.random() < 0.05:
            return self.chance.randbytes(self.chance.randint(0, 60))
        return self.chance.choice(self.seeds)[:4000]

    def _mutated(self, data: bytes) -> bytes:
        for _ in range(self.chance.choice([0, 1, 1, 2, 5])):
            data = self._once(data)
        return data

    def _once(self, data: bytes) -> bytes:
        chance = self.chance
        at, end = sorted((chance.randint(0, len(data)), chance.randint(0, len(data))))
        if len(data) > 8000 or chance.random() < 0.2:
            return data[:at] + data[end:]
        kind = chance.randint(0, 4)
        if kind == 0:
            return data[:at] + chance.choice(PIECES) + data[at:]
        if kind == 1:
            return data[:at] + chance.choice(PIECES) + data[end:]
        if kind == 2:
            return data[:end] + data[at:]
        if kind == 3:
            return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        return data[:at] + chance.choice(PIECES) * chance.randint(1, 200) + data[at:]


def feed(files: Files, sides: Sides) -> None:
    """Give one input to everything that reads bytes of other programs. Raises what a parser or rule must not raise."""
    for data in files:
        read(data or b"")
    for rule in MODULES:
        merge(rule, files, sides)


def merge(rule: str, files: Files, sides: Sides) -> None:
    """Merge by one rule; the result must be what a result may be, and the same again."""
    base, ours, theirs = files
    merged = merge_file(rule, PATHS[rule], base, ours, theirs, sides)
    assert merged.kept in (BOTH, OURS, THEIRS)
    again = merge_file(rule, PATHS[rule], base, ours, theirs, sides)
    assert again == merged
    if rule == "soul-entries" and merged.data is not None and ours and theirs:
        keeps_entries(base or b"", ours, theirs, merged.data)


def keeps_entries(base: bytes, ours: bytes, theirs: bytes, merged: bytes) -> None:
    """Where both sides changed the memories: what either added is there, what either deleted is not, all once (§4)."""
    if ours == theirs or base in (ours, theirs):
        return
    had, mine, other = (set(entries.parse(data)) for data in (base, ours, theirs))
    held = entries.parse(merged)
    assert set(held) == (mine & other) | (mine - had) | (other - had)
    assert len(set(held)) == len(held)


def judge(data: bytes, entry: dict[str, object]) -> None:
    """Take an object for an entry of ``.agent/memory``; a valid one goes to OxSoul and comes back the same."""
    assert set(json_lines.lines(data)) == set(entry)
    json_lines.repeated(data)
    if cortex_rules.faults(entry):
        return
    done = conversion.convert(entry, conversion.OXSOUL, "2026-11-30T00:00:00.000Z")
    assert (done.losses, done.refusals) == ([], [])


def read(data: bytes) -> None:
    """Give bytes to every parser."""
    for parse in PARSERS:
        try:
            value = parse(data)
        except Malformed:
            continue
        if parse is json_text.parse:
            assert json_text.same(json_text.parse(json_text.render(value)), value)
            if isinstance(value, dict):
                judge(data, value)
        elif parse is agent.parse and isinstance(value, dict):
            agent.problems(value)
        elif parse is body.parse and isinstance(value, dict):
            body.problems(value, "one")
            body.last_seen(value)
    texts = entries.parse(data)
    assert entries.parse(entries.render(texts)) == texts
    assert journal.render(journal.parse(data)) == data
    note.parse(data)
    told = openclaw.parse(data)
    assert set(openclaw.parse(openclaw.render(data, told[1:]))) == set(told[1:])
    read_text(data[:300].decode("utf-8", "surrogateescape"))


def read_text(text: str) -> None:
    """Give text to what takes names and times."""
    micros = instants.instant(text.strip())
    if micros is not None:
        instants.timestamp(micros // 1000)
    instants.is_timestamp(text)
    body.looks_like_address(text)
    paths.shown(text)
    paths.is_portable(text)
    paths.twin_key(text)
    if paths.is_safe(text):
        assert ".." not in text.split("/")
    lines = text.split("\n")
    merge_lists(sorted(set(lines)), list(dict.fromkeys(lines)), list(dict.fromkeys(lines[1:])), _key)


def _key(texts: list[str]) -> bytes:
    return "\n".join(texts).encode("utf-8", "surrogatepass")
