"""Hermes Agent: its personality and its two memories files, and the soul (bridges §2)."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from soulsync import spec
from soulsync.body.bridge import hermes_hooks
from soulsync.body.bridge.mapping import Entries, Text
from soulsync.body.bridge.native import NativeFault
from soulsync.errors import UsageError
from soulsync.formats import hermes
from soulsync.formats.text import encode, plain
from soulsync.lang import tr
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from soulsync.body.bridge.mapping import Pairing
    from soulsync.body.bridge.record import Bridge

TITLE = "Hermes Agent"
CONFIG = "config.yaml"
MAX_CONFIG = 4 << 20
"""Bytes; a larger config is not read."""
_DEFAULTS = frozenset(
    {
        "2765a846e1bb371d78d3b93b403dfb0f8d1ba1a9895edb5f608367abfe81194d",
        "82fa3438d86f8b95c6e96be89d853c8b561b3e6973ed61c90e70e0231dd24a7e",
        "6bc146a50e8fe3bd555e89a77e93af1f781cece8cf549f0d7a02ee2389811c72",
    }
)
"""SHA-256 of the texts that Hermes writes into a new ``SOUL.md``, or wrote (0.19.0): stripped, with LF."""


def locate(path: str | None, project: str | None, env: Mapping[str, str]) -> Path:
    """The home of Hermes: ``path``, else ``$HERMES_HOME``, else that of the active profile, else ``~/.hermes``.

    Raises ``UsageError`` (2) for a project, which Hermes does not know.
    """
    if project is not None:
        raise UsageError(tr("Hermes Agent has no projects."), tr("Name a profile's folder with `--path DIR`."))
    chosen = path or env.get("HERMES_HOME", "").strip()
    root = Path(chosen or "~/.hermes").expanduser().absolute()
    return root if path or root.parent.name == "profiles" else _active(root)


def _active(root: Path) -> Path:
    """The folder of the profile that ``hermes profile use`` chose, as the program itself finds it."""
    try:
        name = (root / "active_profile").read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return root
    folder = root / "profiles" / name
    return folder if name not in ("", "default") and "/" not in name and folder.is_dir() else root


def mappings(bridge: Bridge, _body: str) -> list[Pairing]:
    """The personality and the memories. Raises ``NativeFault`` where the limits can't be read."""
    memory, user = limits(bridge.path)
    folder = bridge.path / "memories"
    return [
        Text("soul", bridge.path / "SOUL.md", spec.SOUL_MD, is_default),
        _entries("memory", folder / "MEMORY.md", spec.MEMORY_MD, memory),
        _entries("user", folder / "USER.md", spec.USER_MD, user),
    ]


def _entries(key: str, native: Path, soul: str, limit: int) -> Entries:
    return Entries(key, native, soul, hermes.parse, hermes.render, partial(hermes.project, limit), locked=True)


def is_default(data: bytes) -> bool:
    """Whether a ``SOUL.md`` is what Hermes writes where there is none, or an older version of it wrote."""
    return sha256(encode(plain(data).strip())).hexdigest() in _DEFAULTS


def limits(home: Path) -> tuple[int, int]:
    """The limits of ``MEMORY.md`` and ``USER.md`` in code points, by the config.

    Raises ``NativeFault`` for a config that can't be read: a guess may show what Hermes then refuses to change.
    """
    memory = _config(home / CONFIG).get("memory")
    values = memory if isinstance(memory, dict) else {}
    return (
        _limit(values.get("memory_char_limit"), hermes.MEMORY_LIMIT),
        _limit(values.get("user_char_limit"), hermes.USER_LIMIT),
    )


def _limit(value: Any, default: int) -> int:
    """A limit as Hermes takes it, by ``int()``; its default where that fails."""
    try:
        return default if value is None else max(int(value), 0)
    except (TypeError, ValueError, OverflowError):
        return default


def _config(file: Path) -> dict[str, Any]:
    import yaml  # needed for this bridge alone, and slow to load

    try:
        with file.open("rb") as opened:
            values = yaml.safe_load(opened.read(MAX_CONFIG).decode("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, yaml.YAMLError, RecursionError) as e:
        raise NativeFault(
            str(file),
            tr("{path} can't be read: {reason}.", path=shown(str(file)), reason=str(e).split("\n")[0]),
            tr("Correct it; nothing was written."),
        ) from e
    return values if isinstance(values, dict) else {}


def install_hooks(bridge: Bridge, _agent: str, words: Sequence[str]) -> None:
    """Put the hooks into the config and the list of approved ones. Raises ``SoulSyncError`` where that can't be."""
    hermes_hooks.install(bridge.path, words)


def remove_hooks(bridge: Bridge, agent: str) -> bool:
    """Take the hooks out of both; whether there were any."""
    return hermes_hooks.remove(bridge.path, agent, bridge.name)
