"""Meeting a server for the first time: its keys are pinned from what soulsync ships, else from what it shows (§7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.access.hostkeys import HostKey, host_name, pin, pinned, scan
from soulsync.access.pinned import SHIPPED

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.access.address import Remote


def pin_shipped(known_hosts: Path, remote: Remote, *, port_443: bool = False) -> bool:
    """Pin the keys that soulsync ships for the server, where no key is pinned for it yet; whether that was done.

    A key that the person trusted since (``trust``) stays, and so does what an earlier first contact pinned.
    """
    shipped = SHIPPED.get(host_name(remote, port_443=port_443))
    if shipped is None or pinned(known_hosts, remote, port_443=port_443):
        return False
    pin(known_hosts, remote, [HostKey(kind, text) for kind, text in shipped], port_443=port_443)
    return True


def meet(known_hosts: Path, remote: Remote, timeout: int = 10, *, port_443: bool = False) -> list[HostKey]:
    """Pin what the server shows, where no key is pinned for it yet; the keys pinned, none where it was known already.

    Raises OfflineError when it shows none.
    """
    if pin_shipped(known_hosts, remote, port_443=port_443) or pinned(known_hosts, remote, port_443=port_443):
        return []
    keys = scan(remote, timeout, port_443=port_443)
    pin(known_hosts, remote, keys, port_443=port_443)
    return keys
