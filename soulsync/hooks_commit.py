"""The hooks of a commit: which staged entries no soul may hold, and the body's name in the message.

A merge, a cherry-pick or a revert brings in what its parents already hold; only what no parent has is judged.
"""

from __future__ import annotations

from soulsync import spec
from soulsync.formats.agent import agent_id
from soulsync.repo.paths import decode, shown
from soulsync.repo.tree_changes import EMPTY_TREE
from soulsync.repo.whereabouts import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.hooks import Place
    from soulsync.repo.git import Git

PSEUDO_REFS = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD")
LINK, NESTED, GONE = "120000", "160000", "000000"
BINARY_PROBE = 8000
"""How many bytes are looked at for a NUL (§6); git itself looks at as many."""
BATCH = 64
OUT = "Take it out of the commit: git restore --staged -- PATH."


def problems(place: Place) -> Iterator[str]:
    """Name each staged entry that may not be committed, one sentence and a remedy each."""
    git = place.git()
    staged = new_entries(git, parents(place, git))
    files = {}
    for path, (mode, blob) in staged.items():
        owner = spec.owner_of(path)
        if owner is not None and owner != place.body and place.body:
            yield f"{shown(path)} belongs to the body {owner}; only it writes there. {OUT}"
        elif mode == LINK:
            yield f"{shown(path)} is a symbolic link; a soul holds files alone. {OUT}"
        elif mode == NESTED:
            yield f"{shown(path)} is a repository of its own; a soul holds files alone. {OUT}"
        elif mode != GONE:
            files[path] = blob
    yield from _unfit(git, files)
    if spec.AGENT_JSON in staged:
        yield from _other_agent(git, staged[spec.AGENT_JSON], parents(place, git))


def parents(place: Place, git: Git) -> list[str]:
    """Give the commits that the new one comes from; a revert restores what its commit's parent held."""
    names = ["HEAD"]
    for name in PSEUDO_REFS:
        ids = read_text(f"{place.git_dir}/{name}").split()
        names += ids + ([f"{i}^" for i in ids] if name == "REVERT_HEAD" else [])
    lines = "".join(f"{name}^{{commit}}\n" for name in names)
    out = git.run("cat-file", "--batch-check=%(objectname)", input=lines.encode()).out.decode("ascii")
    return [line for line in out.splitlines() if " " not in line]


def new_entries(git: Git, parents: list[str]) -> dict[str, tuple[str, str]]:
    """Map each path whose staged entry no parent has to its (mode, blob); a staged deletion has the mode ``000000``."""
    staged: dict[str, tuple[str, str]] | None = None
    for parent in parents or [EMPTY_TREE]:
        changed = _changed(git, parent)
        staged = changed if staged is None else {path: entry for path, entry in staged.items() if path in changed}
    return staged or {}


def _changed(git: Git, parent: str) -> dict[str, tuple[str, str]]:
    argv = ("diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=none")
    words = git.out(*argv, parent, "--").split(b"\0")
    # ":old-mode new-mode old-id new-id status" NUL path NUL
    records = (meta.decode("ascii").split() for meta in words[:-1:2])
    return {decode(path): (meta[1], meta[3]) for meta, path in zip(records, words[1::2], strict=True)}


def _unfit(git: Git, files: dict[str, str]) -> Iterator[str]:
    """Name the files that are too large or binary."""
    if not files:
        return
    ids = list(dict.fromkeys(files.values()))
    out = git.run("cat-file", "--batch-check=%(objectname) %(objectsize)", input="\n".join(ids).encode() + b"\n").out
    sizes = {blob: int(size) for blob, size in (line.split() for line in out.decode("ascii").splitlines())}
    binary = set(_binary(git, [blob for blob in ids if sizes[blob] <= spec.MAX_FILE_BYTES]))
    for path, blob in files.items():
        if sizes[blob] > spec.MAX_FILE_BYTES:
            yield f"{shown(path)} has {sizes[blob]:,} bytes; a soul holds no file over 1 MiB. {OUT}"
        elif blob in binary:
            yield f"{shown(path)} is binary; a soul holds text alone. {OUT}"


def _binary(git: Git, blobs: list[str]) -> Iterator[str]:
    for start in range(0, len(blobs), BATCH):
        some = blobs[start : start + BATCH]
        out = git.run("cat-file", "--batch", input="\n".join(some).encode() + b"\n").out
        at = 0
        for blob in some:  # "id type size" LF content LF
            head, _, _ = out[at : at + 200].partition(b"\n")
            size = int(head.split()[2])
            at += len(head) + 1
            if b"\0" in out[at : at + min(size, BINARY_PROBE)]:
                yield blob
            at += size + 1


def _other_agent(git: Git, staged: tuple[str, str], parents: list[str]) -> Iterator[str]:
    """Say when the staged ``agent.json`` has lost the id that the parents know, or has another."""
    held = [git.run("cat-file", "blob", f"{parent}:{spec.AGENT_JSON}", check=False) for parent in parents]
    known = [i for i in (agent_id(result.out) for result in held if result.code == 0) if i is not None]
    mode, blob = staged
    now = None if mode == GONE else agent_id(git.out("cat-file", "blob", blob))
    if known and now not in known:
        what = "no longer holds the agent's id" if now is None else f"holds another id ({now})"
        yield f"{spec.AGENT_JSON} {what}; the id of an agent never changes. Put {known[0]} back."


def sign_message(file: str, body: str) -> None:
    """Add ``（body）`` to the subject in a message file, if it does not end so already (§5).

    Comments, a message that is empty and marks for ``git rebase --autosquash`` stay as they are.
    """
    with open(file, "rb") as source:  # noqa: PTH123 - works on bytes: the message may be in any encoding
        lines = source.read().split(b"\n")
    for i, line in enumerate(lines):
        subject = line.rstrip()
        if not subject or subject.startswith(b"#"):
            continue
        name = f"（{body}）".encode()
        if not subject.endswith(name) and not subject.startswith((b"fixup! ", b"squash! ", b"amend! ")):
            lines[i] = subject + name
            with open(file, "wb") as target:  # noqa: PTH123
                target.write(b"\n".join(lines))
        return
