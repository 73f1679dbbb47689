"""``soulsync cortex``: what is printed, what is written, and how it ends."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

from soulsync import lang
from tests.bodies import git
from tests.formats.cortexes import realistic
from tests.stores.cortex.conftest import Store
from tests.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.lived import Lived

RECALL_KEYS = {
    "query", "limit", "scanned", "matched", "returned", "expired_skipped", "low_confidence_skipped",
    "scope_filtered_skipped", "memories", "problems",
}  # fmt: skip
MEMORY_KEYS = {"memory_id", "type", "title", "content", "tags", "confidence", "score", "created_at"}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The store of the project in which the commands run."""
    made = Store(tmp_path / "project" / ".agent" / "memory")
    monkeypatch.chdir(made.root.parent.parent)
    return made


def give(lived: Lived, store: Store, *candidates: Any, options: tuple[str, ...] = (), code: int = 0) -> Any:
    """Distil candidates from standard input, as JSON; the answer, or the error where ``code`` is not 0."""
    words = ("cortex", "distill", "--store", str(store.root), "--candidates", "-", "--json", *options)
    said = lived.run(*words, stdin=json.dumps(candidates).encode())
    assert said.code == code, said
    return json.loads(said.out) if code == 0 else said.err


def test_list(lived: Lived, store: Store) -> None:
    store.put("MEM-a", title="门禁 code\x1b[31m", scope="user", pinned=True, confidence=0.90, tags=["door"])
    store.put("MEM-b", "episodic", expires_at="2026-01-01")
    store.write("semantic/MEM-bad.json", '{"memory_id": "MEM-bad"}')
    assert lived.ok("cortex", "list").splitlines() == [
        "MEM-b  episodic · project · expired",
        "    content of MEM-b",
        "MEM-a  semantic · user · 0.9 · pinned [door]",
        "    门禁 code\\x1b[31m",
        *(f"not read: semantic/MEM-bad.json:1: {key} is missing" for key in ("schema_version", "type", "content")),
        "not read: semantic/MEM-bad.json:1: created_at is missing",
    ]
    assert lived.ok("cortex", "list", "--type", "procedural").count("\n") == 4


def test_list_as_json_gives_whole_entries_and_their_numbers_as_written(lived: Lived, store: Store) -> None:
    text = store.put("MEM-a", confidence=0.5, content="决策").read_text("utf-8").replace("0.5", "0.50")
    store.write("semantic/MEM-a.json", text)
    store.write("semantic/MEM-b.json", "{")
    printed = lived.ok("cortex", "list", "--json")
    assert '"confidence": 0.50' in printed
    assert "决策" in printed
    answer = json.loads(printed)
    assert answer["memories"] == [json.loads(text)]
    assert [set(problem) for problem in answer["problems"]] == [{"path", "line", "rule", "message"}]
    (store.root / "semantic" / "MEM-a.json").unlink()
    (store.root / "semantic" / "MEM-b.json").unlink()
    assert lived.json("cortex", "list") == {"memories": [], "problems": []}


def test_recall(lived: Lived, store: Store) -> None:
    store.add(realistic())
    answer = lived.json("cortex", "recall", "计费", "--limit", "3")
    assert set(answer) == RECALL_KEYS
    assert (answer["query"], answer["limit"], answer["returned"]) == ("计费", 3, 3)
    assert answer["scanned"] == 200
    assert [set(memory) for memory in answer["memories"]] == [MEMORY_KEYS] * 3
    assert all("计费" in memory["content"] for memory in answer["memories"])
    scores = [memory["score"] for memory in answer["memories"]]
    assert scores == sorted(scores, reverse=True)
    shown = lived.ok("cortex", "recall", "计费", "--limit", "1").splitlines()
    assert shown[0].startswith(f"{scores[0]:.4f}  {answer['memories'][0]['memory_id']}  ")
    assert shown[-1] == f"1 of {answer['matched']} that match."


def test_recall_filters(lived: Lived, store: Store) -> None:
    store.put("MEM-a", content="tea", scope="user", confidence=0.9)
    store.put("MEM-b", content="tea", confidence=0.2)
    store.put("MEM-c", "episodic", content="tea", expires_at="2020-01-01", confidence=0.9)
    store.put("MEM-d", content="coffee", confidence=0.9)

    def ids(*words: str) -> list[str]:
        return [memory["memory_id"] for memory in lived.json("cortex", "recall", *words)["memories"]]

    assert ids("tea") == ["MEM-a", "MEM-b"]
    assert ids("tea", "--all") == ["MEM-a", "MEM-b", "MEM-d"]
    assert ids("tea", "--include-expired") == ["MEM-c", "MEM-a", "MEM-b"]
    assert ids("tea", "--scope", "project") == ["MEM-b"]
    assert ids("tea", "--min-confidence", "0.5") == ["MEM-a"]
    assert ids("tea", "--include-expired", "--type", "episodic", "--type", "procedural") == ["MEM-c"]
    assert len(ids()) == 3
    said = lived.ok("cortex", "recall", "nothing", "--scope", "user", "--min-confidence", "0.95")
    assert said == "Nothing recalled of 4 memories. (too unsure: 1, of another scope: 3)\n"


