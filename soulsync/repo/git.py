"""The one place that runs git: argv only, a clean environment, a time limit on every call, typed errors."""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # the C module below it, which needs no ``enum``
import contextlib
import os

from soulsync.errors import SoulSyncError
from soulsync.lang import tr
from soulsync.repo.ahead import Question
from soulsync.repo.environment import CONFIG_FILES, SAFE_CONFIG, clean_env, config_env

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from soulsync.repo.started import Started

QUICK = 60.0
"""Seconds that a local command may take; whoever talks to a network passes a limit of its own."""
GRACE = 3.0
"""Seconds between SIGTERM, on which git removes its lock files, and SIGKILL."""
MAX_CUT_SHORT = 5
"""How often a command is tried that ends by SIGBUS.

Git maps files over 32 KiB to hash them (object-file.c of git 2.39), and a program that writes in place empties them.
"""


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

    __slots__ = ("_asked", "_user_config", "added", "git_dir", "work_tree")

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
        # What every command has beside the clean environment.
        self.added = {"GIT_DIR": str(git_dir)}
        if work_tree is not None:
            self.added["GIT_WORK_TREE"] = str(work_tree)
        if index is not None:
            self.added["GIT_INDEX_FILE"] = str(index)
        # An empty global config also drops the user's safe.directory; the caller named this repository, so it is meant.
        safe = (("safe.directory", str(work_tree or git_dir)), ("safe.directory", str(git_dir)))
        self.added |= config_env((*(() if user_config else SAFE_CONFIG), *safe, *config))
        self.added |= env or {}
        self._user_config = user_config
        self._asked: dict[tuple[str, ...], Question] = {}

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment in which a command runs."""
        env = clean_env(os.environ)
        if self._user_config:
            for name in CONFIG_FILES:
                env.pop(name, None)
                if name in os.environ:
                    env[name] = os.environ[name]
        return {**env, **self.added, **(extra or {})}

    @contextlib.contextmanager
    def asked(self, *commands: tuple[str, ...]) -> Iterator[None]:
        """Start commands that change nothing all at once; whoever runs one of them in the block gets its answer."""
        try:
            for args in commands:
                with contextlib.suppress(OSError):
                    self._asked[args] = Question(args, str(self.work_tree or self.git_dir), self.environment())
            yield
        finally:
            while self._asked:
                self._asked.popitem()[1].stop()

    def popen(
        self, *args: str, stdin: int | None = None, extra_env: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a command and give its process, stdout and stderr as pipes; the caller ends it. No ``stdin``: empty.

        It leads a session of its own: it has no terminal to ask for a password on, and ``stop`` reaches its children.
        """
        import subprocess  # 4 ms to load, and ``status`` does without

        argv = ["git", *args]
        try:
            return subprocess.Popen(
                argv,
                cwd=self.work_tree or self.git_dir,
                env=self.environment(extra_env),
                stdin=subprocess.DEVNULL if stdin is None else stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as e:
            if e.filename == argv[0]:  # else it is the folder that is missing
                raise SoulSyncError(tr("The program git is missing."), tr("Install git.")) from e
            raise GitError(argv, 127, f"{e.strerror}: {e.filename}") from e

    def run(
        self,
        *args: str,
        input: bytes | None = None,  # noqa: A002 - the name that subprocess uses
        timeout: float = QUICK,
        check: bool = True,
        extra_env: Mapping[str, str] | None = None,
    ) -> Result:
        """Run a command to its end; again where a file was cut short while git had it mapped into memory.

        Raises ``GitTimeoutError`` after ``timeout`` seconds, and ``GitError`` on a status other than 0 if ``check``.
        """
        answer = self._asked.pop(args).answer() if args in self._asked else None
        if answer is not None:
            return Result(0, answer, "")
        for _ in range(MAX_CUT_SHORT):
            result = self._once(args, input, timeout, extra_env)
            if result.code != -signal.SIGBUS:
                break
        if check and result.code != 0:
            raise GitError(["git", *args], result.code, result.err)
        return result

    def _once(
        self, args: tuple[str, ...], given: bytes | None, timeout: float, extra_env: Mapping[str, str] | None
    ) -> Result:
        import subprocess

        stdin = None if given is None else subprocess.PIPE
        with self.popen(*args, stdin=stdin, extra_env=extra_env) as process:
            try:
                out, err = process.communicate(given, timeout)
            except subprocess.TimeoutExpired:
                stop(process)
                raise GitTimeoutError(["git", *args], timeout) from None
            except BaseException:
                stop(process)  # an interrupt reaches only us: the child is in another session
                raise
        return Result(process.returncode, out, err.decode("utf-8", "replace"))

    def out(self, *args: str) -> bytes:
        """What a successful command prints, as bytes."""
        return self.run(*args).out

    def text(self, *args: str) -> str:
        """What a successful command prints, as text without its final newline; odd bytes as surrogates."""
        return os.fsdecode(self.run(*args).out).removesuffix("\n")


def stop(process: Started) -> None:
    """End a process that leads a session, as all of ``Git.popen`` do, with its children; kindly at first.

    Its pipes are left to whoever reads them, which may be a thread that is at it now.
    """
    import subprocess

    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            break
        try:
            process.wait(timeout=GRACE)
        except subprocess.TimeoutExpired:
            continue
    process.wait()


def _command(argv: Sequence[str]) -> str:
    """The name of the git command in ``argv``, for a message."""
    return next((a for a in argv[1:] if not a.startswith("-")), "")
