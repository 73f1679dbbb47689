"""Memories of the other two formats as two bodies make them: few keys and values, so that both sides collide."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from tests.merge.strategies import JUNK, Triple, triple_of

if TYPE_CHECKING:
    from collections.abc import Callable

TIMES = ["2026-09-04T00:00:00.000Z", "2026-09-05T00:00:00+08:00", "2026-09-06", "soon", ""]
TAGS = [[], ["a"], ["b"], ["a", "b"], ["c", "a"], [f"t{i}" for i in range(9)], [f"u{i}" for i in range(9)]]


@st.composite
def edited_keys(draw: st.DrawFn, base: dict[str, str], pool: dict[str, list[str]]) -> dict[str, str]:
    """Raw values by key, after some edits: set, dropped, moved to the end."""
    fields = dict(base)
    for _ in range(draw(st.integers(0, 4))):
        key = draw(st.sampled_from(list(pool)))
        act = draw(st.sampled_from(["set", "set", "set", "drop", "last"]))
        if act == "set":
            fields[key] = draw(st.sampled_from(pool[key]))
        elif key in fields:
            value = fields.pop(key)
            if act == "last":
                fields[key] = value
    return fields


@st.composite
def edits_of(
    draw: st.DrawFn, pool: dict[str, list[str]], write: Callable[[st.DrawFn, dict[str, str]], bytes], *, broken: bool
) -> Triple:
    full = {key: values[0] for key, values in pool.items()}
    base = draw(edited_keys(full, pool))
    files: list[bytes | None] = [write(draw, fields) for fields in (base, draw(edited_keys(base, pool)))]
    files.append(write(draw, draw(edited_keys(base, pool))))
    if draw(st.integers(0, 4)) == 0:
        files[0] = draw(st.sampled_from([None, b""]))
    for at in range(3):
        chance = draw(st.integers(0, 19)) if broken else 9
        if chance == 0:
            files[at] = draw(JUNK)
        elif chance == 1:
            files[at] = (files[at] or b"")[: draw(st.integers(0, 60))]
        elif chance == 2 and at:
            files[at] = None
    return files[0], files[1], files[2]


OXSOUL_KEYS = {
    "name": ["tea", "tea", "coffee"],
    "description": ["喜欢茶", "用户说: 用 pnpm", '"quoted" # no comment', ""],
    "category": ["preference", "fact # sure", "odd"],
    "importance": ["0.5", "1", "2", "x"],
    "source": ["manual", "scan"],
    "tags": ["[a]", "[b]", "[a, b]", "[c, a]  # why", "", "\n  - a\n  - d", "[a"],
    "created": TIMES,
    "updated": TIMES,
    "x_read_count": ["1", "2", " two  "],
    "x_other": ["{a: b}", "'"],
    "body": ["Tea.\n", "\nTea,\nreally.\n", "", "---\nno fence", "\n"],
}


def write_oxsoul(draw: st.DrawFn, fields: dict[str, str]) -> bytes:
    loose = draw(st.sampled_from(["", "", "", "# a comment\n", "\n", "name: again\n", "no key\n"]))
    lines = "".join(f"{key}: {value}".rstrip(" ") + "\n" for key, value in fields.items() if key != "body")
    text = f"---\n{lines}{loose}---\n{fields.get('body', '')}"
    return draw(st.sampled_from([text, text, text, text.replace("\n", "\r\n"), "\ufeff" + text])).encode()


def write_clean_oxsoul(_draw: st.DrawFn, fields: dict[str, str]) -> bytes:
    lines = "".join(f"{key}: {value}".rstrip(" ") + "\n" for key, value in fields.items() if key != "body")
    return f"---\n{lines}---\n{fields.get('body', '')}".encode()


CORTEX_FIELDS = {
    "schema_version": ["1"],
    "memory_id": ['"MEM-007"', '"MEM-007"', '"MEM-8"'],
    "type": ['"semantic"'],
    "title": ['"茶"', '"tea"', "null"],
    "content": ['"用户喜欢茶。"', '"Tea."', '"\\ud800"', "5"],
    "tags": [*(json.dumps(tags) for tags in TAGS), '["a", "a"]', '"a"', "[1, 1.0]"],
    "confidence": ["0.8", "0.80", "1"],
    "pinned": ["false", "true"],
    "created_at": [json.dumps(time) for time in TIMES],
    "updated_at": [*(json.dumps(time) for time in TIMES), "null"],
}


def write_cortex(draw: st.DrawFn, fields: dict[str, str]) -> bytes:
    inner = ",\n  ".join(f'"{key}": {value}' for key, value in fields.items())
    return draw(st.sampled_from(["{\n  %s\n}\n", "{%s}", "\ufeff{%s}\r\n"])).replace("%s", inner).encode()


def write_clean_cortex(_draw: st.DrawFn, fields: dict[str, str]) -> bytes:
    from soulsync.formats import cortex

    inner = ", ".join(f'"{key}": {value}' for key, value in fields.items())
    return cortex.render(cortex.parse(f"{{{inner}}}".encode()))


ROWS = st.sampled_from(
    [
        f"- [{name}]({name}.md) — {text} [fact/0.5/{tags}]"
        for name in ("tea", "dogs", "long-walks")
        for text in ("one", "two [sic]")
        for tags in ("", "a,b")
    ]
    + ["- [odd](odd.md)", "free text", "\udcff"]
)


def write_index(draw: st.DrawFn, rows: list[str]) -> bytes:
    title = draw(st.sampled_from(["# 牛魂索引 — 用户级", "# 牛魂索引 — mine", ""]))
    head = draw(
        st.sampled_from(
            [f"{title}\n\n> 共 {len(rows)} 条。每行一条记忆；正文在同目录对应文件，按需读取。\n\n", f"{title}\n", ""]
        )
    )
    return (head + "".join(f"{row}\n" for row in rows)).encode("utf-8", "surrogateescape")


oxsoul = edits_of(OXSOUL_KEYS, write_oxsoul, broken=True)
clean_oxsoul = edits_of(OXSOUL_KEYS, write_clean_oxsoul, broken=False)
cortex = edits_of(CORTEX_FIELDS, write_cortex, broken=True)
clean_cortex = edits_of(CORTEX_FIELDS, write_clean_cortex, broken=False)
indexes = triple_of(ROWS, write_index)

CASES: dict[str, tuple[list[str], st.SearchStrategy[Triple]]] = {
    "soul-oxsoul": (["oxsoul/tea.md", "oxsoul/projects/0a1b2c3d/tea.md"], oxsoul),
    "soul-oxsoul-index": (["oxsoul/MEMORY.md", "oxsoul/employees/7/MEMORY.md"], indexes),
    "soul-cortex": ([".agent/memory/semantic/MEM-007.json", "cortex/semantic/MEM-007.json"], cortex),
}
