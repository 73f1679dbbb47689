"""Values of frontmatter: the text behind a key as a string, a number or a list, and back.

A write keeps what it can of the line: the blanks before the value and the comment behind it.
"""

from __future__ import annotations

from soulsync.formats.frontmatter import Field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_HEX = {"x": 2, "u": 4, "U": 8}
"""What a backslash means in double quotes, as JSON and YAML have it in common; before anything else it is text."""
_NUMBER = frozenset("0123456789+-.eE")


def string(text: str, *, comments: bool) -> str:
    """The string that a text stands for: quotes removed where the whole of it is one closed quoted string.

    With ``comments`` what follows a blank and ``#`` outside of quotes is no part of it.
    """
    if text[:1] in ('"', "'"):
        end = _closing_quote(text, 0)
        if end and (not text[end:] or (comments and _is_comment(text[end:]))):
            return _unquoted(text[:end])
    return text[: _comment(text)].rstrip() if comments else text


def number(text: str) -> float | None:
    """The number that a text stands for, unclamped; None for every other text, for NaN and for infinities."""
    text = string(text, comments=True)
    if not _NUMBER.issuperset(text):
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value - value == 0 else None


def array(field: Field) -> tuple[list[str], bool]:
    """The strings of ``[a, b]``, of ``- a`` lines below the key or of an empty value; whether it is one of these.

    Text without brackets is read as a list too, parted at its commas.
    """
    text = field.text
    if text.startswith("["):
        if text.find("]") == len(text) - 1 and '"' not in text and "'" not in text:
            return [item for part in text[1:-1].split(",") if (item := part.strip())], True
        items, clean, _ = _bracketed(text + "\n" + field.rest)
        return items, clean
    text = text[: _comment(text)]
    if text:
        return [item for part in text.split(",") if (item := string(part.strip(), comments=False))], False
    lines = [line.strip() for line in field.rest.split("\n") if _is_item(line)]
    return [string(line[1:].strip(), comments=True) for line in lines], True


def with_string(field: Field | None, key: str, value: str, newline: str, *, comments: bool) -> Field:
    """The field with another string: bare where that reads back the same, else in double quotes."""
    bare = value == value.strip() and not _breaks(value) and string(value, comments=comments) == value
    return with_text(field, key, value if bare else quoted(value), newline, comments=comments)


def with_array(field: Field | None, key: str, values: Sequence[str], newline: str) -> Field:
    """The field with another list, in brackets; the lines of the old list go."""
    text = "[" + ", ".join([_item(value) for value in values]) + "]"
    if field is None:
        return with_text(field, key, text, newline, comments=True)
    old, rest = field.text, field.rest
    if old.startswith("["):
        _, _, end = _bracketed(old + "\n" + rest)
        behind = old[end:]
        if end > len(old):  # the brackets are closed some lines below
            behind, _, rest = rest[end - len(old) - 1 :].partition("\n")
    else:
        behind = old[_comment(old) :]
        rest = "".join(line + "\n" for line in rest.split("\n")[:-1] if not _is_item(line))
    return Field(key, _line(field, text, _trailing(behind)) + rest, field.line)


def with_text(field: Field | None, key: str, text: str, newline: str, *, comments: bool) -> Field:
    """The field with another text behind the colon, taken as it is; it must be one line."""
    if field is None:
        return Field(key, f"{key}: {text}".rstrip() + newline)
    behind = ""
    if comments:
        old = field.text
        end = _closing_quote(old, 0) if old[:1] in ('"', "'") else 0
        start = end if end and _is_comment(old[end:]) else _comment(old)
        behind = old[len(old[:start].rstrip()) :]
    return Field(key, _line(field, text, behind) + field.rest, field.line)


def one_line(text: str) -> str:
    """``text`` as the value of a key that nobody interprets: runs of whitespace become one space."""
    return " ".join(text.split())


def quoted(value: str) -> str:
    """``value`` in double quotes, on one line."""
    text = (
        value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    )
    return '"' + "".join([c if c.isprintable() or c == " " else f"\\U{ord(c):08x}" for c in text]) + '"'


def number_text(value: float) -> str:
    """A number as JavaScript prints it: ``0.5``, ``1``, ``0``, ``1e-7``."""
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    digits, exponent, power = repr(value).partition("e")
    if not exponent:
        return digits
    if not -7 < int(power) < 21:
        return f"{digits}e{int(power):+d}"
    sign, digits = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
    return f"{sign}0.{'0' * (-int(power) - 1)}{digits.replace('.', '')}"


