"""Frontmatter, line by line: what a file says in ``key: value`` lines between two ``---`` lines, and the text below.

Not YAML: ordinary text breaks that (``description: 用户说: 用 pnpm`` is an error there, ``fixed in PR #456`` loses its
end), and tools that wrote such files anew lost what people had written. Here every line is kept as it stands, and a
write changes only the lines whose values change. What the values mean is in :mod:`soulsync.formats.frontmatter_values`.
"""

from __future__ import annotations

from soulsync.formats.text import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

FENCE = "---"
_KEY = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")


class Field:
    """A key with everything that belongs to it.

    ``raw`` is its line and the lines up to the next key (comments, blank lines, items of a list), line ends included;
    ``line`` the number of its line in the file, from 1, and 0 in a field that was not read from one.
    """

    __slots__ = ("key", "line", "raw")

    def __init__(self, key: str, raw: str, line: int = 0) -> None:
        self.key = key
        self.raw = raw
        self.line = line

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Field) and self.raw == other.raw

    def __hash__(self) -> int:
        return hash(self.raw)

    def __repr__(self) -> str:
        return f"Field({self.raw!r})"

    @property
    def text(self) -> str:
        """What stands behind the colon, blanks around it removed and nothing else: the value of an unknown key."""
        return self.raw[len(self.key) + 1 : self.raw.find("\n")].strip()

    @property
    def rest(self) -> str:
        """The lines below the key's own."""
        return self.raw[self.raw.find("\n") + 1 :]

    @property
    def end(self) -> str:
        """How the key's line ends: LF or CRLF."""
        at = self.raw.find("\n")
        return "\r\n" if self.raw[at - 1] == "\r" else "\n"


class Document:
    """A file with frontmatter, in pieces that make the file again when they are joined; never changed in place.

    ``opening`` is the first fence (after a byte order mark where there is one), ``preamble`` the lines before the first
    key, ``fields`` the keys in order, duplicates included, ``closing`` the second fence, ``body`` all that follows.
    """

    __slots__ = ("body", "closing", "fields", "opening", "preamble")

    def __init__(self, opening: str, preamble: str, fields: Iterable[Field], closing: str, body: str) -> None:
        self.opening = opening
        self.preamble = preamble
        self.fields = tuple(fields)
        self.closing = closing
        self.body = body

    @property
    def newline(self) -> str:
        """The line end of the first line, which new lines take too: LF or CRLF."""
        return "\r\n" if self.opening.endswith("\r\n") else "\n"

    @property
    def body_line(self) -> int:
        """The number of the first line of the body."""
        return 3 + self.preamble.count("\n") + sum(field.raw.count("\n") for field in self.fields)

    def find(self, key: str) -> Field | None:
        """The field of a key, of several the last; None where there is none."""
        return next((field for field in reversed(self.fields) if field.key == key), None)

    def text(self, key: str) -> str | None:
        """The uninterpreted value of a key (:attr:`Field.text`), or None."""
        field = self.find(key)
        return None if field is None else field.text

    def with_fields(self, fields: Iterable[Field]) -> Document:
        """The same document with other fields."""
        return Document(self.opening, self.preamble, fields, self.closing, self.body)

    def with_body(self, body: str) -> Document:
        """The same document with another body; a fence that ended the file gets the line end it then needs."""
        closing = self.closing if self.closing.endswith("\n") or not body else FENCE + self.newline
        return Document(self.opening, self.preamble, self.fields, closing, body)


