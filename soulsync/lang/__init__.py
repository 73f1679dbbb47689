"""What soulsync says to people, in their language: English text is the key, one catalogue per other language.

Standard library only; a catalogue is loaded when its language is spoken. JSON keys, commit messages and file formats
are no messages: the contract and the spec fix them.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LANGUAGES = ("en", "zh")
_state: dict[str, str] = {}


def use(tag: str | None) -> None:
    """Speak the language of ``tag`` (``zh``, ``zh-CN``, ``en_GB.UTF-8``) from now on; None: by the environment."""
    _state.pop("chosen", None)
    if tag is not None:
        _state["chosen"] = _known(tag) or "en"


def suggest(tag: object) -> None:
    """Speak the agent's own language where neither ``--lang`` nor the environment names one."""
    known = _known(tag) if isinstance(tag, str) else None
    if known is not None:
        _state["suggested"] = known


def forget() -> None:
    """Go back to the language of the environment: nobody chose, no agent suggested."""
    _state.clear()


def language() -> str:
    """The language in use: ``--lang``, else the environment's, else the agent's, else English."""
    return _state.get("chosen") or of_environment(os.environ) or _state.get("suggested") or "en"


def of_environment(environ: Mapping[str, str]) -> str | None:
    """The language that the first set one of ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` asks for; None for ``C``."""
    value = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    return _known(value)


def tr(text: str, /, **values: object) -> str:
    """``text`` in the language in use, with ``{name}`` replaced by the values."""
    spoken = _catalogue().get(text, text)
    return spoken.format(**values) if values else spoken


def _known(tag: str) -> str | None:
    name = tag.lower().replace("_", "-").partition(".")[0].partition("-")[0]
    return name if name in LANGUAGES else None


def _catalogue() -> Mapping[str, str]:
    if language() == "zh":
        from soulsync.lang.zh import TEXTS

        return TEXTS
    return {}
