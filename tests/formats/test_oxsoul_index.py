from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats import oxsoul
from soulsync.formats import oxsoul_index as index
from soulsync.formats.oxsoul_index import Row

HEAD = "> 共 {} 条。每行一条记忆；正文在同目录对应文件，按需读取，不要一次性全部读入。\n\n"


def memory(**fields: str | float | list[str]) -> oxsoul.Memory:
    whole: dict[str, str | float | list[str]] = {
        "name": "n", "description": "d", "category": "fact", "importance": 0.5, "confidence": 1.0, "source": "manual",
        "tags": [], "created": "2026-09-04T00:00:00.000Z", "updated": "2026-09-04T00:00:00.000Z",
    }  # fmt: skip
    return oxsoul.new(whole | fields, "text")


def test_an_index_byte_for_byte() -> None:
    named = [
        ("old", memory(description="older", updated="2026-01-01T00:00:00Z", importance=1.0)),
        (
            "b-tie",
            memory(description="用户偏好  pnpm\t管理", tags=["pnpm", "工作流"], updated="2026-09-04T08:00:00+08:00"),
        ),
        ("undated", memory(description="no [brackets] here", updated="soon", importance=0.0)),
        ("a-tie", memory(description="first of the two")),
        ("new", memory(category="skill", updated="2026-09-05", importance=0.000001)),
    ]
    assert index.build(named, "用户级").decode() == (
        "# 牛魂索引 — 用户级\n\n"
        + HEAD.format(5)
        + "- [new](new.md) — d [skill/0.000001/]\n"
        + "- [a-tie](a-tie.md) — first of the two [fact/0.5/]\n"
        + "- [b-tie](b-tie.md) — 用户偏好 pnpm 管理 [fact/0.5/pnpm,工作流]\n"
        + "- [old](old.md) — older [fact/1/]\n"
        + "- [undated](undated.md) — no [brackets] here [fact/0/]\n"
    )


def test_an_empty_index() -> None:
    assert index.build([], "项目级").decode() == "# 牛魂索引 — 项目级\n\n" + HEAD.format(0)


def test_the_head_of_an_index_is_kept() -> None:
    old = (
        "\ufeff# 牛魂索引 — 我的\r\n\r\n" + HEAD.format(7) + "note of mine\r\n\r\n- [x](x.md) — y [fact/1/]\r\n"
    ).encode()
    assert index.build([("a", memory())], "用户级", old).decode() == (
        "# 牛魂索引 — 我的\n\n" + HEAD.format(1) + "note of mine\n\n- [a](a.md) — d [fact/0.5/]\n"
    )


def test_a_heading_alone_is_kept() -> None:
    assert index.build([], "用户级", b"# Mine\nsome text\n").decode() == "# Mine\n\n" + HEAD.format(0)
    assert index.build([], "用户级", b"no heading\n") == index.build([], "用户级")


@given(
    st.one_of(
        st.binary(max_size=80), st.text(max_size=60).map(lambda t: (f"# {t}\n\n> 共 3 条。{t}\n- [a](a.md)").encode())
    )
)
def test_a_rebuild_of_a_rebuild_changes_nothing(old: bytes) -> None:
    named = [("a", memory()), ("b", memory(updated="x"))]
    once = index.build(named, "用户级", old)
    assert index.build(named, "用户级", once) == once
    assert [row.name for row in index.parse(once)][-2:] == ["a", "b"]


def test_lines_are_read_from_the_right() -> None:
    row = index.row_in("- [a](a.md) — uses — dashes [and brackets] [fact/0.5/x,y]")
    assert row == Row("a", "uses — dashes [and brackets] [fact/0.5/x,y]")
    assert row.parts == ("uses — dashes [and brackets]", "fact", "0.5", ["x", "y"])
    assert Row("a", "d [fact/0.5/]").parts == ("d", "fact", "0.5", [])
    assert Row("a", "d").parts == ("d", "", "", [])
    assert Row("a", "d [x").parts == ("d [x", "", "", [])


def test_lines_that_are_no_row() -> None:
    for line in ("", "- a", "- [a] — b", "* [a](a.md) — b", "- [a](a.md) b", "# 牛魂索引 — x"):
        assert index.row_in(line) is None
    assert index.target_of("- [a](../../x.md) b") == "../../x.md"


def test_a_name_or_tag_can_not_make_a_line_of_its_own() -> None:
    written = index.build(
        [("a\n- [evil](x.md) — y [fact/1/]", memory(tags=["t\nu"], description="d\r\n# e"))], "用户级"
    )
    assert len(index.parse(written)) == 1


def test_labels() -> None:
    assert [index.label_of(place) for place in ("", "projects/0a58b444", "employees/li", "engines/unity-2022")] == [
        "用户级", "项目级", "员工 li", "引擎 unity-2022",
    ]  # fmt: skip
