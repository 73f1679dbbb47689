"""Git for programs that must start at once: the merge driver, and the first moment of a sync.

The same environment as in :mod:`soulsync.repo.git`, without :mod:`subprocess`, which takes as long to load as the whole
start of a merge driver (15 of 30 ms).
"""

from __future__ import annotations

import os

from soulsync.repo.environment import SAFE_CONFIG, clean_env, config_env

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SIGNALS_OF_PYTHON = (13, 25)
"""SIGPIPE and SIGXFSZ: Python ignores them, git and ssh count on them (``restore_signals`` of ``subprocess``)."""


class FailedError(Exception):
    """Git could not be started, or ended with a status other than 0."""


def start(argv: list[str], env: Mapping[str, str], files: Mapping[int, int]) -> int:
    """Start a program that leads a session of its own; its process id.

    ``files``: which of our open files it has under which number; a standard one that is not named is ``/dev/null``.
    """
    actions: list[tuple[int, ...] | tuple[int, int, str, int, int]] = []
    for number in sorted({0, 1, 2, *files}):
        if number in files:
            actions.append((os.POSIX_SPAWN_DUP2, files[number], number))
        else:
            actions.append((os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0))
    return os.posix_spawnp(argv[0], argv, env, file_actions=actions, setsid=True, setsigdef=_SIGNALS_OF_PYTHON)


def ask(git_dir: str, config: Sequence[tuple[str, str]], *words: str, text: bytes = b"") -> bytes:
    """What git prints when it is given a short ``text``. Raises ``FailedError`` where that fails.

    Whoever calls bounds the time: what a signal raises here ends git first.
    """
    env = {**clean_env(os.environ), **config_env((*SAFE_CONFIG, ("safe.directory", git_dir), *config))}
    into, text_end = os.pipe()
    answer_end, out = os.pipe()
    try:
        pid = start(["git", *words], {**env, "GIT_DIR": git_dir}, {0: into, 1: out})
    except OSError as e:
        raise FailedError(str(e)) from e
    finally:
        os.close(into)
        os.close(out)
    try:
        os.write(text_end, text)
        os.close(text_end)
        with os.fdopen(answer_end, "rb", buffering=0) as answer:
            said = answer.readall()
    except BaseException:
        os.killpg(pid, 15)
        os.waitpid(pid, 0)
        raise
    if os.waitpid(pid, 0)[1]:
        raise FailedError(" ".join(words))
    return said
