"""The structure that a soul must have, and the files that make it whole when a body connects (soul-repo-v4 §2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync import __version__, lang, spec
from soulsync.body.present import now
from soulsync.formats import agent, body
from soulsync.formats.text import Malformed
from soulsync.repo import objects
from soulsync.repo.objects import BLOB, Entry

if TYPE_CHECKING:
    import pygit2

SUBJECT = "补齐灵魂仓库规范结构"
SEED_COLOR = "#7C6CF2"
_SPOKEN = {"zh": "zh-CN"}
"""The agent's language by that of the messages, where nobody chose one: it shall not change what a person reads."""


def new_identity(name: str, display_name: str | None, language: str | None) -> bytes:
    """A fresh ``agent.json``; a generated one, of which nobody chose anything, is marked as a seed."""
    from uuid import uuid4  # needed once in the life of a soul, and slow to load

    identity: dict[str, object] = {
        "id": str(uuid4()),
        "name": name,
        "displayName": display_name or name,
        "pronouns": "",
        "description": "",
        "color": SEED_COLOR,
        "language": language or _SPOKEN.get(lang.language(), "en"),
        "createdAt": now(),
    }
    if display_name is None:
        identity["seed"] = True
    return agent.render(identity)


def missing(repo: pygit2.Repository, tree: str | None, identity: bytes) -> dict[str, bytes]:
    """The fixed and required entries that ``tree`` lacks; what is there is never overwritten, whatever it says.

    ``identity`` is the ``agent.json`` to use where there is none.
    """
    present = objects.file_at(repo, tree, spec.AGENT_JSON)
    wanted: dict[str, bytes] = {path: text.encode("utf-8") for path, text in spec.FIXED_FILES.items()}
    wanted[spec.AGENT_JSON] = identity
    wanted[spec.SOUL_MD] = f"# {display_name(present or identity)}\n".encode()
    wanted[spec.MEMORY_MD] = wanted[spec.USER_MD] = b""
    filled = {path: data for path, data in wanted.items() if objects.lookup(repo, tree, path) is None}
    for folder in spec.REQUIRED_DIRS:
        if objects.lookup(repo, tree, folder) is None:
            filled[f"{folder}/.gitkeep"] = b""
    return filled


def display_name(identity: bytes | None, fallback: str = "agent") -> str:
    """The display name in an ``agent.json``, on one line; ``fallback`` where there is none."""
    try:
        shown = agent.parse(identity or b"").get("displayName")
    except Malformed:
        shown = None
    return " ".join(shown.split()) if isinstance(shown, str) and shown.strip() else fallback


def registry(old: bytes | None, name: str, fingerprint: str | None, *, host: str | None = None) -> bytes:
    """The body's own registry file with a fresh ``lastSeen``; unknown fields of ``old`` are kept."""
    fresh = body.new(name, __version__, now(), host=host, key_fingerprint=fingerprint)
    try:
        kept = body.parse(old) if old is not None else {}
    except Malformed:
        kept = {}
    if kept.get("kind") == "runtime":  # written by the runtime that shares this body's name: only our facts change
        fresh = {key: value for key, value in fresh.items() if key in ("body", "lastSeen", "keyFingerprint")}
    return body.render({**kept, **fresh})


def entries(repo: pygit2.Repository, files: dict[str, bytes]) -> dict[str, Entry | None]:
    """Store the files; the edits that put them into a tree."""
    return {path: Entry(BLOB, objects.write_blob(repo, data)) for path, data in files.items()}
