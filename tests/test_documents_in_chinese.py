"""The pages that exist in two languages say the same, in the words of the program."""

from __future__ import annotations

import re
import string
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from soulsync.lang.zh import TEXTS

ROOT = Path(__file__).resolve().parent.parent
PAIRS = [("README.md", "README.zh-CN.md"), ("docs/trouble.md", "docs/trouble.zh-CN.md")]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def first_cells(text: str) -> list[str]:
    """The first cell of every row of every table but the headers."""
    rows = re.findall(r"^\|([^|]+)\|", FENCE.sub("", text), re.MULTILINE)
    return [cell.strip() for cell in rows if "`" in cell or cell.strip().isdigit()]


def code(text: str) -> list[str]:
    """The blocks of commands, which are the same in every language."""
    return [block for _, block in FENCE.findall(text) if "soulsync:" not in block and re.match(r"\S", block)]


@pytest.mark.parametrize(("english", "chinese"), PAIRS)
def test_both_lead_to_each_other(english: str, chinese: str) -> None:
    assert f"]({Path(chinese).name})" in read(english).split("\n\n")[1]
    assert f"]({Path(english).name})" in read(chinese).split("\n\n")[1]


@pytest.mark.parametrize(("english", "chinese"), PAIRS)
def test_both_have_the_same_sections(english: str, chinese: str) -> None:
    shapes = [re.findall(r"^(#+) ", FENCE.sub("", read(name)), re.MULTILINE) for name in (english, chinese)]
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize(("english", "chinese"), PAIRS)
def test_both_show_the_same_commands(english: str, chinese: str) -> None:
    assert code(read(english)) == code(read(chinese))


def test_the_two_commands_stand_at_the_top_of_both() -> None:
    for name in PAIRS[0]:
        assert FENCE.findall(read(name))[0] == ("sh", "./scripts/demo\n./scripts/test\n")


def test_both_have_the_same_tables() -> None:
    english, chinese = (first_cells(read(name)) for name in PAIRS[0])
    assert len(english) > 30
    assert [cell for cell in english if cell.startswith("`soulsync")] == [
        cell for cell in chinese if cell.startswith("`soulsync")
    ]
    assert [re.findall(r"`[^`]+`|\d+", cell) for cell in english] == [
        re.findall(r"`[^`]+`|\d+", cell) for cell in chinese
    ]


def test_both_show_the_flow() -> None:
    for name in PAIRS[0]:
        assert any("◄──" in block and "──►" in block for _, block in FENCE.findall(read(name)))


def test_both_name_the_exit_codes_of_the_same_troubles() -> None:
    english = re.findall(r"^## .*?(?:\(exit (\d+)\))?$", read(PAIRS[1][0]), re.MULTILINE)
    chinese = re.findall(r"^## .*?(?:（退出码 (\d+)）)?$", read(PAIRS[1][1]), re.MULTILINE)
    assert english == chinese
    assert {"0", "1", "3", "4", "5", "75"} <= set(english)


def messages(name: str) -> list[str]:
    lines = [line for _, block in FENCE.findall(read(name)) for line in block.splitlines()]
    return [re.sub(r"^(soulsync:|  note:|  注意：)", "", line).strip() for line in lines]


@cache
def patterns(language: str) -> list[str]:
    texts = TEXTS if language == "en" else TEXTS.values()
    return [pattern(text) for text in texts if len(text) > 5]


def pattern(text: str) -> str:
    """A template as a pattern, in which every value is some text."""
    parts = string.Formatter().parse(text)
    return "".join(re.escape(words) + ("(?:.+?)" if name else "") for words, name, _, _ in parts)


@pytest.mark.parametrize(("name", "language"), [(PAIRS[1][0], "en"), (PAIRS[1][1], "zh")])
def test_the_program_says_the_messages_that_the_page_explains(name: str, language: str) -> None:
    assert len(messages(name)) > 10
    for message in messages(name):
        problems = [p for p in patterns(language) if re.match(p, message)]
        remedies = ["", *(p for p in patterns(language) if re.search(f"{p}$", message))]
        assert any(re.fullmatch(f"{p} ?{r}", message) for p in problems for r in remedies), message


def test_the_page_of_commands_is_what_the_program_says() -> None:
    check = [sys.executable, str(ROOT / "scripts" / "docs.py"), "--check"]
    done = subprocess.run(check, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, "run scripts/docs.py"
