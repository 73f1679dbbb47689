"""A person's own SSH keys, planted where ssh looks for them: configuration file, default name, agent.

ssh asks the password database for the home folder, not ``HOME``. So the client runs in a mount namespace of its own in
which ``/etc/passwd`` names a scratch home; nothing of the real one is touched. Where namespaces are forbidden, the
files are put into the real ``~/.ssh`` for the time of the test: what was there is set aside and put back.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENTER = 'mount --bind "$0" /etc/passwd && exec "$@"'
_NAMES = ("config", "id_ed25519", "id_ed25519.pub")


class PersonalKeys:
    """Three personal keys: named in ``~/.ssh/config``, called ``id_ed25519``, held by a running ssh-agent."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._home = folder / "person"
        self.dot_ssh = self._home / ".ssh"
        self.dot_ssh.mkdir(parents=True, mode=0o700)
        self._passwd = folder / "passwd"
        self._named = folder / "named_in_config"
        self._held = folder / "held_by_agent"
        for path in (self._named, self.dot_ssh / "id_ed25519", self._held):
            _run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", path.name, "-f", str(path))
        config = f"Host *\n  IdentityFile {self._named}\n  IdentitiesOnly no\n  ForwardAgent yes\n  User nobody\n"
        (self.dot_ssh / "config").write_text(config)
        (self.dot_ssh / "config").chmod(0o600)
        self._passwd.write_text(_passwd_with_home(self._home))
        self._agent = folder / "agent"
        self._stack = contextlib.ExitStack()
        self._namespace: list[str] = []

    @property
    def public_lines(self) -> list[str]:
        """The public halves, in the order config, default name, agent."""
        paths = (self._named, self.dot_ssh / "id_ed25519", self._held)
        return [path.with_name(path.name + ".pub").read_text().strip() for path in paths]

    @property
    def env(self) -> dict[str, str]:
        """What a session with a running agent has in its environment."""
        return {"SSH_AUTH_SOCK": str(self._agent), "HOME": str(self._home)}

    def run(self, argv: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
        """Run ``argv`` as this person."""
        return subprocess.run(
            [*self._namespace, *argv], env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60,
            check=False,
        )  # fmt: skip

    def __enter__(self) -> Self:
        agent = subprocess.Popen(["ssh-agent", "-D", "-a", str(self._agent)], stdout=subprocess.DEVNULL)
        self._stack.callback(agent.wait, 10)
        self._stack.callback(agent.terminate)
        for _ in range(500):
            if self._agent.exists():
                break
            with contextlib.suppress(subprocess.TimeoutExpired):
                agent.wait(0.02)
        _run("ssh-add", "-q", str(self._held), env={**os.environ, **self.env})
        self._namespace = self._find_namespace()
        if not self._namespace:
            self._stack.enter_context(lent(self.dot_ssh, Path(pwd.getpwuid(os.getuid()).pw_dir) / ".ssh"))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _find_namespace(self) -> list[str]:
        for flags in (("-m",), ("-r", "-m")):
            prefix = ["unshare", *flags, "/bin/sh", "-c", _ENTER, str(self._passwd)]
            with contextlib.suppress(OSError, subprocess.SubprocessError):
                _run(*prefix, "true")
                return prefix
        return []


@contextlib.contextmanager
def lent(source: Path, target: Path) -> Iterator[None]:
    """The files of ``source`` in ``target``; those of the same names are set aside and put back."""
    made = not target.exists()
    target.mkdir(mode=0o700, exist_ok=True)
    with contextlib.ExitStack() as back:
        if made:
            back.callback(shutil.rmtree, target)
        for name in _NAMES:
            mine, aside = target / name, target / f"{name}.aside"
            if mine.exists():
                mine.rename(aside)
                back.callback(aside.rename, mine)
            else:
                back.callback(mine.unlink, missing_ok=True)
            shutil.copy2(source / name, mine)
        yield


def _passwd_with_home(home: Path) -> str:
    """/etc/passwd with ``home`` for root and for us: in a user namespace we are root."""
    lines = [line.split(":") for line in Path("/etc/passwd").read_text().splitlines() if line.count(":") == 6]
    ours = {"0", str(os.getuid())}
    changed = [[*fields[:5], str(home), fields[6]] if fields[2] in ours else fields for fields in lines]
    if ours - {fields[2] for fields in lines}:
        changed.append(["person", "x", str(os.getuid()), str(os.getgid()), "", str(home), "/bin/sh"])
    return "".join(":".join(fields) + "\n" for fields in changed)


def _run(*argv: str, env: dict[str, str] | None = None) -> None:
    subprocess.run(argv, check=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=30, env=env)
