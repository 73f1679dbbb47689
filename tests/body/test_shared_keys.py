"""Two bodies that use one key, as the registry tells."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from soulsync.access.key import fingerprint, generate
from soulsync.body import config as config_file
from soulsync.body.home import Home
from soulsync.body.registration import fingerprints, shared_keys
from soulsync.body.sync import open_soul

if TYPE_CHECKING:
    from tests.bodies import Body, Remote


def test_bodies_that_give_one_fingerprint_share_a_key() -> None:
    assert shared_keys({}) == []
    assert shared_keys({"a": "SHA256:x", "b": None, "c": None, "d": "SHA256:y"}) == []
    assert shared_keys({"d": "SHA256:y", "b": "SHA256:x", "a": "SHA256:x", "c": "SHA256:y"}) == [["a", "b"], ["c", "d"]]


def test_a_key_that_was_changed_is_told_within_the_hour(one: Body, remote: Remote) -> None:
    """Not at once: two machines of one name would answer each other's commits without end."""
    key = one.home / "id_ed25519"
    key.unlink()
    new = fingerprint(generate(key, "kaoru@one"))
    assert one.sync()["outcome"] == "unchanged"
    one.age_registry(hours=2)
    assert one.sync()["outcome"] == "pushed"
    assert json.loads(remote.git("show", "main:bodies/one.json"))["keyFingerprint"] == new
    assert one.sync()["outcome"] == "unchanged"


def test_the_registry_tells_the_fingerprints(two: Body) -> None:
    """A file that can't be read, or gives none, has none."""
    home = Home(two.home)
    soul = open_soul(home, config_file.load(home))
    known = fingerprints(soul)
    assert set(known) == {"one", "two"}
    assert shared_keys(known) == []
    two.write("bodies/copied.json", json.dumps({"body": "copied", "keyFingerprint": known["two"]}))
    two.write("bodies/damaged.json", "{ no")
    two.write("bodies/plain.json", '{"keyFingerprint": 7}')
    two.git("add", "bodies")
    two.git("commit", "-q", "--no-verify", "-m", "elsewhere")
    known = fingerprints(soul)
    assert (known["damaged"], known["plain"]) == (None, None)
    assert shared_keys(known) == [["copied", "two"]]
