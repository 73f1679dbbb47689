"""The subject of a snapshot: what changed, by kinds of file (soul-repo-v4 §5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync import spec

if TYPE_CHECKING:
    from collections.abc import Iterable

REGISTERED = "登记身体"

_KINDS = (
    ("memories/", "记忆"), ("journal/", "日记"), ("notes/", "笔记"), ("bodies/", "身体登记"),
    (spec.SOUL_MD, "人格"), (spec.AGENT_JSON, "身份"),
)  # fmt: skip


def of(changed: Iterable[str]) -> str:
    """What a snapshot of the ``changed`` paths is called: ``更新记忆、笔记``."""
    paths = list(changed)
    kinds = [word for prefix, word in _KINDS if any(path.startswith(prefix) for path in paths)]
    if any(not path.startswith(tuple(prefix for prefix, _ in _KINDS)) for path in paths):
        kinds.append("其他文件")
    if kinds == ["身体登记"]:
        return REGISTERED
    return "更新" + "、".join(kind for kind in kinds if kind != "身体登记" or len(kinds) == 1)
