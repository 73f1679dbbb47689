"""Which language is spoken: ``--lang`` before the environment, the environment before the agent, English last."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import click
import pytest

from soulsync import lang
from soulsync.body import fill_in
from soulsync.cli.wide_help import Formatter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NO_LANGUAGE = ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE")
CHINESE = {"LANG": "zh_CN.UTF-8"}


class Spoken:
    """A local soul whose agent speaks ``language``, and the program in another process on it."""

    def __init__(self, folder: Path, language: str) -> None:
        self.folder = folder
        self.run("init", "--agent", "kaoru", "--body", "laptop", "--language", language)

    def run(self, *words: str, code: int = 0, environment: dict[str, str] | None = None) -> tuple[str, str]:
        """Output and errors of ``soulsync WORDS``."""
        env = {name: value for name, value in os.environ.items() if name not in NO_LANGUAGE}
        env |= {"HOME": str(self.folder), "SOULSYNC_HOME": str(self.folder / ".soulsync")}
        env |= environment or {}
        argv = [sys.executable, "-X", "utf8", "-m", "soulsync", *words]
        done = subprocess.run(argv, env=env, capture_output=True, encoding="utf-8", timeout=60, check=False)
        assert done.returncode == code, done.stderr
        return done.stdout, done.stderr


@pytest.fixture(scope="module")
def chinese(tmp_path_factory: pytest.TempPathFactory) -> Spoken:
    return Spoken(tmp_path_factory.mktemp("chinese"), "zh-CN")


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Spoken:
    return Spoken(tmp_path_factory.mktemp("english"), "en")


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in NO_LANGUAGE:
        monkeypatch.delenv(name, raising=False)
    before = dict(lang._state)
    lang._state.clear()
    yield
    lang._state.clear()
    lang._state.update(before)


def test_lang_chooses_chinese(english: Spoken) -> None:
    assert "kaoru，身体 laptop" in english.run("--lang", "zh", "status")[0]


def test_lang_chooses_english_whatever_else_is_chinese(chinese: Spoken) -> None:
    assert "kaoru on laptop" in chinese.run("--lang", "en", "status", environment=CHINESE)[0]


def test_the_environment_chooses_chinese(english: Spoken) -> None:
    assert "上次同步" in english.run("status", environment=CHINESE)[0]


def test_the_environment_chooses_english_before_the_agent_does(chinese: Spoken) -> None:
    assert "last sync" in chinese.run("status", environment={"LANG": "en_GB.UTF-8"})[0]


@pytest.mark.parametrize("environment", [{"LANG": "C"}, {"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, {}], ids=str)
def test_without_one_the_agent_chooses(chinese: Spoken, english: Spoken, environment: dict[str, str]) -> None:
    assert "上次同步" in chinese.run("status", environment=environment)[0]
    assert "last sync" in english.run("status", environment=environment)[0]


def test_an_error_is_one_line_in_chinese(english: Spoken) -> None:
    out, err = english.run("undo", "abcdef1", code=1, environment=CHINESE)
    assert out == ""
    assert err == "soulsync: 没有提交 abcdef1。请给出 `soulsync log` 中的 id。\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("undo",), "缺少参数 'COMMIT'。 请看 `soulsync undo --help`。"),
        (("log", "--nonsense"), "没有选项 '--nonsense'。 请看 `soulsync log --help`。"),
        (("log", "-n", "0"), "'-n' 的值无效：0 is not in the range x>=1. 请看 `soulsync log --help`。"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_command_line_is_told_in_chinese(english: Spoken, words: tuple[str, ...], said: str) -> None:
    assert english.run("--lang", "zh", *words, code=2) == ("", f"soulsync: {said}\n")


def test_json_has_the_same_keys_and_words(english: Spoken) -> None:
    ours, theirs = (json.loads(english.run("--lang", tag, "status", "--json")[0]) for tag in ("en", "zh"))
    assert ours == theirs


def test_json_of_a_sync_has_the_words_of_the_contract(english: Spoken) -> None:
    english.run("sync")
    assert json.loads(english.run("--lang", "zh", "sync", "--json")[0])["outcome"] == "unchanged"


def test_commits_do_not_speak_the_language_of_a_person(chinese: Spoken, english: Spoken) -> None:
    found = []
    for one, tag in ((english, "en"), (chinese, "zh")):
        one.run("--lang", tag, "memory", "add", "Prefers tea")
        one.run("--lang", tag, "sync")
        commits = json.loads(one.run("log", "--json", environment=CHINESE)[0])
        found.append([commit["subject"] for commit in commits])
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("environment", "tag"), [({"LANG": "zh_CN.UTF-8"}, "zh-CN"), ({"LANG": "C"}, "en"), ({"LANG": "fr_FR.UTF-8"}, "en")]
)
def test_a_new_agent_speaks_as_its_environment(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], tag: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert json.loads(fill_in.new_identity("kaoru", None, None))["language"] == tag
    assert json.loads(fill_in.new_identity("kaoru", None, "ja"))["language"] == "ja"


def test_help_is_chinese_and_keeps_its_examples(english: Spoken) -> None:
    said = english.run("--lang", "zh", "undo", "--help")[0]
    assert said.startswith("用法：soulsync undo [OPTIONS] COMMIT\n")
    assert "\n  示例：\n    soulsync undo 3f2a91c --dry-run\n" in said
    assert "显示这份帮助并退出。" in said


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_a_line_of_help_is_as_wide_as_the_terminal(columns: int) -> None:
    from rich.cells import cell_len

    formatter = Formatter(width=columns - 2)
    formatter.write_text("租约被另一个身体取得（退出码 6）或不能及时续租，CMD 会被停止。" * 4)
    formatter.write_dl([("--home DIR", "主目录，每个 agent 一个子目录，默认是用户的主目录。" * 3)])
    lines = formatter.getvalue().splitlines()
    assert max(map(cell_len, lines)) <= columns - 1
    assert all(line.strip()[0] not in "，。；：）" for line in lines)
    assert cell_len(lines[0]) > columns - 9


def test_english_help_is_as_click_writes_it() -> None:
    pages = []
    for kind in (Formatter, click.HelpFormatter):
        formatter = kind(width=60)
        formatter.write_usage("soulsync undo", "[OPTIONS] COMMIT")
        with formatter.section("Options"):
            formatter.write_dl(
                [("--dry-run", "Only say what would change. " * 4), ("-h", "Show this message and exit.")]
            )
        pages.append(formatter.getvalue())
    assert pages[0] == pages[1]


def test_faults_of_input_are_told_in_chinese() -> None:
    from soulsync.repo.faults import told

    unreadable = "their version is not JSON: Expecting value in line 3"
    assert told(unreadable) == unreadable
    lang.use("zh")
    assert told(unreadable) == "对方版本不是 JSON：Expecting value in line 3"
    assert told("our version is not UTF-8") == "我方版本不是 UTF-8"
    assert told("the version that is there is nested too deep") == "现有版本嵌套太深"
    assert told("something new") == "something new"
