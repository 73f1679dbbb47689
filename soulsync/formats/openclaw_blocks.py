"""Free Markdown as blocks: bullets and paragraphs, which may be memories, and the structure around them (bridges §3).

Not CommonMark: it has to say only where a memory begins and ends, the same for every text, and each line must come out
again as it went in. Cut in one pass; a line is looked at a bounded number of times.
"""

from __future__ import annotations

from soulsync.formats.text import STRIP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

STRUCTURE, BULLET, PARAGRAPH = "structure", "bullet", "paragraph"
_KEY = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_COMMENT, _COMMENT_END = "<!--", "-->"
_TAB = 4


class Block:
    """Whole lines of a file: ``raw`` as they stand, ``text`` what a bullet or a paragraph says, indentation removed.

    ``kind`` is one of the names above; the text of structure is empty.
    """

    __slots__ = ("kind", "raw", "text")

    def __init__(self, kind: str, raw: str, text: str = "") -> None:
        self.kind = kind
        self.raw = raw
        self.text = text

    @property
    def is_blank(self) -> bool:
        """Whether it is nothing but whitespace."""
        return self.kind == STRUCTURE and not self.raw.strip(STRIP)


def read(text: str) -> list[Block]:
    """Cut a text into blocks; joined, their ``raw`` is the text. Never raises; linear."""
    return list(_Reader(lines_of(text)).blocks())


def lines_of(text: str) -> list[str]:
    """Cut behind each LF, CRLF or lone CR, as Python's text mode does."""
    lines: list[str] = []
    for line in text.split("\n"):
        end = "\r\n" if line.endswith("\r") else "\n"
        *whole, last = line.removesuffix("\r").split("\r")
        lines += [part + "\r" for part in whole]
        lines.append(last + end)
    lines[-1] = lines[-1][:-1]  # the text does not end with the line feed that was put behind its last line
    return lines if lines[-1] else lines[:-1]


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.bare = [line.rstrip("\r\n") for line in lines]
        if lines:
            self.bare[0] = self.bare[0].removeprefix("\ufeff")
        self.unclosed: dict[str, int] = {}  # by fence: the shortest that no line below closes
        self.comments_end = True  # whether one may still be closed below

    def blocks(self) -> Iterator[Block]:
        at = self._frontmatter()
        if at:
            yield self._block(STRUCTURE, 0, at)
        while at < len(self.lines):
            begin = at
            if (at := self._structure(begin)) > begin:
                yield self._block(STRUCTURE, begin, at)
            elif (indent := _bullet(self.bare[begin])) is not None:
                at = self._item(begin, indent)
                yield self._block(BULLET, begin, at, self._item_text(begin, at, indent))
            else:
                at = self._paragraph(begin)
                underlined = at - begin > 1 and set(self.bare[at - 1].rstrip(STRIP)) == {"="}
                text = "\n".join(self.bare[begin:at])
                yield self._block(STRUCTURE, begin, at) if underlined else self._block(PARAGRAPH, begin, at, text)

    def _block(self, kind: str, begin: int, end: int, text: str = "") -> Block:
        return Block(kind, "".join(self.lines[begin:end]), text)

    def _frontmatter(self) -> int:
        """The line behind the frontmatter; 0 where there is none, such as between two rules with text in between."""
        if not self.bare or self.bare[0].rstrip(STRIP) != "---":
            return 0
        for at in range(1, len(self.bare)):
            line = self.bare[at].rstrip(STRIP)
            if line == "---":
                return at + 1 if at > 1 else 0
            key, colon, _ = line.partition(":")
            if not line or (at == 1 and not (colon and key and _KEY.issuperset(key))):
                return 0
        return 0

    def _structure(self, at: int) -> int:
        """The line behind the structure that begins at ``at``; ``at`` itself where a memory begins."""
        line = self.bare[at]
        if line.startswith(_COMMENT):
            return self._comment(at)
        return at + 1 if not line.strip(STRIP) or _is_heading(line) or _is_rule(line) else at

    def _comment(self, at: int) -> int:
        _, closed, behind = self.bare[at][len(_COMMENT) :].partition(_COMMENT_END)
        if closed:
            return at if behind.strip(STRIP) else at + 1
        for end in range(at + 1, len(self.bare) if self.comments_end else 0):
            if _COMMENT_END in self.bare[end]:
                return end + 1
        self.comments_end = False
        return at + 1

    def _fenced(self, at: int) -> int:
        """The line behind the fenced code that begins at ``at``; ``at`` itself where none does, or none that ends."""
        line = self.bare[at]
        mark = line[:1]
        run = len(line) - len(line.lstrip(mark)) if mark in ("`", "~") else 0
        if run < 3 or (mark == "`" and mark in line[run:]) or self.unclosed.get(mark, run + 1) <= run:
            return at
        for end in range(at + 1, len(self.bare)):
            closing = self.bare[end]
            if closing[:run] == mark * run and not closing.rstrip(STRIP).strip(mark):
                return end + 1
        self.unclosed[mark] = run
        return at

    def _begins(self, at: int) -> bool:
        """Whether something else begins at ``at`` while a memory goes on."""
        return self._structure(at) > at or _bullet(self.bare[at]) is not None

    def _paragraph(self, at: int) -> int:
        end = max(self._fenced(at), at + 1)
        while end < len(self.bare) and not self._begins(end):
            end = max(self._fenced(end), end + 1)
        return end

    def _item(self, at: int, indent: int) -> int:
        """The line behind a bullet: indented lines belong to it, also after blank ones, and lines that just go on."""
        end = at + 1
        while end < len(self.bare):
            following = end
            while following < len(self.bare) and not self.bare[following].strip(STRIP):
                following += 1
            if following == len(self.bare):
                return end
            if _indent(self.bare[following]) < indent + 2:
                lazy = following == end and not self._begins(end) and self._fenced(end) == end
                if not lazy:
                    return end
            end = following + 1
        return end

    def _item_text(self, begin: int, end: int, indent: int) -> str:
        first = self.bare[begin][indent + 1 :].lstrip(" \t")
        return "\n".join([first, *(_dedented(line, indent + 2) for line in self.bare[begin + 1 : end])])


def _bullet(line: str) -> int | None:
    """How far a line is indented before its bullet; None where it has none. Deeper than 3 it is text."""
    rest = line.lstrip(" ")
    indent = len(line) - len(rest)
    is_one = indent <= 3 and rest[:1] in ("-", "*", "+") and rest[1:2] in ("", " ", "\t")
    return indent if is_one else None


def _is_heading(line: str) -> bool:
    rest = line.lstrip("#")
    return 0 < len(line) - len(rest) <= 6 and rest[:1] in ("", " ", "\t")


def _is_rule(line: str) -> bool:
    """Whether a line is a rule across the page: three or more of one sign, perhaps with blanks between them."""
    signs = line.replace(" ", "").replace("\t", "")
    return len(signs) >= 3 and signs[0] in "-*_" and line[:1] == signs[0] and signs == signs[0] * len(signs)


def _indent(line: str) -> int:
    """How far a line is indented; a tab counts as 4."""
    return sum(_TAB if char == "\t" else 1 for char in line[: len(line) - len(line.lstrip(" \t"))])


def _dedented(line: str, width: int) -> str:
    if line[:1] == "\t":
        return line[1:]
    return line[min(width, len(line) - len(line.lstrip(" "))) :]
