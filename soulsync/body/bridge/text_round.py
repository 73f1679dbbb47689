"""One file, carried by its merge rule and what both sides held last (bridges §1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body.bridge.carried import CHANGED, REMOVED, TO_NATIVE, TO_SOUL
from soulsync.body.bridge.crossing import MAX_TRIES, emptied, missing, soulless, unsettled
from soulsync.body.bridge.native import take_out
from soulsync.formats.text import is_blank
from soulsync.merge import newest
from soulsync.merge.bridge import NATIVE, SAME, SOUL, changed_side
from soulsync.merge.result import OURS, THEIRS, Sides
from soulsync.merge.rules import merge_file, rule_for
from soulsync.repo.content import normalise

if TYPE_CHECKING:
    from soulsync.body.bridge.crossing import Crossing
    from soulsync.body.bridge.mapping import Text

_BOM = b"\xef\xbb\xbf"


def carry(crossing: Crossing, pairing: Text) -> None:
    """Take the side that changed; where both did the newer, after the other was committed.

    Raises ``NativeFault`` where nothing may be concluded from what is there.
    """
    known = crossing.baseline.files(pairing.key)
    file = crossing.relative(pairing.native)
    base = known.get(pairing.soul)
    for _ in range(MAX_TRIES):
        raw, soul = crossing.native.read(file), crossing.writer.read(pairing.soul)
        if soul is None:
            raise soulless(pairing.soul)
        native = as_soul(pairing.soul, raw)
        if base is not None and not crossing.accept_empty:
            if native is None:
                raise missing(str(pairing.native))
            if is_blank(native) and not is_blank(base):
                raise emptied(str(pairing.native))
        target = _chosen(crossing, pairing, (base, soul, native))
        if put(crossing, (pairing.soul, soul), (file, raw), target):
            if not crossing.dry:
                crossing.baseline.save_files(pairing.key, {pairing.soul: target or b""})
            return
    raise unsettled(str(pairing.native))


def as_soul(path: str, raw: bytes | None) -> bytes | None:
    """What a native file says in the form of the soul: without a byte order mark, LF."""
    return None if raw is None else normalise(path, raw.removeprefix(_BOM))


def _chosen(crossing: Crossing, pairing: Text, versions: tuple[bytes | None, bytes, bytes | None]) -> bytes:
    """The text that both sides shall have; a text of the framework that loses is in the soul's history then."""
    base, soul, native = versions
    if native is None or is_blank(native):  # nothing is said there, or a person said that it is no deletion
        return soul
    if base is not None and not pairing.is_default(native):  # what is shipped says nothing, whenever it comes
        return joined(crossing, pairing.soul, (base, soul, native), crossing.relative(pairing.native)) or soul
    if soul == native:
        return soul
    says_nothing = is_blank(soul) or (pairing.soul == spec.SOUL_MD and newest.is_seed_soul(soul))
    if says_nothing and not pairing.is_default(native):
        return native
    lose(crossing, pairing.soul, native)
    return soul


def joined(
    crossing: Crossing, path: str, versions: tuple[bytes | None, bytes | None, bytes | None], file: str
) -> bytes | None:
    """What both sides of a file shall hold, by its merge rule where both changed it; None: no file."""
    base, soul, native = versions
    side = changed_side(soul, native, base)
    if side in (SAME, SOUL):
        return soul
    if side == NATIVE:
        return native
    sides = Sides(crossing.soul_time(path), crossing.native.modified(file))
    merged = merge_file(rule_for(path), path, base, soul, native, sides)
    loser = {OURS: native, THEIRS: soul}.get(merged.kept)
    if loser is not None:
        lose(crossing, path, loser)
    return merged.data


def lose(crossing: Crossing, path: str, data: bytes) -> None:
    """Let history have a text that gives way, also one of the soul: another bridge may just have brought it."""
    if not crossing.dry:
        crossing.keep(path, data)


def put(
    crossing: Crossing, soul: tuple[str, bytes | None], native: tuple[str, bytes | None], target: bytes | None
) -> bool:
    """Give both sides ``target``, where they still hold what was read; whether they did. The soul first."""
    (path, held), (file, raw) = soul, native
    done = REMOVED if target is None else CHANGED
    if target != held:
        if not crossing.dry:
            if not _put_into_soul(crossing, path, held, target):
                return False
            crossing.brought[path] = crossing.native.modified(file)
        crossing.carried.note(TO_SOUL, done, path)
    if target != as_soul(path, raw):
        if not crossing.dry and not put_into_native(crossing, file, raw, target):
            return False
        crossing.carried.note(TO_NATIVE, done, path)
    return True


def put_into_native(crossing: Crossing, file: str, raw: bytes | None, target: bytes | None) -> bool:
    """Give the framework ``target`` (None: no file) where it still has ``raw``; whether it had."""
    if target is None:
        return raw is None or crossing.native.remove(file, raw)
    return crossing.native.write(file, raw, target)


def _put_into_soul(crossing: Crossing, path: str, held: bytes | None, target: bytes | None) -> bool:
    if target is None:
        tree = crossing.writer.worktree
        return held is None or take_out(tree, path, held, tree.fresh_name())
    met: list[bytes | None] = []

    def change(data: bytes | None) -> bytes | None:
        met[:] = [data]
        return target if data == held else None

    crossing.writer.change(path, change)
    return met == [held]
