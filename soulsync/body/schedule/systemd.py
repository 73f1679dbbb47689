"""systemd: a service and a timer of the user, below ``$XDG_CONFIG_HOME/systemd/user``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync.body.schedule import interval, programs
from soulsync.body.schedule.job import name_of
from soulsync.errors import SoulSyncError
from soulsync.files import PUBLIC, write_durably
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.body.home import Home
    from soulsync.body.schedule.job import Job

SERVICE = """\
# Written by `soulsync schedule install`.
[Unit]
Description=Keep the soul of {agent} in step (soulsync)

[Service]
Type=oneshot
ExecStart={command}
TimeoutStartSec=1h
"""
TIMER = """\
# Written by `soulsync schedule install`.
[Unit]
Description=Keep the soul of {agent} in step every {every} (soulsync)

[Timer]
{when}
AccuracySec=5s
RandomizedDelaySec={delay}s

[Install]
WantedBy=timers.target
"""


def render(job: Job) -> dict[str, str]:
    """File name to text, of the service and of the timer."""
    agent, unit = job.home.agent, _unit(job.home)
    command = " ".join(quoted(word) for word in _startable(job.words(0)))
    timer = TIMER.format(
        agent=agent, every=interval.text(job.every), when="\n".join(_when(job)), delay=min(20, job.every // 10)
    )
    return {f"{unit}.service": SERVICE.format(agent=agent, command=command), f"{unit}.timer": timer}


def _when(job: Job) -> list[str]:
    """The lines that say when. Only a calendar makes up for what was missed while the machine was off (Persistent)."""
    if not interval.on_the_calendar(job.every):
        return [f"OnActiveSec={job.every}s", f"OnUnitActiveSec={job.every}s"]
    minute, second = divmod(job.offset, 60)
    if job.every <= 3600:
        step = job.every // 60
        return [f"OnCalendar=*:{minute}{f'/{step}' if step < 60 else ''}:{second}", "Persistent=true"]
    hour, minute = divmod(minute, 60)
    step = job.every // 3600
    return [f"OnCalendar={hour}{f'/{step}' if step < 24 else ''}:{minute}:{second}", "Persistent=true"]


def quoted(word: str) -> str:
    """One word of ``ExecStart=``: ``%`` begins a specifier, ``$`` a variable."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'


def _startable(words: list[str]) -> list[str]:
    """``words``, started by a shell where the program's own path holds what systemd takes in arguments alone.

    "Executable name contains special characters": quotes and backslashes; ``$$`` is not undone there (systemd 252).
    """
    if any(sign in words[0] for sign in "'\"\\$"):
        return ["/bin/sh", "-c", 'exec "$0" "$@"', *words]
    return words


def folder() -> Path:
    """Where the user's units lie."""
    config = os.environ.get("XDG_CONFIG_HOME")
    base = Path(config) if config and Path(config).is_absolute() else Path("~/.config").expanduser()
    return base / "systemd" / "user"


def _unit(home: Home) -> str:
    return f"soulsync-{name_of(home)}"


def reachable() -> bool:
    """Whether the user's systemd answers; it does not in a container, or where a user never logged in."""
    return programs.there("systemctl") and _systemctl("show-environment").code == 0


def _systemctl(*words: str) -> programs.Done:
    return programs.run(["systemctl", "--user", *words])


def _lingers() -> bool:
    if not programs.there("loginctl"):
        return False
    return programs.run(["loginctl", "show-user", str(os.getuid()), "--property=Linger"]).out.strip() == b"Linger=yes"


# -- what every backend offers ------------------------------------------------------------------------------------


def install(job: Job) -> list[str]:
    """Write both units and start the timer; what a person should know, or do, beside it."""
    for name, text in render(job).items():
        write_durably(folder() / name, text.encode("utf-8"), PUBLIC)
    timer = f"{_unit(job.home)}.timer"
    if not reachable():
        asleep = tr("the systemd of this user does not answer here")
        return [f"{asleep}. {tr('Log in and run: {commands}', commands=_by_hand(timer))}"]
    for words in (("daemon-reload",), ("enable", timer), ("restart", timer)):
        done = _systemctl(*words)
        if done.code != 0:
            raise SoulSyncError(
                tr("systemctl --user {words} failed: {said}.", words=" ".join(words), said=_said(done)),
                tr("The units are written; run: {commands}", commands=_by_hand(timer)),
            )
    if _lingers():
        return []
    return [tr("it runs while you are logged in; for always, run: loginctl enable-linger")]


def _by_hand(timer: str) -> str:
    return f"systemctl --user daemon-reload && systemctl --user enable --now {timer}"


def _said(done: programs.Done) -> str:
    return " ".join(done.err.split()).rstrip(".") or tr("status {code}", code=done.code)


def remove(home: Home) -> list[str]:
    """Stop the timer and remove both units; what was removed, one line each."""
    unit = _unit(home)
    link = folder() / "timers.target.wants" / f"{unit}.timer"
    files = [link, folder() / f"{unit}.timer", folder() / f"{unit}.service"]
    there = [file for file in files if file.exists() or file.is_symlink()]
    if not there:
        return []
    answers = reachable()
    if answers:
        _systemctl("disable", "--now", f"{unit}.timer")
    for file in there:
        file.unlink(missing_ok=True)
    if answers:
        _systemctl("daemon-reload")
    return [tr("removed the timer {unit}", unit=f"{unit}.timer")]


def standing(home: Home) -> str | None:
    """The two units as they stand, or None."""
    files = [folder() / f"{_unit(home)}.{kind}" for kind in ("service", "timer")]
    texts = [file.read_text("utf-8", "replace") for file in files if file.is_file()]
    return "\n".join(texts) or None


def wanted(job: Job) -> str:
    """What should stand there."""
    return "\n".join(render(job).values())


def sleeping(home: Home) -> tuple[str, str | None] | None:
    """Why the timer would not run and what to do (None: install it again), or None."""
    timer = f"{_unit(home)}.timer"
    if not reachable():
        return tr("the systemd of this user does not answer here"), tr(
            "Log in and run: {commands}", commands=_by_hand(timer)
        )
    if _systemctl("is-active", "--quiet", timer).code != 0:
        return tr("the timer {timer} is not active", timer=timer), None
    return None


def where(home: Home) -> str:
    """Where the timer lies."""
    return str(folder() / f"{_unit(home)}.timer")
