"""What the commands of ``soulsync oxsoul`` share: which store, and which place in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from soulsync.stores.oxsoul.places import Place

CATEGORIES = ("preference", "fact", "feedback", "skill", "context")
SOURCES = ("manual", "agent-tool", "auto-extract", "scan", "import", "consolidate")
"""As in :mod:`soulsync.formats.oxsoul`, which a help page need not load."""
_F = TypeVar("_F", bound="Callable[..., Any]")

store_option = click.option("--store", metavar="DIR", help="The store (default: $OXSOUL_HOME or ~/.oxsoul).")


def place_options(command: _F) -> _F:
    """``--store`` and the options that name one of the four kinds of place."""
    for option in (
        click.option("--engine", metavar="NAME", help="The memories about an engine, such as unity-2022."),
        click.option("--employee", metavar="ID", help="The memories of an employee."),
        click.option("--project", metavar="PATH", help="The memories of the project at PATH."),
        store_option,
    ):
        command = option(command)
    return command


def place_of(store: str | None, project: str | None, employee: str | None, engine: str | None) -> Place:
    """The place that the options name. Raises ``UsageError`` (2)."""
    from soulsync.stores.oxsoul import places

    return places.find(places.home(store), project, employee, engine)
