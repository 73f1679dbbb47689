"""Bodies that use one and the same deploy key (soul-repo-v4 §7)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def shared_keys(bodies: Mapping[str, str | None]) -> list[list[str]]:
    """The groups of bodies that use one and the same key, names sorted; ``bodies`` is what ``fingerprints`` gives.

    §7: one key per body, never copied to another. A copied one can't be revoked for one of the two alone.
    """
    groups: dict[str, list[str]] = {}
    for name, print_ in bodies.items():
        if print_:
            groups.setdefault(print_, []).append(name)
    return sorted(sorted(names) for names in groups.values() if len(names) > 1)
