"""The one place that runs git: argv only, a clean environment, a time limit on every call, typed errors."""

from __future__ import annotations

import os
import signal
import subprocess

from soulsync.errors import SoulSyncError
from soulsync.lang import tr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

QUICK = 60.0
"""Seconds that a local command may take; whoever talks to a network passes a limit of its own."""
GRACE = 3.0
"""Seconds between SIGTERM, on which git removes its lock files, and SIGKILL."""

SAFE_CONFIG: tuple[tuple[str, str], ...] = (
    # `.git/config` of a soul is writable by the agent and by other tools; nothing in it may start a program (§8).
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.sshCommand", ""),
    ("core.editor", ":"),
    ("core.pager", "cat"),
    ("core.askPass", ""),
    ("credential.helper", ""),
    ("commit.gpgSign", "false"),
    ("push.gpgSign", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    # GIT_CONFIG_GLOBAL=/dev/null leaves git's other per-user files in place: ~/.config/git/{attributes,ignore}.
    ("core.attributesFile", "/dev/null"),
    ("core.excludesFile", "/dev/null"),
    ("color.ui", "false"),
)
"""What every call overrides; the caller's own ``config`` comes after it and wins."""

_FIXED_ENV = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": ":",
    "GIT_SEQUENCE_EDITOR": ":",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
}
_CONFIG_FILES = ("GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL")
_DROPPED = ("SSH_AUTH_SOCK", "SSH_AGENT_PID", "SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "DISPLAY", "WAYLAND_DISPLAY")


def clean_env(inherited: Mapping[str, str]) -> dict[str, str]:
    """``inherited`` without anything that points git at another repository, another config or another key.

    Every ``GIT_*`` goes, not a list of known ones. In a hook of a linked worktree ``GIT_DIR`` and ``GIT_INDEX_FILE``
    are absolute and override ``git -C elsewhere`` (Parslee-ai/neo#179, bloknayrb/tandem#1957: the outer repository was
    damaged); pre-commit's ``no_git_env`` had to grow case by case for the same reason.
    """
    kept = {k: v for k, v in inherited.items() if not k.startswith("GIT_") and k not in _DROPPED}
    return {**kept, **_FIXED_ENV}


def config_env(config: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Git settings as ``GIT_CONFIG_COUNT`` variables: no quoting, not seen in the list of processes (git 2.31)."""
    env = {"GIT_CONFIG_COUNT": str(len(config))}
    for i, (key, value) in enumerate(config):
        env[f"GIT_CONFIG_KEY_{i}"] = key
        env[f"GIT_CONFIG_VALUE_{i}"] = value
    return env


class Result:
    """What a git command left: exit ``code`` (negative: the signal that ended it), ``out`` bytes, ``err`` text."""

    __slots__ = ("code", "err", "out")

    def __init__(self, code: int, out: bytes, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err


class GitError(SoulSyncError):
    """A git command failed. ``argv``, ``code`` and ``err`` (its stderr) say how."""

    def __init__(self, argv: Sequence[str], code: int, err: str) -> None:
        lines = err.strip().splitlines()
        said = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[-1] if lines else "")
        super().__init__(
            tr("git {command} failed with status {code}: {said}.", command=_command(argv), code=code, said=said)
            if said
            else tr("git {command} failed with status {code}.", command=_command(argv), code=code)
        )
        self.argv = list(argv)
        self.code = code
        self.err = err


class GitTimeoutError(GitError):
    """A git command did not end within its time limit; it and all its children were stopped."""

    def __init__(self, argv: Sequence[str], seconds: float) -> None:
        super().__init__(argv, -signal.SIGKILL, tr("no answer within {seconds:g} seconds", seconds=seconds))
        self.seconds = seconds


class Git:
    """Git on one repository.

    ``git_dir`` and ``work_tree`` are given, never searched for; ``index`` replaces the repository's own index file.
    ``env`` and ``config`` are added to the clean environment and to ``SAFE_CONFIG`` of every call. ``user_config``
    leaves the user's and the system's config in force: only for asking what plain git would do here.
    """

    __slots__ = ("_env", "_user_config", "git_dir", "work_tree")

    def __init__(
        self,
        git_dir: Path | str,
        work_tree: Path | str | None = None,
        *,
        index: Path | str | None = None,
        env: Mapping[str, str] | None = None,
        config: Sequence[tuple[str, str]] = (),
        user_config: bool = False,
    ) -> None:
        self.git_dir = git_dir
        self.work_tree = work_tree
        self._env = {"GIT_DIR": str(git_dir)}
        if work_tree is not None:
            self._env["GIT_WORK_TREE"] = str(work_tree)
        if index is not None:
            self._env["GIT_INDEX_FILE"] = str(index)
        # An empty global config also drops the user's safe.directory; the caller named this repository, so it is meant.
        safe = (("safe.directory", str(work_tree or git_dir)), ("safe.directory", str(git_dir)))
        self._env |= config_env((*(() if user_config else SAFE_CONFIG), *safe, *config))
        self._env |= env or {}
        self._user_config = user_config

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment in which a command runs."""
        env = clean_env(os.environ)
        if self._user_config:
            for name in _CONFIG_FILES:
                env.pop(name, None)
                if name in os.environ:
                    env[name] = os.environ[name]
        return {**env, **self._env, **(extra or {})}

    def popen(
        self, *args: str, stdin: int = subprocess.DEVNULL, extra_env: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a command and give its process, stdout and stderr as pipes; the caller ends it.

        It leads a session of its own: it has no terminal to ask for a password on, and ``stop`` reaches its children.
        """
        argv = ["git", *args]
        try:
            return subprocess.Popen(
                argv,
                cwd=self.work_tree or self.git_dir,
                env=self.environment(extra_env),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as e:
            raise GitError(argv, 127, f"{e.strerror}: {e.filename}") from e

    def run(
        self,
        *args: str,
        input: bytes | None = None,  # noqa: A002 - the name that subprocess uses
        timeout: float = QUICK,
        check: bool = True,
        extra_env: Mapping[str, str] | None = None,
    ) -> Result:
        """Run a command to its end.

        Raises ``GitTimeoutError`` after ``timeout`` seconds, and ``GitError`` on a status other than 0 if ``check``.
        """
        stdin = subprocess.DEVNULL if input is None else subprocess.PIPE
        process = self.popen(*args, stdin=stdin, extra_env=extra_env)
        try:
            out, err = process.communicate(input, timeout)
        except subprocess.TimeoutExpired:
            stop(process)
            raise GitTimeoutError(["git", *args], timeout) from None
        except BaseException:
            stop(process)  # an interrupt reaches only us: the child is in another session
            raise
        result = Result(process.returncode, out, err.decode("utf-8", "replace"))
        if check and result.code != 0:
            raise GitError(["git", *args], result.code, result.err)
        return result

    def out(self, *args: str) -> bytes:
        """What a successful command prints, as bytes."""
        return self.run(*args).out

    def text(self, *args: str) -> str:
        """What a successful command prints, as text without its final newline; odd bytes as surrogates."""
        return os.fsdecode(self.run(*args).out).removesuffix("\n")


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process started by ``Git.popen`` with all its children: first kindly, so that git removes its locks."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            break
        try:
            process.communicate(timeout=GRACE)
        except subprocess.TimeoutExpired:
            continue
    process.wait()


def _command(argv: Sequence[str]) -> str:
    """The name of the git command in ``argv``, for a message."""
    return next((a for a in argv[1:] if not a.startswith("-")), "")
