"""What the mappings between memory formats share: titles in and above texts, tags as slugs, JSON on one line."""

from __future__ import annotations

from soulsync.formats import json_text
from soulsync.formats.cortex import MAX_TAGS, MAX_TITLE, default_title
from soulsync.formats.oxsoul import MAX_DESCRIPTION
from soulsync.formats.text import STRIP

HEADING = "# "


def describe(text: str) -> str:
    """Derive a description: the first line that says something, on one line, cut to 119 and ``…`` above 120."""
    line = next((line for line in text.split("\n") if line.strip(STRIP)), "")
    return shortened(" ".join(line.split()))


def on_one_line(text: str) -> str:
    """``text`` as a title can stand: of one line without blanks around it; runs of blanks in one line stay."""
    return " ".join(text.split()) if "\n" in text or "\r" in text else text.strip(STRIP)


def shortened(text: str) -> str:
    """``text`` cut to 119 code points and ``…`` above 120: a description that it does not fit is kept elsewhere."""
    return text if len(text) <= MAX_DESCRIPTION else text[: MAX_DESCRIPTION - 1] + "…"


def as_body(text: str) -> str:
    """``text`` as a body of OxSoul gives it back: line ends as LF, none at the edges."""
    while "\r\n" in text:
        text = text.replace("\r\n", "\n")
    return text.strip("\n").rstrip("\r\n")


def titled(title: str, text: str) -> str:
    """A text with its title above it, as a heading of Markdown."""
    return f"{HEADING}{title}\n\n{text}"


def untitled(text: str, longest: int = MAX_TITLE) -> tuple[str | None, str]:
    """Take a text apart that :func:`titled` put together; (None, the text) for every other one."""
    first, gap, rest = text.partition("\n\n")
    title = first[len(HEADING) :]
    whole = first.startswith(HEADING) and gap and 0 < len(title) <= longest and "\n" not in title
    if whole and title == title.strip(STRIP) and rest.strip(STRIP) == rest != "":
        return title, rest
    return None, text


def is_derived(title: object, content: str) -> bool:
    """Whether a title says nothing that the content does not say."""
    return title in (None, "", default_title(content))


def slugs(tags: list[str]) -> list[str]:
    """Tags in the form ``[a-z0-9_][a-z0-9_-]*``, each once, at most 10; one of which nothing is left goes."""
    import unicodedata

    found: dict[str, None] = {}
    for tag in tags:
        folded = unicodedata.normalize("NFKC", tag).lower()
        kept = "".join([c if c.isascii() and (c.isalnum() or c in "_-") else " " for c in folded])
        slug = "-".join(kept.split()).strip("-")
        if slug:
            found.setdefault(slug)
    return list(found)[:MAX_TAGS]


def to_json(value: object) -> str:
    """A value as JSON on one line in which no run of blanks stands: a frontmatter line would make one blank of it."""
    text = json_text.one_line(value).decode("utf-8").rstrip("\n")
    out: list[str] = []
    for char in text:
        blank = char.isspace() and (char != " " or out[-1:] == [" "])
        out.append(f"\\u{ord(char):04x}" if blank else char)
    return "".join(out)


def from_json(text: str) -> tuple[bool, object]:
    """The value of a text that :func:`to_json` wrote, and whether it is one."""
    try:
        return True, json_text.parse(text.encode("utf-8"))
    except (json_text.Malformed, UnicodeEncodeError):
        return False, None
