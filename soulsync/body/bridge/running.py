"""The bridges of a body at work, all in one go: as a command of their own, or as a part of a sync (bridges §1)."""

from __future__ import annotations

import contextlib
import os
from functools import partial
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body.bridge import entries_round, record, text_round
from soulsync.body.bridge.baseline import Baseline
from soulsync.body.bridge.carried import Carried
from soulsync.body.bridge.crossing import Crossing
from soulsync.body.bridge.folder_round import FolderRound
from soulsync.body.bridge.mapping import Entries, Folder, Text
from soulsync.body.bridge.native import Native, NativeFault
from soulsync.body.bridge.registry import MODULES, framework
from soulsync.body.engine import Engine
from soulsync.body.locks import sync_lock
from soulsync.body.opened import open_soul
from soulsync.body.writing import Writer, writing
from soulsync.errors import SoulSyncError, system_problem
from soulsync.lang import tr
from soulsync.repo import commit, objects
from soulsync.repo.objects import BLOB, Entry
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from soulsync.body.bridge.mapping import Pairing
    from soulsync.body.bridge.record import Bridge
    from soulsync.body.config import Config
    from soulsync.body.home import Home
    from soulsync.repo.soul import Soul

KEPT, PUT_BACK = "收存框架里的版本", "恢复灵魂里的版本"
"""Subjects of the two commits by which history gets a text that lost."""


def sync(home: Home, config: Config, names: tuple[str, ...] = (), *, accept_empty: bool = False) -> list[Carried]:
    """Carry in both directions, and commit what came into the soul; nothing is fetched or sent.

    Raises ``UsageError`` (2) for a name that no bridge has, ``BusyError`` (75) while a sync is at work. What is wrong
    with a file of a framework is among the faults of its bridge.
    """
    bridges = record.find(record.load(home), names)
    with sync_lock(home):
        engine = Engine(home, config, open_soul(home, config))
        engine.prepare()
        engine.snapshot(pushing=False)
        carried = _carry(engine, bridges, accept_empty=accept_empty)
        if any(one.changes_soul for one in carried):
            engine.snapshot(pushing=False)
    return carried


def diff(home: Home, config: Config, names: tuple[str, ...] = ()) -> list[Carried]:
    """Tell what the next round would carry; nothing is written. Raises as :func:`sync`."""
    bridges = record.find(record.load(home), names)
    written = partial(_written, lambda: open_soul(home, config), config)
    writer = Writer(home, config)
    return [_cross(writer, bridge, lambda _path, _data: None, written, Carried(bridge), dry=True) for bridge in bridges]


def within(engine: Engine) -> bool:
    """The part of a sync: carry for every bridge; whether anything came into the soul. Faults become warnings."""
    try:
        carried = _carry(engine, record.load(engine.home), accept_empty=False)
    except SoulSyncError as e:
        engine.report.warn([str(e)])
        return False
    for one in carried:
        engine.report.warn(
            [tr("bridge {name}: {fault}", name=one.bridge.name, fault=shown(str(fault))) for fault in one.faults]
        )
    return any(one.changes_soul for one in carried)


def _carry(engine: Engine, bridges: Sequence[Bridge], *, accept_empty: bool) -> list[Carried]:
    """Every bridge under the work-tree lock; twice where there are several, so that each shows what others brought."""
    carried = [Carried(bridge) for bridge in bridges]
    brought: dict[str, int | None] = {}
    written = partial(_written, lambda: engine.soul, engine.config)
    with writing(engine.home, engine.config) as writer:
        for _ in range(2 if len(bridges) > 1 else 1):
            for one in carried:
                _cross(
                    writer, one.bridge, partial(_keep, engine), written, one,
                    accept_empty=accept_empty, brought=brought,
                )  # fmt: skip
    return carried


def _cross(
    writer: Writer,
    bridge: Bridge,
    keep: Callable[[str, bytes], None],
    written: Callable[[str], int | None],
    carried: Carried,
    *,
    accept_empty: bool = False,
    dry: bool = False,
    brought: dict[str, int | None] | None = None,
) -> Carried:
    baseline, native = Baseline(writer.home, bridge.name), Native(bridge.path)
    times = {} if brought is None else brought
    crossing = Crossing(writer, native, bridge.path, baseline, carried, keep, written, accept_empty, dry, times)
    with _blamed(carried, str(bridge.path)):
        native.check()
        for pairing in _mappings(bridge, writer.config.body):
            with _blamed(carried, str(pairing.native)):
                _round(crossing, pairing)
        if not dry:
            baseline.tidy()
    return carried


@contextlib.contextmanager
def _blamed(carried: Carried, path: str) -> Iterator[None]:
    """Take what goes wrong with one file for a fault of that file; the others go on."""
    try:
        yield
    except NativeFault as e:
        carried.blame(e.path, e)
    except SoulSyncError as e:
        carried.blame(path, e)
    except OSError as e:
        carried.blame(e.filename or path, SoulSyncError(f"{system_problem(e)}.", tr("Nothing was lost; try again.")))
    except Exception as e:  # of the bridge itself: no sync shall end for it
        if os.environ.get("SOULSYNC_DEBUG") == "1":
            raise
        carried.blame(path, _bug(e))


def _bug(error: Exception) -> SoulSyncError:
    return SoulSyncError(
        tr("The bridge itself failed: {kind}: {error}.", kind=type(error).__name__, error=error),
        tr("Run again with SOULSYNC_DEBUG=1 and report what it prints."),
    )


def _mappings(bridge: Bridge, body: str) -> list[Pairing]:
    if bridge.framework not in MODULES:
        raise SoulSyncError(
            tr("This soulsync knows no framework {name}.", name=shown(bridge.framework)), tr("Use a newer soulsync.")
        )
    return framework(bridge.framework).mappings(bridge, body)


def _round(crossing: Crossing, pairing: Pairing) -> None:
    if isinstance(pairing, Entries):
        entries_round.carry(crossing, pairing)
    elif isinstance(pairing, Text):
        text_round.carry(crossing, pairing)
    elif isinstance(pairing, Folder):
        FolderRound(crossing, pairing).run()


def _keep(engine: Engine, path: str, data: bytes) -> None:
    """Put a text that lost into history: a commit that holds it, and one that holds again what was there.

    Both at once: the tree of ``main`` is the same afterwards, so neither the index nor a file has to follow.
    """
    soul = engine.soul
    head = soul.head
    if head is None:
        return
    tree = objects.tree_of(soul.repo, head)
    there = objects.lookup(soul.repo, tree, path)
    entry = Entry(there.mode if there is not None else BLOB, objects.write_blob(soul.repo, data))
    losing = objects.edit(soul.repo, tree, {path: entry})
    if losing == tree:
        return
    author = engine.author(tree)
    kept = commit.create(soul, author, KEPT, losing, [head])
    soul.move_ref(spec.MAIN_REF, commit.create(soul, author, PUT_BACK, tree, [kept]), head, "bridge")


def _written(opened: Callable[[], Soul], config: Config, path: str) -> int | None:
    """When somebody wrote a file of the soul last, in seconds: a commit may be later, and so may a checkout."""
    said = opened().git.text("log", "--max-count=1", "--format=%ct", spec.MAIN_REF, "--", path)
    times = [int(said)] if said.isdigit() else []
    with contextlib.suppress(OSError):
        times.append(int(os.lstat(config.soul / path).st_mtime))
    return min(times, default=None)
