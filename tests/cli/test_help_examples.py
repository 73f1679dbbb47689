"""Every command's help ends with an example, and the examples work."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click
import pytest

from soulsync.cli.main import COMMANDS, cli
from soulsync.cli.translated import translate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.lived import Lived

PROGRAM = "soulsync"
LOCAL = {
    "sync", "status", "memory", "journal", "note", "search", "log", "show", "diff", "bodies", "doctor", "lease",
    "install", "uninstall", "completion", "validate",
}  # fmt: skip
"""The commands whose examples run in a soul without a remote; of the others the line is parsed."""
PARSED = {("lease",), ("lease", "run")}
"""Of those, the ones whose example names a program of the reader's own."""
PREPARED = (
    ("memory", "add", "The server room"), ("memory", "add", "Prefers tea"), ("note", "write", "kyoto", "By train"),
    ("sync",), ("memory", "add", "b"), ("sync",), ("memory", "add", "c"),
    ("sync",), ("memory", "add", "d"), ("sync",),
)  # fmt: skip

ALSO = {("note", "show"): ("note", "write", "travel/kyoto", "By train")}
"""What only one example needs."""


def walk(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command of the program with the words that name it."""
    ctx = click.Context(command)
    if words:
        yield words, command
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            below = command.get_command(ctx, name)
            assert below is not None
            yield from walk(below, (*words, name))


EVERY = dict(walk(cli))


def block(command: click.Command) -> list[str]:
    """The lines of the Example block at the end of a help text."""
    text = (translate(command).help or "").rstrip()  # in English again, where another test had it in Chinese
    head, found, lines = text.rpartition("\b\n")
    assert found, "no block that keeps its lines"
    title, *examples = lines.split("\n")
    assert title.strip() in ("Example:", "Examples:", "Start here:"), title
    assert head.strip(), "says what it does first"
    return [line.strip() for line in examples]


def calls(line: str) -> list[list[str]]:
    """The calls of soulsync in a shell line, without their comments: ``a && b; c`` are three."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    found: list[list[str]] = [[]]
    for word in lexer:
        if set(word) <= set("&;|<>"):
            found.append([])
        else:
            found[-1].append(word)
    return [words[1:] for words in found if words[:1] == [PROGRAM]]


def examples(words: tuple[str, ...]) -> list[list[str]]:
    return [call for line in block(EVERY[words]) for call in calls(line)]


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_the_help_ends_with_an_example_of_this_very_command(words: tuple[str, ...]) -> None:
    found = examples(words)
    assert found
    assert any(tuple(call[: len(words)]) == words for call in found), found


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_every_example_parses(words: tuple[str, ...]) -> None:
    for call in examples(words):
        parse(cli, call)


def parse(command: click.Command, words: list[str]) -> None:
    """Parse a line down to the command that would run, without running it."""
    ctx = command.make_context(PROGRAM, list(words), resilient_parsing=False)
    if not isinstance(command, click.Group):
        return
    rest = [*getattr(ctx, "_protected_args", []), *ctx.args]  # click 8 keeps the command's name apart
    if rest:
        name, below, args = command.resolve_command(ctx, rest)
        assert name is not None
        assert below is not None
        parse(below, args)


@pytest.mark.parametrize("words", [words for words in EVERY if words[0] in LOCAL and words not in PARSED], ids=" ".join)
def test_an_example_that_needs_no_network_runs(lived: Lived, words: tuple[str, ...]) -> None:
    for prepared in PREPARED if words[0] != "completion" else ():
        lived.ok(*prepared)
    if words in ALSO:
        lived.ok(*ALSO[words])
    for call in examples(words):
        if tuple(call[: len(words)]) == words:
            said = lived.run(*call)
            assert said.code == 0, said


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_the_help_is_shown(lived: Lived, words: tuple[str, ...]) -> None:
    said = lived.ok(*words, "--help")
    assert said.startswith(f"Usage: {PROGRAM} {' '.join(words)}")
    assert "Example" in said


def test_the_programs_own_help_names_every_command(lived: Lived) -> None:
    said = lived.ok("--help")
    assert {line.split()[0] for line in said.splitlines() if line.startswith("  ") and line.strip()} >= set(COMMANDS)
