"""Texts as words, and how one became another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.repo.words import MAX_WORDS, SIMILAR, compare, similarity, words

TEXTS = st.text(alphabet="ab 喜欢茶é́\n\t。, 👩‍💻\ud83d\u202e\ufeff", max_size=30)


@given(TEXTS)
def test_words_joined_are_the_text(text: str) -> None:
    assert "".join(words(text)) == text


@given(TEXTS, TEXTS)
def test_what_is_shown_holds_both_texts_whole(old: str, new: str) -> None:
    runs = compare(old, new)
    assert "".join(text for sign, text in runs if sign in "=-") == old
    assert "".join(text for sign, text in runs if sign in "=+") == new


@given(TEXTS)
def test_a_text_is_its_own_equal(text: str) -> None:
    assert similarity(text, text) == (1.0 if text.strip() else 0.0)


@given(TEXTS, TEXTS)
def test_similarity_is_a_share(old: str, new: str) -> None:
    assert 0.0 <= similarity(old, new) <= 1.0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Prefers tea", "Prefers green tea in the morning, and coffee after lunch"),
        ("The key hangs behind the door", "The key hangs behind the red door"),
        ("The key hangs behind the red door of the server room", "The key hangs behind the door"),
        ("PREFERS TEA AT NIGHT", "prefers tea at noon"),
        ("他喜欢喝绿茶", "他喜欢喝红茶"),
        ("他喜欢茶", "他早上喜欢喝浓茶"),
        ("first line\nsecond line", "first line\nsecond line\nthird line"),
    ],
)
def test_an_edit_is_recognised(old: str, new: str) -> None:
    assert similarity(old, new) >= SIMILAR


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tea", "teas"),
        ("Likes tea", "Lives in Kyoto with two cats"),
        ("User likes tea", "User plays the violin in an orchestra"),
        ("他喜欢茶", "她住在京都的一间老房子里"),
        ("", "anything"),
        ("   ", "\n"),
    ],
)
def test_another_text_is_no_edit(old: str, new: str) -> None:
    assert similarity(old, new) < SIMILAR


def test_chinese_changes_by_the_character() -> None:
    assert compare("他喜欢绿茶", "他喜欢红茶") == [("=", "他喜欢"), ("-", "绿"), ("+", "红"), ("=", "茶")]


def test_a_huge_text_is_shown_whole() -> None:
    old, new = "a " * MAX_WORDS, "b " * MAX_WORDS
    assert compare(old, new) == [("-", old), ("+", new)]