def parse(data: bytes) -> Document:
    """Read a file. Linear. Raises :class:`Malformed` where it is not UTF-8 or does not begin with a closed block.

    The first line must be ``---`` and a later one exactly ``---``; CRLF counts as a line end, a lone CR does not.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Malformed("not UTF-8") from None
    start = 1 if text[:1] == "\ufeff" else 0
    begin = text.find("\n") + 1
    if text[start:begin].rstrip("\n").removesuffix("\r") != FENCE:
        raise Malformed("without frontmatter")
    fence, after = _closing(text, begin - 1)
    preamble, fields = _fields(text[begin:fence])
    return Document(text[:begin], preamble, fields, text[fence:after], text[after:])


def render(document: Document) -> bytes:
    """Write a document: the very bytes it was read from, but for what was put in."""
    return (
        document.opening
        + document.preamble
        + "".join([field.raw for field in document.fields])
        + document.closing
        + document.body
    ).encode("utf-8")


def build(pairs: Iterable[tuple[str, str]], body: str) -> Document:
    """A new document from keys with their texts, each on one line, and a body."""
    fields = [Field(key, f"{key}: {text}".rstrip() + "\n") for key, text in pairs]
    return Document(FENCE + "\n", "", fields, FENCE + "\n", body)


def put(document: Document, key: str, make: Callable[[Field | None], Field]) -> Document:
    """Put what ``make`` gives in place of the key's last field; a new key goes before the closing fence."""
    at = max((i for i, field in enumerate(document.fields) if field.key == key), default=None)
    if at is None:
        return document.with_fields([*document.fields, make(None)])
    new = make(document.fields[at])
    if new == document.fields[at]:
        return document
    return document.with_fields([*document.fields[:at], new, *document.fields[at + 1 :]])


def drop(document: Document, key: str) -> Document:
    """Take a key out, every time it is there; comments and blank lines below it stay where they are."""
    return _without(document, [i for i, field in enumerate(document.fields) if field.key == key])


def collapse(document: Document, keys: Iterable[str]) -> Document:
    """Keep of each of these keys the last field alone, which is the one that counts."""
    last = {field.key: i for i, field in enumerate(document.fields)}
    known = set(keys)
    return _without(
        document, [i for i, field in enumerate(document.fields) if field.key in known and last[field.key] != i]
    )


def key_of(line: str) -> str | None:
    """The key of a line ``key:`` or ``key: value``, None for every other line.

    As the pattern ``^[A-Za-z_][A-Za-z0-9_.-]*:(?=\\s|$)`` says; modules that a merge driver loads do without ``re``.
    """
    key, colon, rest = line.partition(":")
    if not colon or not key or (rest and not rest[0].isspace()):
        return None
    if key.isascii() and (key.isidentifier() or (key[0] not in "0123456789.-" and _KEY.issuperset(key))):
        return key
    return None


def _closing(text: str, at: int) -> tuple[int, int]:
    """Where the closing fence begins and where its line ends, from the line end at ``at`` on."""
    while (at := text.find("\n" + FENCE, at)) >= 0:
        at += 1
        end = text.find("\n", at) + 1 or len(text)
        if end - at <= len(FENCE) + 2 and text[at:end].rstrip("\n").removesuffix("\r") == FENCE:
            return at, end
    raise Malformed("without the line that closes its frontmatter")


def _fields(block: str) -> tuple[str, list[Field]]:
    """The lines before the first key, and the fields."""
    lines = _lines(block)
    keys = [(at, key) for at, line in enumerate(lines) if (key := key_of(line)) is not None]
    ends = [*(at for at, _ in keys[1:]), len(lines)]
    fields = [Field(key, "".join(lines[at:end]), at + 2) for (at, key), end in zip(keys, ends, strict=False)]
    return "".join(lines[: keys[0][0] if keys else len(lines)]), fields


def _lines(text: str) -> list[str]:
    """The lines of a text in which every line has its end; ``str.splitlines`` knows more ends than a file has."""
    return [line + "\n" for line in text.split("\n")[:-1]]


def _without(document: Document, gone: Sequence[int]) -> Document:
    if not gone:
        return document
    left_out = set(gone)
    preamble = document.preamble
    fields: list[Field] = []
    for i, field in enumerate(document.fields):
        if i not in left_out:
            fields.append(field)
            continue
        kept = "".join(line for line in _lines(field.rest) if _stays(line))
        if fields:
            before = fields[-1]
            fields[-1] = Field(before.key, before.raw + kept, before.line)
        else:
            preamble += kept
    return Document(document.opening, preamble, fields, document.closing, document.body)


def _stays(line: str) -> bool:
    """Whether a line below a key outlives it: a comment or a blank line."""
    return line.lstrip()[:1] in ("", "#")
