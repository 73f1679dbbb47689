from __future__ import annotations

import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from soulsync.access import key, keyfile
from soulsync.errors import DeniedError, SoulSyncError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Path:
    path = tmp_path / "id_ed25519"
    key.generate(path, "kaoru@laptop")
    return path


def keygen(*words: str) -> str:
    argv = ["ssh-keygen", *words]
    return subprocess.run(argv, capture_output=True, text=True, check=True, timeout=20, stdin=subprocess.DEVNULL).stdout


def test_the_pair_is_what_ssh_reads(made: Path) -> None:
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    assert stat.S_IMODE(made.with_name("id_ed25519.pub").stat().st_mode) == 0o644
    assert made.read_text().startswith("-----BEGIN OPENSSH PRIVATE KEY-----\n")
    line = made.with_name("id_ed25519.pub").read_text().strip()
    assert line.endswith(" kaoru@laptop")
    assert keygen("-y", "-f", str(made)).split()[:2] == line.split()[:2]
    assert key.fingerprint(line) in keygen("-l", "-f", str(made))
    assert sorted(path.name for path in made.parent.iterdir()) == ["id_ed25519", "id_ed25519.pub"]


def test_the_mode_does_not_hang_on_the_umask(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        key.generate(tmp_path / "open", "x")
        os.umask(0o777)
        key.generate(tmp_path / "shut", "x")
    finally:
        os.umask(old)
    assert {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("open", "shut")} == {0o600}


def test_a_key_is_never_replaced_by_accident(made: Path) -> None:
    before = made.read_bytes()
    with pytest.raises(SoulSyncError, match="key already"):
        key.generate(made, "another")
    assert made.read_bytes() == before
    assert "kaoru@laptop" in key.public_line(made)


def test_a_comment_stays_on_its_line(tmp_path: Path) -> None:
    line = key.generate(tmp_path / "k", "kaoru\nssh-rsa AAAA evil\x1b[0m")
    assert "\n" not in line
    assert (tmp_path / "k.pub").read_text().count("\n") == 1


def test_the_public_line_needs_no_pub_file(made: Path) -> None:
    line = key.public_line(made)
    made.with_name("id_ed25519.pub").unlink()
    assert key.public_line(made).split() == line.split()[:2]


def test_a_foreign_pub_file_is_not_believed(made: Path, tmp_path: Path) -> None:
    foreign = key.generate(tmp_path / "other", "other")
    made.with_name("id_ed25519.pub").write_text(foreign + "\n")
    assert key.public_line(made).split()[1] == keygen("-y", "-f", str(made)).split()[1]
    assert "other" not in key.public_line(made)


def test_the_public_half_of_other_key_types_and_locked_keys_is_read(tmp_path: Path) -> None:
    for kind, phrase in (("ecdsa", ""), ("rsa", ""), ("ed25519", "secret")):
        path = tmp_path / f"{kind}{phrase}"
        keygen("-q", "-t", kind, "-N", phrase, "-C", "made elsewhere", "-f", str(path))
        assert key.public_line(path) == path.with_name(path.name + ".pub").read_text().strip()


@pytest.mark.parametrize(
    "text", ["", "garbage", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n"]
)
def test_a_damaged_key_is_no_access(tmp_path: Path, text: str) -> None:
    path = tmp_path / "k"
    path.write_text(text)
    with pytest.raises(DeniedError):
        key.public_line(path)


@pytest.mark.parametrize(
    "line", ["", "ssh-ed25519", "ssh-ed25519 !!!", "ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIA==", "x AAAA"]
)
def test_what_is_no_public_key_has_no_fingerprint(line: str) -> None:
    with pytest.raises(SoulSyncError):
        key.fingerprint(line)


def test_a_good_key_passes(made: Path) -> None:
    keyfile.check_private(made)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o601])
def test_a_key_open_to_others_is_refused_with_the_command_that_closes_it(made: Path, mode: int) -> None:
    made.chmod(mode)
    with pytest.raises(DeniedError) as raised:
        keyfile.check_private(made)
    assert f"chmod 600 {made}" in raised.value.remedy
    assert raised.value.exit_code == 4


def test_a_missing_key_a_link_and_a_folder_are_refused(made: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(made)
    (tmp_path / "folder").mkdir()
    for name in ("nothing", "link", "folder", "id_ed25519/below"):
        with pytest.raises(DeniedError) as raised:
            keyfile.check_private(tmp_path / name)
        assert raised.value.remedy


def test_a_key_of_another_owner_is_refused(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Only root can give a file away, so the question "who am I" is what changes here.
    monkeypatch.setattr(os, "geteuid", lambda: made.stat().st_uid + 1)
    with pytest.raises(DeniedError, match="another user"):
        keyfile.check_private(made)


def test_a_key_with_a_passphrase_is_refused_with_the_command_that_takes_it_off(tmp_path: Path) -> None:
    path = tmp_path / "a key"
    keygen("-q", "-t", "ed25519", "-N", "secret", "-f", str(path))
    with pytest.raises(DeniedError, match="passphrase") as raised:
        keyfile.check_private(path)
    assert f"ssh-keygen -p -N '' -f '{path}'" in raised.value.remedy


@pytest.mark.parametrize(
    "words", [("-t", "rsa", "-m", "PEM"), ("-t", "ecdsa"), ("-t", "rsa"), ("-t", "ecdsa", "-m", "PKCS8")]
)
def test_a_key_of_another_type_is_refused_by_its_type(words: tuple[str, ...], tmp_path: Path) -> None:
    keygen("-q", *words, "-N", "", "-f", str(tmp_path / "k"))
    with pytest.raises(DeniedError, match="ssh-ed25519") as raised:
        keyfile.check_private(tmp_path / "k")
    assert "key rotate" in raised.value.remedy


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.rstrip(b"\n"),
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\n\n" + data.replace(b"\n", b"  \n"),
    ],
    ids=["no final newline", "CRLF", "blanks"],
)
def test_lines_that_a_copy_damaged_are_put_right(damage: Callable[[bytes], bytes], made: Path) -> None:
    whole = made.read_bytes()
    made.write_bytes(damage(whole))
    keyfile.ready(made)
    assert made.read_bytes() == whole
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    assert keygen("-y", "-P", "", "-f", str(made)).split()[1] == key.public_line(made).split()[1]


def test_a_key_that_is_right_is_not_written_again(made: Path) -> None:
    before = made.stat().st_ino, made.stat().st_mtime_ns
    keyfile.ready(made)
    assert (made.stat().st_ino, made.stat().st_mtime_ns) == before


def test_checking_a_key_loads_neither_paramiko_nor_cryptography(made: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from soulsync.access import address, failure, hostkeys, key, keyfile, ssh\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "keyfile.check_private(path); key.fingerprint(key.public_line(path))\n"
        "print([name for name in ('paramiko', 'cryptography', 'pygit2', 'click', 'filelock') if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(made)], capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout.strip() == "[]"
