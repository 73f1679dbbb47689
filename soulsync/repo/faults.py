"""Faults of unreadable input, in the language in use: formats/ and merge/ know English alone."""

from __future__ import annotations

from soulsync.lang import tr

CUT = "the merged tags are more than 10; left out: "
"""As ``merge/cortex.py`` says it, which is loaded only where an entry is merged."""


def told(fault: str) -> str:
    """A sentence among ``Merged.faults`` as people read it; one that is unknown stays as it is."""
    whose, is_, reason = fault.partition(" version is ")
    if whose == "our" and is_:
        return tr("our version is {reason}", reason=_reason(reason))
    if whose == "their" and is_:
        return tr("their version is {reason}", reason=_reason(reason))
    if fault.startswith(CUT):
        return tr("the merged tags are more than 10; left out: {tags}", tags=fault.removeprefix(CUT))
    there = "the version that is there is "
    if fault.startswith(there):
        return tr("the version that is there is {reason}", reason=_reason(fault.removeprefix(there)))
    return _reason(fault)


def _reason(text: str) -> str:
    """What ``Malformed`` says. The words of Python's JSON reader within it stay English."""
    named, _, detail = text.partition(": ")
    return tr("not JSON: {detail}", detail=detail) if named == "not JSON" and detail else tr(text)
