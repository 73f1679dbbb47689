"""The key box: the line whole and alone, the forge's page, its word for write access, and codes for a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import segno

from soulsync.cli import key_box
from tests.access.client import remote

if TYPE_CHECKING:
    from soulsync.access.address import Remote

LINE = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl kaoru@laptop (soulsync)"
GITHUB = remote("git@github.com:me/kaoru.soul.git")


def told(there: Remote | None) -> str:
    return "\n".join(key_box.way(there))


@pytest.mark.parametrize(
    ("address", "page", "word"),
    [
        ("git@github.com:me/a", "https://github.com/me/a/settings/keys/new", "“Allow write access”"),
        ("git@codeberg.org:me/a", "https://codeberg.org/me/a/settings/keys", "“Enable Write Access”"),
        ("git@gitlab.com:me/a", "https://gitlab.com/me/a/-/settings/repository#", "“Grant write permissions to this"),
    ],
)
def test_a_forge_is_told_by_its_page_and_its_word(address: str, page: str, word: str) -> None:
    text = told(remote(address))
    assert f"\n  {page}" in text
    assert word in text
    assert "Allow write access" in text


def test_a_forge_whose_keys_only_read_is_said_to_be_one() -> None:
    text = told(remote("git@bitbucket.org:me/a"))
    assert "https://bitbucket.org/me/a/admin/access-keys/" in text
    assert "may only read" in text


def test_any_other_host_is_told_in_general_words() -> None:
    text = told(remote("ssh://git@example.org:2222/srv/a.git"))
    assert "/srv/a.git on example.org:2222" in text
    assert "allow write access" in text
    assert "\n  soulsync remote authorize /srv/a.git --key FILE" in text
    assert "remote authorize PATH --key FILE" in told(remote("git@example.org:a.git"))
    assert "allow write access" in told(None)


def test_in_a_pipe_the_line_stands_alone(capsys: pytest.CaptureFixture[str]) -> None:
    key_box.show(LINE, GITHUB)
    out = capsys.readouterr().out
    assert out.startswith(f"\n{LINE}\n\n")
    assert "─" not in out
    assert "\x1b" not in out


def test_the_codes_hold_the_key_and_the_page_and_fit_forty_columns(capsys: pytest.CaptureFixture[str]) -> None:
    key_box.show(LINE, GITHUB, qr=True)
    blocks = [line for line in capsys.readouterr().out.splitlines() if line and set(line) <= set("█▀▄ ")]
    widths = [len(line) for line in blocks]
    assert max(widths) <= 40
    key, page = ([line for line in blocks if len(line) == width] for width in sorted(set(widths), reverse=True))
    assert modules(key) == drawn(LINE.rsplit(" ", 2)[0])
    assert modules(page) == drawn("https://github.com/me/kaoru.soul/settings/keys/new")


def modules(lines: list[str]) -> list[list[bool]]:
    """The code that half blocks draw on a dark terminal: True is a dark module, where nothing is drawn."""
    upper = [[character not in "█▀" for character in line] for line in lines]
    lower = [[character not in "█▄" for character in line] for line in lines]
    rows = [row for pair in zip(upper, lower, strict=True) for row in pair]
    return rows[: len(lines[0])]


def drawn(text: str) -> list[list[bool]]:
    code = segno.make(text, error="l", boost_error=False)
    return [[bool(module) for module in row] for row in code.matrix_iter(border=key_box.QR_BORDER)]
