"""Runs python-chess's test.py in this process: ``suite_runner.py pure|compiled|public``.

`outcome` runs it in a separate process.

For "compiled" the name ``chess`` first becomes that of the compiled module, so that the tests and
python-chess's other modules (pgn, variant, engine...) use compiled boards. For "public" they use
`halbzug.Board`.
"""

from __future__ import annotations

import importlib
import re
import runpy
import subprocess
import sys
import types
from collections.abc import Mapping
from pathlib import Path


def outcome(
    python: str, suite: Path, build: str, environment: Mapping[str, str] | None = None
) -> dict[str, int | set[str]]:
    """How many of the tests in a folder ran and were skipped, and which did not pass.

    :raises ValueError: with the end of the output, if none ran.
    """
    result = subprocess.run(
        [python, __file__, build],
        cwd=suite, env=environment, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    ran = re.search(r"^Ran (\d+) tests", result.stderr, re.MULTILINE)
    if not ran:
        raise ValueError(result.stderr[-2000:])
    skipped = re.search(r"skipped=(\d+)", result.stderr)
    return {
        "ran": int(ran[1]),
        "skipped": int(skipped[1]) if skipped else 0,
        "failed": set(re.findall(r"^(?:FAIL|ERROR): (\S+ \S+)", result.stderr, re.MULTILINE)),
    }


def main(build: str) -> None:
    """Run ``test.py`` of the current folder."""
    if build != "pure":
        pure = importlib.import_module("chess")
        compiled = importlib.import_module("halbzug.board.pychess")
        stand_in = types.ModuleType("chess")
        names = {name: value for name, value in vars(pure).items() if name != "__dict__"}
        stand_in.__dict__.update(names)
        if build == "compiled":
            boards = {name: getattr(compiled, name) for name in ("BaseBoard", "Board")}
        else:
            boards = {"Board": importlib.import_module("halbzug").Board}
        stand_in.__dict__.update(boards)
        for name in [name for name in sys.modules if name.startswith("chess.")]:
            del sys.modules[name]
        sys.modules["chess"] = stand_in
        assert importlib.import_module("chess.pgn").chess.Board is boards["Board"]
    sys.argv = ["test.py"]
    runpy.run_path("test.py", run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1])
