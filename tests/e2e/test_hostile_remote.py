"""What another body or a stolen deploy key can push: no program runs, nothing outside is touched, nothing is lost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from soulsync.repo import objects
from soulsync.repo.objects import EXECUTABLE, SUBMODULE, SYMLINK, Entry
from tests.bodies import SEPARATOR
from tests.hostile import MIB, Attacker, Watched, bounded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.bodies import Body, Remote
    from tests.hostile import Measured

Attack = "Callable[[Attacker, Path], None]"
FOREIGN = "11111111-1111-4111-8111-111111111111"
GITS = (b".GIT", b"git~1", b".g\xe2\x80\x8cit")


class Target:
    """A body with a memory that reached the remote and one that did not, and somebody who may push."""

    def __init__(self, body: Body, remote: Remote, outside: Path) -> None:
        self.body, self.remote, self.outside = body, remote, outside
        body.remember("shared")
        body.sync()
        body.remember("only here")
        self.attacker = Attacker(remote)
        self.watched = Watched(outside, body.base, remote.path)

    @property
    def ran(self) -> Path:
        return self.outside / "ran"

    def sync(self) -> Measured:
        done = bounded(self.body, "sync", "--json")
        assert not self.ran.exists()
        self.watched.assert_untouched()
        return done

    def is_refused(self, *words: str) -> None:
        """The sync ends with 3 and says why; what is local stays, and is committed."""
        head = self.remote.head()
        for _ in range(2):
            done = self.sync()
            assert done.code == 3, done
            assert all(word in done.err for word in words), done.err
            assert self.body.entries() == ["shared", "only here"]
            assert self.body.clean()
        assert self.remote.head() == head

    def goes_on(self) -> Measured:
        """The sync brings the rest in, sends what is local, and so does the next one."""
        done = self.sync()
        assert done.code == 0, done.err
        self.body.write("notes/next.md", "# next\n")
        again = self.sync()
        assert again.code == 0, again.err
        assert "notes/next.md" in self.remote.git("ls-tree", "-r", "--name-only", "main")
        return done


@pytest.fixture
def target(one: Body, remote: Remote, tmp_path: Path) -> Iterator[Target]:
    found = Target(one, remote, tmp_path)
    yield found
    one.git("fsck", "--no-dangling", "--connectivity-only")


def deep(attacker: Attacker, levels: int) -> Entry:
    tree = attacker.tree({b"f": attacker.blob(b"x")})
    for _ in range(levels):
        tree = attacker.tree({b"d": tree})
    return tree


def bomb(attacker: Attacker) -> Entry:
    tree = attacker.tree({b"%d" % i: attacker.blob(b"x") for i in range(10)})
    for _ in range(9):
        tree = attacker.tree({b"%d" % i: tree for i in range(10)})
    return tree


def raw(attacker: Attacker, *entries: tuple[bytes, Entry]) -> Entry:
    return attacker.raw_tree(b"".join(b"%s\0%s" % (name, bytes.fromhex(entry.id)) for name, entry in entries))


IMPOSSIBLE: dict[str, Callable[[Attacker], dict[bytes, Entry]]] = {
    "two dots": lambda a: {b"..": a.tree({b"evil": a.blob(b"x")})},
    "a dot": lambda a: {b".": a.tree({b"evil": a.blob(b"x")})},
    "slashes in a name": lambda a: {b"a/../../evil": a.blob(b"x"), b"memories/MEMORY.md": a.blob(b"evil\n")},
    "an absolute path": lambda a: {b"/tmp/evil": a.blob(b"x")},
    **{f"the name {name!r}": lambda a, name=name: {name: a.tree({b"config": a.blob(b"x")})} for name in GITS},  # type: ignore[misc]
    "no name": lambda a: {b"": a.blob(b"x")},
    "an unknown kind": lambda a: {b"device": Entry(0o020666, a.blob(b"x").id)},
    "a link as .gitmodules": lambda a: {b".gitmodules": a.blob(b"/etc/passwd", SYMLINK)},
    "a folder that is none": lambda a: {b"g": a.raw_tree(b"this is no tree")},
    "a folder cut off": lambda a: {b"g": a.raw_tree(b"100644 a\0abc")},
    "a folder that is a file": lambda a: {b"g": Entry(objects.TREE, a.blob(b"zzz").id)},
    "a file that is a folder": lambda a: {b"g": Entry(objects.BLOB, a.tree({}).id)},
    "an object that is missing": lambda a: {b"g": Entry(objects.BLOB, "1" * 40)},
    "one name twice": lambda a: {b"g": raw(a, (b"100644 a", a.blob(b"1")), (b"100644 a", a.blob(b"2")))},
    "300 levels": lambda a: {b"deep": deep(a, 300)},
    "10^10 files in 11 folders": lambda a: {b"bomb": bomb(a)},
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_a_tree_that_git_itself_would_not_check_out_is_refused(what: str, target: Target) -> None:
    target.attacker.at_top(IMPOSSIBLE[what](target.attacker))
    target.is_refused()


def test_what_plain_git_let_in_is_refused_as_well(target: Target) -> None:
    """Plain git fetches without a look at the objects; after that nothing is left for our fetch to look at."""
    target.attacker.at_top({b"a/../../evil": target.attacker.blob(b"x")})
    target.body.git("-c", "fetch.fsckObjects=false", "fetch", "-q", "origin", "main")
    target.is_refused("a name that git itself refuses")


def test_a_submodule_with_a_program_for_an_address_is_refused(target: Target) -> None:
    a = target.attacker
    modules = f'[submodule "s"]\n\tpath = s\n\turl = ext::touch {target.ran}\n\tupdate = !touch {target.ran}\n'
    a.at_top({b"s": Entry(SUBMODULE, a.tip), b".gitmodules": a.blob(modules.encode())})
    target.is_refused()


def test_links_are_never_followed_and_never_take_the_place_of_what_is_required(target: Target) -> None:
    a, evil = target.attacker, str(target.outside / "victim")
    (target.outside / "victim").write_text("precious\n")
    target.watched = Watched(target.outside, target.body.base, target.remote.path)
    link = a.blob(evil.encode(), SYMLINK)
    a.put({"memories/MEMORY.md": link, "SOUL.md": link, "agent.json": link, "notes/link.md": link})
    done = target.goes_on()
    assert target.body.entries() == ["shared", "only here"]
    assert not (target.body.soul / "notes/link.md").is_symlink()
    assert any("notes/link.md" in str(text) for text in done.result["warnings"])  # type: ignore[attr-defined]


def test_a_link_in_the_place_of_a_folder_takes_nothing_away(target: Target) -> None:
    a = target.attacker
    a.at_top({b"memories": a.blob(b"../..", SYMLINK), b"notes": a.blob(b"/", SYMLINK)})
    target.goes_on()
    assert not (target.body.soul / "memories").is_symlink()
    assert target.body.entries() == ["shared", "only here"]


def test_attributes_ignore_rules_and_hooks_in_the_tree_are_files_like_others(target: Target) -> None:
    a = target.attacker
    rules = b"* filter=evil diff=evil merge=evil ident working-tree-encoding=UTF-16\n"
    hook = a.blob(f"#!/bin/sh\ntouch {target.ran}\n".encode(), EXECUTABLE)
    a.put(
        {".gitattributes": rules, ".gitignore": b"*\n", "notes/.gitattributes": b"* -text\n", "hooks/pre-commit": hook}
    )
    target.goes_on()
    assert target.body.entries() == ["shared", "only here"]


def test_names_of_other_systems_arrive_or_are_named(target: Target) -> None:
    a = target.attacker
    names = ["Twin.md", "twin.md", "é.md", "e\u0301.md", "con", "aux.txt", "a:b", "x ", "new\nline\x1b[31m", "n" * 300]
    a.at_top({**{name.encode(): a.blob(name.encode()) for name in names}, b"\xff\xfe": a.blob(b"odd")})
    done = target.goes_on()
    assert "n" * 300 in str(done.result["warnings"])
    assert target.body.read("twin.md") == "twin.md"
    kept = target.remote.git("ls-tree", "-z", "--name-only", "main").split("\0")
    assert set(names) <= set(kept)


def test_json_that_no_parser_should_read(target: Target) -> None:
    a, digits = target.attacker, b"1" * 10**6
    me = target.remote.git("show", "main:agent.json").encode()
    odd = me.replace(b"{", b'{"n":' + digits + b',"f":1.' + digits + b',"e":1e' + digits + b",", 1)
    lease = b'{"body":"m","until":' + digits + b"}"
    a.put({"agent.json": odd, "bodies/m.json": b'{"a":' * 100_000, "locks/consolidation.json": lease})
    target.goes_on()
    assert digits.decode() in target.body.read("agent.json")
    a.put(
        {
            "agent.json": b"[" * 100_000 + b"]" * 100_000,
            "locks/consolidation.json": b'{"body":"m","until":' + b"9" * 18 + b"}",
        }
    )
    target.goes_on()
    for words in (("status",), ("status", "--json"), ("bodies",), ("lease", "status")):
        assert bounded(target.body, *words).code == 0


def test_huge_files_cost_little_memory_and_no_memories(target: Target) -> None:
    a = target.attacker
    huge, line = a.huge(300 * MIB), a.huge(30 * MIB)
    a.put({"big.bin": huge, "memories/MEMORY.md": line, "notes/n.md": b"# n\n"})
    done = target.goes_on()
    assert done.peak < 500
    assert target.body.entries() == ["shared", "only here"]
    assert target.body.read("notes/n.md") == "# n\n"
    assert not (target.body.soul / "big.bin").exists()
    assert "only here" in target.remote.git("show", "main:memories/MEMORY.md")[-100:]


def test_a_huge_identity_is_no_identity(target: Target) -> None:
    me = target.body.read("agent.json")
    target.attacker.put({"agent.json": target.attacker.huge(64 * MIB)})
    assert target.goes_on().peak < 400
    assert target.body.read("agent.json") == me


def test_thousands_of_files(target: Target) -> None:
    a = target.attacker
    one = a.blob(b"x")
    a.at_top({b"many": a.tree({b"%06d" % i: one for i in range(1000)})})
    target.goes_on()
    assert len(list((target.body.soul / "many").iterdir())) == 1000


def test_control_and_bidirectional_characters_are_escaped_on_the_terminal(target: Target) -> None:
    evil = "\u202eevil\x1b]0;x\x07\x9b31m\u2066"
    target.attacker.put({
        "memories/MEMORY.md": f"shared{SEPARATOR}{evil}\n".encode(),
        f"notes/{evil}.md": f"# {evil}\n".encode(),
        "bodies/m.json": json.dumps({"body": evil, "kind": evil, "lastSeen": evil}, ensure_ascii=False).encode(),
    })  # fmt: skip
    target.goes_on()
    assert evil in target.body.entries()
    words = (("memory", "list"), ("log",), ("show", "HEAD"), ("bodies",), ("status",), ("diff",), ("search", "evil"))
    for command in words:
        done = bounded(target.body, *command)
        assert not {c for c in evil if not c.isprintable()} & set(done.out + done.err), command


def test_another_id_and_a_rewritten_or_a_vanished_history(target: Target) -> None:
    a = target.attacker
    before, base = a.tip, target.remote.git("rev-parse", "main~1")
    a.put({"agent.json": json.dumps({"id": FOREIGN, "name": "kaoru", "displayName": "x"}).encode()})
    target.is_refused("another agent")
    a.move_to(base)
    a.put({"notes/other.md": b"# other\n"})
    target.is_refused("rewritten")
    (target.remote.path / "refs/heads/main").unlink()
    assert target.sync().code == 3
    a.move_to(before)
    target.goes_on()


def test_a_branch_that_is_no_commit_and_tags_that_nobody_asked_for(target: Target) -> None:
    a, tip = target.attacker, target.attacker.tip
    for number in range(20):
        (target.remote.path / f"refs/tags/t{number}").write_text(tip + "\n")
    a.move_to(a.blob(b"no commit").id)
    target.is_refused("no commit")
    a.move_to(tip)
    target.goes_on()
    assert target.body.git("tag") == ""


@pytest.mark.parametrize("date", [-1, 10**12, 10**18, 2**63 - 1])
def test_dates_that_no_clock_made(date: int, target: Target) -> None:
    a = target.attacker
    tree = objects.edit(a.repo, objects.tree_of(a.repo, a.tip), {"SOUL.md": a.blob(b"# x\n\nlater\n")})
    a.commit(tree, at=date)
    done = target.sync()
    assert done.code == 0, done.err
    assert target.body.entries() == ["shared", "only here"]
    for words in (("log",), ("bodies",), ("status",)):
        assert bounded(target.body, *words).code == 0
