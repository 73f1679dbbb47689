"""Files as bodies really make them: small alphabets so that both sides collide, edits of one base, and broken input."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from soulsync.formats import entries
from soulsync.merge.result import Sides

if TYPE_CHECKING:
    from collections.abc import Callable

Triple = tuple[bytes | None, bytes | None, bytes | None]

JUNK = st.one_of(
    st.binary(max_size=12),
    st.sampled_from(
        [b"", b"\n", b" \r\n", b"\xef\xbb\xbf", b"\xff\xfe\x00", b"\x00", b"<<<<<<< ours\n", "§".encode(), b"[" * 3000]
    ),
)
TIMES = st.one_of(st.none(), st.sampled_from([0, 100, 100, 200, 1_790_000_000]))


@st.composite
def sides(draw: st.DrawFn, *, inner: bool | None = None) -> Sides:
    deep = draw(st.booleans()) if inner is None else inner
    return Sides(draw(TIMES), draw(TIMES), inner=deep)


def swapped(one: Sides) -> Sides:
    return Sides(
        one.theirs_time,
        one.ours_time,
        inner=one.inner,
        ours_unpushed=one.theirs_unpushed,
        theirs_unpushed=one.ours_unpushed,
    )


@st.composite
def edited(draw: st.DrawFn, base: list[str], pool: st.SearchStrategy[str]) -> list[str]:
    """A list after some edits: items added, removed, changed, moved, doubled."""
    items = list(base)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(items)))
        act = draw(st.sampled_from(["add", "add", "remove", "change", "move", "double"]))
        if act == "add" or at == len(items):
            items.insert(at, draw(pool))
        elif act == "remove":
            del items[at]
        elif act == "change":
            items[at] = draw(pool)
        elif act == "move":
            items.insert(draw(st.integers(0, len(items) - 1)), items.pop(at))
        else:
            items.append(items[at])
    return items


@st.composite
def triple_of(
    draw: st.DrawFn,
    pool: st.SearchStrategy[str],
    write: Callable[[st.DrawFn, list[str]], bytes],
    *,
    broken: bool = True,
    absent: bool = True,
) -> Triple:
    base = draw(st.lists(pool, max_size=6))
    files: list[bytes | None] = [
        write(draw, items) for items in (base, draw(edited(base, pool)), draw(edited(base, pool)))
    ]
    for at in range(3):
        chance = draw(st.integers(0, 19))
        if chance == 0 and broken:
            files[at] = draw(JUNK)
        elif chance == 1 and absent:
            files[at] = None
        elif chance == 2 and broken:
            files[at] = (files[at] or b"")[: draw(st.integers(0, 30))]
    return files[0], files[1], files[2]


# Memories.

ENTRY = st.sampled_from(
    [
        "A",
        "B",
        "C",
        "D",
        "see §3",
        "§ 4",
        "two\nlines",
        "p\n\nq",
        "x\r\ny",
        " §",
        "é",
        "中",
        "\udcff\udc80",
        "　w",
        "a\n  §",
    ]
)
CLEAN_ENTRY = st.sampled_from(
    ["A", "B", "C", "D", "E", "see §3", "§ 4", "two\nlines", "p\n\nq", "é", "\udcff", "a\n  §"]
)


def write_memories(draw: st.DrawFn, items: list[str]) -> bytes:
    joint = draw(st.sampled_from(["\n§\n", "\n§\n", "\n§ \n", "\r\n§\r\n", "\n§\n\n§\n", "\n\n§\t\n\n"]))
    head = draw(st.sampled_from(["", "", "\ufeff", "§\n", "\n"]))
    tail = draw(st.sampled_from(["\n", "\n", "", "\r\n", "\n§\n", "\n§", " \n\n"]))
    return (head + joint.join(items) + tail).encode("utf-8", "surrogateescape")


def write_canonical_memories(_draw: st.DrawFn, items: list[str]) -> bytes:
    return entries.render(dict.fromkeys(items))


memories = triple_of(ENTRY, write_memories)
canonical_memories = triple_of(CLEAN_ENTRY, write_canonical_memories, broken=False, absent=False)


# Journals.

SECTION = st.builds(
    lambda time, title, text: f"## {time}{title}\n{text}".rstrip("\n"),
    st.sampled_from(["08:00", "08:00", "09:30", "23:59"]),
    st.sampled_from(["", " walk", " walk", " talk"]),
    st.sampled_from(["", "\none", "\none\n\ntwo", "\ntwo  ", "\n### deeper\n- x", "\n# loud", "\n\udcfe"]),
)
LOOSE = st.one_of(
    SECTION, st.sampled_from(["text", "text\nmore", "# head", "---", "## 25:00 no time", "## 9:00 no", "## Plan"])
)
HEADER = "# 2026-10-01 · one"


def write_journal(draw: st.DrawFn, items: list[str]) -> bytes:
    head = draw(
        st.sampled_from([HEADER, HEADER, "", "\ufeff" + HEADER, HEADER + "\nand text", "# 2026-10-01 · two", "plain"])
    )
    joint = draw(st.sampled_from(["\n\n", "\n\n", "\n", "\r\n\r\n", "\n \n\n"]))
    tail = draw(st.sampled_from(["\n", "\n", "", "\n\n"]))
    return (joint.join([head, *items]) + tail).encode("utf-8", "surrogateescape")


journals = triple_of(LOOSE, write_journal)


@st.composite
def appended_journals(draw: st.DrawFn) -> Triple:
    """Three versions of one day, where each side only appended to the base."""
    base = draw(st.lists(SECTION, max_size=4))
    mine, other = (base + draw(st.lists(SECTION, max_size=3)) for _ in range(2))
    one, two, three = (
        ("\n\n".join([HEADER, *items]) + "\n").encode("utf-8", "surrogateescape") for items in (base, mine, other)
    )
    return one, two, three


# JSON files.

UUIDS = [
    "0b6d2c1e-6c1f-4a53-9a57-2f1f0f3c9d10",
    "11111111-1111-4111-8111-111111111111",
    "22222222-2222-4222-8222-222222222222",
]
NUMBERS = ["0", "-0", "1", "1.0", "1e400", "1.0e5", "9" * 30, "0.1"]
LITERALS = st.one_of(
    st.sampled_from(
        ["true", "false", "null", '""', '"a"', '"b"', '"薰"', '"\\ud800"', '"\\u0041"', "[]", "[1, 1.0]", '[{"k": -0}]']
    ),
    st.sampled_from(NUMBERS),
)
KEYS = ["name", "displayName", "x", "y", "", "ключ", "\\ud834"]


def objects(values: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, str]]:
    return st.dictionaries(st.sampled_from(KEYS), values, max_size=4)


def text_of(fields: dict[str, str]) -> str:
    return "{" + ", ".join(f'"{key}": {value}' for key, value in fields.items()) + "}"


VALUES = st.one_of(LITERALS, objects(st.one_of(LITERALS, objects(LITERALS).map(text_of))).map(text_of))


@st.composite
def edited_fields(draw: st.DrawFn, base: dict[str, str]) -> dict[str, str]:
    fields = dict(base)
    for _ in range(draw(st.integers(0, 3))):
        key = draw(st.sampled_from(KEYS))
        act = draw(st.sampled_from(["set", "set", "drop", "last", "first"]))
        if act == "set":
            fields[key] = draw(VALUES)
        elif key in fields:
            value = fields.pop(key)
            if act == "last":
                fields[key] = value
            elif act == "first":
                fields = {key: value, **fields}
    return fields


@st.composite
def agents(draw: st.DrawFn, *, broken: bool = True, same_id: bool = False) -> Triple:
    base = draw(objects(VALUES))
    files: list[bytes | None] = []
    common = draw(st.sampled_from(UUIDS))
    for at in range(3):
        fields = draw(edited_fields(base)) if at else dict(base)
        if same_id or draw(st.integers(0, 4)):
            fields = {"id": f'"{common}"', **fields}
        elif draw(st.booleans()):
            fields["id"] = f'"{draw(st.sampled_from(UUIDS))}"'
        if draw(st.integers(0, 9)) == 0 and not same_id:
            fields["seed"] = draw(st.sampled_from(["true", "false"]))
        data = text_of(fields).encode()
        chance = draw(st.integers(0, 19))
        if broken and chance == 0:
            data = draw(JUNK)
        elif broken and chance == 1:
            data = data[: draw(st.integers(0, 30))]
        files.append(None if broken and chance == 2 else data)
    return files[0], files[1], files[2]


BODY = st.builds(
    lambda seen, extra: json.dumps({"body": "one", **seen, **extra}).encode(),
    st.sampled_from(
        [
            {"lastSeen": t}
            for t in ("2026-10-01T00:00:00.000Z", "2026-10-01T01:00:00.000+01:00", "2027-01-01", "soon", 5)
        ]
        + [{}]
    ),
    st.sampled_from([{}, {"host": "pc"}, {"host": "tower"}, {"x": {"y": 1}}]),
)
LEASE = st.builds(
    lambda body, until: f'{{"body": "{body}", "until": {until}}}\n'.encode(),
    st.sampled_from(["one", "two"]),
    st.sampled_from(["0", "150000", "250000", "260000.5", "1790000000001", "1e999", "true", "null", '"soon"']),
)
PLAIN = st.sampled_from(
    [
        b"",
        b" \n",
        b"# K\n",
        b"\xef\xbb\xbf# K\r\n\r\n",
        b"# K\ntext\n",
        b"other\n",
        b"\x00\xff",
        b'{"spec": "soul-repo", "version": 4}\n',
        b'{"version": 5}',
        b'{"version": true}',
    ]
)


def any_of(one: st.SearchStrategy[bytes]) -> st.SearchStrategy[Triple]:
    file = st.one_of(one, one, one, one, JUNK, st.none())
    return st.tuples(file, file, file)


CASES: dict[str, tuple[list[str], st.SearchStrategy[Triple]]] = {
    "soul-entries": (["memories/OTHER.md", "memories/MEMORY.md"], memories),
    "soul-agent": (["agent.json"], agents()),
    "soul-newest": (["SOUL.md", "notes/a.md", "extra.bin", ".soul-spec.json", "notes/.gitkeep"], any_of(PLAIN)),
    "soul-journal": (["journal/one/2026-10-01.md"], journals),
    "soul-body": (["bodies/one.json"], any_of(BODY)),
    "soul-lease": (["locks/consolidation.json"], any_of(LEASE)),
}
