"""A folder of files, carried file by file; deletions by what both sides held last (bridges §1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.body.bridge import mapping
from soulsync.body.bridge.carried import CHANGED, TO_NATIVE
from soulsync.body.bridge.crossing import MAX_TRIES, emptied, missing, unsettled
from soulsync.body.bridge.native import NativeFault
from soulsync.body.bridge.text_round import as_soul, joined, put, put_into_native
from soulsync.errors import SoulSyncError
from soulsync.formats.text import is_blank
from soulsync.lang import tr
from soulsync.merge.rules import rule_for
from soulsync.merge.second import RULES, Both, settle
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.body.bridge.crossing import Crossing
    from soulsync.body.bridge.mapping import Folder, Index

Pair = tuple[str, str]
"""A file's path in the soul and below the native folder of its mapping."""


class FolderRound:
    """One round of one folder. ``known``: what each file held last, by its path in the soul."""

    def __init__(self, crossing: Crossing, pairing: Folder) -> None:
        self.crossing, self.pairing = crossing, pairing
        self.prefix = crossing.relative(pairing.native)
        self.known = crossing.baseline.files(pairing.key)
        self.before = set(self.known)

    def run(self) -> None:
        """Carry each file. Raises ``NativeFault`` where the whole folder vanished; a fault of a file is its own."""
        pairs = self._pairs()
        if self.pairing.way == mapping.BOTH_WAYS:
            self._check(pairs)
        for pair in pairs:
            try:
                self._carry(*pair)
            except SoulSyncError as e:
                path = e.path if isinstance(e, NativeFault) else str(self.pairing.native / pair[1])
                self.crossing.carried.blame(path, e)
        if not self.crossing.dry:
            self.crossing.baseline.save_files(self.pairing.key, self.known)
            self._indexes()

    def file(self, below: str) -> str:
        """A path below the native folder as the native side takes it."""
        return f"{self.prefix}/{below}" if self.prefix else below

    def _pairs(self) -> list[Pair]:
        """Every file of either side that is carried, and each that was."""
        pairs: dict[str, str] = {}
        for below in self._native_files():
            path = self.pairing.to_soul(below)
            if path is not None:
                pairs[path] = below
        if self.pairing.way != mapping.TO_SOUL:
            for path in (*self.crossing.writer.worktree.files_below(self.pairing.soul), *self.known):
                native = None if path.endswith("/") else self.pairing.to_native(path)
                if native is not None:
                    pairs[path] = native
        return sorted(pairs.items())

    def _native_files(self) -> Iterator[str]:
        cut = len(self.prefix) + 1 if self.prefix else 0
        return (path[cut:] for path in self.crossing.native.files(self.prefix))

    def _check(self, pairs: list[Pair]) -> None:
        """A folder from which everything went at once was not emptied by somebody who meant it."""
        seen = any(path in self.known for path, _ in pairs)
        there = any(self.pairing.to_soul(below) is not None for below in self._native_files())
        if seen and not there and not self.crossing.accept_empty:
            raise missing(str(self.pairing.native))

    def _carry(self, path: str, below: str) -> None:
        for _ in range(MAX_TRIES):
            if self._once(path, below):
                return
        raise unsettled(str(self.pairing.native / below))

    def _once(self, path: str, below: str) -> bool:
        file, base = self.file(below), self.known.get(path)
        raw, soul = self.crossing.native.read(file), self.crossing.writer.read(path)
        if self.pairing.way == mapping.TO_SOUL:
            return raw is None or self._absorb(path, below, raw, soul)
        native = as_soul(path, raw)
        if self.pairing.way == mapping.TO_NATIVE:
            return self._mirror(path, below, raw, soul)
        if native is not None and base and is_blank(native) and not is_blank(base) and not self.crossing.accept_empty:
            raise emptied(str(self.pairing.native / below))
        target = joined(self.crossing, path, (base, soul, native), file)
        self._second(path, base, soul, native)  # before the first takes its place on both sides
        if not put(self.crossing, (path, soul), (file, raw), target):
            return False
        self._remember(path, target)
        return True

    def _remember(self, path: str, data: bytes | None) -> None:
        if data is None:
            self.known.pop(path, None)
        else:
            self.known[path] = data

    def _absorb(self, path: str, below: str, raw: bytes, soul: bytes | None) -> bool:
        """One way: what the framework wrote on, into the soul's own file; what it deletes stays there."""
        absorb, seen = self.pairing.absorb, self.known.get(path)
        if raw == seen:
            return True
        target = absorb(below, seen, raw, soul) if absorb is not None else raw
        file = self.file(below)
        if target != soul and not put(self.crossing, (path, soul), (file, target), target):
            return False
        self.known[path] = raw
        return True

    def _mirror(self, path: str, below: str, raw: bytes | None, soul: bytes | None) -> bool:
        """The other way: what lies there is ours, or left alone."""
        file, base = self.file(below), self.known.get(path)
        if raw is not None and raw not in (base, soul):
            name = str(self.pairing.native / below)
            raise NativeFault(
                name,
                tr("{path} is a copy that only the bridge writes, and was changed.", path=shown(name)),
                tr("Move what you wrote elsewhere and delete the file."),
            )
        if raw != soul:
            if not self.crossing.dry and not put_into_native(self.crossing, file, raw, soul):
                return False
            self.crossing.carried.note(TO_NATIVE, CHANGED, path)
        self._remember(path, soul)
        return True

    def _second(self, path: str, base: bytes | None, soul: bytes | None, native: bytes | None) -> None:
        """Two memories that came under one name are both kept: the second is written into the soul beside the first."""
        rule = rule_for(path)
        if rule not in RULES or soul is None or native is None or soul == native or self.crossing.dry:
            return
        read = self.crossing.writer.read
        for beside, data in settle([Both(rule, path, base, soul, native)], [], read, lambda _: []).files.items():
            self.crossing.writer.change(beside, lambda old, data=data: data if old is None else None)  # type: ignore[misc]
            below = self.pairing.to_native(beside)
            if below is not None:
                self._carry(beside, below)

    def _indexes(self) -> None:
        gone = {self.pairing.to_native(path) for path in self.before - set(self.known)} - {None}
        if self.pairing.index is not None:
            files = {below: data for path, data in self.known.items() if (below := self.pairing.to_native(path))}
            self._native_index(self.pairing.index, files, {path for path in gone if path})
        if self.pairing.soul_index is not None:
            cut = len(self.pairing.soul) + 1
            named = {path[cut:]: data for path, data in self.known.items()}
            index = self.pairing.soul_index
            self.crossing.writer.change(
                f"{self.pairing.soul}/{index.path}",
                lambda old: (
                    index.make(old or b"", named, {path[cut:] for path in self.before - set(self.known)}) or None
                ),
            )

    def _native_index(self, index: Index, files: dict[str, bytes], gone: set[str]) -> None:
        file = self.file(index.path)
        for _ in range(MAX_TRIES):
            old = self.crossing.native.read(file)
            new = index.make(old or b"", files, gone)
            if new == (old or b"") or self.crossing.native.write(file, old, new):
                return
