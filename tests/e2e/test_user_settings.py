"""The user's own git settings, locale and home: each alone, and soulsync and plain git do the same as without."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

import pytest

from tests.bodies import Body, git, in_turn
from tests.forked import ForkedBody, Forks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.bodies import Remote

SETTINGS: dict[str, dict[str, str]] = {
    "commit.gpgSign": {"commit.gpgSign": "true", "gpg.program": "@HOME@/gpg"},
    "core.hooksPath": {"core.hooksPath": "@HOME@/hooks"},
    "core.autocrlf": {"core.autocrlf": "true"},
    "core.attributesFile": {"core.attributesFile": "@HOME@/attributes"},
    "core.excludesFile": {"core.excludesFile": "@HOME@/excludes"},
    "core.fsmonitor": {"core.fsmonitor": "true"},
    "core.fsmonitor hook": {"core.fsmonitor": "@HOME@/monitor"},
    "core.quotePath": {"core.quotePath": "true"},
    "core.sshCommand": {"core.sshCommand": "false"},
    "merge.conflictStyle": {"merge.conflictStyle": "zdiff3"},
    "merge.ff": {"merge.ff": "only"},
    "merge.directoryRenames": {"merge.directoryRenames": "true"},
    "merge.renames": {"merge.renames": "false"},
    "pull.rebase": {"pull.rebase": "true"},
    "rebase.autoStash": {"rebase.autoStash": "true", "merge.autoStash": "true"},
    "rerere": {"rerere.enabled": "true", "rerere.autoUpdate": "true"},
    "init.defaultBranch": {"init.defaultBranch": "trunk"},
    "init.templateDir": {"init.templateDir": "@HOME@/template"},
    "push.default": {"push.default": "nothing"},
    "push.followTags": {"push.followTags": "true"},
    "push.gpgSign": {"push.gpgSign": "true"},
    "fetch.prune": {"fetch.prune": "true", "fetch.pruneTags": "true"},
    "fetch.recurseSubmodules": {"fetch.recurseSubmodules": "true", "submodule.recurse": "true"},
    "status.showUntrackedFiles": {"status.showUntrackedFiles": "no"},
    "color.ui": {"color.ui": "always"},
    "log.showSignature": {"log.showSignature": "true", "gpg.program": "@HOME@/gpg"},
    "diff.external": {"diff.external": "false"},
    "diff.noprefix": {"diff.noprefix": "true"},
    "url.insteadOf": {"url./nowhere/.insteadOf": "@ROOT@/remotes/"},
    "user.useConfigOnly": {"user.useConfigOnly": "true"},
    "safe.directory": {},
    "alias": {f"alias.{name}": "!false" for name in ("commit", "merge", "merge-file", "status", "update-ref", "push")},
    "core": {
        "core.worktree": "/nowhere",
        "core.bare": "true",
        "core.untrackedCache": "true",
        "core.splitIndex": "true",
        "core.sharedRepository": "0666",
        "url./nowhere/.pushInsteadOf": "@ROOT@/remotes/",
    },
}
HAND = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in
        (("NAME", "Hand"), ("EMAIL", "hand@example.org"))}  # fmt: skip
GPG = """#!/bin/sh
case " $* " in *" -bsau "*) ;; *) exit 0 ;; esac
cat > /dev/null
printf '\\n[GNUPG:] SIG_CREATED D 1 8 00 0 0\\n' >&2
printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nnone\\n-----END PGP SIGNATURE-----\\n'
"""
SCRIPTS = {
    "gpg": GPG,
    "monitor": "#!/bin/sh\nexit 1\n",
    "hooks/pre-push": "#!/bin/sh\nexit 0\n",
    "template/hooks/pre-commit": "#!/bin/sh\nexit 1\n",
}
TEXTS = {"attributes": "*.md -text merge=ours diff=none\n* ident\n", "excludes": "*.md\n*.json\njournal/\n"}


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    running = Forks(tmp_path_factory.mktemp("forks"))
    yield running
    running.close()


def live(one: Body, two: Body) -> None:
    """Connect ``two``, merge, commit and merge by plain git, undo; both bodies end in step."""
    one.remember("from one")
    two.init()
    one.write("notes/天.md", "# one\n\nword\n")
    one.sync()
    two.remember("from two")
    two.write("notes/two.md", "# two\n")
    assert two.sync()["outcome"] == "merged"
    two.ok("undo", by_hand(two))
    in_turn(two, one, rounds=1)
    assert git_here(one, "rev-parse", "HEAD") == git_here(two, "rev-parse", "HEAD")
    for body in (one, two):
        assert sorted(body.entries()) == ["from one", "from two", "on the side"]
        assert body.read("notes/天.md") == "# one\n\nword\n"
        assert body.read("notes/two.md") == "# two\n"
        assert git_here(body, "status", "--porcelain") == ""


def by_hand(two: Body) -> str:
    """Commits through the hooks and a merge through the drivers, by plain git; the commit to undo."""
    two.remember("mistake")
    git_here(two, "commit", "-q", "-am", "mistake")
    mistake = git_here(two, "rev-parse", "HEAD")
    assert git_here(two, "log", "-1", "--format=%s", "--no-show-signature", "--no-color").endswith("（two）")
    git_here(two, "checkout", "-q", "-b", "side", "HEAD~")
    two.remember("on the side")
    git_here(two, "commit", "-q", "-am", "on the side")
    git_here(two, "checkout", "-q", "main")
    git_here(two, "merge", "-q", "--no-edit", "--no-ff", "side")
    assert sorted(two.entries()) == ["from one", "from two", "mistake", "on the side"]
    git_here(two, "branch", "-q", "-D", "side")
    return mistake


def git_here(body: Body, *words: str) -> str:
    return git(body.soul, "-c", f"safe.directory={body.soul}", *words, env={**body.env, **HAND})


def settle_in(body: Body, settings: dict[str, str], root: Path) -> None:
    """Give the body's user these global settings, and the files that they name."""
    for name, text in {**SCRIPTS, **TEXTS}.items():
        file = body.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755 if name in SCRIPTS else 0o644)
    for key, value in settings.items():
        value = value.replace("@HOME@", str(body.folder)).replace("@ROOT@", str(root))
        git(body.folder, "config", "--file", str(body.folder / ".gitconfig"), key, value)


