"""A Markdown file that is put together anew from its blocks and from bullets that come in between."""

from __future__ import annotations

from soulsync.formats.openclaw_blocks import BULLET, PARAGRAPH, Block
from soulsync.formats.text import STRIP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Page:
    """The new text of a file, block by block.

    ``apart``: where a block went behind a bullet, a comment keeps what follows from becoming a part of that bullet.
    """

    def __init__(self, text: str, *, apart: bool = False) -> None:
        self.newline = "\r\n" if "\r\n" in text[: text.find("\n") + 1] else "\n"
        self.parts: list[str] = []
        self.removed = False
        self.apart, self.behind_bullet = apart, False

    def keep(self, block: Block) -> None:
        """A block that stays. Of two blank lines around one that went, one goes; a paragraph gets one."""
        if self.removed and self.parts:
            if block.is_blank and not self.parts[-1].strip(STRIP):
                self.removed = False
                return
            if block.kind == PARAGRAPH and self.parts[-1].strip(STRIP):
                self.parts.append(self.newline)
        self.removed = False
        self.behind_bullet = block.kind == BULLET or (block.is_blank and self.behind_bullet)
        self.parts.append(block.raw)

    def replace(self, lines: Iterable[str]) -> None:
        """What stays of a block of which something went."""
        bullets = list(lines)
        self.add(bullets)
        self.removed = not bullets
        if self.removed and self.apart and self.behind_bullet:
            self.parts.append(f"<!-- -->{self.newline}")
            self.behind_bullet = False

    def add(self, bullets: Iterable[str], after: Block | None = None) -> None:
        """Put bullets here, apart from a paragraph before them."""
        bullets = list(bullets)
        if not bullets:
            return
        if self.parts and not self.parts[-1].endswith(("\n", "\r")):
            self.parts[-1] += self.newline
        begins_list = after is None or after.kind == PARAGRAPH
        if begins_list and self.parts and self.parts[-1].strip(STRIP) and not self.parts[-1].startswith("- "):
            self.parts.append(self.newline)
        self.parts += [bullet.replace("\n", self.newline) for bullet in bullets]
        self.removed = False

    def text(self) -> str:
        """All of it."""
        return "".join(self.parts)
