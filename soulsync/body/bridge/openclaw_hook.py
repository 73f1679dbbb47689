"""A hook folder of OpenClaw, ``~/.openclaw/hooks/<name>/``, that starts the bridge when a session ends (bridges §3)."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

from soulsync.errors import RefusedError
from soulsync.files import PUBLIC, write_durably
from soulsync.lang import tr
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

EVENTS = ("gateway:startup", "command:new", "command:reset", "session:compact:after", "gateway:shutdown")
ABOUT, HANDLER = "HOOK.md", "handler.js"
_MARK = "<!-- Written by soulsync; `soulsync bridge remove` removes it. -->"
_ABOUT = """\
---
name: {name}
description: "Bring memories from the agent's soul, and new ones into it"
metadata: {metadata}
---

# {name}

{mark}

Starts `soulsync bridge sync` beside the gateway and does not wait for it.
"""
_HANDLER = """\
// Written by soulsync; `soulsync bridge remove` removes it.
import {{ spawn }} from "node:child_process";

const [PROGRAM, ...WORDS] = {words};

export default async function startBridge() {{
  try {{
    const child = spawn(PROGRAM, WORDS, {{ cwd: "/", detached: true, stdio: "ignore" }});
    child.on("error", () => {{}}); // the gateway runs on without soulsync
    child.unref();
  }} catch {{
    // the same
  }}
}}
"""


def install(folder: Path, words: Sequence[str]) -> None:
    """Write the hook into ``folder``, whose name is the hook's; it runs ``words``, detached.

    Raises ``RefusedError`` (3) where another hook lies there.
    """
    _refuse_others(folder)
    name = folder.name
    metadata = json.dumps({"openclaw": {"events": list(EVENTS)}})
    write_durably(folder / HANDLER, _HANDLER.format(words=json.dumps(list(words))).encode("utf-8"), PUBLIC)
    about = _ABOUT.format(name=name, metadata=metadata, mark=_MARK)
    write_durably(folder / ABOUT, about.encode("utf-8"), PUBLIC)


def remove(folder: Path) -> bool:
    """Remove the hook that :func:`install` wrote; whether it was there. Anything else stays, another hook too."""
    there = is_installed(folder)
    if there:
        for name in (ABOUT, HANDLER):
            (folder / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            folder.rmdir()
    return there


def is_installed(folder: Path) -> bool:
    """Whether our hook lies in ``folder``."""
    try:
        return not folder.is_symlink() and _MARK.encode() in (folder / ABOUT).read_bytes()
    except OSError:
        return False


def _refuse_others(folder: Path) -> None:
    if (folder.is_symlink() or (folder / ABOUT).exists()) and not is_installed(folder):
        raise RefusedError(
            tr("{folder} is not a hook that soulsync wrote.", folder=shown(str(folder))),
            tr("Move it away, or do without `--hooks`."),
        )