def forked(body: Body, forks: Forks) -> ForkedBody:
    again = ForkedBody(body.folder, body.name, body.url, SOUL_ALLOW_LOCAL_REMOTE="1")
    again.forks = forks
    return again


def owned_by_another(body: Body) -> None:
    """What git calls dubious, where this user may bring it about."""
    with contextlib.suppress(PermissionError):
        for path in (body.soul, *body.soul.rglob("*")):
            os.chown(path, 65534, 65534, follow_symlinks=False)


@pytest.mark.parametrize("name", SETTINGS)
def test_a_global_git_setting_changes_nothing(
    name: str, one: Body, remote: Remote, tmp_path: Path, forks: Forks
) -> None:
    bodies = [forked(body, forks) for body in (one, remote.body(tmp_path / "two", "two"))]
    for body in bodies:
        settle_in(body, SETTINGS[name], tmp_path)
    if name == "safe.directory":
        owned_by_another(one)
    live(*bodies)


@pytest.mark.parametrize("language", ["zh_CN.UTF-8", "C"])
def test_a_locale_changes_nothing(language: str, one: Body, remote: Remote, tmp_path: Path) -> None:
    bodies = [one, remote.body(tmp_path / "two", "two")]
    for body in bodies:
        body.env |= {"LANG": language, "LC_ALL": language, "LANGUAGE": language[:2]}
    live(*bodies)


def test_a_home_that_can_not_be_written_changes_nothing(
    one: Body, remote: Remote, tmp_path: Path, forks: Forks
) -> None:
    bodies = [forked(body, forks) for body in (one, remote.body(tmp_path / "two", "two"))]
    for body in bodies:
        body.env["HOME"] = "/proc/self"  # not even root makes a file there
    live(*bodies)


@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_a_umask_changes_nothing_and_opens_nothing(umask: int, one: Body, remote: Remote, tmp_path: Path) -> None:
    bodies = [forked(body, Forks(tmp_path, umask=umask)) for body in (one, remote.body(tmp_path / "two", "two"))]
    live(*bodies)
    for body in bodies:
        body.forks.close()
    home = bodies[1].home
    assert home.stat().st_mode & 0o777 == 0o700
    for private in (home / "id_ed25519", home / "config.toml", *(p for p in (home / "state").iterdir() if p.is_file())):
        assert private.stat().st_mode & 0o077 == 0, private