def test_validate(lived: Lived, store: Store) -> None:
    store.put()
    assert lived.ok("cortex", "validate") == "1 memories, nothing wrong.\n"
    assert lived.json("cortex", "validate") == {"ok": True, "findings": []}
    store.put("MEM-b", content="x" * 5000)
    before = store.files()
    said = lived.run("cortex", "validate")
    line = "semantic/MEM-b.json:5: content is 5000 characters long; at most 4000 are allowed [content-length]\n"
    assert (said.code, said.out, said.err) == (1, line, "")
    said = lived.run("cortex", "validate", "--json")
    assert said.code == 1
    (finding,) = json.loads(said.out)["findings"]
    assert (finding["path"], finding["line"], finding["rule"]) == ("semantic/MEM-b.json", 5, "content-length")
    assert store.files() == before


def test_fix_brings_the_memory_that_a_merge_without_hooks_left_out(lived: Lived, store: Store) -> None:
    top = store.root.parent.parent
    lived.fails(2, "cortex", "validate", "--fix")
    env = {**os.environ, "GIT_AUTHOR_NAME": "k", "GIT_AUTHOR_EMAIL": "k@x", "GIT_COMMITTER_NAME": "k"}
    env |= {"GIT_COMMITTER_EMAIL": "k@x"}

    def run(*words: str) -> None:
        git(top, *words, env=env)

    run("init", "-q", "-b", "main")
    store.put("MEM-a")
    run("add", "-A")
    run("commit", "-qm", "first")
    lived.ok("install", "--repo", str(top))
    run("checkout", "-qb", "other")
    for branch, text, day in (("other", "the other", 2), ("main", "the first", 1)):
        run("checkout", "-q", branch)
        store.put("MEM-007", content=text, created_at=f"2026-11-0{day}T08:00:00Z")
        run("add", "-A")
        run("commit", "-qm", text)
    run("-c", "core.hooksPath=/dev/null", "merge", "-q", "other", "-m", "merged")
    assert store.ids() == ["MEM-007", "MEM-a"]
    said = lived.run("cortex", "validate", "--fix")
    assert (said.code, said.out) == (0, "3 memories, nothing wrong.\n"), said
    assert said.err.startswith("soulsync: ")
    assert len(store.ids()) == 3
    run("commit", "-qam", "both")
    assert lived.ok("cortex", "validate", "--fix") == "3 memories, nothing wrong.\n"


def test_distill_candidates(lived: Lived, store: Store) -> None:
    good = {"type": "semantic", "content": "决策先给推荐", "tags": ["decision"]}
    dry = give(lived, store, good, options=("--dry-run",))
    assert (dry["written"], len(dry["memories"]), store.ids()) == (False, 1, [])
    answer = give(lived, store, good, {"type": "episodic", "content": "y"})
    assert answer["written"] is True
    assert sorted(memory["memory_id"] for memory in answer["memories"]) == sorted(store.ids())
    assert store.rules() == []
    assert len(give(lived, store, good)["already"]) == 1


def test_all_or_nothing(lived: Lived, store: Store) -> None:
    good, long = {"type": "semantic", "content": "y"}, {"type": "semantic", "content": "字" * 4001}
    err = give(lived, store, good, long, {"type": "procedural", "content": "y"}, code=1)
    assert err == (
        "soulsync: 2 of 3 candidates are refused: 2: content is 4001 characters long; at most 4000 are allowed; "
        "3: it is procedural, which has to be allowed by `--allow-procedural`. "
        "Nothing was written; `--skip-refused` writes the others.\n"
    )
    assert store.files() == {}
    answer = give(lived, store, good, long, options=("--skip-refused",))
    assert (len(answer["memories"]), [one["candidate"] for one in answer["refused"]]) == (1, ["2"])
    err = give(lived, store, *[long] * 5, code=1)
    assert "and 2 more" in err
    give(lived, store, {"type": "procedural", "content": "y"}, options=("--allow-procedural",))
    assert len(store.ids()) == 2


@pytest.mark.parametrize(
    "stdin", [b"", b"{}", b"[NaN]", b"\xff", b"[" * 100_000, b'[{"type": "semantic", "content": "a", "content": "b"}]']
)
def test_candidates_that_do_not_parse(lived: Lived, store: Store, stdin: bytes) -> None:
    err = lived.fails(1, "cortex", "distill", "--candidates", "-", stdin=stdin)
    assert err.startswith("soulsync: The candidates can't be read: ")
    assert store.files() == {}


