"""The wheel: built from this checkout, and at work in an environment of its own, away from the checkout.

The environment borrows the third-party packages of the one that runs the tests, so that nothing is downloaded here.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from soulsync import __version__

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 120


def run(*argv: str | Path, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SOUL", "GIT_"))}
    return subprocess.run(
        [str(word) for word in argv],
        cwd=cwd,
        env={**kept, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )


def succeed(*argv: str | Path, cwd: Path, **env: str) -> str:
    done = run(*argv, cwd=cwd, **env)
    assert done.returncode == 0, f"{argv}: {done.stdout}{done.stderr}"
    return done.stdout


def files_below(folder: str) -> set[str]:
    """The committed files of a folder, else (no git here) all of them."""
    listed = run("git", "-C", ROOT, "ls-files", "-z", folder, cwd=ROOT)
    names = listed.stdout.split("\0") if listed.returncode == 0 else []
    names = [name for name in names if name and (ROOT / name).is_file()]
    return set(names) or {str(p.relative_to(ROOT)) for p in (ROOT / folder).rglob("*") if p.is_file()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    succeed(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The environment with the wheel in it, in a folder with a space in its name."""
    folder = tmp_path_factory.mktemp("an environment")
    venv.create(folder, with_pip=False, symlinks=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    # A path in a .pth file is searched last and the .pth files in it are not read: the editable soulsync stays out.
    (site / "third-party.pth").write_text(f"{sysconfig.get_path('purelib')}\n{sysconfig.get_path('platlib')}\n")
    pip = (sys.executable, "-m", "pip", "--python", folder / "bin" / "python")
    succeed(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=folder, PIP_USER="0")
    return folder


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_runs_on_any_machine(wheel: Path) -> None:
    assert wheel.name == f"soulsync-{__version__}-py3-none-any.whl"


@pytest.mark.parametrize("folder", ["hooks", "fixtures"])
def test_it_holds_what_is_shipped(folder: str, wheel: Path, names: set[str]) -> None:
    expected = files_below(folder)
    assert expected
    with zipfile.ZipFile(wheel) as archive:
        for name in expected:
            assert archive.read(f"soulsync/_shipped/{name}") == (ROOT / name).read_bytes()


def test_it_holds_the_whole_package_and_nothing_else(names: set[str]) -> None:
    assert {name for name in files_below("soulsync") if "__pycache__" not in name} <= names
    assert "soulsync/py.typed" in names
    strangers = {n for n in names if not n.startswith(("soulsync/", f"soulsync-{__version__}.dist-info/"))}
    assert strangers == set()


def test_its_metadata_name_licence_and_python(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(f"soulsync-{__version__}.dist-info/METADATA").decode()
        assert f"soulsync-{__version__}.dist-info/licenses/LICENSE" in archive.namelist()
    assert "\nRequires-Python: >=3.11\n" in metadata
    assert "\n# soulsync\n" in metadata


def test_it_is_the_installed_one_that_runs(installed: Path, tmp_path: Path) -> None:
    where = succeed(installed / "bin" / "python", "-I", "-c", "import soulsync; print(soulsync.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(installed)


def test_the_library_needs_the_standard_library_alone(installed: Path, tmp_path: Path) -> None:
    """Without ``site-packages``: the package by its folder, as an embedding program may have it."""
    (folder,) = installed.rglob("soulsync/formats")
    program = (
        f"import sys; sys.path.append({str(folder.parent.parent)!r})\n"
        "import soulsync.formats, soulsync.merge\n"
        "from soulsync.merge.rules import merge_file\n"
        "from soulsync.merge.result import Sides\n"
        "print(merge_file('soul-entries', 'memories/M.md', b'a\\n', b'a\\n\\xc2\\xa7\\nb\\n', b'', Sides()).data)\n"
    )
    said = succeed(installed / "bin" / "python", "-I", "-S", "-c", program, cwd=tmp_path)
    assert said == "b'b\\n'\n"


def test_console_scripts(installed: Path, tmp_path: Path) -> None:
    scripts = installed / "bin"
    assert succeed(scripts / "soulsync", "--version", cwd=tmp_path).strip() == f"soulsync, version {__version__}"
    assert "init" in succeed(scripts / "soulsync", "--help", cwd=tmp_path)
    assert "usage: soulsync-hook" in run(scripts / "soulsync-hook", cwd=tmp_path).stderr
    assert run(scripts / "soulsync-merge", cwd=tmp_path).returncode == 2


def test_the_merge_driver_by_name(installed: Path, tmp_path: Path) -> None:
    for name, text in (("base", "first\n"), ("ours", "first\n§\nours\n"), ("theirs", "first\n§\ntheirs\n")):
        (tmp_path / name).write_text(text, "utf-8")
    words = ("soul-entries", "base", "ours", "theirs", "memories/MEMORY.md")
    succeed(installed / "bin" / "soulsync-merge", *words, cwd=tmp_path)
    assert (tmp_path / "ours").read_text("utf-8") == "first\n§\nours\n§\ntheirs\n"


def test_the_shipped_folders_are_found(installed: Path, tmp_path: Path) -> None:
    program = "from soulsync.shipped import shipped\nfor name in ('hooks', 'fixtures'): print(shipped(name))"
    said = succeed(installed / "bin" / "python", "-I", "-c", program, cwd=tmp_path)
    hooks, fixtures = map(Path, said.splitlines())
    assert hooks.is_relative_to(installed)
    assert (hooks / "pre-push").is_file()
    assert any((fixtures / "merge").iterdir())


def test_the_demo_runs_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    """Hooks, drivers, server and sync of the installed package, in an empty home."""
    home = tmp_path / "home"
    home.mkdir()
    said = succeed(installed / "bin" / "soulsync", "demo", cwd=tmp_path, HOME=str(home), LANG="C.UTF-8")
    assert said.count("One tree everywhere") == 2
    assert "（laptop）" in said
    assert list(home.iterdir()) == []
