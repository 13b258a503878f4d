"""Installs the engine of a commit beside others, so that builds can play each other.

Installations are kept outside the checkout, in folders named after their commits; the working tree
is never touched. A build differs little from the last one, so its compiled modules are reused: only
changed modules are compiled.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..base.user_cache import cache_folder
from ..eval.network_file import NETWORK, TERMS

#: The digits of the commit in an installation's name; `-variable` marks its kind.
_DIGITS = 12

#: Makes the numbers of the search variables at installation; see `native/build.py`.
_VARIABLE = "HALBZUG_VARIABLE_PARAMETERS"

#: The option that can be set in addition to numbers.
EVAL_FILE = "EvalFile"

_SETTING = re.compile(r"([A-Z][A-Z0-9_]*)=(-?[0-9]+(?:\.[0-9]+)?)")


class InstallError(Exception):
    """Why a build is not available, in one line."""


@dataclass(frozen=True)
class Build:
    """An engine that can be started.

    :ivar name: for people.
    :ivar python: the interpreter.
    :ivar site: the folder with the package `halbzug`; empty: where the interpreter finds it.
    :ivar settings: numbers of `search/parameters.py` to override.
    :ivar eval_file: the value of its option `EvalFile`; empty: its default.
    """

    name: str
    python: str
    site: str = ""
    settings: Mapping[str, float] = field(default_factory=dict)
    eval_file: str = ""


def default_folder() -> Path:
    """The default folder for builds: in the user's cache."""
    return cache_folder("builds")


def read_settings(text: str) -> dict[str, float]:
    """Parse `NAME=VALUE; NAME=VALUE`, numbers of `search/parameters.py`.

    :raises InstallError: if it has another form.
    """
    settings: dict[str, float] = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        match = _SETTING.fullmatch(part)
        if not match:
            raise InstallError(f"not NAME=NUMBER: {part!a}")
        name, value = match.groups()
        settings[name] = float(value) if "." in value else int(value)
    return settings


def provide(text: str, checkout: Path, folder: Path, is_variable: bool = False) -> Build:
    """The build named by a text, installed if necessary.

    :param text: `COMMIT` or `PYTHON`, optionally followed by `; NAME=VALUE` once or more, or by `;
        EvalFile=PATH`. `PYTHON` is the interpreter of an environment where the engine is installed,
        for uncommitted work.
    :param checkout: of the repository with the commit.
    :param folder: where builds are kept.
    :param is_variable: whether the numbers can be changed later.
    :raises InstallError: if there is no such commit, or it cannot be installed.
    """
    name, _, rest = text.partition(";")
    eval_file, numbers = _eval_file(rest)
    name, settings = name.strip(), read_settings(numbers)
    label = "; ".join([name, *(f"{key}={value}" for key, value in settings.items())])
    if eval_file:
        label += f"; {EVAL_FILE}={eval_file}"
    if "/" in name and Path(name).is_file():
        return Build(label, name, settings=settings, eval_file=eval_file)
    commit = _commit(name, checkout)
    is_variable = is_variable or bool(settings)
    tag = sysconfig.get_config_var("SOABI") or "python"
    place = folder / f"{commit[:_DIGITS]}{'-variable' * is_variable}-{tag}"
    if not place.is_dir():
        _check_names(commit, checkout, settings)
        print(f"Installing {name}, which takes minutes, but only once", file=sys.stderr, flush=True)
        _install(commit, checkout, place, is_variable)
    return Build(label, sys.executable, str(place), settings, eval_file)


def _eval_file(text: str) -> tuple[str, str]:
    """The network named in the settings, as an absolute path, and the other settings."""
    file, others = "", []
    for part in text.split(";"):
        name, _, value = part.strip().partition("=")
        if name == EVAL_FILE:
            is_name = value in (TERMS, NETWORK)
            file = value if is_name else str(Path(value).expanduser().absolute())
        else:
            others.append(part)
    return file, ";".join(others)


def _commit(name: str, checkout: Path) -> str:
    words = ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"]
    result = subprocess.run(
        ["git", "-C", str(checkout), *words], capture_output=True, text=True, check=False
    )
    commit = result.stdout.strip()
    if result.returncode or not commit:
        raise InstallError(f"{name!a} is neither a commit of {checkout} nor a file of Python")
    return commit


def _check_names(commit: str, checkout: Path, settings: Mapping[str, float]) -> None:
    """Reject names unknown to a commit before compiling it; the player checks all names again.

    :raises InstallError: if it has no number with such a name.
    """
    shown = subprocess.run(
        ["git", "-C", str(checkout), "show", f"{commit}:uci_engine/search/parameters.py"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    for name in settings if shown.returncode == 0 else ():
        if not re.search(rf"^{name}\b.*=", shown.stdout, re.MULTILINE):
            raise InstallError(f"search/parameters.py of {commit[:_DIGITS]} has no number {name}")


def _install(commit: str, checkout: Path, place: Path, is_variable: bool) -> None:
    """Install a commit.

    :raises InstallError: if it cannot be compiled.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".part-") as part:
        tree, site = Path(part, "tree"), Path(part, "site")
        _extract(commit, checkout, tree)
        _take_over(place.parent, tree)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
        if importlib.util.find_spec("Cython"):
            command.append("--no-build-isolation")
        environment = {
            **{key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
            "HALBZUG_COMPILED": "require",
            "HALBZUG_PURE": "",
            "HALBZUG_C_FOLDER": str(place.parent / "c"),
            _VARIABLE: "1" if is_variable else "",
        }
        result = subprocess.run(
            [*command, "--target", str(site), str(tree)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode:
            lines = [line for line in result.stderr.splitlines() if "error" in line.lower()]
            reason = (lines or ["no reason was given"])[-1].strip()
            raise InstallError(f"{commit[:_DIGITS]} cannot be installed: {reason}")
        with contextlib.suppress(OSError):  # another process was faster
            site.replace(place)


def _extract(commit: str, checkout: Path, tree: Path) -> None:
    archive = subprocess.run(
        ["git", "-C", str(checkout), "archive", "--format=tar", commit],
        capture_output=True,
        check=True,
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as file:
        if hasattr(tarfile, "data_filter"):
            file.extractall(tree, filter="data")
        else:
            file.extractall(tree)


def _take_over(folder: Path, tree: Path) -> None:
    """Start with the newest build's compiled modules, where the build looks for its own."""
    suffix = f"{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
    others = sorted(folder.glob("*/halbzug"), key=lambda path: path.stat().st_mtime)
    for other in others[-1:]:
        for compiled in other.rglob("_compiled"):
            target = tree / "build" / f"lib.{suffix}" / compiled.relative_to(other.parent)
            shutil.copytree(compiled, target, ignore=shutil.ignore_patterns("python_chess"))