def test_a_store_is_made_where_it_is_named_and_nowhere_else(
    lived: Lived, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "candidates.json"
    file.write_text('[{"type": "semantic", "content": "x"}]')
    lived.fails(2, "cortex", "distill", "--candidates", str(file))
    lived.ok("cortex", "distill", "--candidates", str(file), "--store", "new/memory")
    assert [path.parent.name for path in tmp_path.rglob("MEM-*.json")] == ["semantic"]
    lived.fails(2, "cortex", "list", "--store", "nowhere")
    assert "--store DIR" in lived.fails(2, "cortex", "list")


def test_distill_from_the_soul_and_back_after_forgetting(lived: Lived, store: Store) -> None:
    lived.ok("memory", "add", "The door code changed")
    lived.ok("memory", "add", "Prefers tea", "--user")
    lived.ok("journal", "write", "Deploy", "Billing went out.")
    assert lived.ok("cortex", "distill", "--from-soul").endswith("\n3 memories written.\n")
    assert store.rules() == []
    assert [memory["content"] for memory in lived.json("cortex", "recall", "door")["memories"]] == [
        "The door code changed"
    ]
    again = lived.ok("cortex", "distill", "--from-soul")
    assert again == "0 memories written.\n3 are there already.\n"
    (tea,) = [memory["memory_id"] for memory in lived.json("cortex", "recall", "tea")["memories"]]
    lived.ok("cortex", "forget", tea, "--yes")
    assert "1 were forgotten and stay so." in lived.ok("cortex", "distill", "--from-soul")
    assert len(store.ids()) == 2


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--from-soul", "--candidates", "-"),
        ("--candidates", "-", "--since", "2026-11-30"),
        ("--candidates", "none"),
    ],
)
def test_distill_usage(lived: Lived, store: Store, words: tuple[str, ...]) -> None:
    lived.fails(2, "cortex", "distill", *words)


def test_forget(lived: Lived, store: Store) -> None:
    store.put("MEM-old", "episodic", expires_at="2020-01-01")
    store.put("MEM-pinned", pinned=True)
    before = store.files()
    assert lived.ok("cortex", "forget", "--expired") == (
        "MEM-old  content of MEM-old\n1 memories would be forgotten; `--yes` does it.\n"
    )
    assert store.files() == before
    answer = lived.json("cortex", "forget", "--expired", "--yes")
    assert answer == {
        "forgotten": True,
        "memories": [
            {"memory_id": "MEM-old", "type": "episodic", "reason": "expired", "trash": ".trash/MEM-old.json"}
        ],
    }  # fmt: skip
    assert lived.ok("cortex", "forget", "--expired", "--yes") == "Nothing to forget.\n"
    assert "MEM-pinned" in lived.fails(3, "cortex", "forget", "MEM-pinned", "--yes")
    assert "'MEM-none'" in lived.fails(1, "cortex", "forget", "MEM-none", "MEM-pinned", "--force", "--yes")
    assert store.ids() == ["MEM-pinned"]
    lived.ok("cortex", "forget", "MEM-pinned", "--force", "--yes")
    assert store.ids() == []
    assert len([path for path in store.files() if path.startswith(".trash/")]) == 2


@pytest.mark.parametrize("words", [(), ("MEM-a", "--expired")])
def test_forget_usage(lived: Lived, store: Store, words: tuple[str, ...]) -> None:
    lived.fails(2, "cortex", "forget", *words)


@pytest.fixture
def english_again() -> Iterator[None]:
    yield
    lang.use(None)


@pytest.mark.usefixtures("english_again")
def test_chinese(lived: Lived, store: Store) -> None:
    store.put("MEM-b", content="x" * 5000, tags=["A"])
    said = lived.run("--lang", "zh", "cortex", "validate")
    assert "content 长 5000 个字符，最多 4000 个 [content-length]" in said.out
    assert '标签 "A" 不符合' in said.out


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (
            40,
            [
                "MEM-a",
                "  semantic · project [ops]",
                "    2026-11-06与王工商定：移动端停止调",
                "    用之前，计费服务保留 REST 接口。",
            ],
        ),
        (
            80,
            [
                "MEM-a  semantic · project [ops]",
                "    2026-11-06与王工商定：移动端停止调用之前，计费服务保留 REST 接口。",
            ],
        ),
    ],
)
def test_on_a_terminal_lines_break_below_their_beginning(
    home: Path, store: Store, columns: int, expected: list[str]
) -> None:
    store.put("MEM-a", content="2026-11-06与王工商定：移动端停止调用之前，计费服务保留 REST 接口。", tags=["ops"])
    argv = [sys.executable, "-m", "soulsync", "cortex", "list"]
    with Terminal(argv, env=os.environ, cwd=store.root, columns=columns) as terminal:
        assert terminal.end() == 0
        assert terminal.seen.splitlines() == expected
