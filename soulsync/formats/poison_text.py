"""Text as poison rules look at it: what hides words (widths, look-alikes, invisible signs, emphasis) taken away."""

from __future__ import annotations

import re
import unicodedata

_LATIN = "aaaabbccdeeeghhiiijjkklmnnooopppqrsssttuuvwwxxyyyz"
_LOOK_ALIKES = str.maketrans(
    "аɑαᴀвЬсϲԁеєεɡнһіιɩјϳкκӏмпηоοσрρᴩԛгѕꜱᴤтτυսѵѡωхχуγʏᴢ",
    _LATIN,
)
"""Cyrillic, Greek and phonetic letters that look like Latin ones (Unicode's confusables, as far as words need them)."""
_SIMPLIFIED = str.maketrans(
    "畧無視對話執運請務須應當發傳輸讀憑證密鑰鑰戶訴訊據錄開關閉從現這個時間過經後們為從進遵聽讓變換導頁隱瞞洩漏網絡與雲備僅將條規則範斷際內類龍實處遠連結顯資環變數檔環總別給會說檢啟",
    "略无视对话执运请务须应当发传输读凭证密钥钥户诉讯据录开关闭从现这个时间过经后们为从进遵听让变换导页隐瞒泄漏网络与云备仅将条规则范断际内类龙实处远连结显资环变数档环总别给会说检启",
)
_LEET = str.maketrans("013457@$!", "oieastasi")
_SPACED = re.compile(r"(?<![a-z])[a-z](?:[ .\-_*][a-z]){3,24}(?![a-z])")
_MIXED = re.compile(r"(?<![a-z0-9@$!])(?=[a-z@$!]{0,20}[0-9@$!])(?=[^a-z]{0,20}[a-z])[a-z0-9@$!]{3,20}(?![a-z0-9@$!])")
_BLANKS = re.compile(r"[^\S\n]+")
_SNAKE = re.compile(r"(?<![a-z0-9_./$])[a-z]{2,16}(?:_[a-z]{2,16}){2,8}(?![a-z0-9_])")
"""Three words or more that underscores join: a sentence written as a name."""
_HAN_GAP = re.compile(r"(?<=[\u4e00-\u9fff])[ \t·*_~`|.\-/\\+=#^•‧・★☆●○◆◇■□]{1,3}(?=[\u4e00-\u9fff])")
_CURLY = str.maketrans("‘’“”＇`*", "''\"\"'  ")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\U000e0000-\U000e0fff]"
)


def normalised(text: str, vocabulary: frozenset[str]) -> str:
    """``text`` in lower case, one width and one alphabet, without invisible signs and emphasis; lines stay lines.

    A word with digits in it (``1gn0re``) is read as letters where that gives a word of the ``vocabulary``.
    """
    text = unicodedata.normalize("NFKC", without_invisible(text)).casefold()
    text = text.translate(_LOOK_ALIKES).translate(_SIMPLIFIED)
    text = _SPACED.sub(lambda run: re.sub(r"[^a-z]", "", run[0]), text)
    text = _MIXED.sub(lambda word: _lettered(word[0], vocabulary), text)
    text = _SNAKE.sub(lambda run: run[0].replace("_", " "), text)
    text = _HAN_GAP.sub("", text.translate(_CURLY))
    return _BLANKS.sub(" ", text)


def without_invisible(text: str) -> str:
    """``text`` without the characters that nobody sees."""
    return text if text.isascii() else _INVISIBLE.sub("", text)


def invisible(text: str) -> str | None:
    """The first character that hides or turns text, as ``U+202E``; None where there is none.

    Joiners inside emoji and in scripts that are written with them, marks of direction in right-to-left text, a byte
    order mark at the very beginning and the selector of an emoji's look are ordinary text.
    """
    if text.isascii():
        return None
    text = text.removeprefix("\ufeff")
    rtl = None
    for found in _INVISIBLE.finditer(text):
        sign, at = found[0], found.start()
        if sign in "\ufe0e\ufe0f" or (sign == "\u200d" and _joins(text, at)) or (sign == "\u200c" and _joins(text, at)):
            continue
        if sign in "\u200e\u200f\u061c":
            rtl = any(unicodedata.bidirectional(c) in ("R", "AL") for c in text) if rtl is None else rtl
            if rtl:
                continue
        if "\U000e0020" <= sign <= "\U000e007f" and _is_in_flag(text, at):
            continue
        return f"U+{ord(sign):04X}"
    return None


def _lettered(word: str, vocabulary: frozenset[str]) -> str:
    letters = word.translate(_LEET)
    if letters in vocabulary:
        return letters
    bare = letters.rstrip("i") if word.endswith("!") else letters
    return bare + "!" if bare != letters and bare in vocabulary else word


def _joins(text: str, at: int) -> bool:
    """Whether a joiner stands between two signs of an emoji or two letters of a script that uses it."""
    before = text[at - 1] if at else ""
    if before == "\ufe0f" and at > 1:
        before = text[at - 2]
    after = text[at + 1 : at + 2]
    if not before or not after:
        return False
    if text[at] == "\u200d" and _is_emoji(before) and _is_emoji(after):
        return True
    return all(
        "\u0600" <= c <= "\u07ff" or "\u0900" <= c <= "\u0dff" or "\u1000" <= c <= "\u109f" for c in before + after
    )


def _is_emoji(character: str) -> bool:
    return unicodedata.category(character) in ("So", "Sk", "Mn") or character in "\u2640\u2642\u2695\u2764"


def _is_in_flag(text: str, at: int) -> bool:
    """Whether a tag sign belongs to the flag of a region, which begins with a black flag; such flags are short."""
    begin = text.rfind("\U0001f3f4", max(0, at - 8), at)
    return begin >= 0 and all("\U000e0020" <= c <= "\U000e007f" for c in text[begin + 1 : at])
