"""Settings of a framework that a bridge changes: written anew where they differ, wherever they really lie."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from soulsync.files import PRIVATE, write_durably

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def rewrite(file: Path, change: Callable[[bytes], bytes], *, dry: bool = False) -> bool:
    """Write what ``change`` makes of the file's bytes (b"" for no file) where it differs; whether it does.

    A link is followed to where the settings lie; the mode stays. ``dry``: nothing is written. Raises what ``change``
    raises.
    """
    file = file.resolve()
    try:
        data, mode = file.read_bytes(), stat.S_IMODE(file.stat().st_mode)
    except FileNotFoundError:
        data, mode = b"", PRIVATE
    new = change(data)
    if new != data and not dry:
        write_durably(file, new, mode)
    return new != data
