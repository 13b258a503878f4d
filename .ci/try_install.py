"""Installs Halbzug from this checkout, compiled, with the Python that runs this, and plays with it.

    python3.14 .ci/try_install.py [PYTHON_CHESS]

It uses a virtual environment in a temporary folder. PYTHON_CHESS, as pip takes it, is installed in
place of the usual python-chess after the build. The last line is a row of the table of
`LEDGER.md`; the exit code is 0 only if all went well and nothing was written to standard
error.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
NEEDED = ("uci_engine", "setup.py", "pyproject.toml", "README.md", "LICENSE")
DEPTH = "5"

PROGRAM = """
import chess, halbzug
from halbzug.board import movegen

board = chess.Board()
assert halbzug.play(board, depth=6).move in board.legal_moves
print(movegen.BUILD)
"""


def run(*command: str) -> str:
    """Runs a command; returns what it prints to standard output."""
    shown = " ".join(Path(word).name if os.sep in word else word for word in command)
    print(f"== {shown.strip().splitlines()[0]}", flush=True)
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    print(result.stdout, end="", flush=True)
    if result.returncode or result.stderr:
        sys.exit(f"{result.stderr}exit code {result.returncode}")
    return result.stdout


def main() -> None:
    """Tries everything in turn."""
    os.environ["HALBZUG_COMPILED"] = "require"
    for name in ("PYTHONPATH", "HALBZUG_PURE"):
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory(prefix="halbzug-") as name:
        folder = Path(name)
        ignored = shutil.ignore_patterns("_compiled", "__pycache__")
        for source in NEEDED:
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, folder / "checkout" / source, ignore=ignored)
            else:
                shutil.copy(ROOT / source, folder / "checkout")
        venv.create(folder / "venv", with_pip=True)
        programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        python, halbzug = str(programs / "python"), str(programs / "halbzug")
        os.chdir(folder)  # away from the checkout around this file
        install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        started = time.monotonic()
        subprocess.run([*install, "./checkout"], check=True)
        seconds = time.monotonic() - started
        for other in sys.argv[1:]:
            subprocess.run([*install, "--force-reinstall", other], check=True)
        run(halbzug, "--version")
        run(halbzug, "doctor")
        bench = json.loads(run(halbzug, "bench", "--depth", DEPTH, "--json"))
        run(python, str(ROOT / ".ci" / "smoke_play.py"), halbzug)
        program = run(python, "-c", PROGRAM).split()
        run(python, str(ROOT / "tests" / "long" / "board_threads.py"))
    pinned = json.loads((ROOT / "tests" / "signatures.json").read_text("utf-8"))[DEPTH]
    expected = "pure" if sys.argv[1:] else "compiled"  # a program with another python-chess
    if (bench["build"], program[0]) != ("compiled", expected):
        sys.exit(f"not compiled: the engine {bench['build']}, in a program {program[0]}")
    if bench["signature"] != pinned:
        sys.exit(f"the signature is {bench['signature']}, not {pinned}")
    free = ", free-threaded" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    print(
        f"| {platform.python_implementation()} {platform.python_version()}{free} "
        f"| {platform.machine()} | {seconds:.0f} s | {bench['signature']} | {bench['nps']:,} |"
    )


if __name__ == "__main__":
    main()
