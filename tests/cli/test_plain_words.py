"""Plain command lines start without click and the rest of what is slow to load, and say the same in the same words."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import click
import pytest

from soulsync.body import plain_words
from soulsync.cli import colours
from tests.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Body, Remote

SLOW = {"click", "dataclasses", "typing", "tomllib", "subprocess", "rich", "pygit2", "filelock", "inspect", "shutil"}


def both_ways(body: Body, *options: str, **env: str) -> tuple[str, str]:
    """What a plain command line prints, and one that click has to read; without what may tick in between."""
    plain, by_click = ("status", *options), (f"--home={body.base}", "status", *options)
    assert plain_words.read(plain) is not None
    assert plain_words.read(by_click) is None
    said = [re.sub(r"\d+ min ago|just now|刚刚|\d+ 分钟前", "-", body.ok(*words, **env)) for words in (plain, by_click)]
    return said[0], said[1]


@pytest.mark.parametrize("options", [(), ("--json",)])
@pytest.mark.parametrize("language", ["C.UTF-8", "zh_CN.UTF-8"])
def test_a_plain_command_line_says_what_click_says(
    options: tuple[str, ...], language: str, one: Body, two: Body, remote: Remote
) -> None:
    for body in (one, two):
        body.write("notes/same.md", f"# same\n\nby {body.name}\n")
    one.sync()
    two.write("own/picture.png", b"\0")
    two.sync()
    remote.path.rename(remote.path.with_name("away"))
    two.fails(4, "sync", LC_ALL="C.UTF-8")
    two.write("notes/waits.md", "# waits\n")
    plain, by_click = both_ways(two, *options, LC_ALL=language)
    assert plain == by_click
    assert "notes/waits.md" in plain
    assert "\x1b" not in plain


def test_one_is_told_in_the_singular(one: Body) -> None:
    one.remember("to send")
    one.sync("--no-push")
    one.remember("waits")
    assert "1 file changed here, 1 commit to send" in one.ok("status")
    one.write("notes/a.md", "# a\n")
    one.sync("--no-push")
    assert "no: 2 commits to send" in one.ok("status")


def test_colours_on_a_terminal(one: Body) -> None:
    one.remember("waits")
    screens = []
    for words in (("status",), (f"--home={one.base}", "status")):
        with Terminal(one.argv(*words), env=one.env, cwd=one.folder) as terminal:
            assert terminal.end() == 0
        screens.append(terminal.printed)
    assert screens[0] == screens[1]
    assert b"\x1b[1mkaoru on" in screens[0]


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("fg", ["red", "green", "yellow"])
def test_a_colour_is_that_of_click(fg: str, bold: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert colours.style("text", fg, bold=bold) == click.style("text", fg, bold=bold or None)


def loaded_by(body: Body, *words: str) -> set[str]:
    """Name the modules that a command loads in an interpreter that knows nothing of an editable installation."""
    script = (
        "import sys; from soulsync.__main__ import run; code = run(sys.argv[1:]); "
        "sys.stderr.write(' '.join(sys.modules)); sys.exit(code)"
    )
    env = {**body.env, "PYTHONPATH": os.pathsep.join(sys.path)}
    argv = [sys.executable, "-S", "-c", script, *words]
    done = subprocess.run(argv, env=env, cwd=body.folder, capture_output=True, text=True, timeout=60, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize("words", [("status",), ("status", "--json"), ("--agent", "kaoru", "--lang", "en", "status")])
def test_status_loads_nothing_slow(words: tuple[str, ...], one: Body) -> None:
    one.sync()
    loaded = loaded_by(one, *words)
    assert "soulsync.body.standing" in loaded
    assert not loaded & SLOW


@pytest.mark.parametrize("words", [("sync",), ("sync", "--json"), ("sync", "--quiet", "--no-push")])
def test_a_sync_that_has_nothing_to_do_loads_little(words: tuple[str, ...], one: Body) -> None:
    one.sync()
    loaded = loaded_by(one, *words)
    assert "soulsync.body.sync" in loaded
    assert not loaded & {"click", "filelock", "pygit2", "paramiko", "rich", "tomllib"}


@pytest.mark.parametrize("options", [(), ("--json",), ("--quiet",), ("--no-push",)])
def test_a_plain_sync_says_what_click_says(options: tuple[str, ...], one: Body) -> None:
    said: list[str] = []
    for words in (("sync", *options), (f"--home={one.base}", "sync", *options)):
        one.remember(f"fact {len(said)}")
        said.append(re.sub(r'"(seconds|head)": .*', "-", one.ok(*words)))
    assert said[0] == said[1]
    assert bool(said[0]) == (options != ("--quiet",))


def test_a_wrong_command_line_is_told_as_ever(one: Body) -> None:
    assert "--wrong" in one.fails(2, "status", "--wrong")
    assert "nobody" in one.fails(2, "--agent", "nobody", "status")
    assert "fr" in one.fails(2, "--lang", "fr", "status")


@pytest.mark.parametrize(
    "argv",
    [
        (), ("stat",), ("--json", "status"), ("status", "more"), ("status", "--quiet"), ("status", "--help"),
        ("--agent",), ("--agent", "status"), ("--agent=kaoru", "status"), ("--lang", "fr", "status"), ("--", "status"),
        ("sync", "--all"), ("sync", "--dry-run"), ("--wrong", "x", "status"), ("-h",), ("--version", "status"),
    ],
)  # fmt: skip
def test_what_is_not_plain_is_left_to_click(argv: tuple[str, ...]) -> None:
    assert plain_words.read(argv) is None


def test_what_is_plain() -> None:
    argv = ("--agent", "a", "--home", "b", "--agent", "c", "--lang", "zh", "status", "--json", "--json")
    words = plain_words.read(argv)
    assert words is not None
    assert (words.command, words.agent, words.home, words.lang) == ("status", "c", "b", "zh")
    assert words.options == {"--json"}


def test_a_reader_that_goes_away_is_no_error(one: Body, tmp_path: Path) -> None:
    argv = f"'{sys.executable}' -m soulsync status 2>'{tmp_path}/err' | true"
    subprocess.run(["sh", "-c", argv], env=one.env, cwd=one.folder, timeout=60, check=True)
    assert (tmp_path / "err").read_text("utf-8") == ""
