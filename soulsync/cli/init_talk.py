"""What ``init`` says on the way, and what it asks on a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from soulsync.access import gh
from soulsync.cli import key_box
from soulsync.cli.context import say
from soulsync.cli.waiting_line import WaitingLine
from soulsync.errors import DeniedError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from soulsync.access.hostkeys import HostKey
    from soulsync.body.connect import Setup
    from soulsync.body.joining import NameTakenError


class Talk(WaitingLine):
    """The witness of a connection that speaks to a person; ``quiet`` for programs, which get one JSON object."""

    def __init__(self, setup: Setup, wait: float, *, quiet: bool, add_key: bool, qr: bool) -> None:
        super().__init__(quiet=quiet)
        self.setup, self.wait = setup, wait
        self.add_key, self.qr = add_key, qr
        self.warnings: list[str] = []
        self.host_keys: list[str] = []
        self._shown = False

    def met(self, where: str, keys: list[HostKey]) -> None:
        """Tell the fingerprint of a server that is met for the first time."""
        self.host_keys = [key.fingerprint for key in keys]
        if not self.quiet:
            key_box.tell(tr("First contact with {where}. Its host keys, pinned from now on:", where=where))
            for key in keys:
                say(f"  {key.kind}\n  {key.fingerprint}")
            key_box.tell(tr("Compare them with what the server's owner publishes."))

    def detoured(self, host: str, port: int) -> None:
        """Tell that port 22 is blocked."""
        text = tr("Port 22 is blocked here; {host}:{port} is used from now on.", host=host, port=port)
        self.warnings.append(text)
        if not self.quiet:
            key_box.tell(text)

    def refused(self, why: DeniedError) -> bool:
        """Show the key and where it goes, once; after that only what is still missing."""
        self.clear()
        if self.add_key:
            self.add_key = False
            return self._added()
        if self.quiet:
            return False
        key_box.tell(why.problem)
        if self._shown:
            key_box.tell(why.remedy)
        else:
            self._shown = True
            key_box.show(self.setup.public_key, self.setup.remote, qr=self.qr)
        if self.wait:
            key_box.tell(key_box.waiting())
        sys.stdout.flush()  # also into a pipe, before the pause
        return False

    def _added(self) -> bool:
        remote, home = self.setup.remote, self.setup.home
        if remote is None:
            return False
        title = self.setup.public_key.split(None, 2)[2]
        try:
            gh.add_deploy_key(remote, home.key.with_name(home.key.name + ".pub"), title)
        except DeniedError as e:
            self.warnings.append(str(e))
            if not self.quiet:
                key_box.tell(str(e))
            return True  # the next refusal shows the key
        if not self.quiet:
            key_box.tell(tr("gh added the key to {repo}, with write access.", repo=remote.owner_path))
        return True


def ask_body(proposal: str) -> str:
    """Ask for the body's name until one will do."""
    return _asked(tr("Name of this body (this machine)"), proposal)


def ask_other_name(taken: NameTakenError) -> str:
    """Ask whether this machine is the same body again; the same name says so."""
    key_box.tell(taken.problem)
    key_box.tell(tr("Another name makes this machine a body of its own; the same name lets it take that one's place."))
    return _asked(tr("Name of this body (this machine)"), taken.free)


def _asked(question: str, proposal: str) -> str:
    from soulsync.body.naming import check_body

    return str(click.prompt(question, default=proposal, value_proc=_checked(check_body)))


def _checked(check: Callable[[str], str]) -> Callable[[str], str]:
    """``check`` as click wants it: what it raises makes click ask again."""
    from soulsync.errors import UsageError

    def checked(text: str) -> str:
        try:
            return check(text.strip())
        except UsageError as e:
            raise click.UsageError(str(e)) from e

    return checked
