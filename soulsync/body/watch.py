"""``watch``: sync at once when a file of the soul changes, and every so often; in the foreground until told to end."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from typing import TYPE_CHECKING

from soulsync.body.sync import SyncRun
from soulsync.errors import SoulSyncError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import FrameType

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
LONGEST_BACKOFF = 3600.0


class _Ended(BaseException):
    """A signal told us to end."""


class Watch:
    """Watches one soul; ``tell`` gets one line per event, without a time."""

    def __init__(self, home: Home, config: Config, every: float, tell: Callable[[str], None]) -> None:
        self.home, self.config, self.every, self.tell = home, config, every, tell
        self._first: float | None = None
        self._last = 0.0
        self._failures = 0
        self._lock = threading.Lock()

    def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Watch until SIGTERM, SIGINT or SIGHUP. A sync under way is broken off, which costs nothing but its work."""
        with contextlib.suppress(_Ended), _ending():
            seen: tuple[int, int] | None = None
            observer: BaseObserver | None = None
            due = _now()
            ready()
            try:
                while True:
                    identity = _identity(self.config.soul)
                    if identity != seen:
                        observer = self._observe(observer, identity)
                        seen, due = identity, _now()
                    if identity is not None and (_now() >= due or self._settled()):
                        due = _now() + self._sync()
                    time.sleep(TICK)
            finally:
                _end(observer)

    def changed(self, path: str) -> None:
        """Something happened at ``path``; git's own files and lock files are none of the agent's."""
        inside = path[len(str(self.config.soul)) :]
        if "/.git/" in f"{inside}/" or inside.endswith((".lock", ".tmp")):
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
        except SoulSyncError as e:
            self.tell(str(e))
            self._failures += 1
            return min(self.every * 2.0 ** min(self._failures, 10), max(LONGEST_BACKOFF, self.every))
        self._failures = 0
        if run.result.outcome != "unchanged":
            self.tell(_line(run.result))
        return self.every

    def _observe(self, old: BaseObserver | None, identity: tuple[int, int] | None) -> BaseObserver | None:
        """Watch the folder that stands there now; a deleted and re-made one is another folder."""
        _end(old)
        if identity is None:
            self.tell(tr("{folder} is missing; waiting for it.", folder=self.config.soul))
            return None
        from watchdog.events import FileSystemEventHandler
        from watchdog.observers import Observer

        watch = self

        class Handler(FileSystemEventHandler):
            def on_any_event(self, event: FileSystemEvent) -> None:
                if event.event_type not in ("opened", "closed_no_write"):
                    watch.changed(str(event.src_path))

        observer = Observer()
        observer.daemon = True
        try:
            observer.schedule(Handler(), str(self.config.soul), recursive=True)
            observer.start()
        except OSError as e:  # no inotify watches left: the period alone then
            self.tell(
                tr(
                    "Changes can't be watched ({reason}); syncing every {seconds} s.",
                    reason=e.strerror,
                    seconds=self.every,
                )
            )
            return None
        self.tell(tr("Watching {folder}.", folder=self.config.soul))
        return observer


def _line(result: SyncResult) -> str:
    details = [f"{len(result.committed)} {tr('files sent')}"] if result.pushed and result.committed else []
    details += [f"{len(result.incoming)} {tr('commits came in')}"] if result.incoming else []
    return f"{tr(result.outcome)}" + (f" ({', '.join(details)})" if details else "")


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


def _end(observer: BaseObserver | None) -> None:
    if observer is not None:
        observer.stop()
        observer.join(timeout=1)


@contextlib.contextmanager
def _ending() -> Iterator[None]:
    def end(_number: int, _frame: FrameType | None) -> None:
        raise _Ended

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
