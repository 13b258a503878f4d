"""The files in docs/packaging are well-formed and agree with pyproject.toml."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT

from halbzug.version import __version__

FOLDER = ROOT / "docs" / "packaging"
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")

#: Programs that pip installed beside this Python come first.
_PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _requirements(key: str) -> dict[str, str]:
    """The names and version ranges of a list in pyproject.toml."""
    (text,) = re.findall(rf"^{key} = \[(.*?)\]$", PROJECT, re.MULTILINE | re.DOTALL)
    return dict(re.findall(r'"([\w-]+)([<>=][^"]*)"', text))


RUN = _requirements("dependencies")
BUILD = {name: range_ for name, range_ in _requirements("requires").items() if name != "chess"}


def _floor(range_: str) -> str:
    return range_.partition(",")[0].removeprefix(">=")


def test_the_files_could_be_read() -> None:
    assert set(RUN) == {"chess", "click", "markdown-it-py", "rich"} and set(BUILD) == {
        "setuptools",
        "cython",
    }


def test_the_executable_runs_the_command() -> None:
    """It is run as a script, by its path, which does not work for modules of the package."""
    text = (ROOT / ".ci/standalone.spec").read_text(encoding="utf-8")
    (name,) = re.findall(r'Path\(SPECPATH, "(\w+\.py)"\)', text)
    command = [sys.executable, str(ROOT / ".ci" / name), "--version"]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    assert process.stdout.startswith(f"Halbzug {__version__}")


def test_everything_in_the_manifest_exists() -> None:
    lines = [line.split() for line in (ROOT / "MANIFEST.in").read_text("utf-8").splitlines()]
    nothing = [
        line
        for line in lines
        if (line[0] == "include" and not all((ROOT / name).exists() for name in line[1:]))
        or (
            line[0] == "recursive-include"
            and not all(any((ROOT / line[1]).rglob(pattern)) for pattern in line[2:])
        )
    ]
    assert not nothing


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("debian/changelog", r"^halbzug \((.+)-1\)"),
        ("arch/PKGBUILD", r"^pkgver=(.+)$"),
        ("conda-forge/recipe.yaml", r"^  version: (\d.*)$"),
        ("homebrew/halbzug.rb", r"/halbzug-(.+)\.tar\.gz"),
    ],
)
def test_the_version_is_this_one(name: str, pattern: str) -> None:
    assert re.findall(pattern, _read(name), re.MULTILINE) == [__version__]


def test_the_requirements_of_the_arch_package() -> None:
    text = _read("arch/PKGBUILD")
    for name, range_ in RUN.items():
        assert f'"python-{name}>={_floor(range_)}"' in text
    assert f'"cython>={_floor(BUILD["cython"])}"' in text
    assert f'"python-setuptools>={_floor(BUILD["setuptools"])}"' in text


def test_the_requirements_of_the_conda_package() -> None:
    text = _read("conda-forge/recipe.yaml")
    for name, range_ in (RUN | BUILD).items():
        assert f"- {'python-chess' if name == 'chess' else name} {range_}\n" in text


def test_the_requirements_of_the_homebrew_formula() -> None:
    for name, range_ in RUN.items():
        assert f"  # {name} {range_}\n" in _read("homebrew/halbzug.rb")


def test_the_requirements_of_the_debian_package() -> None:
    text = _read("debian/control")
    assert f"cython3 (>= {_floor(BUILD['cython'])})" in text
    assert f"python3-setuptools (>= {_floor(BUILD['setuptools'])})" in text
    for name in ("click", "markdown-it-py", "rich"):
        assert f"python3-{name.removesuffix('-py')} (>= {_floor(RUN[name])})" in text


@pytest.mark.parametrize("name", ["debian/rules", "debian/tests/control", "arch/PKGBUILD"])
def test_the_signature_is_the_pinned_one(name: str) -> None:
    pinned = json.loads((ROOT / "tests/signatures.json").read_text(encoding="utf-8"))
    assert re.findall(r"--depth 5", _read(name)) and str(pinned["5"]) in _read(name)


def test_the_image_contains_exactly_what_an_installation_needs() -> None:
    copied = re.findall(r"^COPY (?!--)(.+) \S+$", _read("Containerfile"), re.MULTILINE)
    wanted = {"pyproject.toml", "setup.py", "README.md", "LICENSE", "uci_engine", "docs/course"}
    assert {name for line in copied for name in line.split()} == wanted


SCRIPTS = sorted(
    path
    for path in Path(ROOT, ".ci").iterdir()
    if path.suffix == ".sh" or path.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash")
)


@pytest.mark.parametrize(
    "command",
    [
        ["hadolint", str(FOLDER / "Containerfile")],
        ["ruby", "-c", str(FOLDER / "homebrew/halbzug.rb")],
        ["bash", "-n", str(FOLDER / "arch/PKGBUILD")],
        ["shellcheck", "--shell=bash", str(FOLDER / "arch/PKGBUILD")],
        ["shellcheck", "--external-sources", "--severity=warning", *map(str, SCRIPTS)],
    ],
    ids=lambda command: f"{command[0]} {Path(command[-1]).name}",
)
def test_checkers_find_no_fault(command: list[str]) -> None:
    program = shutil.which(command[0], path=_PATH)
    if program is None:
        pytest.skip(f"needs {command[0]}")
    result = subprocess.run(
        [program, *command[1:]], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
