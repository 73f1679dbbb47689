"""``validate``: what lies at a path is held against the spec of its format. Nothing is changed, nothing refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from soulsync import spec
from soulsync.errors import UsageError
from soulsync.formats.finding import Finding
from soulsync.lang import tr
from soulsync.repo import completion, install, objects
from soulsync.repo.git import Git
from soulsync.repo.layout import locate
from soulsync.repo.paths import shown
from soulsync.repo.validation import oxsoul, place, soul, source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from soulsync.repo.validation.place import Place


class Checked(NamedTuple):
    """What was checked, by which format, and what was found, ordered by path and line."""

    format: str
    path: Path
    findings: list[Finding]


def check(path: Path, given: str | None = None) -> Checked:
    """Check the soul, store or file at ``path``, which exists; its format is told by what lies there, or ``given``."""
    found = place.find(path, given)
    checks = {place.SOUL: _soul, place.OXSOUL: _oxsoul, place.CORTEX: _cortex}
    return Checked(found.format, path, soul.ordered(checks[found.format](found)))


def fix(path: Path) -> list[str]:
    """Write and stage what merges left out of the memory stores of the repository that ``path`` lies in; one line each.

    The second of two memories that came under one name, and indexes as a rebuild gives them. Raises ``UsageError`` (2)
    where no repository is, or where no drivers were installed: then git does not know what a memory is.
    """
    here = path.absolute()
    top = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), None)
    if top is None or install.check(top) == [tr("Merge drivers and hooks are not installed.")]:
        raise UsageError(
            tr("{path} is in no repository that has our merge drivers.", path=path),
            tr("Run `soulsync install --repo PATH` first."),
        )
    git = Git(locate(top).git_dir, top)
    return (
        completion.after_merges(git, str(top))
        if git.run("rev-parse", "-q", "--verify", "HEAD", check=False).out
        else []
    )


def _soul(found: Place) -> Iterator[Finding]:
    if found.file is not None:
        yield from soul.check_item(source.of_file(found.root, found.file), soul.display_name(found.root))
    elif place.is_bare(found.root):
        yield from _bare(found.root)
    else:
        yield from soul.check(source.of_folder(found.root))
        if (found.root / ".git").exists():
            yield from _branches(Git(locate(found.root).git_dir))
        yield from _stores(found.root)


def _bare(root: Path) -> Iterator[Finding]:
    """The soul in a repository without a work tree: what its ``main`` holds."""
    import pygit2

    repo = pygit2.Repository(str(root))
    tip = repo.references.get(spec.MAIN_REF)
    if tip is None:
        yield Finding(spec.BRANCH, None, "missing", tr("the branch main is missing"))
        return
    yield from soul.check(source.of_tree(repo, objects.tree_of(repo, str(tip.target))))
    yield from _branches(Git(root))


def _branches(git: Git) -> Iterator[Finding]:
    """A soul has the branch ``main`` alone (soul-repo-v4 §1)."""
    for name in git.text("for-each-ref", "--format=%(refname)", "refs/heads").splitlines():
        if name != spec.MAIN_REF:
            branch = shown(name.removeprefix("refs/heads/"))
            yield Finding(branch, None, "branch", tr("is a branch; a soul has main alone"))


def _stores(root: Path) -> Iterator[Finding]:
    """Stores of the other two formats that lie in a soul."""
    for roots, format_, judge in (
        (spec.OXSOUL_ROOTS, place.OXSOUL, _oxsoul),
        (spec.CORTEX_ROOTS, place.CORTEX, _cortex),
    ):
        for folder in roots:
            if (root / folder).is_dir() and not (root / folder).is_symlink():
                for one in judge(place.Place(format_, root / folder, None)):
                    yield Finding(f"{folder}/{one.path}", one.line, one.rule, one.message)


def _cortex(found: Place) -> Iterator[Finding]:
    from soulsync.stores.cortex import reading

    if found.file is not None:
        file = found.root / found.file
        for one in reading.read(file.parent.parent, f"{file.parent.name}/{file.name}")[1]:
            yield Finding(found.file, one.line, one.rule, one.message)
        return
    inner = found.root / ".agent" / "memory"
    yield from reading.scan(inner if inner.is_dir() else found.root).findings


def _oxsoul(found: Place) -> Iterator[Finding]:
    from soulsync.stores.oxsoul import checking

    if found.file is None:
        yield from checking.check(found.root)
    elif found.file.rpartition("/")[2] == spec.INDEX_MD:
        folder = found.file.removesuffix(spec.INDEX_MD)
        for one in checking.check((found.root / found.file).parent):
            if one.path == spec.INDEX_MD:
                yield Finding(folder + one.path, one.line, one.rule, one.message)
    else:
        yield from oxsoul.check_item(source.of_file(found.root, found.file, spec.MAX_CHECKOUT_BYTES))
