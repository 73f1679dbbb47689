"""Readers that leave, streams that are closed: the exit code tells what was done, and no file gets what was said."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from soulsync.body import memory

if TYPE_CHECKING:
    from tests.lived import Lived

PROGRAM = [sys.executable, "-m", "soulsync"]
READERS = [
    ("memory", "list"), ("memory", "list", "--json"), ("log",), ("log", "--json"), ("bodies",), ("bodies", "--json"),
    ("status",), ("status", "--json"), ("sync",), ("note", "list"), ("journal", "show"), ("search", "tea"),
    ("doctor", "--offline"), ("validate",), ("--help",), ("memory", "--help"), ("oxsoul", "import", "tea.md"),
]  # fmt: skip
TEA = "---\nname: tea\ndescription: tea\n---\nGreen.\n"


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_a_reader_that_left_is_no_failure(lived: Lived, words: tuple[str, ...]) -> None:
    lived.ok("memory", "add", "tea " * 20_000)  # more than a pipe holds
    lived.ok("journal", "write", "Evening", "tea")
    lived.ok("note", "write", "tea", "green")
    lived.sync()
    (lived.folder / "tea.md").write_text(TEA)
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [*PROGRAM, *words], stdout=write, stderr=subprocess.PIPE, cwd=lived.folder, timeout=60, check=False
        )
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_pipe_to_another_program_that_breaks_is_one(lived: Lived, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object, **__: object) -> None:
        with subprocess.Popen(["true"], stdin=subprocess.PIPE) as process:
            process.wait(60)
            assert process.stdin is not None
            process.stdin.write(b"x")
            process.stdin.flush()

    monkeypatch.setattr(memory, "listed", breaks)
    assert "Broken pipe" in lived.fails(1, "memory", "list")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk", "utf-8:strict"])
def test_no_encoding_of_the_terminal_breaks_what_is_printed(lived: Lived, encoding: str) -> None:
    text = "Bücher aus 京都 🍵"
    lived.ok("memory", "add", text)
    lived.ok("note", "write", "京都", text)
    lived.sync()
    for words in (
        ("memory", "list"), ("memory", "list", "--json"), ("log",), ("log", "--json"), ("search", "京都"),
        ("note", "list"), ("status",), ("--lang", "zh", "status"), ("--lang", "zh", "sync"),
        ("--lang", "zh", "bodies"), ("--lang", "zh"),
    ):  # fmt: skip
        process = lived.process(*words, PYTHONIOENCODING=encoding)
        out, err = process.communicate(timeout=60)
        assert process.returncode == (2 if words == ("--lang", "zh") else 0), (words, err)
        assert b"inside soulsync" not in err
        told = out.decode(encoding.partition(":")[0].replace("ascii", "utf-8"))
        if "--json" in words:
            assert text in str(json.loads(told))
    process = lived.process("--lang", "zh", "memory", "remove", "茶", PYTHONIOENCODING=encoding)
    assert process.communicate(timeout=60)[1].count(b"\n") == 1
    assert process.returncode == 1


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_change_no_exit_code_and_no_file(lived: Lived, closed: str) -> None:
    def run(*words: str) -> tuple[int, bytes, bytes]:
        argv = ["sh", "-c", f'exec "$@" {closed}', "sh", *PROGRAM, *words]
        done = subprocess.run(argv, capture_output=True, stdin=subprocess.DEVNULL, timeout=60, check=False)
        return done.returncode, done.stdout, done.stderr

    for words, code in (
        (("memory", "add", "tea"), 0), (("memory", "add", "tea", "--sync"), 0), (("sync", "--json"), 0),
        (("memory", "remove", "coffee"), 1), (("nonsense",), 2), (("--agent", "nobody", "status"), 2), (("status",), 0),
    ):  # fmt: skip
        told, out, err = run(*words)
        assert told == code, (words, out, err)
        assert (b"" if ">&-" in closed.replace("2>&-", "") else out) == out
        assert b"Traceback" not in err
        assert b"inside soulsync" not in err
    assert lived.json("memory", "list")["entries"][0]["text"] == "tea"
    assert lived.json("status")["dirty"] == []
    assert lived.ok("validate") == "Nothing deviates from the spec.\n"
    assert all(file.read_bytes() == b"" for file in lived.home.state.glob("*.lock"))
