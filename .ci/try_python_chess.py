"""Builds Halbzug from another source of python-chess and tests both, to prepare for a release.

    python .ci/try_python_chess.py FOLDER

FOLDER is a checkout of python-chess, such as its git master. The script first tries every pass and
names each one that does not match. Then it compiles Halbzug in a virtual environment in a temporary
folder, runs python-chess's own tests on the compiled boards and our comparisons of the two builds,
and checks perft and the signature. The exit code is 0 only if all of this succeeds.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "uci_engine"), str(ROOT / "tests" / "native")]

from native import passes, python_chess_source, specialise  # noqa: E402
from native.rewriting import PassMismatch  # noqa: E402
from suite_runner import outcome  # noqa: E402

DEPTH = "5"
IGNORED = shutil.ignore_patterns("_compiled", "__pycache__", ".venv", "build", ".git", "*.egg-info")
OURS = ("tests/native/test_faithfulness.py", "tests/native/test_garbage.py",
        "tests/board/test_perft.py", "tests/board/test_movegen.py")  # fmt: skip


def mismatches(source: python_chess_source.Source) -> list[str]:
    """The messages of the passes that do not match; later passes continue with what is left."""
    found = []
    tree = ast.parse(source.text)
    for one_pass in passes.PASSES:
        try:
            one_pass.apply(tree, source.number)
        except PassMismatch as error:
            found.append(str(error))
    try:
        with source.imported() as chess:
            specialise.constants(source, chess)
    except PassMismatch as error:
        found.append(str(error))
    return found


def main(folder: Path) -> int:
    """Tries it; returns the number of failures."""
    source = python_chess_source.identify(
        folder / "chess", (folder / "chess" / "__init__.py").read_text("utf-8")
    )
    known = "known" if source.is_known else f"not known, taken for {source.known.name}"
    print(f"python-chess {source.version}: {known}", flush=True)
    wrong = mismatches(source)
    if wrong:
        print(*wrong, sep="\n")
        return len(wrong)
    print(f"all {len(passes.PASSES)} passes match", flush=True)
    with tempfile.TemporaryDirectory(prefix="halbzug-") as name:
        checkout = Path(name) / "checkout"
        shutil.copytree(ROOT, checkout, ignore=IGNORED)
        shared = ROOT.parent / "shared"  # test suites, which our tests use if they are present
        if shared.is_dir():
            (Path(name) / "shared").symlink_to(shared, target_is_directory=True)
        venv.create(Path(name) / "venv", with_pip=True)
        programs = Path(name) / "venv" / ("Scripts" if os.name == "nt" else "bin")
        python = str(programs / "python")
        install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        environment = {**os.environ, "HALBZUG_COMPILED": "require"}
        environment[python_chess_source.VARIABLE] = str(folder)
        for gone in ("PYTHONPATH", "HALBZUG_PURE"):
            environment.pop(gone, None)
        subprocess.run([*install, "-e", str(checkout)], env=environment, check=True)
        subprocess.run([*install, "--force-reinstall", "--no-deps", str(folder)], check=True)
        subprocess.run([*install, "pytest", "hypothesis", "setuptools"], check=True)
        bench = [str(programs / "halbzug"), "bench", "--depth", DEPTH, "--json"]
        counted = json.loads(subprocess.check_output(bench, text=True))
        pinned = json.loads((ROOT / "tests" / "signatures.json").read_text("utf-8"))[DEPTH]
        print(f"{counted['build']}, signature {counted['signature']}", flush=True)
        if (counted["build"], counted["signature"]) != ("compiled", pinned):
            wrong.append("signature")
        expected = outcome(python, folder, "pure", environment)
        for build in ("compiled", "public"):
            found = outcome(python, folder, build, environment)
            print(f"python-chess's own tests, {build}: {found}", flush=True)
            if found != expected:
                wrong.append(f"{build} boards: {found}; pure: {expected}")
        ours = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "", *OURS]
        if subprocess.run(ours, cwd=checkout, check=False).returncode:
            wrong.append("our own tests of the boards")
    print(*wrong, sep="\n")
    return len(wrong)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(1 if main(Path(sys.argv[1]).absolute()) else 0)
