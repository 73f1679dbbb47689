"""The files of a trial: one of each kind that a rule merges, at real paths, and what two sides write into them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.repo import objects

if TYPE_CHECKING:
    from soulsync.body.doctor.patient import Patient

DAY = "2001-01-01"


def base(patient: Patient) -> dict[str, str | bytes]:
    """The files from which a trial begins, with the soul's own identity and attributes."""
    files = _written(patient.config.body, "base", 0.5, 1)
    head = patient.soul.head
    tree = objects.tree_of(patient.soul.repo, head) if head else None
    for path in (spec.AGENT_JSON, ".gitattributes"):
        data = objects.file_at(patient.soul.repo, tree, path) if tree else None
        if data is not None:
            files[path] = data
    return files


def side(patient: Patient, name: str) -> dict[str, str | bytes]:
    """What the side ``name`` (``ours`` or ``theirs``) writes; ``agent.json`` stays: no trial needs another identity."""
    return _written(patient.config.body, name, 0.6 if name == "ours" else 0.7, 2 if name == "ours" else 3)


def _written(body: str, by: str, number: float, day: int) -> dict[str, str | bytes]:
    """Every kind of file, written by ``by`` on the ``day`` of the trial's month."""
    when = f"2001-01-0{day}T08:00:00.000Z"
    more = "" if by == "base" else f"\n\n## 0{day}:30 by {by}\n\ntext"
    return {
        spec.MEMORY_MD: f"first\n§\nby {by}\n",
        spec.USER_MD: f"first\n§\nby {by}\n",
        spec.SOUL_MD: f"# Trial\n\nby {by}\n",
        "notes/trial/one.md": f"# one\n\nby {by}\n",
        f"journal/{body}/{DAY}.md": f"# {DAY} · {body}\n\n## 08:00 base\n\ntext{more}\n",
        f"bodies/{body}.json": f'{{\n  "body": "{body}",\n  "lastSeen": "{when}"\n}}\n',
        spec.LEASE_JSON: f'{{"body": "{by}", "until": {day}}}\n',
        f"{spec.OXSOUL_ROOTS[0]}/trial.md": (
            f"---\nname: trial\ndescription: a trial\nimportance: {number}\nupdated: {when}\n---\n\ntext\n"
        ),
        f"{spec.CORTEX_ROOTS[0]}/semantic/MEM-001.json": (
            f'{{\n  "memory_id": "MEM-001",\n  "type": "semantic",\n  "title": "by {by}",\n  "content": "text",\n'
            f'  "confidence": {number},\n  "updated_at": "{when}"\n}}\n'
        ),
        "tools/trial.txt": f"by {by}\n",
    }
