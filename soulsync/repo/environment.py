"""The environment in which git runs; light, so that a program can begin a git before it has loaded anything else."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
CONFIG_FILES = ("GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL")
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
