"""What ``key rotate`` says while the new key is waited for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from soulsync.cli import key_box
from soulsync.cli.waiting_line import WaitingLine
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.body.keys import Rotation
    from soulsync.errors import DeniedError


class Teller(WaitingLine):
    """Shows the new key once, and why the server does not let it write."""

    def __init__(self, rotation: Rotation, wait: float, *, quiet: bool, qr: bool) -> None:
        super().__init__(quiet=quiet)
        self.rotation, self.wait, self.qr = rotation, wait, qr
        self._shown = False

    def refused(self, why: DeniedError) -> bool:
        """Show the new key and where it goes, once; after that what is still missing."""
        self.clear()
        if self.quiet:
            return False
        if self._shown:
            key_box.tell(f"{why.problem} {why.remedy}")
        else:
            self._shown = True
            key_box.tell(tr("The new key; the old one works until the server lets this one write."))
            key_box.show(self.rotation.public_key, self.rotation.remote, qr=self.qr)
            if self.wait:
                key_box.tell(key_box.waiting())
        sys.stdout.flush()
        return False
