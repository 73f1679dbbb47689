"""Start of the ``soulsync`` program: run the command line, and turn errors into one line and an exit code."""

from __future__ import annotations

import os
import sys

from soulsync.body import plain_words
from soulsync.lang import tr
from soulsync.start import leave

TYPE_CHECKING = False
if TYPE_CHECKING:
    import click

    from soulsync.body.plain_words import PlainWords


def main() -> None:
    """Run ``soulsync`` and exit with the contract's code; no traceback unless ``SOULSYNC_DEBUG=1``."""
    import _signal as signal  # type: ignore[import-not-found]  # the C module below it, which needs no ``enum``

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:  # `nohup` keeps SIGHUP ignored
            signal.signal(number, _stop)
    leave(run(sys.argv[1:]))


def _stop(number: int, _frame: object) -> None:
    """Leave by every ``finally`` on the way: git gets the time to remove its locks (Vinzent03/obsidian-git#1077)."""
    raise SystemExit(128 + number)


def run(argv: list[str]) -> int:
    """Run one command line; its exit code."""
    from soulsync.errors import SoulSyncError, system_problem

    words = plain_words.read(argv)
    code = 0
    try:
        code = _by_click(argv) if words is None else _plainly(words)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        _complain(tr("Stopped. Run the same command again to continue."))
        return 130
    except BrokenPipeError:
        # The reader of our output is gone (`| head`); Python would complain again when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return code
    except SoulSyncError as e:
        _debug()
        _complain(str(e))
        return e.exit_code
    except OSError as e:
        _debug()
        _complain(tr("{problem}. Nothing was lost; try again.", problem=system_problem(e)))
        return 1
    except Exception as e:
        _debug()
        _complain(
            tr(
                "Something went wrong inside soulsync: {name}: {e}. Run again with SOULSYNC_DEBUG=1.",
                name=type(e).__name__,
                e=e,
            )
        )
        return 1


def _complain(text: str) -> None:
    from soulsync.cli.context import complain  # later than the handshake of a sync, which begins before all else

    complain(text)


def _plainly(words: PlainWords) -> int:
    if words.command == "sync":
        return _sync(words)
    from soulsync.cli import standing_run

    return standing_run.run(words)


def _sync(words: PlainWords) -> int:
    from soulsync.body import early

    try:
        early.begin(words)
        from soulsync.cli import sync_run

        return sync_run.run(words)
    finally:
        early.abandon()


def _by_click(argv: list[str]) -> int:
    import click

    from soulsync.cli.main import cli

    try:
        code = cli.main(args=argv, prog_name="soulsync", standalone_mode=False)
    except click.ClickException as e:
        _wrong_usage(e)
        return e.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    return code if isinstance(code, int) else 0


def _wrong_usage(error: click.ClickException) -> None:
    """One line, like every other error; click's own takes three. A command without its subcommand shows its help."""
    import click

    from soulsync.cli.usage_errors import told

    message = told(error)
    if "\n" in message:
        error.show()
        return
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    _complain(tr("{message} See `{command} --help`.", message=message, command=ctx.command_path if ctx else "soulsync"))


def _debug() -> None:
    if os.environ.get("SOULSYNC_DEBUG") == "1":
        import traceback

        traceback.print_exc()


if __name__ == "__main__":
    main()
