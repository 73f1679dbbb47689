"""Reading a git config file without starting git: the syntax of git-config(1), one file, includes not followed.

A sync looks at the soul's config each time; a process would cost more than the reading.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BLANKS = " \t\r"
"""What separates on a line, for git: ``isspace`` of git's own ctype.h. A form feed, or a blank of Unicode, is text."""
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", '"': '"', "\\": "\\"}


def read(path: Path | str) -> dict[str, list[str]]:
    """All values of each key, in order; keys as ``git config --list`` prints them. No file: no keys.

    What git would call a syntax error is passed over; bytes that are not UTF-8 become surrogates.
    """
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - the hooks read it too, and do without pathlib
            text = file.read().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return {}
    values: dict[str, list[str]] = {}
    section = ""
    lines = iter(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"))
    for line in lines:
        rest = line.strip(_BLANKS)
        if rest.startswith("["):
            section, rest = _header(rest)
        if rest and rest[0] not in "#;" and section:
            name, value = _variable(rest, lines)
            values.setdefault(f"{section}.{name}", []).append(value)
    return values


def _header(line: str) -> tuple[str, str]:
    """Split ``[section "subsection"] rest`` into the prefix of its keys and the rest of the line."""
    quoted, escaped = False, False
    for i, c in enumerate(line):
        if escaped:
            escaped = False
        elif c == "\\":
            escaped = True
        elif c == '"':
            quoted = not quoted
        elif c == "]" and not quoted:
            return _section(line[1:i]), line[i + 1 :].strip(_BLANKS)
    return "", ""


def _section(inside: str) -> str:
    name, quote, sub = inside.partition('"')
    if not quote:
        return name.strip(_BLANKS).lower()
    plain, escaped = [], False
    for c in sub.rstrip(_BLANKS).removesuffix('"'):
        if c == "\\" and not escaped:
            escaped = True
            continue
        plain.append(c)
        escaped = False
    return f"{name.strip(_BLANKS).lower()}.{''.join(plain)}"


def _variable(line: str, more: Iterator[str]) -> tuple[str, str]:
    """Read ``name = value``; a value goes on in the next line after a backslash. A name alone means true."""
    end = next((i for i, c in enumerate(line) if not (c.isalnum() or c == "-")), len(line))
    name, rest = line[:end].lower(), line[end:].lstrip(_BLANKS)
    return name, _value(rest[1:].lstrip(_BLANKS), more) if rest.startswith("=") else "true"


def _value(text: str, more: Iterator[str]) -> str:
    """Undo quotes and escapes, drop a comment and the blanks before it."""
    out: list[str] = []
    keep = 0  # how much of `out` is not trailing blank
    quoted, escaped = False, False
    rest = iter(text)
    while True:
        c = next(rest, "")
        if escaped:
            escaped = False
            if not c:
                rest = iter(next(more, ""))
                continue
            out.append(_ESCAPES.get(c, c))
        elif not c or (c in "#;" and not quoted):
            break
        elif c in '\\"':
            escaped, quoted = c == "\\", quoted != (c == '"')
            continue
        else:
            out.append(c)
            if c in _BLANKS and not quoted:
                continue
        keep = len(out)
    return "".join(out[:keep])
