"""Which bridges this body has: ``bridges.toml`` in its home, never in the soul, since paths are of this machine."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from soulsync import spec
from soulsync.errors import SoulSyncError, UsageError
from soulsync.files import write_durably
from soulsync.lang import tr
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from soulsync.body.home import Home


@dataclass(frozen=True, slots=True)
class Bridge:
    """A bridge: its ``name``, the ``framework``, the framework's folder ``path``; ``project`` where one was named.

    ``hooks``: whether the framework was told to run the bridge.
    """

    name: str
    framework: str
    path: Path
    project: str | None = None
    hooks: bool = False

    def as_values(self) -> dict[str, Any]:
        """The fields as TOML and JSON hold them; without those that say nothing."""
        values: dict[str, Any] = {"name": self.name, "framework": self.framework, "path": str(self.path)}
        if self.project is not None:
            values["project"] = self.project
        return {**values, "hooks": self.hooks}


def load(home: Home) -> list[Bridge]:
    """The bridges, in the order in which they were built. Raises ``SoulSyncError`` for a record that can't be read."""
    try:
        values = tomllib.loads(home.bridges.read_text("utf-8"))
        return [_bridge(item) for item in values.get("bridge", [])]
    except FileNotFoundError:
        return []
    except (ValueError, TypeError, KeyError, AttributeError) as e:
        raise SoulSyncError(
            tr("{path} can't be read: {reason}.", path=home.bridges, reason=e),
            tr("Correct it, or delete it and build the bridges again."),
        ) from e


def _bridge(item: dict[str, Any]) -> Bridge:
    name, framework, path, project = item["name"], item["framework"], item["path"], item.get("project")
    if not all(isinstance(text, str) for text in (name, framework, path, project or "")) or not is_name(name):
        raise ValueError(str(item))
    return Bridge(name, framework, Path(path), project, item.get("hooks") is True)


def save(home: Home, bridges: list[Bridge]) -> None:
    """Write the record; without bridges the file goes, so that a sync finds nothing to do."""
    if not bridges:
        home.bridges.unlink(missing_ok=True)
        return
    import tomli_w

    write_durably(home.bridges, tomli_w.dumps({"bridge": [bridge.as_values() for bridge in bridges]}).encode("utf-8"))


def find(bridges: list[Bridge], names: tuple[str, ...]) -> list[Bridge]:
    """The bridges of these names, all where none is given. Raises ``UsageError`` (2) for a name that none has."""
    known = {bridge.name: bridge for bridge in bridges}
    for name in names:
        if name not in known:
            raise UsageError(
                tr("There is no bridge {name}.", name=shown(name)),
                tr("Known here: {known}.", known=", ".join(known) or "–"),
            )
    return [known[name] for name in dict.fromkeys(names)] if names else bridges


def is_name(text: str) -> bool:
    """Whether a text may name a bridge: as a body, ``[a-z0-9-]``, 1 to 40 characters."""
    return spec.is_body_name(text)
