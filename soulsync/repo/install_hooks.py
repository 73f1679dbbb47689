"""Hook files: put in place without losing what is there, and taken out again.

A hook that is there already is renamed to ``NAME.before-soulsync``; ours runs it first (gastownhall/beads#1120: the
user's hook was gone). Git is asked which folder it takes hooks from (Barnett-Studios/cxpak#86: hooks were written where
git does not look). When that is not the repository's own folder, which other repositories or the work tree share, it is
never written: the repository gets a folder of its own, whose files run those of the other folder too.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync.files import write_durably
from soulsync.lang import tr
from soulsync.repo.git import Git, GitError
from soulsync.repo.layout import Change
from soulsync.shipped import shipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from soulsync.repo.install_config import Config
    from soulsync.repo.layout import Layout

HOOKS = ("pre-commit", "commit-msg", "pre-push", "post-merge", "post-rewrite")
PASS_ON = "pass-on"  # noqa: S105 - the name of a file
ASIDE = ".before-soulsync"
OWN_FOLDER = "soulsync-hooks"
MARK = "# soulsync hook"
GIT_HOOKS = (
    *HOOKS,
    *("applypatch-msg", "pre-applypatch", "post-applypatch", "pre-merge-commit", "prepare-commit-msg", "post-commit"),
    *("pre-rebase", "post-checkout", "pre-auto-gc", "reference-transaction", "sendemail-validate", "post-index-change"),
)
"""Every hook that git may run in a clone (githooks(5) of 2.39 to 2.50)."""


def render(name: str, python: str, start: str, outer: str) -> bytes:
    """The hook file ``name`` for this machine."""
    text = (shipped("hooks") / name).read_text("utf-8")
    for placeholder, value in (("@PYTHON@", python), ("@START@", start), ("@OUTER@", outer)):
        text = text.replace(placeholder, shlex.quote(value))
    return os.fsencode(text)


def is_ours(path: Path) -> bool:
    """Whether a hook file was written by soulsync, of whatever version."""
    try:
        lines = path.read_bytes().split(b"\n", 2)
    except OSError:
        return False
    return len(lines) > 1 and lines[1].startswith(MARK.encode())


def own_folder(layout: Layout) -> Path:
    """The folder for our hooks where git is set to use one that is not the repository's own."""
    return layout.common / OWN_FOLDER


def outer_folder(layout: Layout, config: Config) -> tuple[Path | None, str]:
    """The folder that git would take hooks from if soulsync had set nothing, None for the usual one; and who set it.

    Git is asked with the user's own configuration. Raises GitError when that can't be read.
    """
    git = Git(layout.git_dir, layout.root, user_config=True)
    argv = ("config", "--show-scope", "-z", "--type=path", "--get-all", "core.hooksPath")
    result = git.run(*argv, check=False)
    if result.code not in (0, 1):
        raise GitError(["git", *argv], result.code, result.err)
    words = os.fsdecode(result.out).split("\0")
    settings = [(Path(value), scope) for scope, value in zip(words[::2], words[1::2], strict=False)]
    own = own_folder(layout)
    before = config.values.get("soulsync.core.hooksPath.former", [])
    settings = [s for s in settings if s[0] != own] + [(Path(value).expanduser(), "local") for value in before]
    if not settings:
        return None, ""
    folder, scope = settings[-1]
    folder = Path(os.path.normpath(layout.root / folder))  # relative to where git runs hooks: the top of the work tree
    return (None, scope) if folder.resolve() == layout.common / "hooks" else (folder, scope)


def wanted(layout: Layout, outer: Path | None, names: Iterable[str], python: str, start: str) -> dict[Path, bytes]:
    """Each hook file of ours with its content."""
    folder = layout.common / "hooks" if outer is None else own_folder(layout)
    files = {folder / name: render(name, python, start, str(outer or "")) for name in names}
    for name in GIT_HOOKS:  # a hook of the other folder that we do not have must run all the same
        if outer is not None and folder / name not in files and os.access(outer / name, os.X_OK):
            files[folder / name] = render(PASS_ON, python, start, str(outer))
    return files


def install(layout: Layout, files: dict[Path, bytes]) -> list[Change]:
    """What must be done so that the hook files stand, those of others aside, and no older ones of ours elsewhere."""
    changes = [change for path in installed(layout) if path not in files for change in _take_out(path)]
    for path, content in files.items():
        if is_ours(path) and path.read_bytes() == content and os.access(path, os.X_OK):
            continue
        if not is_ours(path) and os.path.lexists(path):
            aside = _free_name(path)
            changes.append(
                Change(
                    tr("keep the hook {name} as {name2}; it still runs", name=path.name, name2=aside.name),
                    _mover(path, aside),
                )
            )
        changes.append(Change(tr("write the hook {name}", name=path.name), _writer(path, content)))
    return changes


def uninstall(layout: Layout) -> list[Change]:
    """What must be done so that no hook of ours is left and those of others are back."""
    changes = [change for path in installed(layout) for change in _take_out(path)]
    return (
        [*changes, Change(tr("remove the hooks folder if it is empty"), lambda: _remove_folders(layout))]
        if changes
        else []
    )


def installed(layout: Layout) -> list[Path]:
    """The hook files of ours that are there."""
    folders = (layout.common / "hooks", own_folder(layout))
    return [path for folder in folders for name in GIT_HOOKS if is_ours(path := folder / name)]


def aside(path: Path) -> list[Path]:
    """The hooks that were there before ``path``, in the order in which they run."""
    return sorted(path.parent.glob(f"{path.name}{ASIDE}*"))


def _take_out(path: Path) -> list[Change]:
    others = aside(path)
    if not others:
        return [Change(tr("remove the hook {name}", name=path.name), path.unlink)]
    return [Change(tr("put back the hook {name}", name=path.name), _mover(others[-1], path))]


def _free_name(path: Path) -> Path:
    """A name for a hook that steps aside: a second one, of a tool installed after soulsync, gets a number."""
    names = [f"{path.name}{ASIDE}", *(f"{path.name}{ASIDE}-{n}" for n in range(2, 10))]
    return path.with_name(next(name for name in names if not os.path.lexists(path.with_name(name))))


def _mover(source: Path, target: Path) -> Callable[[], None]:
    def move() -> None:
        source.replace(target)

    return move


def _writer(path: Path, content: bytes) -> Callable[[], None]:
    def write() -> None:
        path.parent.mkdir(exist_ok=True)
        write_durably(path, content, 0o755)
        path.chmod(0o755)  # the umask may have taken bits away

    return write


def _remove_folders(layout: Layout) -> None:
    for folder in (layout.common / "hooks", own_folder(layout)):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
