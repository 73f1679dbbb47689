"""Conflict markers that a killed merge left in a file, read back as the two sides of the conflict.

Only for files of which it is known that a merge wrote the markers; anywhere else such lines are content.
"""

from __future__ import annotations

OURS, BASE, MIDDLE, THEIRS = b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>"


class Conflict:
    """What a file with markers says: the whole file as each side had it, and as the base where the markers tell."""

    __slots__ = ("base", "blocks", "ours", "theirs")

    def __init__(self, ours: bytes, base: bytes | None, theirs: bytes, blocks: tuple[bytes, ...]) -> None:
        self.ours = ours
        self.base = base
        self.theirs = theirs
        self.blocks = blocks


def read(data: bytes) -> Conflict | None:
    """Take the file apart; None where it holds no marker, or markers that are not well-formed triples."""
    sides: dict[bytes, list[bytes]] = {OURS: [], BASE: [], THEIRS: []}
    blocks: list[bytes] = []
    block: list[bytes] = []
    state = None
    has_base = True
    for line in data.splitlines(keepends=True):
        mark = _mark(line)
        if mark is not None:
            if mark not in _NEXT[state]:
                return None
            has_base = has_base and not (mark == MIDDLE and state == OURS)
            state = None if mark == THEIRS else mark
            block.append(line)
            if state is None:
                blocks.append(b"".join(block))
                block = []
            continue
        if state is not None:
            block.append(line)
        for side, keep in sides.items():
            if state is None or state == side or (state == MIDDLE and side == THEIRS):
                keep.append(line)
    if state is not None or not blocks:
        return None
    ours, base, theirs = (b"".join(sides[side]) for side in (OURS, BASE, THEIRS))
    return Conflict(ours, base if has_base else None, theirs, tuple(blocks))


def holds_marker(data: bytes) -> bool:
    """Whether any line looks like a conflict marker."""
    return any(_mark(line) in (OURS, THEIRS) for line in data.splitlines())


_NEXT: dict[bytes | None, tuple[bytes, ...]] = {
    None: (OURS,),
    OURS: (BASE, MIDDLE),
    BASE: (MIDDLE,),
    MIDDLE: (THEIRS,),
}
"""Which marker may follow which: a triple, with or without the base."""


def _mark(line: bytes) -> bytes | None:
    """The marker that a line is: seven signs, then the end or a blank and a label; ``=======`` stands alone."""
    start = line[:7]
    if start not in (OURS, BASE, MIDDLE, THEIRS):
        return None
    rest = line[7:].rstrip(b"\r\n")
    if start == MIDDLE:
        return start if not rest else None
    return start if not rest or rest.startswith(b" ") else None
