"""A connected body to make ill, and the doctor in this process: each test runs the checks that it is about."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from soulsync.body import doctor
from soulsync.body.doctor.patient import Patient
from soulsync.body.home import Home
from soulsync.body.locks import sync_lock
from tests.souls import connected, one, remote, two

if TYPE_CHECKING:
    from soulsync.body.doctor.finding import Finding
    from tests.bodies import Body

__all__ = ["connected", "one", "remote", "two"]


class Doctor:
    """The doctor of one body, asked for one check at a time."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.home = Home(body.home)
        self.looks = {look.name: look for look in doctor.looks()}

    def look(self, name: str) -> Finding | None:
        """What the check ``name`` finds, whatever stands of the others."""
        return doctor.judged(self.looks[name], Patient(self.home, alone=False))

    def well(self, name: str) -> str:
        """The detail of a check that must be well."""
        found = self.look(name)
        assert found is not None
        assert found.ok, found
        assert found.fix is None
        return found.detail

    def ill(self, name: str, *words: str, repairable: bool = False) -> str:
        """The remedy of a check that must be ill and say ``words`` in its detail."""
        found = self.look(name)
        assert found is not None
        assert not found.ok, found
        assert all(word in found.detail for word in words), found.detail
        assert found.fix
        assert (found.repair is not None) == repairable
        return found.fix

    def repairs(self, name: str, *words: str) -> list[str]:
        """What the repair of an ill check did; afterwards the check is well."""
        self.ill(name, *words, repairable=True)
        found = self.look(name)
        assert found is not None
        assert found.repair is not None
        with sync_lock(self.home):
            done = found.repair()
        assert done
        self.well(name)
        return done


@pytest.fixture
def at(one: Body, monkeypatch: pytest.MonkeyPatch) -> Doctor:
    """The doctor of the body ``one``, in the environment of its user."""
    for name in os.environ:
        if name.startswith(("GIT_", "SSH_", "SOUL", "XDG_")):
            monkeypatch.delenv(name)
    for name in ("HOME", "SOULSYNC_HOME", "SOUL_ALLOW_LOCAL_REMOTE", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, one.env[name])
    return Doctor(one)
