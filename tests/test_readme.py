"""The README against the program: what it tells people to type exists, and its tables say what the code does."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import click
import pytest

from soulsync import errors
from soulsync.cli.main import COMMANDS, cli
from soulsync.merge.rules import MODULES, rule_for

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
DOCUMENTS = (
    "README.md", "README.zh-CN.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/architecture.md", "docs/daily.md",
    "docs/trouble.md", "docs/trouble.zh-CN.md",
)  # fmt: skip
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TEXT = FENCE.sub("", README)
SPANS = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", TEXT)]
LINES = [line for _, block in FENCE.findall(README) for line in block.splitlines()]


def rows(header: str) -> list[list[str]]:
    """The cells of the table whose header row is ``header``."""
    _, _, rest = README.partition(f"{header}\n")
    assert rest, f"no table {header}"
    lines = rest.splitlines()[1:]
    table = lines[: next(i for i, line in enumerate(lines) if not line.startswith("|"))]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table]


def typed() -> list[str]:
    """Every command line of soulsync in the README, from text and blocks."""
    found = [text[text.index("soulsync ") :] for text in [*SPANS, *LINES] if re.search(r"(^|/| )soulsync ", text)]
    assert len(found) > 20
    return sorted(set(found))


def test_the_first_two_commands_are_demo_and_test() -> None:
    language, block = FENCE.findall(README)[0]
    assert language == "sh"
    assert block.split() == ["./scripts/demo", "./scripts/test"]


@pytest.mark.parametrize("name", sorted(set(re.findall(r"[./]*scripts/\w+|\.ci/run", README))))
def test_a_script_that_is_named_can_be_run(name: str) -> None:
    assert os.access(ROOT / name, os.X_OK)


def test_the_table_lists_every_command_and_no_other() -> None:
    listed = [row[0].strip("`").removeprefix("soulsync ") for row in rows("| command | what it does |")]
    assert sorted(listed) == sorted(set(listed))
    assert set(listed) == set(COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_a_listed_command_is_real(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.help or command.short_help


@pytest.mark.parametrize("line", typed())
def test_what_people_are_told_to_type_exists(line: str) -> None:
    words = shlex.split(line.partition("  #")[0])[1:]
    command: click.Command = cli
    options = known_options(cli)
    for word in words:
        if word.startswith("-"):
            assert word.partition("=")[0] in options, f"{word} in {line}"
        elif isinstance(command, click.Group) and word.islower():
            inner = command.get_command(click.Context(command), word)
            assert inner is not None, f"{word} in {line}"
            command = inner
            options |= known_options(command)


def known_options(command: click.Command) -> set[str]:
    context = click.Context(command, help_option_names=["-h", "--help"])
    return {name for parameter in command.get_params(context) for name in parameter.opts}


def test_exit_codes() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    documented = {int(row[0]) for row in rows("| code | meaning |")}
    assert documented == {0, *(kind.exit_code for kind in kinds if issubclass(kind, errors.SoulSyncError))}


def test_merge_rules() -> None:
    table = rows("| path | rule | what happens |")
    for paths, rule, _ in table:
        for path in re.findall(r"`([^`]+)`", paths):
            assert rule_for(path.replace("**", "one/x.md").replace("*", "one")) == rule.strip("`")
    assert {row[1].strip("`") for row in table} == set(MODULES)


def test_reasons_why_a_file_is_left_out() -> None:
    paragraph = TEXT[TEXT.index("**“left out") : TEXT.index("**A merge chose")]
    reasons = set(re.findall(r"`([a-z-]+)`", paragraph))
    assert reasons == {
        "too-large", "binary", "symlink", "nested-repository", "unportable", "malformed", "not-ours",
    }  # fmt: skip


def test_links_lead_somewhere() -> None:
    for document in DOCUMENTS:
        text = (ROOT / document).read_text("utf-8")
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            assert ((ROOT / document).parent / target).exists(), f"{target} in {document}"


def test_files_that_documents_name_exist() -> None:
    for document in ("CONTRIBUTING.md", "docs/architecture.md"):
        text = (ROOT / document).read_text("utf-8")
        names = re.findall(r"`((?:tests|soulsync|repo|body|access|merge|cli)/[\w/]+\.py)`", text)
        assert names
        for name in names:
            assert (ROOT / name).exists() or (ROOT / "soulsync" / name).exists(), f"{name} in {document}"


def test_the_plain_text_fits_80_columns() -> None:
    long = [line for line in README.splitlines() if len(line) > 80 and not line.startswith("|")]
    assert long == []
