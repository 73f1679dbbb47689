"""Files with frontmatter as people and programs write them: odd spacing, comments, unknown keys, lists, line ends."""

from __future__ import annotations

from hypothesis import strategies as st

from soulsync.formats.oxsoul import KNOWN

TEXT = st.lists(
    st.sampled_from(
        [*"ab1 :#'\"[],\\", "用户", "说: ", " # x", "---", "\u3000", "\t", "é", "😀", "\u2028", "\x0b", "\x85"]
    ),
    max_size=8,
).map("".join)
KEY = st.one_of(st.sampled_from(KNOWN), st.sampled_from(["x_origin", "x_a", "x.dot", "spec", "k-9", "_", "Name"]))
BLANKS = st.sampled_from(["", " ", "   ", "\t", " \u3000"])
LINE = st.one_of(
    st.tuples(KEY, BLANKS, TEXT, BLANKS).map(lambda p: f"{p[0]}:{p[1]}{p[2]}{p[3]}"),
    st.tuples(KEY, st.sampled_from(["0.5", "1", "-1", "NaN", "[a, b]", "[a,\n b]", "\n  - a\n  - b", "'it''s'"])).map(
        lambda p: f"{p[0]}: {p[1]}"
    ),
    st.sampled_from(["", "# note", "  - item", "    indented", "no key here", "----", "--- ", " ---", "a:b"]),
    TEXT.map(lambda text: f" {text}"),
)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    lines = draw(st.lists(LINE, max_size=8))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text = "---\n" + "".join(f"{line}\n" for line in lines) + "---\n" + draw(TEXT) + draw(st.sampled_from(["", "\n"]))
    text = text.replace("\n", end)
    if draw(st.integers(0, 9)) == 0:
        text = text[: text.rindex("---") + 3]
    return (draw(st.sampled_from(["", "\ufeff"])) + text).encode()
