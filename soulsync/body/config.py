"""``config.toml``: what a person decided for this body. Keys that we do not know are kept."""

from __future__ import annotations

from pathlib import Path

from soulsync import spec
from soulsync.body import plain_toml
from soulsync.body.own_files import refuse_odd
from soulsync.errors import SoulSyncError
from soulsync.files import write_durably
from soulsync.lang import tr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from soulsync.body.home import Home


CONNECT_TIMEOUT, NETWORK_TIMEOUT = 15, 600


class Config:
    """``agent`` and ``body`` by name, the ``remote`` address or None for a local soul, the folder of the soul.

    ``port_443``: reach the host's SSH at port 443. ``connect_timeout`` and ``network_timeout`` in seconds: for the
    handshake, and for one fetch or push.
    """

    __slots__ = ("agent", "body", "connect_timeout", "network_timeout", "other", "port_443", "remote", "soul")

    def __init__(
        self,
        agent: str,
        body: str,
        soul: Path,
        remote: str | None = None,
        port_443: bool = False,
        connect_timeout: int = CONNECT_TIMEOUT,
        network_timeout: int = NETWORK_TIMEOUT,
        other: dict[str, Any] | None = None,
    ) -> None:
        self.agent, self.body, self.soul, self.remote, self.port_443 = agent, body, soul, remote, port_443
        self.connect_timeout, self.network_timeout = connect_timeout, network_timeout
        self.other: dict[str, Any] = other or {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Config) and all(getattr(self, key) == getattr(other, key) for key in self.__slots__)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def changed(self, **keys: Any) -> Config:
        """The same with other values of ``keys``."""
        return Config(**{**{key: getattr(self, key) for key in self.__slots__}, **keys})


_KNOWN = {
    "agent": str, "body": str, "soul": str, "remote": str,
    "port_443": bool, "connect_timeout": int, "network_timeout": int,
}  # fmt: skip


def load(home: Home) -> Config:
    """Read the config. Raises ``SoulSyncError`` with the reason when it can't be used."""
    refuse_odd(home.root)
    try:
        values = plain_toml.loads(home.config_file.read_text("utf-8"))
    except FileNotFoundError:
        raise SoulSyncError(
            tr("{config_file} is missing.", config_file=home.config_file),
            tr("Run `soulsync init ADDRESS --body NAME`."),
        ) from None
    except ValueError as e:  # of TOML, or of UTF-8
        raise SoulSyncError(
            tr("{config_file} can't be read: {e}.", config_file=home.config_file, e=e),
            tr("Correct it; or delete it and run `soulsync init ADDRESS --body NAME`."),
        ) from e
    known = {key: value for key, value in values.items() if key in _KNOWN}
    for key, value in known.items():
        if type(value) is not _KNOWN[key]:
            raise SoulSyncError(
                tr(
                    "{config_file}: {key} must be a {name}.",
                    config_file=home.config_file,
                    key=key,
                    name=_KNOWN[key].__name__,
                ),
                tr("Correct it."),
            )
        if isinstance(value, int) and key.endswith("_timeout") and value < 1:
            raise SoulSyncError(
                tr("{config_file}: {key} must be 1 second or more.", config_file=home.config_file, key=key),
                tr("Correct it."),
            )
    if not spec.is_agent_name(known.get("agent", "")) or not spec.is_body_name(known.get("body", "")):
        raise SoulSyncError(
            tr("{config_file} names no agent or no body.", config_file=home.config_file),
            tr("Correct it; or delete it and run `soulsync init ADDRESS --body NAME`."),
        )
    known["soul"] = Path(known.get("soul") or home.default_soul)
    return Config(**known, other={key: value for key, value in values.items() if key not in _KNOWN})


def save(home: Home, config: Config) -> None:
    """Write the config in one step, mode 0600."""
    import tomli_w

    values: dict[str, Any] = {"agent": config.agent, "body": config.body, "soul": str(config.soul)}
    if config.remote:
        values["remote"] = config.remote
    if config.port_443:
        values["port_443"] = True
    if config.connect_timeout != CONNECT_TIMEOUT:
        values["connect_timeout"] = config.connect_timeout
    if config.network_timeout != NETWORK_TIMEOUT:
        values["network_timeout"] = config.network_timeout
    write_durably(home.config_file, tomli_w.dumps({**config.other, **values}).encode("utf-8"))
