"""Running the embedded SSH server in the foreground."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

from soulsync.access.server import SoulServer
from soulsync.cli.context import say
from soulsync.cli.folders import usable
from soulsync.cli.remote_server import public_line
from soulsync.lang import tr

if TYPE_CHECKING:
    from pathlib import Path
    from types import FrameType

    from soulsync.access.events import Event


def serve(root: Path, host: str, port: int, create: tuple[str, ...], authorize: tuple[tuple[str, str], ...]) -> None:
    """Prepare the repositories and keys that were named, then serve until SIGINT or SIGTERM."""
    usable(root, tr("Give a folder with `--root DIR`."))
    server = SoulServer(root, host, port, listener=_log)
    for name in create:
        if not (server.root / f"{name.removesuffix('.git')}.git").exists():
            server.create(name)
    for name, file in authorize:
        server.authorize(name, public_line(file))
    signal.signal(signal.SIGTERM, _interrupt)
    server.start()
    say(
        tr("Serving {root} at ssh://git@{host}:{port}/ (Ctrl-C ends it)", root=server.root, host=host, port=server.port)
    )
    for repository in sorted(server.root.rglob("*.git")):
        say(f"  {server.url(str(repository.relative_to(server.root)))}")
    sys.stdout.flush()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        say(tr("Stopped."))


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _log(event: Event) -> None:
    say(str(event))
    sys.stdout.flush()
