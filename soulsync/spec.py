"""The tree of a soul repository, version 4: fixed files, kinds of paths, limits (soul-repo-v4 §1, §2, §6).

Standard library only and nothing heavy: the merge driver imports this at every start.
"""

from __future__ import annotations

SPEC_VERSION = 4
BRANCH = "main"
MAIN_REF = "refs/heads/main"
MAX_FILE_BYTES = 1_048_576
"""No file over 1 MiB is committed (§1)."""
MAX_CHECKOUT_BYTES = 16 * 1_048_576
"""An incoming file over this is left in the tree and not checked out (§6)."""
MAX_NOTE_LEVELS = 4
MAX_SEGMENT = 60
LEASE_MS = 30 * 60 * 1000

AGENT_JSON = "agent.json"
SOUL_MD = "SOUL.md"
MEMORY_MD = "memories/MEMORY.md"
USER_MD = "memories/USER.md"
LEASE_JSON = "locks/consolidation.json"
SPEC_JSON = ".soul-spec.json"
README_MD = "README.md"

GITATTRIBUTES = "* text=auto eol=lf\n*.md text diff=markdown\n*.json text\n"
GITIGNORE_PATTERNS = ("*.tmp", "*.swp", ".DS_Store", "*.incoming*.md")
LITTER_PATTERNS = ("*.lock", ".mem_*", "*.md.bak.*", ".access.jsonl")
"""What other programs leave beside the memories; listed in ``.git/info/exclude`` (§6)."""

README_TEXT = """\
# 灵魂仓库 / Soul repository

This repository is the soul of an AI agent: its identity, personality, memories, journal and notes,
in the layout of soul-repo v4. It must stay private. Programs write it; its history is append-only.

这是一个 agent 的灵魂仓库（soul-repo v4），由程序自动读写，历史只追加。必须保持私有。
"""

FIXED_FILES = {
    SPEC_JSON: '{\n  "spec": "soul-repo",\n  "version": 4\n}\n',
    ".gitattributes": GITATTRIBUTES,
    ".gitignore": "".join(p + "\n" for p in GITIGNORE_PATTERNS),
    README_MD: README_TEXT,
}
REQUIRED_FILES = (AGENT_JSON, SOUL_MD, MEMORY_MD, USER_MD)
REQUIRED_DIRS = ("journal", "notes", "bodies")
SPEC_DIRS = ("memories", "journal", "notes", "bodies", "locks")

OXSOUL_ROOTS = ("oxsoul",)
OXSOUL_SCOPES = ("projects", "employees", "engines")
"""Folders below an OxSoul store whose sub-folders are stores of their own, with an index each."""
CORTEX_ROOTS = (".agent/memory", "cortex")
INDEX_MD = "MEMORY.md"


def is_fixed(path: str) -> bool:
    """Whether ``path`` is one of the four fixed files."""
    return path in FIXED_FILES


def never_vanishes(path: str) -> bool:
    """Whether a deletion of ``path`` is not believed: fixed and required files, each ``.gitkeep`` (§2, §4 rule 4)."""
    if path in FIXED_FILES or path in REQUIRED_FILES:
        return True
    head, _, tail = path.rpartition("/")
    return tail == ".gitkeep" and head.split("/")[0] in SPEC_DIRS


def is_spec_path(path: str) -> bool:
    """Whether the spec itself names ``path``; everything else is an extra, the agent's own thing."""
    return path in FIXED_FILES or path in REQUIRED_FILES or path.split("/", 1)[0] in SPEC_DIRS


def is_memories(path: str) -> bool:
    """Whether ``path`` is a memories file, ``memories/<name>.md``."""
    return path.startswith("memories/") and path.endswith(".md") and path.count("/") == 1


def is_in(path: str, roots: tuple[str, ...]) -> bool:
    """Whether ``path`` lies below one of the folders ``roots``."""
    return any(path.startswith(f"{root}/") for root in roots)


def is_oxsoul_index(path: str) -> bool:
    """Whether ``path`` is the index of an OxSoul store that lies in the soul, or of one of its scopes."""
    folder, _, name = path.rpartition("/")
    parts = folder.split("/")
    return name == INDEX_MD and (folder in OXSOUL_ROOTS or (_is_scope(parts) and len(parts) == 3))


def _is_scope(parts: list[str]) -> bool:
    return parts[0] in OXSOUL_ROOTS and len(parts) > 2 and parts[1] in OXSOUL_SCOPES


def is_oxsoul(path: str) -> bool:
    """Whether ``path`` is a file of an OxSoul store that lies in the soul, its indexes apart."""
    return is_in(path, OXSOUL_ROOTS) and path.endswith(".md") and not is_oxsoul_index(path)


def is_cortex(path: str) -> bool:
    """Whether ``path`` is a file of an ``.agent/memory`` store that lies in the soul."""
    return is_in(path, CORTEX_ROOTS) and path.endswith(".json")


def owner_of(path: str) -> str | None:
    """The body that alone may write ``path`` (its journal, its registry file), or None where all may."""
    parts = path.split("/")
    if len(parts) >= 3 and parts[0] == "journal":
        return parts[1]
    if len(parts) == 2 and parts[0] == "bodies" and parts[1].endswith(".json"):
        return parts[1][: -len(".json")]
    return None


def is_registry(path: str) -> bool:
    """Whether ``path`` is a body's registry file, ``bodies/<body>.json``."""
    return path.startswith("bodies/") and path.endswith(".json") and path.count("/") == 1


def is_body_name(text: str) -> bool:
    """Whether ``text`` may name a body: ``[a-z0-9-]``, 1 to 40 characters (§3.5)."""
    return 0 < len(text) <= 40 and all(c in "abcdefghijklmnopqrstuvwxyz0123456789-" for c in text)


def is_agent_name(text: str) -> bool:
    """Whether ``text`` may name an agent: ``^[a-z0-9][a-z0-9-]{0,39}$`` (§3.1)."""
    return is_body_name(text) and text[0] != "-"