def _line(field: Field, text: str, behind: str) -> str:
    """The key's line with another text; the blanks around it stay, and a comment stays apart from it."""
    begin = len(field.key) + 1
    line = field.raw[begin : field.raw.find("\n")]
    before = line[: len(line) - len(line.lstrip())] if line.strip() else " "
    if behind and not behind[0].isspace():
        behind = "  " + behind
    return (f"{field.key}:{before}{text}{behind}" if text or behind else f"{field.key}:") + field.end


def _breaks(value: str) -> bool:
    """Whether a string can't stand bare on a line: it holds a line end or another control character."""
    return any(c < " " and c != "\t" for c in value)


def _comment(text: str) -> int:
    """Where a comment begins: at the first ``#`` of the text or after a blank; the length of the text without one."""
    at = text.find("#")
    while at > 0 and not text[at - 1].isspace():
        at = text.find("#", at + 1)
    return at if at >= 0 else len(text)


def _is_comment(text: str) -> bool:
    return text[:1].isspace() and text.lstrip()[:1] == "#"


def _trailing(text: str) -> str:
    """A comment with the blanks before it, or nothing."""
    return text.rstrip() if text.lstrip()[:1] == "#" else ""


def _is_item(line: str) -> bool:
    line = line.strip()
    return line == "-" or line.startswith("- ")


def _closing_quote(text: str, at: int) -> int:
    """The place behind the quote that closes the one at ``at``; 0 where none does."""
    quote = text[at]
    end = at + 1
    while (end := text.find(quote, end)) >= 0:
        if quote == "'" and text[end + 1 : end + 2] == "'":
            end += 2
        elif quote == '"' and _is_escaped(text, end):
            end += 1
        else:
            return end + 1
    return 0


def _is_escaped(text: str, at: int) -> bool:
    """Whether an odd number of backslashes stands before ``at``; the opening quote ends the count."""
    begin = at
    while text[begin - 1] == "\\":
        begin -= 1
    return (at - begin) % 2 == 1


def _unquoted(text: str) -> str:
    inner = text[1:-1]
    if text[0] == "'":
        return inner.replace("''", "'")
    first, *parts = inner.split("\\")
    if not parts:
        return inner
    return first + _unescaped(parts)


def _unescaped(parts: list[str]) -> str:
    """The text after the first backslash, parted at backslashes."""
    out: list[str] = []
    rest = iter(parts)
    for part in rest:
        mark = part[:1]
        if not mark:  # two in a row: one backslash, and what follows is plain
            out.append("\\" + next(rest, ""))
        elif mark in _ESCAPES:
            out.append(_ESCAPES[mark] + part[1:])
        else:
            out.append(_coded(mark, part) or "\\" + part)
    # An emoji that JSON wrote as two escapes is one character.
    joined = "".join(out)
    try:
        return joined.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        return joined.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _coded(mark: str, part: str) -> str:
    """The character of ``\\xNN``, ``\\uNNNN`` or ``\\UNNNNNNNN`` with the text behind it; empty where it is none."""
    size = _HEX.get(mark, 0)
    digits = part[1 : 1 + size]
    if not size or len(digits) < size or not frozenset("0123456789abcdefABCDEF").issuperset(digits):
        return ""
    code = int(digits, 16)
    return chr(code) + part[1 + size :] if code <= 0x10FFFF else ""


def _item(value: str) -> str:
    """One string of a list, quoted where it would be read otherwise."""
    bare = value and value == value.strip() and not _breaks(value) and not frozenset("\"',[]#").intersection(value)
    return value if bare else quoted(value)


def _bracketed(text: str) -> tuple[list[str], bool, int]:
    """The strings of a text that begins with ``[``; whether it is closed, with nothing but a comment behind; its end.

    The brackets may be closed some lines below; where they never are, the strings of the first line count.
    """
    if "]" not in text:
        text = text.partition("\n")[0]
    items: list[str] = []
    at, close = 1, -1
    while (at := _after_blanks(text, at)) < len(text):
        if text[at] == "]":
            behind = text[at + 1 :].partition("\n")[0]
            return items, not behind.strip() or _is_comment(behind), at + 1
        end = _closing_quote(text, at) if text[at] in "\"'" else 0
        after = _after_blanks(text, end)
        if end and text[after : after + 1] in (",", "]"):
            items.append(_unquoted(text[at:end]))
            at = end
        elif text[at] == ",":
            at += 1
        else:
            close = text.find("]", at) if close < at else close
            stop = min(place for place in (text.find(",", at), close, len(text)) if place >= 0)
            item = text[at:stop].strip()
            items.append(one_line(item) if "\n" in item else item)
            at = stop
    return items, False, at


def _after_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
