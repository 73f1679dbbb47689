"""How the doctor speaks: words in a pipe, ticks and colours on a terminal, whatever its width."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from soulsync import lang
from soulsync.body.doctor.finding import Check, ill, well
from soulsync.cli import doctor_text

if TYPE_CHECKING:
    from tests.lived import Lived

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def test_a_pipe_gets_words(lived: Lived) -> None:
    said = lived.ok("doctor", "--offline")
    assert "ok: config: kaoru on laptop\n" in said
    assert said.splitlines()[-1].startswith("All ")
    lived.home.root.chmod(0o755)
    ill_ = lived.run("doctor", "--offline")
    assert ill_.code == 1
    assert f"failed: home-folder: {lived.home.root}: open to others.\n  remedy: Close it: chmod" in ill_.out
    assert ill_.err.startswith("soulsync: 1 of ")
    assert "\x1b" not in ill_.out
    repaired = lived.ok("doctor", "--offline", "--fix")
    assert f"repaired: home-folder: closed {lived.home.root} to others\n" in repaired


def test_it_speaks_chinese(lived: Lived) -> None:
    lived.home.root.chmod(0o755)
    try:
        said = lived.run("--lang", "zh", "doctor", "--offline")
    finally:
        lang.use(None)
    assert "正常: config: kaoru，身体 laptop\n" in said.out
    assert "  补救：请关闭：chmod" in said.out
    assert "soulsync: " in said.err
    assert "未通过" in said.err


def test_a_terminal_gets_ticks_that_fit(lived: Lived) -> None:
    lived.home.root.chmod(0o755)
    said = on_a_terminal(40, "doctor", "--offline")
    lines = [COLOUR.sub("", line) for line in said.splitlines()]
    assert max(map(cell_len, lines)) <= 40
    assert any(line.startswith("✓ config") for line in lines)
    sick = next(i for i, line in enumerate(lines) if line.startswith("✗ home-folder"))
    assert any(line.strip().startswith("→ Close it: chmod") for line in lines[sick + 1 : sick + 8])
    assert "\x1b[32m✓" in said
    assert "\x1b[31m" in said


@pytest.mark.parametrize("columns", [20, 40, 64, 80, 120])
def test_every_width(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout", Terminal())
    for words in (
        "a few plain words that are long enough to be broken into several lines",
        "中文的一行也要按两列来数，不能超出去" * 3,
    ):
        for check in (Check("nested-repositories", well(words)), Check("key", ill(words, words))):
            lines = [COLOUR.sub("", line) for line in doctor_text.lines(check)]
            assert max(map(cell_len, lines)) <= max(columns, 25)
            assert words.split()[-1][-3:] in lines[-1]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_a_terminal(columns: int, *words: str) -> str:
    """What ``soulsync`` writes to a terminal of so many columns."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "COLUMNS": str(columns), "LINES": "50", "TERM": "xterm"}
    argv = [sys.executable, "-m", "soulsync", *words]
    with subprocess.Popen(argv, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, env=env) as process:
        os.close(theirs)
        said = b""
        try:
            while chunk := os.read(ours, 65536):
                said += chunk
        except OSError:  # Linux: the other end is gone
            pass
        finally:
            os.close(ours)
        process.wait(60)
    return said.decode().replace("\r\n", "\n")


def test_what_comes_from_outside_moves_no_cursor() -> None:
    for check in (Check("a", well("b\x1b[2Jc\x07")), Check("a", ill("b\x1b[2Jc", "d\x1be"))):
        assert not {"\x1b", "\x07"} & set("".join(doctor_text.lines(check)))
