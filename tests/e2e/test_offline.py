"""Work that waits for the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.bodies import REPO, assert_in_step, in_turn, over_ssh

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers import EmbeddedServer


def test_work_is_committed_offline_and_sent_later_with_a_clean_tree(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create(REPO)
    one, two = (over_ssh(embedded, tmp_path / name, name) for name in ("one", "two"))
    port = embedded.port
    embedded.stop()
    for number in range(2):
        one.remember(f"offline {number}")
        one.fails(5, "sync")
    assert one.clean()
    stands = one.status()
    assert (stands["ahead"], stands["failures"]) == (2, 2)
    assert "can't be reached" in stands["last_error"]
    two.remember("offline too")
    two.fails(5, "sync")

    embedded.server = type(embedded.server)(embedded.root, port=port)
    embedded.server.start()
    assert one.sync()["pushed"]
    in_turn(two, one)
    assert_in_step(one, two)
    assert sorted(one.entries()) == ["offline 0", "offline 1", "offline too"]
    stands = one.status()
    assert (stands["ahead"], stands["failures"], stands["last_error"]) == (0, 0, None)


def test_status_needs_no_network(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create(REPO)
    one = over_ssh(embedded, tmp_path / "one", "one")
    seen = embedded.connections()
    one.status()
    one.ok("lease", "status")
    one.ok("remote", "show")
    one.ok("key", "show")
    assert embedded.connections() == seen


def test_a_sync_opens_one_connection(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create(REPO)
    one = over_ssh(embedded, tmp_path / "one", "one")
    for work in (False, True):
        before = embedded.connections()
        if work:
            one.remember("x")
        one.sync()
        assert embedded.connections() - before == 1


def test_only_the_deploy_key_is_offered(embedded: EmbeddedServer, tmp_path: Path) -> None:
    """A revoked body with a personal key that ssh's own config names shows the deploy key alone."""
    from soulsync.access.key import fingerprint

    embedded.create(REPO)
    one = over_ssh(embedded, tmp_path / "one", "one")
    line = (one.home / "id_ed25519.pub").read_text().strip()
    embedded.revoke(REPO, line)
    before = len(embedded.offered())
    one.fails(4, "sync")
    assert set(embedded.offered()[before:]) == {fingerprint(line)}
