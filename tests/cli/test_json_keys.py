"""The JSON keys that other programs depend on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Body, Remote

SYNC = {
    "agent": str, "body": str, "outcome": str, "head": str, "pushed": bool, "attempts": int, "seconds": float,
    "incoming": list, "merged": list, "skipped": list, "warnings": list, "error": type(None),
}  # fmt: skip
STATUS = {
    "agent", "body", "remote", "head", "ahead", "behind", "dirty", "last_pull", "last_push", "last_error", "lease",
    "bodies",
}  # fmt: skip


def test_sync(one: Body, two: Body) -> None:
    for path in ("notes/n.md", "SOUL.md"):
        one.write(path, "# by one\n\ntext\n")
        two.write(path, "# by two\n\ntext\n")
    one.sync()
    two.write("notes/big.md", "x" * 1_048_577)
    result = two.sync()
    for key, kind in SYNC.items():
        assert isinstance(result[key], kind), key
    assert set(result["incoming"][0]) == {"commit", "body", "subject", "time"}
    assert {tuple(m) for m in result["merged"]} == {("path", "rule", "kept", "lost")}
    assert {m["kept"] for m in result["merged"]} <= {"both", "ours", "theirs", "rebuilt"}
    assert result["skipped"] == [{"path": "notes/big.md", "reason": "too-large"}]


def test_status(one: Body) -> None:
    one.write("notes/n.md", "# n\n")
    status = one.status()
    assert set(status) >= STATUS
    assert status["dirty"] == ["notes/n.md"]
    assert (status["ahead"], status["behind"], status["last_error"]) == (0, 0, None)
    assert [b["body"] for b in status["bodies"]] == ["one"]


def test_init(remote: Remote, tmp_path: Path) -> None:
    body = remote.body(tmp_path / "one", "one")
    printed = body.init()
    assert set(printed) >= {"agent", "body", "remote", "dir", "public_key", "outcome"}
    assert printed["public_key"].startswith("ssh-ed25519 ")
    assert printed["dir"] == str(body.soul)


def test_lease(one: Body, two: Body) -> None:
    keys = {"held", "body", "until", "mine", "expired"}
    free = json.loads(one.ok("lease", "status", "--json"))
    assert set(free) == keys
    assert free == {"held": False, "body": None, "until": None, "mine": False, "expired": False}
    assert set(json.loads(one.ok("lease", "acquire", "--json"))) == keys
    two.sync()
    seen = json.loads(two.ok("lease", "status", "--json"))
    assert (seen["held"], seen["body"], seen["mine"], seen["expired"]) == (True, "one", False, False)
    assert seen["until"].endswith("Z")


def test_json_keeps_text_of_any_language_and_never_breaks(one: Body, two: Body) -> None:
    one.write("notes/笔记 ‮.md", "# 笔记\n")
    one.git("commit", "-q", "--allow-empty", "--no-verify", "-m", 'a "quoted" 句子\x1b[31m')
    one.sync()
    assert any("句子" in c["subject"] for c in two.sync()["incoming"])


def test_terminal_output_is_plain_when_piped(one: Body, two: Body) -> None:
    one.git("commit", "-q", "--allow-empty", "--no-verify", "-m", "bad \x1b[31mred\x07")
    one.remember("also \x1b[31mred\x07")
    one.sync()
    for out in (two.ok("sync"), two.ok("log"), two.ok("memory", "list"), two.ok("status")):
        assert "\x1b" not in out
        assert "\x07" not in out
    assert "red" in two.ok("log")
