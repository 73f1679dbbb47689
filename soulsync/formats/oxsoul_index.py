"""The index of a folder of OxSoul memories, ``MEMORY.md``: a heading, how many there are, a line for each."""

from __future__ import annotations

from soulsync.formats.frontmatter_values import number_text
from soulsync.formats.text import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from soulsync.formats.oxsoul import Memory

INDEX = "MEMORY.md"
USER_LABEL = "用户级"
PROJECT_LABEL = "项目级"
_COUNTED = ("> 共 ", " 条。每行一条记忆；正文在同目录对应文件，按需读取，不要一次性全部读入。")


class Row:
    """A line of the index: the ``name``, which names the file too, and the ``text`` behind the dash, on one line."""

    __slots__ = ("name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Row) and (self.name, self.text) == (other.name, other.text)

    def __hash__(self) -> int:
        return hash((self.name, self.text))

    def __repr__(self) -> str:
        return f"Row({self.name!r}, {self.text!r})"

    @property
    def parts(self) -> tuple[str, str, str, list[str]]:
        """Description, category, importance and tags, apart at the right-most `` [``; empty where none is."""
        description, mark, fields = self.text.rpartition(" [")
        if not mark or not fields.endswith("]"):
            return self.text, "", "", []
        category, importance, tags = (*fields[:-1].split("/", 2), "", "")[:3]
        return description, category, importance, tags.split(",") if tags else []


def label_of(place: str) -> str:
    """What a new index calls its folder, which is given relative to the store: ``""`` is the user's own."""
    kind, _, name = place.partition("/")
    labels = {"": USER_LABEL, "projects": PROJECT_LABEL, "employees": f"员工 {name}", "engines": f"引擎 {name}"}
    return labels.get(kind, place)


def row_of(name: str, memory: Memory) -> Row:
    """The line of a memory; ``name`` is its file's, since the line links to the file."""
    importance = "" if memory.importance is None else number_text(memory.importance)
    tags = ",".join(memory.tags).replace("\r", " ").replace("\n", " ")
    fields = f"{_one_line(memory.category or '')}/{importance}/{tags}"
    return Row(_one_line(name), f"{_one_line(memory.description or '')} [{fields}]")


def order(named: Iterable[tuple[str, Memory]]) -> list[tuple[str, Memory]]:
    """Memories by ``updated``, the newest first; ties by name, those without a date that can be read last."""

    def key(item: tuple[str, Memory]) -> tuple[bool, int, str]:
        updated = item[1].updated_at
        return updated is None, -(updated or 0), item[0]

    return sorted(named, key=key)


def render(rows: Iterable[Row], label: str, old: bytes | None = None) -> bytes:
    """Write an index in the given order. The head of an ``old`` one is kept, but for its number of memories."""
    lines = [f"- [{row.name}]({row.name}.md) — {row.text}\n" for row in rows]
    return (_head(len(lines), label, old) + "".join(lines)).encode("utf-8", "surrogateescape")


def build(named: Iterable[tuple[str, Memory]], label: str, old: bytes | None = None) -> bytes:
    """The index of the memories of one folder, each with its file's name without ``.md``: what a rebuild writes."""
    return render([row_of(name, memory) for name, memory in order(named)], label, old)


def parse(data: bytes) -> list[Row]:
    """The lines of an index that name a memory, in order. Never raises."""
    return [row for line in plain(data).split("\n") if (row := row_in(line)) is not None]


def row_in(line: str) -> Row | None:
    """The row that a line is, or None."""
    if not line.startswith("- ["):
        return None
    link, dash, text = line.partition(" — ")
    name, middle, target = link[3:].partition("](")
    return Row(name, text) if dash and middle and target.endswith(")") else None


def target_of(line: str) -> str | None:
    """What a line of an index links to, whatever stands around it; None where it is no row."""
    name, middle, rest = line.partition("](")
    return rest.partition(")")[0] if name.startswith("- [") and middle else None


def _head(count: int, label: str, old: bytes | None) -> str:
    counted = f"{_COUNTED[0]}{count}{_COUNTED[1]}"
    fresh = f"# 牛魂索引 — {label}\n\n{counted}\n\n"
    lines = plain(old).split("\n") if old else []
    end = next((i for i, line in enumerate(lines) if row_in(line) is not None), len(lines))
    kept = lines[:end]
    at = next((i for i, line in enumerate(kept) if _is_count(line)), None)
    if at is None:
        title = kept[0] if kept and kept[0].startswith("# ") else ""
        return f"{title}\n\n{counted}\n\n" if title else fresh
    line = kept[at]
    digits = line[len(_COUNTED[0]) :].partition(" ")[0]
    kept[at] = f"{_COUNTED[0]}{count}{line[len(_COUNTED[0]) + len(digits) :]}"
    return "\n".join(kept).strip("\n") + "\n\n"


def _is_count(line: str) -> bool:
    return line.startswith(_COUNTED[0]) and line[len(_COUNTED[0]) :].partition(" ")[0].isdecimal()


def _one_line(text: str) -> str:
    return " ".join(text.split())
