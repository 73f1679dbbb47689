"""What of a memory a person must look at before it is let in: orders to an AI, credentials; said in their language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.formats import credentials, poison
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.formats.oxsoul import Memory
    from soulsync.formats.poison import Suspicion


def warnings(memory: Memory) -> list[str]:
    """One sentence for each suspicion; empty for an ordinary memory. All that an AI would read is looked at."""
    parts = [memory.name or "", memory.description or "", *memory.tags, *memory.extra.values(), memory.body]
    text = "\n\n".join(part for part in parts if part)
    return [_said(one) for one in poison.scan(text)] + [
        tr("holds a credential: {kind}", kind=kind) for kind in credentials.scan(text)
    ]


def _said(suspicion: Suspicion) -> str:
    kinds = {
        "override": tr("overrides earlier instructions"),
        "execution": tr("orders that something is run"),
        "pipe": tr("pipes a download into a shell"),
        "hiding": tr("hides something from the user"),
        "role": tr("changes the AI's role"),
        "credentials": tr("asks for credentials"),
        "hidden-html": tr("hides text in HTML"),
        "invisible": tr("holds invisible or turning characters"),
        "dense": tr("holds too many suspicious words to be read to its end"),
    }
    return tr("{kind}: “{words}”", kind=kinds[suspicion.category], words=suspicion.words)
