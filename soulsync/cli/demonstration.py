"""The demo: every step is the real command in a process of its own, over real SSH. Its lines fit 40 columns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from soulsync.access.key import public_line
from soulsync.access.server import SoulServer
from soulsync.cli.context import say
from soulsync.cli.folders import usable
from soulsync.errors import SoulSyncError, UsageError
from soulsync.lang import tr

AGENT = "kaoru"
PNPM, KEY = "喜欢用 pnpm 管理依赖", "Server key: behind the door (see §3)"
REPORT, PYTEST = "手机上：周五交周报", "On the laptop: pytest -n 2"


def run(keep: Path | None) -> None:
    """Play the demo in ``keep``, or in a folder that is gone afterwards. Raises where a step does not do its work."""
    if keep is not None:
        if usable(keep, tr("Give a new folder.")).exists() and any(keep.iterdir()):
            raise UsageError(tr("{keep} is not empty.", keep=keep), tr("Give a new folder."))
        keep.mkdir(parents=True, exist_ok=True)
        _play(keep.resolve())
        say(tr("Everything is still in {keep}.", keep=keep))
        return
    with tempfile.TemporaryDirectory(prefix="soulsync-demo-") as folder:
        _play(Path(folder))


def _play(folder: Path) -> None:
    started = time.monotonic()
    with SoulServer(folder / "server") as server:
        server.create(f"{AGENT}.soul")
        phone, laptop = (_Body(folder, name, server) for name in ("phone", "laptop"))
        _connect(phone, laptop)
        before = phone.head()
        _write_at_once(phone, laptop)
        _in_step(phone, laptop, server)
        _plain_git(folder, phone, laptop)
        _undo(phone, laptop)
        _in_step(phone, laptop, server)
        _title(tr("The autobiography"))
        say(phone.git("log", "--graph", "--date=format:%H:%M:%S", "--format=%h %ad %an%n%s", f"{before}..").rstrip())
    say("")
    say(tr("Done in {seconds:.1f} seconds.", seconds=time.monotonic() - started))


def _connect(phone: _Body, laptop: _Body) -> None:
    _title(tr("Two bodies, each with its own key"))
    for body in (phone, laptop):
        refused = body.soulsync("init", body.url, "--body", body.name, "--wait", "0", may_fail=True)
        say(tr("{name}: key made, not known yet (exit {returncode})", name=body.name, returncode=refused.returncode))
        body.server.authorize(f"{AGENT}.soul", public_line(body.home / AGENT / "id_ed25519"))
        body.soulsync("init", body.url, "--body", body.name)
        say(tr("{name}: key added, connected", name=body.name))


def _write_at_once(phone: _Body, laptop: _Body) -> None:
    _title(tr("Both write at the same time"))
    phone.write("memories/MEMORY.md", f"{PNPM}\n§\n{KEY}\n")
    phone.write("notes/trip.md", "# trip\n> spring\n\nKyoto in April\n")
    phone.soulsync("sync")
    laptop.soulsync("sync")
    phone.write("memories/MEMORY.md", f"{PNPM}\n§\n{KEY}\n§\n{REPORT}\n")
    laptop.write("memories/MEMORY.md", f"{KEY}\n§\n{PYTEST}\n")
    laptop.edit_identity("description", "a careful helper")
    phone.edit_identity("color", "#1E88E5")
    phone.write("notes/trip.md", "# trip\n> spring\n\nKyoto in April, by train\n")
    phone.write(
        f"journal/phone/{time.strftime('%Y-%m-%d')}.md",
        f"# {time.strftime('%Y-%m-%d')} · phone\n\n## 09:00 morning\nTalked about the trip.\n",
    )
    _list(tr("phone writes:"), f"+ {REPORT}", tr("trip note edited"), tr("color changed"), tr("a journal section"))
    _list(tr("laptop writes:"), f"+ {PYTEST}", f"− {PNPM}", tr("description changed"))
    for body in (phone, laptop, phone):
        result = body.sync()
        _list(
            tr("{name} syncs: {outcome}", name=body.name, outcome=result["outcome"]),
            *(f"{m['path']}: {m['kept']}" for m in result["merged"]),
        )
    say("")
    say(tr("The memories now, on both:"))
    say(_indented(phone.read("memories/MEMORY.md")))
    identity = json.loads(laptop.read("agent.json"))
    _list(tr("agent.json, a field from each:"), *(f"{field}: {identity[field]}" for field in ("color", "description")))


def _plain_git(folder: Path, phone: _Body, laptop: _Body) -> None:
    _title(tr("Plain git merge: the same bytes"))
    clone = folder / "clone"
    subprocess.run(["git", "clone", "-q", str(phone.soul), str(clone)], check=True, env=phone.env())
    phone.soulsync("install", "--repo", str(clone))
    merge = phone.git("rev-list", "--merges", "-1", "HEAD").strip()
    for command in (["checkout", "-q", f"{merge}^1"], ["merge", "-q", "--no-edit", f"{merge}^2"]):
        subprocess.run(["git", *command], cwd=clone, check=True, env=laptop.env(), capture_output=True)
    trees = [
        subprocess.run(
            ["git", "rev-parse", f"{rev}^{{tree}}"],
            cwd=clone,
            check=True,
            env=phone.env(),
            capture_output=True,
            text=True,
        ).stdout.strip()
        for rev in ("HEAD", merge)
    ]
    say(tr("soulsync sync: {tree}", tree=trees[1][:12]))
    say(tr("git merge:     {tree}", tree=trees[0][:12]))
    if trees[0] != trees[1]:
        raise SoulSyncError(tr("The two merges differ."), tr("This is a fault of soulsync; please report it."))


def _undo(phone: _Body, laptop: _Body) -> None:
    _title(tr("Undo one commit, keep the rest"))
    target = phone.git("log", "--format=%H", "--grep", "更新记忆", "--author", "(laptop)", "-1").strip()
    say(tr("phone undoes {target}, of the laptop:", target=target[:7]))
    phone.soulsync("undo", target)
    for body in (phone, laptop):
        body.sync()
    say(_indented(laptop.read("memories/MEMORY.md")))


def _in_step(phone: _Body, laptop: _Body, server: SoulServer) -> None:
    remote = server.root / f"{AGENT}.soul.git"
    argv = ["git", "-C", str(remote), "rev-parse", "main^{tree}"]
    trees = {
        "phone": phone.git("rev-parse", "HEAD^{tree}").strip(),
        "laptop": laptop.git("rev-parse", "HEAD^{tree}").strip(),
        "remote": subprocess.run(argv, check=True, capture_output=True, text=True, env=phone.env()).stdout.strip(),
    }
    say("")
    _list(tr("One tree everywhere:"), *(f"{name:6} {tree[:12]}" for name, tree in trees.items()))
    if len(set(trees.values())) != 1:
        raise SoulSyncError(
            tr("The bodies and the remote are not in step."), tr("This is a fault of soulsync; please report it.")
        )


class _Body:
    """One body of the demo: a home folder, and the commands run in it."""

    def __init__(self, folder: Path, name: str, server: SoulServer) -> None:
        self.name, self.server = name, server
        self.home = folder / name
        self.soul = self.home / AGENT / "soul"
        self.url = server.url(f"{AGENT}.soul")

    def env(self) -> dict[str, str]:
        """The environment of this body's commands: its own home, no user settings."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "SOULSYNC_"))}
        return {
            **kept,
            "SOULSYNC_HOME": str(self.home),
            "PYTHONUTF8": "1",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            **{f"GIT_{who}_{what}": "demo" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        }

    def soulsync(self, *argv: str, may_fail: bool = False) -> subprocess.CompletedProcess[str]:
        """Run soulsync as this body. Raises ``SoulSyncError`` when it fails."""
        done = subprocess.run(
            [sys.executable, "-m", "soulsync", *argv],
            env=self.env(),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        if done.returncode and not may_fail:
            raise SoulSyncError(
                tr(
                    "soulsync {command} failed on {name}: {said}",
                    command=argv[0],
                    name=self.name,
                    said=done.stderr.strip(),
                )
            )
        return done

    def sync(self) -> dict[str, Any]:
        """One sync; what it reports."""
        result: dict[str, Any] = json.loads(self.soulsync("sync", "--json").stdout)
        return result

    def git(self, *argv: str) -> str:
        """Plain git in the soul; what it prints."""
        done = subprocess.run(
            ["git", *argv], cwd=self.soul, env=self.env(), capture_output=True, text=True, encoding="utf-8", check=True
        )
        return done.stdout

    def head(self) -> str:
        """The tip of the soul."""
        return self.git("rev-parse", "HEAD").strip()

    def write(self, path: str, text: str) -> None:
        """Write a file of the soul, as the agent does."""
        file = self.soul / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def read(self, path: str) -> str:
        """Read a file of the soul."""
        return (self.soul / path).read_text("utf-8")

    def edit_identity(self, field: str, value: str) -> None:
        """Change one field of ``agent.json``."""
        identity = json.loads(self.read("agent.json"))
        identity[field] = value
        self.write("agent.json", json.dumps(identity, ensure_ascii=False, indent=2) + "\n")


def _list(title: str, *items: str) -> None:
    say(title)
    for item in items:
        say(f"    {item}")


def _title(text: str) -> None:
    say("")
    say(f"── {text}")


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
