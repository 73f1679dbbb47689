"""``soulsync status`` itself, without click: people and prompts call it all day."""

from __future__ import annotations

import sys

from soulsync.body.standing import standing
from soulsync.cli.context import named_body, print_json
from soulsync.lang import use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from soulsync.body.plain_words import PlainWords


def run(words: PlainWords) -> int:
    """Run ``status`` as it was understood before click was loaded; the exit code."""
    use(words.lang)
    show(words.home, words.agent, as_json="--json" in words.options)
    return 0


def show(folder: str | None, agent: str | None, *, as_json: bool) -> None:
    """Print where the body stands that the options ``--home`` and ``--agent`` name. Raises ``SoulSyncError``."""
    stands = standing(*named_body(folder, agent))
    if as_json:
        print_json(stands)
        return
    from soulsync.cli.standing_text import lines

    for line in lines(stands):
        sys.stdout.write(line + "\n")
