"""A process and all its descendants, killed together at the n-th system call that writes, renames or starts a program.

Or, from its n-th write to a file on, on a disk that is full.

A seccomp filter stops every process of the tree just before such a call (Linux, ``PTRACE_EVENT_SECCOMP``); all other
calls run at full speed. Git's children lead sessions of their own, so no process group would reach them all.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
import signal
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_NUMBERS = {
    "x86_64": {
        "write": 1, "pwrite64": 18, "writev": 20, "sendfile": 40, "fork": 57, "vfork": 58, "clone": 56, "execve": 59,
        "fsync": 74, "fdatasync": 75, "truncate": 76, "ftruncate": 77, "rename": 82, "mkdir": 83, "rmdir": 84,
        "creat": 85, "link": 86, "unlink": 87, "symlink": 88, "chmod": 90, "fchmod": 91, "mkdirat": 258,
        "unlinkat": 263, "renameat": 264, "linkat": 265, "symlinkat": 266, "fchmodat": 268, "renameat2": 316,
        "clone3": 435, "open": 2, "openat": 257,
    },
    "aarch64": {
        "mkdirat": 34, "unlinkat": 35, "symlinkat": 36, "linkat": 37, "renameat": 38, "truncate": 45, "ftruncate": 46,
        "fchmod": 52, "fchmodat": 53, "write": 64, "writev": 66, "pwrite64": 68, "sendfile": 71, "fsync": 82,
        "fdatasync": 83, "clone": 220, "execve": 221, "renameat2": 276, "clone3": 435, "openat": 56,
    },
}  # fmt: skip
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_FLAGS_AT = {"open": 1, "openat": 2}
"""Which argument of a call that opens holds the flags: it counts only where it creates the file."""

_TRACEME, _CONT, _GETREGS, _SETREGS, _SETOPTIONS, _GETEVENTMSG = 0, 7, 12, 13, 0x4200, 0x4201
_FILLS = {"write", "pwrite64", "writev", "sendfile"}
_MAKES = {"mkdir", "mkdirat", "symlink", "symlinkat", "link", "linkat"}
_RESULT, _ARGUMENT, _CALL = 10, 14, 15
"""Places of rax, rdi and orig_rax in ``struct user_regs_struct`` of x86_64."""
_OPTIONS = 0x100000 | 0x2 | 0x4 | 0x8 | 0x10 | 0x80  # EXITKILL, FORK, VFORK, CLONE, EXEC, SECCOMP
_SECCOMP_STOP = 7
_WALL = 0x40000000
_SERVERS = (b"upload-pack", b"receive-pack")
_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long


@dataclass(slots=True)
class Traced:
    """How many calls were seen, whether the tree was killed and ``where`` (program, call), else its exit ``code``."""

    calls: int = 0
    killed: bool = False
    where: str = ""
    code: int = -1
    writes: int = 0


@dataclass(frozen=True, slots=True)
class Full:
    """A disk below ``folder`` that is full from the write number ``since`` on (x86_64 only); 0: never."""

    folder: Path
    since: int = 0


def names() -> list[str]:
    """The system calls that count, in the order of their numbers in the filter."""
    return list(_NUMBERS[platform.machine()])


def run(deed: Callable[[], int], kill_at: int = 0, full: Full | None = None) -> Traced:
    """Run ``deed`` in a forked process; at its call number ``kill_at`` (0: never) kill it with all its descendants.

    What serves the other end of a fetch or a push lives on, as the server of a machine that dies does.
    """
    child = os.fork()
    if child == 0:
        _become_traced(deed)
    os.waitpid(child, _WALL)
    _ptrace(_SETOPTIONS, child, _OPTIONS)
    result, known = Traced(), {child}
    _go_on(child)
    while True:
        try:
            pid, status = os.waitpid(-1, _WALL)
        except ChildProcessError:
            return result
        if os.WIFSTOPPED(status):
            if full is not None and status >> 16 == _SECCOMP_STOP:
                _fill(result, full, pid)
            _stopped(result, known, pid, status, kill_at)
        elif pid == child and not result.killed:
            result.code = os.waitstatus_to_exitcode(status)


def _stopped(result: Traced, known: set[int], pid: int, status: int, kill_at: int) -> None:
    event, number = status >> 16, os.WSTOPSIG(status)
    if event == _SECCOMP_STOP and not result.killed:
        result.calls += 1
        if result.calls == kill_at:
            result.killed, result.where = True, f"{_program(pid)} {names()[_message(pid)]}"
            for one in known:
                _kill(one)
    new = pid not in known
    known.add(pid)
    if result.killed and new:
        _kill(pid)
    _go_on(pid, 0 if event or number == signal.SIGTRAP or (new and number == signal.SIGSTOP) else number)


def _fill(result: Traced, full: Full, pid: int) -> None:
    """Count a call that needs room on the disk, and refuse it where none is left."""
    name = names()[_message(pid)]
    if name not in _FILLS | _MAKES or _serves(pid):
        return
    registers = (ctypes.c_ulonglong * 27)()
    _ptrace(_GETREGS, pid, ctypes.addressof(registers))
    if name in _FILLS and not _is_file(pid, registers[_ARGUMENT], full.folder):
        return
    result.writes += 1
    if not full.since or result.writes < full.since:
        return
    result.where = result.where or f"{_program(pid)} {name}"
    registers[_CALL] = 2**64 - 1
    registers[_RESULT] = 2**64 - errno.ENOSPC
    _ptrace(_SETREGS, pid, ctypes.addressof(registers))


def _is_file(pid: int, descriptor: int, folder: Path) -> bool:
    try:
        return Path(f"/proc/{pid}/fd/{descriptor}").readlink().is_relative_to(folder)
    except OSError:
        return False


def _kill(pid: int) -> None:
    if not _serves(pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _serves(pid: int) -> bool:
    """Whether the process, or one above it, is the other end of a fetch or push."""
    try:
        while pid > 1 and pid != os.getpid():
            if any(word in Path(f"/proc/{pid}/cmdline").read_bytes() for word in _SERVERS):
                return True
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        pass
    return False


def _program(pid: int) -> str:
    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    name = os.path.basename(os.fsdecode(words[0]))  # noqa: PTH119
    return "soulsync" if name.startswith("python") else " ".join([name, *map(os.fsdecode, words[1:2])])


def _become_traced(deed: Callable[[], int]) -> None:
    code = 99
    try:
        _ptrace(_TRACEME, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
        _install_filter()
        code = deed()
    finally:
        os._exit(code)


def _install_filter() -> None:
    """``SECCOMP_RET_TRACE`` with the place of the call in ``names()`` for each that counts, else allow."""
    load, equal, bits, give = 0x20, 0x15, 0x45, 0x06
    allow, trace, create = 0x7FFF0000, 0x7FF00000, os.O_CREAT
    code = [(load, 0, 0, 4), (equal, 1, 0, _ARCHITECTURE[platform.machine()]), (give, 0, 0, allow), (load, 0, 0, 0)]
    for place, (name, number) in enumerate(_NUMBERS[platform.machine()].items()):
        if name in _FLAGS_AT:
            code += [(equal, 0, 4, number), (load, 0, 0, 16 + 8 * _FLAGS_AT[name]), (bits, 0, 1, create)]
            code += [(give, 0, 0, trace | place), (give, 0, 0, allow)]
        else:
            code += [(equal, 0, 1, number), (give, 0, 0, trace | place)]
    code.append((give, 0, 0, allow))
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(code), ctypes.addressof(program)))
    no_new_privileges, set_seccomp, filter_mode = 38, 22, 2
    _libc.prctl(no_new_privileges, 1, 0, 0, 0)
    if _libc.prctl(set_seccomp, filter_mode, ctypes.c_void_p(ctypes.addressof(header)), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "this system takes no seccomp filter")


def _ptrace(request: int, pid: int, data: int = 0) -> None:
    if _libc.ptrace(request, pid, None, data) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def _message(pid: int) -> int:
    value = ctypes.c_ulong()
    _ptrace(_GETEVENTMSG, pid, ctypes.addressof(value))
    return value.value


def _go_on(pid: int, number: int = 0) -> None:
    with contextlib.suppress(OSError):  # killed meanwhile
        _ptrace(_CONT, pid, number)
