"""``soulsync memory``: text from an argument, standard input or an editor; answers for people and programs."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from tests.lived import MEMORY, USER

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Body
    from tests.lived import Lived


def test_the_text_is_an_argument_or_standard_input(lived: Lived) -> None:
    assert lived.ok("memory", "add", "one") == "Added.\n"
    assert lived.ok("memory", "add", "-", stdin="两\nlines\n".encode()) == "Added.\n"
    assert lived.ok("memory", "add", stdin=b"piped") == "Added.\n"
    assert lived.ok("memory", "add", "one") == "It is there already.\n"
    assert lived.ok("memory", "list") == "  1  one\n  2  两\n     lines\n  3  piped\n"
    assert lived.ok("memory", "replace", "one", "-", stdin=b"first") == "Replaced: one\n"
    assert lived.ok("memory", "remove", "piped") == "Removed: piped\n"
    assert lived.read(MEMORY) == "first\n§\n两\nlines\n"


def test_json(lived: Lived) -> None:
    assert lived.json("memory", "add", "one", "--user") == {"added": True}
    assert lived.json("memory", "add", "one", "--user") == {"added": False}
    assert lived.json("memory", "list", "--user") == {"entries": [{"text": "one", "hash": sha256(b"one").hexdigest()}]}
    assert lived.json("memory", "replace", "--user", "one", "two") == {"replaced": "one"}
    assert lived.json("memory", "remove", "--user", "two") == {"removed": "two"}
    assert lived.json("memory", "list") == {"entries": []}
    assert lived.read(USER) == ""


@pytest.mark.parametrize(
    "stdin", [b"", b" \n", b"a\n\xc2\xa7\nb\n", b"a\0b", b"x" * 1_100_000, b"x" * (16 * 1024 * 1024 + 1)]
)
def test_what_can_not_be_an_entry_is_refused_and_changes_nothing(lived: Lived, stdin: bytes) -> None:
    lived.fails(1, "memory", "add", "-", stdin=stdin)


def test_no_entry_and_several_are_errors(lived: Lived) -> None:
    lived.write(MEMORY, "tea\n§\ngreen tea\n")
    assert "No entry" in lived.fails(1, "memory", "remove", "coffee")
    assert "'tea'; 'green tea'" in lived.fails(1, "memory", "remove", "te")
    lived.fails(2, "memory", "replace")


def test_bytes_that_are_no_text_survive_and_are_shown(lived: Lived) -> None:
    lived.ok("memory", "add", "-", stdin=b"caf\xe9 noir")
    assert (lived.soul / MEMORY).read_bytes() == b"caf\xe9 noir\n"
    assert lived.ok("memory", "list") == "  1  caf\ufffd noir\n"
    assert lived.json("memory", "list")["entries"][0]["text"] == "caf\udce9 noir"
    lived.ok("memory", "remove", "noir")


def test_an_editor(lived: Lived, tmp_path: Path) -> None:
    """On a terminal without text the editor opens; with the entry in it when one is replaced."""
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\ncat "$1" > seen\nprintf "from the editor\\n" >> "$1"\n')
    editor.chmod(0o755)
    assert terminal(lived, tmp_path, "memory", "add", EDITOR=str(editor)) == 0
    assert lived.read(MEMORY) == "from the editor\n"
    assert terminal(lived, tmp_path, "memory", "replace", "from", EDITOR=str(editor)) == 0
    assert (tmp_path / "seen").read_text() == "from the editor\n"
    assert lived.read(MEMORY) == "from the editor\nfrom the editor\n"


@pytest.mark.parametrize("editor", ["false", "/nonexistent/editor", "true"])
def test_an_editor_that_fails_or_saves_nothing_changes_nothing(lived: Lived, tmp_path: Path, editor: str) -> None:
    lived.ok("memory", "add", "stays")
    assert terminal(lived, tmp_path, "memory", "add", EDITOR=editor) == 1
    assert terminal(lived, tmp_path, "memory", "replace", "stays", EDITOR=editor) == 1
    assert lived.read(MEMORY) == "stays\n"


def terminal(lived: Lived, folder: Path, *words: str, **env: str) -> int:
    """Run ``soulsync`` with a terminal as its standard input."""
    master, slave = os.openpty()
    try:
        argv = [sys.executable, "-m", "soulsync", *words]
        done = subprocess.run(
            argv, stdin=slave, capture_output=True, cwd=folder, env={**os.environ, **env}, timeout=60, check=False
        )
    finally:
        os.close(master)
        os.close(slave)
    assert b"Traceback" not in done.stderr
    return done.returncode


def test_standard_input_may_be_closed(lived: Lived) -> None:
    script = '"$0" -m soulsync memory add "said" <&-; "$0" -m soulsync memory add <&-'
    done = subprocess.run(["sh", "-c", script, sys.executable], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, b"Added.\n")
    assert done.stderr.startswith(b"soulsync: The text is empty.")


def test_a_disk_that_takes_no_more_changes_nothing(lived: Lived) -> None:
    lived.ok("memory", "add", "stays")
    before = lived.files()
    script = 'ulimit -f 16; exec "$0" -m soulsync memory add -'  # 16 blocks are 8 or 16 KiB, by shell
    done = subprocess.run(
        ["sh", "-c", script, sys.executable], input=b"x" * 100_000, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    assert lived.files() == before


def test_sync_at_once(one: Body, two: Body) -> None:
    one.ok("memory", "add", "sent at once", "--sync")
    two.sync()
    assert "sent at once" in two.entries()
    assert one.ok("memory", "add", "again", "--sync", "--json") == '{\n  "added": true\n}\n'
    one.env["SOUL_ALLOW_LOCAL_REMOTE"] = "0"
    done = one.run("memory", "add", "kept although the sync is refused", "--sync")
    assert done.returncode == 3
    assert "kept although the sync is refused" in one.entries()


def test_eight_writers_and_a_sync_meanwhile_lose_nothing(one: Body, two: Body) -> None:
    two.remember(*[f"from two {i}" for i in range(5)])
    two.sync()
    texts = [f"writer {number} says {word}" for number in range(8) for word in ("this", "that")]
    writers = [one.start("memory", "add", text) for text in texts[:8]]
    syncs = [one.start("sync", "--quiet")]
    writers += [one.start("memory", "add", text) for text in texts[8:]]
    for process in (*writers, *syncs):
        _, err = process.communicate(timeout=120)
        assert process.returncode in ((0,) if process in writers else (0, 75)), err
    one.sync()
    two.sync()
    expected = {*texts, *(f"from two {i}" for i in range(5))}
    assert set(one.entries()) == expected
    assert sorted(two.entries()) == sorted(expected)
