"""What a round of a bridge notes, and how a fault of it is told."""

from __future__ import annotations

from pathlib import Path

from soulsync.body.bridge.carried import ADDED, TO_NATIVE, TO_SOUL, Carried, Fault
from soulsync.body.bridge.record import Bridge


class Compared(str):
    """A text that counts how often any of them is compared."""

    __slots__ = ()
    times = 0

    def __eq__(self, other: object) -> bool:
        Compared.times += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_each_change_is_noted_once_and_looked_for_at_once() -> None:
    """The first contact of a large memory has tens of thousands."""
    carried = Carried(Bridge("hermes", "hermes", Path("/home/kai/.hermes")))
    texts = [f"memory {number}" for number in range(2000)]
    for _ in range(2):
        for text in texts:
            carried.note(TO_SOUL, ADDED, "memories/MEMORY.md", Compared(text))
    assert [change.text for change in carried.changes] == texts
    assert Compared.times < 10 * len(texts)
    carried.note(TO_NATIVE, ADDED, "memories/MEMORY.md", texts[0])
    assert len(carried.as_json()["changes"]) == len(texts) + 1


def test_a_chinese_fault_has_no_blank_behind_its_full_stop() -> None:
    assert str(Fault("a.md", "a.md is empty.", "Look at it.")) == "a.md is empty. Look at it."
    assert str(Fault("a.md", "a.md 不存在。", "请查看。")) == "a.md 不存在。请查看。"
    assert str(Fault("a.md", "a.md is empty.", "")) == "a.md is empty."
