"""Imports run one way, and what git starts often starts light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "soulsync"
LAYERS: dict[str, set[str]] = {
    "spec": set(),
    "errors": set(),
    "lang": set(),
    "shipped": {"errors"},
    "progress": set(),
    "files": set(),
    "formats": {"spec", "errors"},
    "merge": {"spec", "errors", "formats"},
    "repo": {"spec", "errors", "files", "progress", "lang", "shipped", "formats", "merge"},
    "access": {"spec", "errors", "files", "progress", "lang", "shipped", "formats", "merge"},
    "stores": {"spec", "errors", "files", "progress", "lang", "shipped", "formats", "merge", "repo"},
    "body": {"spec", "errors", "files", "progress", "lang", "shipped", "formats", "merge", "repo", "access", "stores"},
    "cli": {
        "spec",
        "errors",
        "files",
        "progress",
        "shipped",
        "lang",
        "formats",
        "merge",
        "repo",
        "access",
        "body",
        "stores",
    },
}
"""What each part of the package may import beside itself; all other modules are entry points, which nothing imports."""
PURE = sorted([*(ROOT / "formats").rglob("*.py"), *(ROOT / "merge").rglob("*.py")])
IMPURE = {
    "os",
    "io",
    "time",
    "subprocess",
    "pathlib",
    "shutil",
    "tempfile",
    "socket",
    "threading",
    "signal",
    "random",
    "secrets",
    "glob",
    "locale",
}
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "now", "utcnow", "today", "uuid1", "uuid4", "fromtimestamp"}
HEAVY = {"re", "dataclasses", "typing", "collections", "enum", "subprocess", "pathlib", "inspect", "functools"}


def part_of(file: Path) -> str:
    first = file.relative_to(ROOT).parts[0]
    return first.removesuffix(".py")


def imports_of(nodes: list[ast.stmt] | ast.AST) -> set[str]:
    """Name every module imported below, also inside functions; ``if TYPE_CHECKING`` blocks do not count."""
    found: set[str] = set()
    for node in nodes if isinstance(nodes, list) else [nodes]:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            found |= imports_of(node.orelse)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            module = node.module or ""
            found |= {f"{module}.{alias.name}" for alias in node.names} if module == "soulsync" else {module}
        else:
            found |= {name for child in ast.iter_child_nodes(node) for name in imports_of(child)}
    return found


def parse(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"), str(file))


@pytest.mark.parametrize("file", sorted(ROOT.rglob("*.py")), ids=lambda file: str(file.relative_to(ROOT)))
def test_imports_run_one_way(file: Path) -> None:
    part = part_of(file)
    ours = {name.split(".")[1] for name in imports_of(parse(file)) if name.startswith("soulsync.")} - {"__version__"}
    if part in LAYERS:
        assert ours <= LAYERS[part] | {part}


@pytest.mark.parametrize("file", PURE, ids=lambda file: str(file.relative_to(ROOT)))
def test_formats_and_merge_are_pure(file: Path) -> None:
    tree = parse(file)
    tops = {name.split(".")[0] for name in imports_of(tree)} - {"soulsync"}
    assert tops <= sys.stdlib_module_names
    assert not tops & IMPURE
    calls = {call.func for call in ast.walk(tree) if isinstance(call, ast.Call)}
    names = {func.id for func in calls if isinstance(func, ast.Name)} | {
        f.attr for f in calls if isinstance(f, ast.Attribute)
    }
    assert not names & IMPURE_CALLS


DETECTION = ("credentials.py", "poison_")
"""Patterns through and through; loaded by the preview of an import, never by what git starts."""


@pytest.mark.parametrize(
    "file", [f for f in PURE if not f.name.startswith(DETECTION)], ids=lambda file: str(file.relative_to(ROOT))
)
def test_formats_and_merge_import_nothing_heavy_when_loaded(file: Path) -> None:
    top_level = [node for node in parse(file).body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert not {name.split(".")[0] for name in imports_of([*top_level])} & HEAVY


def loaded_after(statement: str) -> set[str]:
    """Name the modules in a fresh interpreter, started as the merge driver is, after ``statement``."""
    script = f"import sys; sys.path.append({str(ROOT.parent)!r}); {statement}; print('\\n'.join(sys.modules))"
    run = [sys.executable, "-I", "-S", "-c", script]
    return set(subprocess.run(run, capture_output=True, text=True, check=True, timeout=30).stdout.split())


THIRD_PARTY = {"click", "pygit2", "paramiko", "filelock", "cryptography", "rich", "tomli_w"}
MERGE_ONE = "rules.merge_file({rule!r}, 'x', b'a', b'b', b'c', Sides(1, 2))"
LOAD = "from soulsync.merge import rules; from soulsync.merge.result import Sides; "


def test_the_rules_and_entries_load_nothing_heavy() -> None:
    loaded = loaded_after("import soulsync.merge.rules, soulsync.merge.entries, soulsync.formats.entries")
    assert not loaded & (THIRD_PARTY | HEAVY | {"json", "hashlib", "os"})


@pytest.mark.parametrize("rule", ["soul-entries", "soul-newest", "soul-journal", "soul-oxsoul", "soul-oxsoul-index"])
def test_merging_text_loads_nothing_heavy(rule: str) -> None:
    loaded = loaded_after(LOAD + MERGE_ONE.format(rule=rule))
    assert not loaded & (THIRD_PARTY | HEAVY | {"json"})


@pytest.mark.parametrize("rule", ["soul-agent", "soul-body", "soul-lease", "soul-cortex"])
def test_merging_json_loads_the_standard_library_alone(rule: str) -> None:
    loaded = {name.split(".")[0] for name in loaded_after(LOAD + MERGE_ONE.format(rule=rule))}
    assert loaded - {"soulsync"} <= sys.stdlib_module_names | {"__main__"}
    assert not loaded & {"subprocess", "pathlib", "dataclasses"}


@pytest.mark.parametrize("module", ["formats", "merge"])
def test_the_library_needs_no_third_party_package(module: str) -> None:
    names = [".".join(file.relative_to(ROOT.parent).with_suffix("").parts) for file in PURE if part_of(file) == module]
    loaded = {name.split(".")[0] for name in loaded_after(f"import {', '.join(names)}".replace(".__init__", ""))}
    assert loaded - {"soulsync"} <= sys.stdlib_module_names | {"__main__"}
