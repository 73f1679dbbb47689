"""``watch``: sync at once when a file of the soul changes, and every so often; in the foreground until told to end."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING

from soulsync.body import journal_of_syncs, outfit
from soulsync.body.sync import SyncRun
from soulsync.body.told_to_end import Ended, ending
from soulsync.errors import BusyError, SoulSyncError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import BaseObserver

    from soulsync.body.config import Config
    from soulsync.body.home import Home
    from soulsync.body.result import SyncResult

QUIET = 1.5
"""Seconds without a further change before a sync begins: programs write in bursts."""
LONGEST_BURST = 20.0
"""A program that never pauses does not keep the sync from beginning for longer."""
TICK = 0.5
SLEPT = 30.0
"""A tick that took longer than this many seconds: the machine slept, and the network is another one now."""
BUSY_AGAIN = 5.0
LONGEST_BACKOFF = 3600.0


class Watch:
    """Watches one soul; ``tell`` gets one line per event, without a time."""

    def __init__(self, home: Home, config: Config, every: float, tell: Callable[[str], None]) -> None:
        self.home, self.config, self.every, self.tell = home, config, every, tell
        self._first: float | None = None
        self._last = 0.0
        self._failures = 0
        self._lock = threading.Lock()
        self._observer: BaseObserver | None = None

    def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Watch until SIGTERM, SIGINT or SIGHUP. A sync on the network is broken off; one that changes files ends."""
        with contextlib.suppress(Ended), ending(self.home) as ended:
            seen: tuple[int, int] | None = None
            ticked = due = _now()
            ready()
            try:
                while not ended():
                    identity = _identity(self.config.soul)
                    if identity != seen or (self._observer is not None and not self._observer.is_alive()):
                        self._observe(identity)
                        seen, due = identity, _now()
                    if _now() - ticked > SLEPT:
                        self._failures, due = 0, _now()
                    if identity is not None and (_now() >= due or self._settled()):
                        due = _now() + self._sync()
                    ticked = _now()
                    time.sleep(TICK)
            finally:
                self._end()

    def changed(self, path: str) -> None:
        """Something happened at ``path``; git's own files and lock files are none of the agent's."""
        inside = path[len(str(self.config.soul)) :]
        if not inside or "/.git/" in f"{inside}/" or inside.endswith((".lock", ".tmp", ".swp")):
            return
        with self._lock:
            self._last = _now()
            self._first = self._first or self._last

    def _settled(self) -> bool:
        with self._lock:
            if self._first is None:
                return False
            return _now() - self._last >= QUIET or _now() - self._first >= LONGEST_BURST

    def _sync(self) -> float:
        """One sync; seconds until the next one that no change asks for."""
        with self._lock:
            self._first = None
        run = SyncRun(self.home, self.config)
        try:
            run.execute()
            if outfit.check(self.config):
                outfit.put_on(self.home, self.config)
        except BusyError:
            return min(BUSY_AGAIN, self.every)  # cron's sync, say: what changed is not forgotten
        except SoulSyncError as e:
            journal_of_syncs.note(self.home, run.result)
            return self._failed(str(e))
        except Exception as e:  # the soul may vanish under a sync; a watch that ended silently would be worse
            return self._failed(tr("The sync broke off: {reason}.", reason=f"{type(e).__name__}: {e}"))
        journal_of_syncs.note(self.home, run.result)
        if run.result.outcome != "unchanged" or self._failures:
            self.tell(_line(run.result))
        self._failures = 0
        return self.every

    def _failed(self, why: str) -> float:
        self.tell(why)
        self._failures += 1
        return min(self.every * 2.0 ** min(self._failures, 10), max(LONGEST_BACKOFF, self.every))

    def _observe(self, identity: tuple[int, int] | None) -> None:
        """Watch the folder that stands there now; a deleted and re-made one is another folder."""
        self._end()
        if identity is None:
            self.tell(tr("{folder} is missing; waiting for it.", folder=self.config.soul))
            return
        try:
            self._observer = _observer(self.config.soul, self.changed)
        except OSError as e:  # no inotify watches left: the period alone then
            reason = e.strerror or str(e)
            self.tell(
                tr("Changes can't be watched ({reason}); syncing every {seconds} s.", reason=reason, seconds=self.every)
            )
            return
        self.tell(tr("Watching {folder}.", folder=self.config.soul))

    def _end(self) -> None:
        observer, self._observer = self._observer, None
        if observer is not None:
            observer.stop()
            observer.join(timeout=0.5)


def _observer(folder: Path, changed: Callable[[str], None]) -> BaseObserver:
    from watchdog.events import FileSystemEventHandler
    from watchdog.observers import Observer

    class Handler(FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:
            # That a folder "was modified" only repeats what its files tell, lock files included.
            if event.event_type in ("opened", "closed_no_write") or (
                event.is_directory and event.event_type == "modified"
            ):
                return
            for path in (event.src_path, event.dest_path):
                changed(path if isinstance(path, str) else bytes(path).decode("utf-8", "surrogateescape"))

    observer = Observer()
    observer.daemon = True
    observer.schedule(Handler(), str(folder), recursive=True)
    observer.start()
    return observer


def _line(result: SyncResult) -> str:
    said = {
        "unchanged": tr("In step again."),
        "committed": tr("Committed here."),
        "pulled": tr("Brought in what the other bodies did."),
        "pushed": tr("Sent what changed here."),
        "merged": tr("Merged what changed here and elsewhere."),
    }.get(result.outcome, result.outcome)
    if result.incoming:
        said += " " + tr("Commits that came in: {count}.", count=len(result.incoming))
    if result.committed:
        said += " " + tr("Files that changed here: {count}.", count=len(result.committed))
    return said


def _now() -> float:
    """Seconds that go on while the machine sleeps, where the system has such a clock."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        status = (folder / ".git").stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
