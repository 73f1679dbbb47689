"""OpenClaw's ``MEMORY.md`` and ``USER.md``: free Markdown to entries and back (bridges §1, §3).

Bullets and paragraphs are entries. Headings, comments, rules, frontmatter and what OpenClaw itself ships are structure:
it stays where and as it is, and so do entries that stay. An entry that Markdown can't hold, or that would be taken for
structure, is written as ``- §"…"``, a JSON string on one line.
"""

from __future__ import annotations

from soulsync.formats import entries
from soulsync.formats.openclaw_blocks import BULLET, STRUCTURE, Block, read
from soulsync.formats.openclaw_page import Page
from soulsync.formats.openclaw_template import is_template
from soulsync.formats.text import STRIP, decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

USER_LIMIT = 4_000
"""Characters of ``USER.md`` that OpenClaw shows the agent."""
FILE_LIMIT = 20_000
"""Characters of any other file that it shows."""
_QUOTED, _QUOTE_END = f'{entries.DELIMITER}"', '"'


class _Held:
    """A block with the entries in it: none in structure, one as a rule, several where a line is a lone section sign."""

    __slots__ = ("block", "entries")

    def __init__(self, block: Block) -> None:
        self.block = block
        self.entries = _entries_of(block)


def parse(data: bytes) -> list[str]:
    """Read the entries of a file, in order, duplicates included. Never raises; linear."""
    return [entry for held in _read(decode(data)) for entry in held.entries]


def render(data: bytes, wanted: Iterable[str]) -> bytes:
    """Change a file so that its entries are those of ``wanted``, each once or as often as it stands there.

    A new entry goes behind the one before it in ``wanted``, else behind the last in the file. What only the order of
    entries would change is left. Each text must be an entry (:func:`soulsync.formats.entries.is_entry`).
    """
    text, wanted = decode(data), list(dict.fromkeys(wanted))
    held = _read(text)
    if {entry for one in held for entry in one.entries} == set(wanted):
        return data
    goal = (sorted(wanted), _structure(held))
    for attempt in _attempts(held, wanted, text):
        again = _read(attempt)
        if (sorted({entry for one in again for entry in one.entries}), _structure(again)) == goal:
            break
    return encode(attempt)


def _attempts(held: list[_Held], wanted: list[str], text: str) -> Iterator[str]:
    """The text with these entries, the one that changes least first; the last is right for every text.

    In odd surroundings lines mean something else once their neighbours are gone.
    """
    yield _in_place(held, wanted, text)
    yield _at_the_end(held, wanted, text, _bullet)
    yield _at_the_end(held, wanted, text, _quoted)
    page = Page(text, apart=True)
    for one in held:
        page.replace(()) if one.entries else page.keep(one.block)
    page.add(map(_quoted, wanted))
    yield page.text()


def project(data: bytes, wanted: Sequence[str], limit: int) -> list[str]:
    """Choose the entries that the file can show within ``limit`` UTF-16 units, structure counted, in order.

    What stands in the file stays: OpenClaw put it there and still finds it with its tools; only additions must fit.
    """
    text = decode(data)
    standing = {entry for one in _read(text) for entry in one.entries}
    kept = standing & set(wanted)
    used = _units(decode(render(data, kept)))
    shown: list[str] = []
    crlf = Page(text).newline == "\r\n"
    for entry in dict.fromkeys(wanted):
        bullet = "" if entry in kept else _bullet(entry)
        size = _units(bullet) + (bullet.count("\n") if crlf else 0)
        if size == 0 or used + size <= limit:
            shown.append(entry)
            used += size
    # Blank lines, and what its surroundings made it quote, may make it longer than that.
    while (fresh := [entry for entry in shown if entry not in kept]) and _units(decode(render(data, shown))) > limit:
        shown.remove(fresh[-1])
    return shown


def _read(text: str) -> list[_Held]:
    return [_Held(block) for block in read(text)]


def _entries_of(block: Block) -> tuple[str, ...]:
    if block.kind == STRUCTURE or is_template(block.text):
        return ()
    quoted = _unquoted(block.text.strip(STRIP)) if block.kind == BULLET else None
    return tuple(entries.parse(encode(block.text))) if quoted is None else (quoted,)


def _structure(held: Iterable[_Held]) -> list[str]:
    """The lines that are no entries, blank ones apart."""
    return [one.block.raw.rstrip("\r\n") for one in held if not one.entries and not one.block.is_blank]


def _in_place(held: Sequence[_Held], wanted: Sequence[str], text: str) -> str:
    """Take out what is not wanted and put each new entry behind the one before it."""
    page, keep = Page(text), set(wanted)
    order = [entry for one in held for entry in one.entries]
    standing = set(order)
    behind: dict[str | None, list[str]] = {}
    # With nothing before it: an edit of the first entry takes its place, any other comes last.
    ends = order[:1] if order and order[0] not in keep else order[-1:]
    before = ends[0] if ends else None
    for entry in wanted:
        if entry in standing:
            before = entry
        else:
            behind.setdefault(before, []).append(entry)
    for one in held:
        kept = [entry for entry in one.entries if entry in keep]
        page.keep(one.block) if len(kept) == len(one.entries) else page.replace(map(_bullet, kept))
        for entry in one.entries:
            page.add(map(_bullet, behind.pop(entry, ())), after=one.block)
    page.add(map(_bullet, behind.pop(None, ())))
    return page.text()


def _at_the_end(held: Sequence[_Held], wanted: Sequence[str], text: str, form: Callable[[str], str]) -> str:
    """Take out what is not wanted and put every new entry at the end."""
    page, keep = Page(text), set(wanted)
    standing: set[str] = set()
    for one in held:
        if keep.issuperset(one.entries):
            page.keep(one.block)
            standing.update(one.entries)
        else:
            page.replace(())
    page.add(form(entry) for entry in wanted if entry not in standing)
    return page.text()


def _bullet(entry: str) -> str:
    """An entry as a bullet with two-space continuation, where that reads back the same; else quoted."""
    bullet = _line("\n".join(line and f"  {line}" for line in entry.split("\n"))[2:])
    readable = not any("\ud800" <= char <= "\udfff" for char in entry)
    return bullet if readable and parse(encode(bullet)) == [entry] else _quoted(entry)


def _quoted(entry: str) -> str:
    """An entry in the form that no surroundings change."""
    return _line(_quote(entry))


def _line(text: str) -> str:
    return f"- {text}\n"


def _quote(entry: str) -> str:
    """An entry on one line that holds nothing which Markdown, or UTF-8, would take for something else."""
    import json

    said = json.dumps(entry, ensure_ascii=False).replace(">", "\\u003e")
    said = "".join(f"\\u{ord(char):04x}" if "\ud800" <= char <= "\udfff" else char for char in said)
    return _QUOTED + said[1:]


def _unquoted(text: str) -> str | None:
    """The entry that a text quotes; None for any other text, and for one that we would have written otherwise."""
    if not text.startswith(_QUOTED) or not text.endswith(_QUOTE_END):
        return None
    import json

    try:
        entry = json.loads(text[1:])
    except ValueError:
        return None
    return entry if isinstance(entry, str) and entries.is_entry(entry) and _quote(entry) == text else None


def _units(text: str) -> int:
    """The length of a text as JavaScript counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
