"""``agent.json``, ``.soul-spec.json``, ``bodies/*.json`` and the lease (soul-repo-v4 §3.1, §3.5, §3.6)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.formats import agent, body, json_text, lease
from soulsync.formats.finding import Finding
from soulsync.formats.json_text import Malformed
from soulsync.lang import tr
from soulsync.repo.faults import told
from soulsync.repo.validation.lines import first_difference, line_of_field

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    Fields = dict[str, object]

FREE_OF_ADDRESSES = frozenset([*body.PROGRAMS, "host", "lastSeen", "keyFingerprint"])
"""Fields of a body's file in which digits and colons are no address, or that have their own check."""


def identity(path: str, data: bytes) -> Iterator[Finding]:
    """Name what deviates in ``agent.json``."""
    fields = yield from _read(path, data, json_text.render)
    if fields is not None:
        yield from _each(path, data, "agent-field", agent.problems(fields))


def version(path: str, data: bytes) -> Iterator[Finding]:
    """Name what keeps ``.soul-spec.json`` from saying “soul-repo, version 4 or later”."""
    fields = yield from _read(path, data, None)
    if fields is None:
        return
    if fields.get("spec") != "soul-repo":
        yield Finding(path, line_of_field(data, "spec"), "spec-version", tr("spec is not soul-repo"))
    number = fields.get("version")
    if type(number) is not int or number < spec.SPEC_VERSION:
        yield Finding(path, line_of_field(data, "version"), "spec-version", tr("version is not 4 or a later one"))


def registry(path: str, data: bytes) -> Iterator[Finding]:
    """Name what deviates in a body's file."""
    fields = yield from _read(path, data, json_text.render)
    if fields is None:
        return
    name = path.rsplit("/", 1)[-1].removesuffix(".json")
    yield from _each(path, data, "body-field", body.problems(fields, name))
    for field, text in _texts(fields):
        if field not in FREE_OF_ADDRESSES and body.looks_like_address(text):
            message = tr("{field} looks like a network address", field=field)
            yield Finding(path, line_of_field(data, field), "address", message)


def consolidation(path: str, data: bytes) -> Iterator[Finding]:
    """Name what deviates in the lease."""
    fields = yield from _read(path, data, json_text.one_line)
    if fields is None:
        return
    try:
        held = lease.parse(data)
    except Malformed as fault:
        yield Finding(path, 1, "lease", told(str(fault)))
        return
    if not spec.is_body_name(held.body):
        yield Finding(path, line_of_field(data, "body"), "lease", tr("body is no name of a body"))
    if type(fields["until"]) is not int or held.until < 0:
        message = tr("until is no whole number of milliseconds")
        yield Finding(path, line_of_field(data, "until"), "lease", message)


def _read(path: str, data: bytes, render: Callable[[object], bytes] | None) -> Generator[Finding, None, Fields | None]:
    """Read one JSON object, and name what deviates in its form; gives None where it can't be read.

    ``render`` writes the form that the spec fixes; None: any form will do.
    """
    try:
        fields = json_text.parse_object(data)
    except Malformed as fault:
        line = re.search(r"in line (\d+)$", str(fault))
        yield Finding(path, int(line[1]) if line else None, "json", told(str(fault)))
        return None
    if render is not None and (canonical := render(fields)) != data:
        one_line = render is json_text.one_line
        message = (
            tr("is not one line and a line end") if one_line else tr("is not indented by 2 and ended by a line end")
        )
        yield Finding(path, first_difference(data, canonical), "json-form", message)
    return fields


def _texts(fields: Fields) -> Iterator[tuple[str, str]]:
    """Each text in an object and in the objects within, with the name of the outermost field."""
    for field, value in fields.items():
        pending = [value]
        while pending:
            one = pending.pop()
            if isinstance(one, str):
                yield field, one
            elif isinstance(one, dict | list):
                pending += one.values() if isinstance(one, dict) else one


def _each(path: str, data: bytes, rule: str, problems: list[str]) -> Iterator[Finding]:
    for problem in problems:
        yield Finding(path, line_of_field(data, problem.partition(" ")[0]), rule, said(problem))


def said(problem: str) -> str:
    """A sentence of ``formats/`` about one field, in the language in use: its subject is the field's name."""
    field, _, fault = problem.partition(" ")
    if problem.startswith(_FILE_NAME):
        return tr("the file name is no name of a body: a-z, 0-9 and -, at most 40")
    if problem.startswith(_NO_PROGRAM):
        return tr("neither runtime nor framework nor bridge is named")
    return f"{field} {_faults().get(fault, fault)}"


_FILE_NAME, _NO_PROGRAM = "the file name ", "no runtime"


def _faults() -> dict[str, str]:
    return {
        "is not a UUID v4": tr("is not a UUID v4"),
        "is not of the form [a-z0-9][a-z0-9-]{0,39}": tr("is not a-z, 0-9 and -, at most 40, - not first"),
        "is empty or not text": tr("is empty or not text"),
        "is not of the form #RRGGBB": tr("is not of the form #RRGGBB"),
        "is not a BCP 47 language tag": tr("is not a BCP 47 language tag"),
        "is not ISO 8601 in UTC with milliseconds and Z": tr("is not ISO 8601 in UTC with milliseconds and Z"),
        "is not text": tr("is not text"),
        "is there and not true": tr("is there and not true"),
        "is not the file name": tr("is not the file name"),
        "is neither runtime nor bridge": tr("is neither runtime nor bridge"),
        "looks like a network address": tr("looks like a network address"),
    }
