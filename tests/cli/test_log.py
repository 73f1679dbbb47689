"""``soulsync log``, ``show`` and ``diff``: the autobiography in memory terms."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from soulsync.cli.ages import age
from tests.lived import MEMORY

if TYPE_CHECKING:
    from tests.bodies import Body
    from tests.lived import Lived


@pytest.fixture
def told(lived: Lived) -> Lived:
    lived.write(MEMORY, "Prefers tea in the morning\n§\nold\n")
    lived.commit("first（phone）", "phone", "2025-11-01T12:00:00Z")
    lived.write(MEMORY, "Prefers green tea in the morning\n§\n新的记忆\n")
    lived.write("notes/kyoto.md", "# kyoto\n")
    lived.write("journal/phone/2025-11-02.md", "# 2025-11-02 · phone\n\n## 08:00 Up\n\ntea\n")
    lived.write("agent.json", lived.read("agent.json").replace("#7C6CF2", "#000000"))
    lived.commit("second", "phone", "2025-11-02T12:00:00Z")
    return lived


def test_a_commit_says_which_body_when_and_what(told: Lived, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    head, *lines = told.ok("log", "-n", "1").splitlines()
    assert re.fullmatch(r"[0-9a-f]{7} phone  2025-11-0[23] \d\d:\d\d \(.* ago\)  second", head)
    assert [line.strip() for line in lines] == [
        "color: #7C6CF2 → #000000",
        "journal journal/phone/2025-11-02.md: 08:00 Up",
        "~ Prefers{+ green+} tea in the morning",
        "- old",
        "+ 新的记忆",
        "note notes/kyoto.md: written",
    ]
    assert told.ok("show", "HEAD") == told.ok("log", "-n", "1")
    assert told.ok("show", "HEAD~1").splitlines()[0].endswith(")  first")


def test_json(told: Lived) -> None:
    found = told.json("log", "-n", "2")
    assert [item["subject"] for item in found] == ["second", "first（phone）"]
    assert set(found[0]) == {"commit", "body", "subject", "time", "changes"}
    assert found[0]["time"] == "2025-11-02T12:00:00.000Z"
    assert {"kind": "entry-removed", "path": MEMORY, "old": "old"} in found[0]["changes"]
    assert told.json("show", "HEAD") == found[0]


def test_filters(told: Lived) -> None:
    assert len(told.json("log", "--body", "phone")) == 2
    assert len(told.json("log", "--grep", "新的")) == 1
    assert len(told.json("log", "--path", "notes/kyoto.md")) == 1
    assert len(told.json("log", "--since", "2025-11-02", "--until", "2025-11-03")) == 1
    assert told.ok("log", "--path", "never/was") == "No commit matches.\n"
    assert told.json("log", "--path", "never/was") == []
    assert "no time" in told.fails(2, "log", "--since", "gibberish")
    told.fails(1, "log", "--path", "../outside")
    assert told.run("log", "-n", "0").code == 2


def test_diff(told: Lived) -> None:
    assert told.ok("diff") == "Nothing differs.\n"
    assert told.json("diff") == []
    told.write(MEMORY, "Prefers green tea in the morning\n§\n新的记忆\n§\nnot committed yet\n")
    assert told.ok("diff") == f"{MEMORY}: + not committed yet\n"
    assert f"{MEMORY}: - old\n" in told.ok("diff", "HEAD~1", "HEAD")
    assert f"{MEMORY}: + old\n" in told.ok("diff", "HEAD", "HEAD~1")
    assert told.ok("diff", "HEAD~1") == told.ok("diff", "HEAD~1", "HEAD")


@pytest.mark.parametrize("words", [("show", "nowhere"), ("diff", "0000000"), ("diff", "HEAD", "HEAD~99"), ("show", "")])
def test_unknown_commits(told: Lived, words: tuple[str, ...]) -> None:
    assert "commit" in told.fails(1, *words)


def test_what_a_merge_replaced_and_how_to_get_it_back(one: Body, two: Body) -> None:
    for body in (one, two):
        body.env["LC_ALL"] = "en_US.UTF-8"
        body.ok("note", "write", "kyoto", f"by {body.name}")
    one.sync()
    two.sync()
    said = two.ok("log", "--path", "notes/kyoto.md", "-n", "1")
    lost = re.search(r"notes/kyoto.md: the version of ([0-9a-f]{7}) lost", said)
    assert lost is not None
    assert "`soulsync restore notes/kyoto.md`" in said
    assert "note notes/kyoto.md: written" in two.ok("show", lost[1])
    assert two.ok("log", "--rescue").splitlines()
    two.ok("restore", "notes/kyoto.md")
    assert "by one" in two.read("notes/kyoto.md")


def test_rescue_refs_can_be_shown(one: Body, two: Body) -> None:
    one.remember("a")
    two.remember("b")
    one.sync()
    two.sync()
    two.sync()
    short, _, ref = two.ok("log", "--rescue").splitlines()[0].split()
    assert two.ok("show", ref, "--json") == two.ok("show", short, "--json")


def test_content_can_not_steer_the_terminal(lived: Lived) -> None:
    lived.write(MEMORY, "evil \x1b[2J\x1b]0;title\x07 \u202e\u2066 \x9b31m end\r\n")
    lived.write("notes/\u202egnp.md", "# x\n")
    lived.commit("subject \x1b[31m \u202e", "b\x1b[31m")
    for words in (("log",), ("show", "HEAD"), ("diff", "HEAD~1"), ("memory", "list"), ("note", "list"), ("bodies",)):
        said = lived.ok(*words)
        assert not set(said) & set("\x1b\x07\x9b\u202e\u2066\r"), words


def test_joined_emoji_wide_blanks_and_right_to_left_text_are_shown_as_they_are(lived: Lived) -> None:
    lived.write(MEMORY, "👩‍💻　全角 می‌خواهم שלום\n")
    assert lived.ok("memory", "list") == "  1  👩‍💻　全角 می‌خواهم שלום\n"


def test_huge_entries_are_cut_for_people_and_whole_in_json(lived: Lived) -> None:
    lived.write(MEMORY, "word " * 100_000 + "\n")
    lived.commit()
    assert len(lived.ok("log", "-n", "1")) < 1000
    assert len(lived.json("log", "-n", "1")[0]["changes"][0]["new"]) == 499_999


def test_a_closed_pipe_is_no_fault(told: Lived) -> None:
    for _ in range(30):
        told.commit("x" * 4000)
    script = '"$0" -m soulsync log -n 100 | head -1; "$0" -m soulsync memory list | true'
    done = subprocess.run(["sh", "-c", script, sys.executable], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr, done.stdout.count(b"\n")) == (0, b"", 1)


@pytest.mark.parametrize(
    ("colour", "env"), [(True, {}), (False, {"NO_COLOR": "1"}), (True, {"NO_COLOR": ""}), (False, {"TERM": "dumb"})]
)
def test_colour_and_the_pager_on_a_terminal(told: Lived, colour: bool, env: dict[str, str]) -> None:
    for rows, pager in ((100, False), (5, True)):
        seen = on_terminal(rows, "log", PAGER="sed s/^/paged:/", **env)
        assert (b"\x1b[3" in seen) == (colour and not pager), seen
        assert (b"paged:" in seen) == pager
    assert b"\x1b[3" not in told.run("log").raw


def on_terminal(rows: int, *words: str, **env: str) -> bytes:
    """What ``soulsync`` writes to a terminal of 80 columns."""
    import fcntl
    import struct
    import termios

    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
    kept = {k: v for k, v in os.environ.items() if k not in ("LINES", "COLUMNS", "NO_COLOR", "LESS")}
    environment = {**kept, "TERM": "xterm", **env}
    argv = [sys.executable, "-m", "soulsync", *words]
    process = subprocess.Popen(argv, stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    seen = b""
    try:
        while chunk := os.read(master, 65536):
            seen += chunk
    except OSError:  # Linux says so when the last writer is gone
        pass
    os.close(master)
    assert process.wait(60) == 0
    return seen


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-601, "from the future"), (-599, "just now"), (59, "just now"), (60, "1 min ago"), (3599, "59 min ago"),
        (3600, "1 h ago"), (86_399, "23 h ago"), (86_400, "1 d ago"), (2_629_800, "1 mo ago"), (31_557_600, "1 y ago"),
    ],
)  # fmt: skip
def test_ages(lived: Lived, seconds: float, text: str) -> None:
    assert age(seconds) == text
