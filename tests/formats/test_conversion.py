"""Six directions: what comes back equal, what does not and is said, what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats import conversion, conversion_memory, cortex, cortex_rules, oxsoul
from soulsync.formats.conversion import convert, to
from soulsync.formats.conversion_items import OxSoul, SoulEntry, said
from soulsync.formats.conversion_texts import describe, from_json, slugs, titled, to_json, untitled
from soulsync.formats.cortex import normal
from soulsync.formats.entries import is_entry
from soulsync.formats.oxsoul_names import is_name
from tests.formats.conversions import OXSOULS, SOUL_ENTRIES, WORDS, soul_entries
from tests.formats.cortexes import ENTRIES, realistic

NOW = "2026-11-30T08:00:00.000Z"
LATER = "2026-12-24T18:00:00.000Z"
"""Who converts back does so later: what the time alone gave must not count as kept."""
ANY = {"soul": SOUL_ENTRIES, "oxsoul": OXSOULS, "cortex": ENTRIES}
DIRECTIONS = [(one, other) for one in ANY for other in ANY if one != other]


def stored(item: Any) -> Any:
    """The item after it was written to its file and read from it."""
    if isinstance(item, OxSoul):
        return OxSoul.of(oxsoul.parse(oxsoul.render(item.memory())))
    return item if isinstance(item, SoulEntry) else cortex.parse(cortex.render(item))


@pytest.mark.parametrize(("source", "target"), DIRECTIONS)
@given(data=st.data())
def test_every_field_that_does_not_come_back_is_named_and_no_other(
    source: str, target: str, data: st.DataObject
) -> None:
    item = stored(data.draw(ANY[source]))
    done = convert(item, target, NOW)
    if done.refusals:
        assert not isinstance(done.item, OxSoul)
        return
    back = said(stored(to(stored(done.item), source, LATER)))
    gone = {key for key, value in said(item).items() if to_json(value) != to_json(back.get(key))}
    assert gone == {loss.field for loss in done.losses}


@given(SOUL_ENTRIES, st.sampled_from(["oxsoul", "cortex"]))
def test_entries_of_a_soul_come_back_equal(entry: SoulEntry, target: str) -> None:
    done = convert(entry, target, NOW)
    assert done.losses == []
    assert said(to(stored(done.item), "soul", LATER)) == said(entry)


@given(ENTRIES)
def test_entries_of_cortex_come_back_equal_from_oxsoul(entry: dict[str, object]) -> None:
    done = convert(entry, "oxsoul", NOW)
    assert (done.losses, done.refusals) == ([], [])
    assert isinstance(done.item, OxSoul)
    branded = conversion_memory.branded(done.item, "cortex:x", NOW)
    assert (branded.share("confidence") or 0) <= 0.6
    back = to(stored(branded), "cortex", LATER)
    assert isinstance(back, dict)
    assert to_json(dict(sorted(normal(back).items()))) == to_json(dict(sorted(normal(entry).items())))
    assert cortex_rules.faults(back) == []


@given(OXSOULS)
def test_memories_of_oxsoul_become_valid_entries(memory: OxSoul) -> None:
    memory = stored(memory)
    done = convert(memory, "cortex", NOW)
    assert done.refusals == []
    assert isinstance(done.item, dict)
    assert done.item["content"] == (memory.body or memory.text("description"))
    assert done.item["memory_id"] == f"MEM-{memory.text('name')}"


@given(st.one_of(SOUL_ENTRIES, ENTRIES))
def test_memories_of_oxsoul_that_are_made_are_valid(item: Any) -> None:
    done = convert(item, "oxsoul", NOW)
    assert isinstance(done.item, OxSoul)
    memory = oxsoul.parse(oxsoul.render(conversion_memory.branded(done.item, "x", NOW).memory()))
    assert is_name(memory.name or "")
    assert memory.source == "import"
    assert [fault for fault in oxsoul.faults(memory) if fault.rule != "date"] == []


@given(st.one_of(OXSOULS, ENTRIES))
def test_entries_of_a_soul_that_are_made_are_entries(item: Any) -> None:
    done = convert(stored(item), "soul", NOW)
    assert isinstance(done.item, SoulEntry)
    assert bool(done.refusals) is not is_entry(done.item.text)


def test_realistic_ones_come_back_over_all_ways() -> None:
    for entry in realistic():
        assert convert(entry, "oxsoul", NOW).losses == []
        gone = {loss.field for loss in convert(entry, "soul", NOW).losses}
        assert "content" not in gone
    for text in soul_entries():
        for target, between in (("oxsoul", "cortex"), ("cortex", "oxsoul")):
            there = stored(to(stored(to(SoulEntry(text), target, NOW)), between, NOW))
            assert said(to(there, "soul", LATER)) == {"text": text, "file": "MEMORY.md"}


FULL: dict[str, Any] = {
    "schema_version": 1, "memory_id": "MEM-Door.1", "type": "episodic", "title": "Door  code\nchanged",
    "content": "The code of the door\n  is new. \n", "tags": ["door"], "source_conversation_id": "C-1",
    "source_decision_id": "D-1", "source_run_id": "r", "scope": "global", "expires_at": "2027-02-28", "pinned": True,
    "confidence": 0.95, "created_at": "2026-11-06T08:00:00+08:00", "updated_at": "2026-11-07T08:00:00.000Z",
}  # fmt: skip


def test_what_oxsoul_alone_does_not_hold_goes_to_x_fields() -> None:
    done = convert(FULL, "oxsoul", NOW)
    assert isinstance(done.item, OxSoul)
    fields = done.item.fields
    assert {key: fields[key] for key in ("name", "description", "category", "importance", "confidence", "tags")} == {
        "name": "door-1", "description": "Door code changed", "category": "context", "importance": 1.0,
        "confidence": 0.95, "tags": ["door"],
    }  # fmt: skip
    assert {key: value for key, value in fields.items() if key.startswith("x_")} == {
        "x_cortex_memory_id": '"MEM-Door.1"', "x_cortex_type": '"episodic"',
        "x_cortex_title": '"Door \\u0020code\\nchanged"',
        "x_cortex_content": '"The code of the door\\n \\u0020is new. \\n"',
        "x_cortex_source_conversation_id": '"C-1"', "x_cortex_source_decision_id": '"D-1"',
        "x_cortex_source_run_id": '"r"', "x_cortex_scope": '"global"', "x_cortex_expires_at": '"2027-02-28"',
    }  # fmt: skip
    assert done.kept == [key.removeprefix("x_cortex_") for key in fields if key.startswith("x_cortex_")]


def test_what_a_soul_does_not_hold_is_reported() -> None:
    done = convert(FULL, "soul", NOW)
    assert isinstance(done.item, SoulEntry)
    assert done.item.text == "# Door code changed\n\nThe code of the door\n  is new."
    assert {loss.field: loss.becomes for loss in done.losses} == {
        "memory_id": next(iter([said(to(done.item, "cortex", NOW))["memory_id"]])), "type": "semantic",
        "title": "Door code changed", "content": "The code of the door\n  is new.", "tags": [],
        "source_conversation_id": None, "source_decision_id": None, "source_run_id": None, "scope": "project",
        "expires_at": None, "pinned": False, "confidence": 0.8, "created_at": NOW, "updated_at": None,
    }  # fmt: skip


def test_what_cortex_does_not_hold_is_reported() -> None:
    memory = OxSoul(
        {
            "name": "prefers-pnpm", "description": "用户偏好 pnpm", "category": "feedback", "importance": 0.7,
            "confidence": 0.9, "source": "manual", "tags": ["偏好", "C++", "pnpm"], "created": "2026-09-04",
            "updated": "2026-09-05T00:00:00.000Z", "x_fingerprint": "ab",
        },
        "用户偏好 pnpm 管理依赖。",
    )  # fmt: skip
    losses = {loss.field: (loss.value, loss.becomes) for loss in convert(memory, "cortex", NOW).losses}
    assert losses == {
        "category": ("feedback", "fact"), "importance": (0.7, 0.5), "source": ("manual", "import"),
        "tags": (["偏好", "C++", "pnpm"], ["c", "pnpm"]), "created": ("2026-09-04", "2026-09-04T00:00:00.000Z"),
        "x_fingerprint": ("ab", None),
    }  # fmt: skip
    assert {loss.field for loss in convert(memory, "soul", NOW).losses} >= {"name", "tags", "created", "x_fingerprint"}


@pytest.mark.parametrize(
    ("item", "target", "rule", "found"),
    [
        (SoulEntry("字" * 4001), "cortex", "content-length", "4001"),
        (OxSoul({"name": "a", "description": "d"}, "字" * 4123), "cortex", "content-length", "4123"),
        (SoulEntry("caf\udce9"), "cortex", "unicode", ""),
        (SoulEntry("caf\udce9"), "oxsoul", "unicode", ""),
        ({**FULL, "title": "", "content": "a\n§\nb"}, "soul", "section-sign", ""),
        ({**FULL, "title": "", "content": " \n "}, "soul", "empty", ""),
        (OxSoul({"name": "a", "description": "d"}, "a\n§ \nb"), "soul", "section-sign", ""),
    ],
)
def test_refusals(item: Any, target: str, rule: str, found: str) -> None:
    assert {(refusal.rule, refusal.found) for refusal in convert(item, target, NOW).refusals} == {(rule, found)}


def test_nothing_is_cut_at_the_limit() -> None:
    done = convert(SoulEntry("字" * 4000), "cortex", NOW)
    assert isinstance(done.item, dict)
    assert done.item["content"] == "字" * 4000
    long = {**FULL, "title": "t" * 200}
    done = convert(long, "oxsoul", NOW)
    assert isinstance(done.item, OxSoul)
    assert len(done.item.text("description")) == 120
    assert done.losses == []


def test_the_brand_of_an_import() -> None:
    memory = OxSoul({"name": "a", "description": "d", "source": "manual", "confidence": 0.9}, "b")
    once = conversion_memory.branded(memory, "cortex:MEM-a", NOW)
    assert once.fields == {
        "name": "a", "description": "d", "source": "import", "confidence": 0.6, "x_origin_source": "manual",
        "x_origin_confidence": "0.9", "x_import_from": "cortex:MEM-a", "x_imported_at": NOW,
    }  # fmt: skip
    twice = conversion_memory.branded(once, "cortex:MEM-b", LATER)
    assert (twice.fields["x_origin_source"], twice.fields["x_origin_confidence"]) == ("manual", "0.9")
    assert twice.trust() == 0.9
    for odd in ("", "2", "true", "NaN", "x"):
        assert OxSoul({**once.fields, "x_origin_confidence": odd}, "b").trust() == 0.6


def test_odd_x_fields_never_make_an_entry_that_breaks_the_schema() -> None:
    fields = {
        "name": "a",
        "description": "d",
        "x_cortex_type": '"x"',
        "x_cortex_tags": "[",
        "x_cortex_memory_id": '"../x"',
    }
    done = convert(OxSoul(dict(fields), "b"), "cortex", NOW)
    assert sorted(refusal.rule for refusal in done.refusals) == ["memory-id", "type"]


def test_one_file_of_a_soul() -> None:
    for user in (True, False):
        done = convert({**FULL, "scope": "user"}, "soul", NOW, user=user)
        assert isinstance(done.item, SoulEntry)
        assert done.item.user is user
        assert ("scope" in {loss.field for loss in done.losses}) is not user


@given(WORDS, WORDS)
def test_a_title_above_a_text_is_found_again(title: str, text: str) -> None:
    from soulsync.formats.text import STRIP

    title, text = " ".join(title.split()).strip(STRIP), text.strip(STRIP)
    if title and text:
        assert untitled(titled(title, text)) == (title, text)


@pytest.mark.parametrize(
    "text", ["# a", "# a\nb", "# a\n\n", "#a\n\nb", "# \n\nb", "a\n\nb", "# a\n\n\nb", f"# {'t' * 201}\n\nb"]
)
def test_other_texts_have_no_title(text: str) -> None:
    assert untitled(text) == (None, text)


@given(st.recursive(st.none() | st.floats(0, 1) | st.text(), lambda inner: st.lists(inner, max_size=3), max_leaves=5))
def test_json_on_a_frontmatter_line(value: object) -> None:
    text = to_json(value)
    assert " ".join(text.split()) == text
    there, back = from_json(text)
    assert there
    assert to_json(back) == text


def test_small_things() -> None:
    assert describe("\n\n  a   b \nc") == "a b"
    assert describe("x" * 121) == "x" * 119 + "…"
    assert slugs(["Ａ b", "a-b", "偏好", "-", "_x", *map(str, range(20))])[:3] == ["a-b", "_x", "0"]
    assert len(slugs([str(number) for number in range(20)])) == 10
    with pytest.raises(ValueError, match="no other format"):
        conversion.to(SoulEntry("a"), "soul", NOW)
    assert repr(convert(FULL, "soul", NOW).losses[0]).startswith("Loss('memory_id', 'MEM-Door.1', ")
    assert repr(convert(SoulEntry("a\udc80"), "oxsoul", NOW).refusals) == "[Refusal('body', 'unicode', '')]"


def test_line_ends_of_another_system_are_no_reason_to_refuse() -> None:
    entry = {"schema_version": 1, "memory_id": "MEM-a", "type": "semantic", "created_at": NOW}
    done = convert({**entry, "content": "\ufeffone\r\ntwo\rthree"}, "soul", NOW)
    assert isinstance(done.item, SoulEntry)
    assert (done.refusals, done.item.text) == ([], "one\ntwo\nthree")
    assert [loss.field for loss in done.losses if loss.field == "content"] == ["content"]
