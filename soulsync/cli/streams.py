"""Standard streams: a reader that leaves (``| head``) ends the program quietly, a closed one swallows what is said,
and one of another encoding than UTF-8 gets what it can't hold as JSON writes it: ``\\u4eac``.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import select
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def open_closed() -> None:
    """Open the streams that were closed before the start (``>&-``) on nothing.

    Else their numbers go to the next files that are opened, and what is meant for the stream lands in those. Standard
    input stays None: nobody is there to ask.
    """
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    for name, number in (("stdout", 1), ("stderr", 2)):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8", errors="replace", closefd=False))


def hold_any_text() -> None:
    """Let no character break the output. In plain ASCII, which nobody chose, UTF-8 is spoken, as click does."""
    for stream in (sys.stdout, sys.stderr):
        name = codecs.lookup(stream.encoding).name if isinstance(stream, io.TextIOWrapper) else "utf-8"
        if name == "utf-8" or not isinstance(stream, io.TextIOWrapper):
            continue
        if name == "ascii":
            stream.reconfigure(encoding="utf-8")
        else:
            codecs.register_error("soulsync.escaped", _escaped)
            stream.reconfigure(errors="soulsync.escaped")


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """The characters that an encoding lacks, escaped so that JSON stays JSON."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    data = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{data[at : at + 2].hex()}" for at in range(0, len(data), 2)), error.end


@contextlib.contextmanager
def broken_pipes_told() -> Iterator[None]:
    """Let a ``BrokenPipeError`` through where nobody reads our output any more, else raise ``OSError``.

    click ends with 1 and says nothing where it finds the number of a broken pipe in an error, so neither has it.
    """
    try:
        yield
    except BrokenPipeError as e:
        if _reader_is_gone():
            raise BrokenPipeError from None
        raise OSError(e.strerror) from e


def _reader_is_gone() -> bool:
    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), select.POLLOUT)
        return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))
    except (OSError, ValueError):  # no file at all
        return False
