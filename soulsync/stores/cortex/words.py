"""What is wrong with an entry, in the language in use: ``formats`` knows the rules, and no language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.formats.cortex_rules import Fault


def told(fault: Fault) -> str:
    """One clause about a fault of an entry or a candidate."""
    field, found = fault.field, fault.found
    return _of_form(fault.rule, field, found) or _of_kind(fault.rule, field, found) or _of_size(fault.rule, found)


def _of_form(rule: str, field: str, found: str) -> str:
    match rule:
        case "required":
            return tr("{field} is missing", field=field)
        case "memory-id":
            return tr(
                "{field} is {found}, not MEM- and letters, digits, dots, _ or - behind it", field=field, found=found
            )
        case "source-id":
            form = "C-" if field == "source_conversation_id" else "D-"
            return tr("{field} is {found}, which does not begin with {form}", field=field, found=found, form=form)
        case "tag":
            return tr("the tag {found} is not of the form [a-z0-9_][a-z0-9_-]*", found=found)
        case "date":
            return tr("{field} is {found}, not a day such as 2026-11-30", field=field, found=found)
        case "date-time":
            return tr("{field} is {found}, not a time such as 2026-11-30T08:00:00.000Z", field=field, found=found)
        case "type":
            return tr("type is {found}, not episodic, semantic or procedural", found=found)
        case "scope":
            return tr("scope is {found}, not user, project, skill, runtime or global", found=found)
    return ""


def _of_kind(rule: str, field: str, found: str) -> str:
    match rule, field:
        case "unknown-key", _:
            from soulsync.formats.cortex_rules import shown

            return tr("{field} is no field of such a memory", field=shown(field))
        case "schema-version", _:
            return tr("schema_version is {found}, not 1", found=found)
        case "kind", "tags":
            return tr("tags is {found}, not a list", found=found)
        case "kind", "pinned":
            return tr("pinned is {found}, neither true nor false", found=found)
        case "kind", "confidence":
            return tr("confidence is {found}, not a number", found=found)
        case "kind", _:
            return tr("{field} is {found}, not text", field=field, found=found)
        case "object", _:
            return tr("it is no JSON object")
        case "procedural", _:
            return tr("it is procedural, which has to be allowed by `--allow-procedural`")
    return ""


def _of_size(rule: str, found: str) -> str:
    match rule:
        case "empty":
            return tr("content is empty")
        case "title-length":
            return tr("title is {found} characters long; at most 200 are allowed", found=found)
        case "content-length":
            return tr("content is {found} characters long; at most 4000 are allowed", found=found)
        case "tags-count":
            return tr("there are {found} tags; at most 10 are allowed", found=found)
        case "range":
            return tr("confidence is {found}, not between 0 and 1", found=found)
    return tr("the text holds half a character, which no file can hold")
