"""Every sentence that people read is in the Chinese catalogue, and the catalogue holds nothing else."""

from __future__ import annotations

import ast
import string
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from soulsync.cli.main import COMMANDS, cli
from soulsync.cli.translated import keys, texts
from soulsync.lang import zh

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2] / "soulsync"
PARTS = (
    zh.access,
    zh.beginnings,
    zh.body,
    zh.bridges,
    zh.commands,
    zh.connecting,
    zh.conversion,
    zh.cortex,
    zh.demonstration,
    zh.doctor,
    zh.frameworks,
    zh.help_texts,
    zh.merging,
    zh.output,
    zh.own_server,
    zh.oxsoul,
    zh.repo,
    zh.schedule,
    zh.validation,
)
COMPUTED = {
    "cli/translated.py": "help texts; they are collected from the commands themselves",
    "repo/faults.py": "what Malformed says, from formats/ and merge/, which know no language",
}
"""The modules that translate a text they did not write, and why."""
SAME = {"{field}: {old} → {new}", "`{finish}` or `{abandon}`"}
OPENING = {"complain", "say", "_warn", "_title"}
"""Functions whose argument people read."""
ERRORS = {
    "SoulSyncError", "UsageError", "RefusedError", "DeniedError", "OfflineError", "LeaseHeldError", "BusyError",
}  # fmt: skip
UNTRANSLATED = {
    "shipped.py": "says that the installation is broken, maybe without its catalogue",
    "driver.py": "started by git, light and in English",
    "driver_sides.py": "started by git, light and in English",
    "hooks.py": "started by git, light and in English",
    "cli/completion.py": "of click, whose version may know a shell less",
}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(ROOT.rglob("*.py")):
        yield str(file.relative_to(ROOT)), ast.parse(file.read_text("utf-8"))


def calls(names: set[str]) -> Iterator[tuple[str, ast.Call]]:
    for name, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                if called in names:
                    yield name, node


def literal(call: ast.Call) -> str | None:
    """The first argument, where it is written out."""
    first = call.args[0]
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None


def spoken() -> dict[str, set[str]]:
    """Every text that is translated by name of its module."""
    found: dict[str, set[str]] = {}
    for name, call in calls({"tr"}):
        text = literal(call)
        if text is not None:
            found.setdefault(name, set()).add(text)
    return found


def help_keys() -> set[str]:
    context = click.Context(cli)
    commands = [cli, *(cli.get_command(context, name) for name in COMMANDS)]
    return {key for command in commands if command for _, _, english in texts(command) for key in keys(english)}


def malformed() -> set[str]:
    """What the formats say of input that they can't read; a text with a value in it is split at its edge."""
    return {text for _, call in calls({"Malformed"}) if (text := literal(call)) is not None}


def wanted() -> set[str]:
    return set().union(*spoken().values()) | help_keys() | malformed()


def fields(text: str) -> list[tuple[str, str, str]]:
    return sorted({(name, spec or "", conv or "") for _, name, spec, conv in string.Formatter().parse(text) if name})


def test_the_texts_were_found() -> None:
    assert len(spoken()) > 50
    assert len(help_keys()) > 100
    assert {"not UTF-8", "not a JSON object"} <= malformed()


def test_what_is_translated_is_written_out() -> None:
    computed = {name for name, call in calls({"tr"}) if literal(call) is None}
    assert computed == set(COMPUTED)


def test_every_text_has_a_chinese_one() -> None:
    assert sorted(wanted() - set(zh.TEXTS)) == []


def test_the_catalogue_holds_nothing_that_is_not_said() -> None:
    assert sorted(set(zh.TEXTS) - wanted()) == []


def test_no_text_is_in_two_files() -> None:
    assert sum(len(part.TEXTS) for part in PARTS) == len(zh.TEXTS)


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__.rpartition(".")[2])
def test_no_key_is_written_twice(part: object) -> None:
    tree = ast.parse(Path(str(part.__file__)).read_text("utf-8"))  # type: ignore[attr-defined]
    (written,) = [node for node in ast.walk(tree) if isinstance(node, ast.Dict)]
    said = [key.value for key in written.keys if isinstance(key, ast.Constant)]
    assert len(said) == len(set(said))


def test_the_same_values_stand_on_both_sides() -> None:
    assert [(k, v) for k, v in zh.TEXTS.items() if fields(k) != fields(v)] == []


def test_values_are_given_by_name() -> None:
    for name, call in calls({"tr"}):
        assert len(call.args) == 1, name
        text = literal(call)
        if text is not None:
            given = {keyword.arg for keyword in call.keywords}
            assert given == {field for field, _, _ in fields(text)}, (name, text)


def test_what_stands_in_backticks_stays() -> None:
    for english, chinese in zh.TEXTS.items():
        assert sorted(english.split("`")[1::2]) == sorted(chinese.split("`")[1::2]), english


def test_chinese_ends_as_english_does() -> None:
    ends = {".": "。", "?": "？"}
    for english, chinese in zh.TEXTS.items():
        if english not in SAME and english[-1] in ends and not english.endswith("..."):
            assert chinese[-1] in f"{ends[english[-1]]}”`", english


def test_an_error_speaks_the_language() -> None:
    silent = [
        (name, ast.unparse(argument))
        for name, call in calls(ERRORS | OPENING)
        for argument in call.args[:2]
        if name not in UNTRANSLATED and is_a_sentence(argument)
    ]
    assert silent == []


def is_a_sentence(node: ast.expr) -> bool:
    """Whether a text, in or outside an f-string, holds words of its own."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    own = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return any(len([word for word in text.split() if word.isalpha()]) > 1 for text in own)
