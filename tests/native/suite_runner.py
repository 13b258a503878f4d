"""Runs python-chess's test.py in this process: ``suite_runner.py pure|compiled|public``.

For "compiled" the name ``chess`` is given to the names of the compiled module first, so that the
tests and python-chess's other modules (pgn, variant, engine...) work on compiled boards. For
"public" they work on `halbzug.Board`.
"""

from __future__ import annotations

import importlib
import runpy
import sys
import types


def main(build: str) -> None:
    """Runs ``test.py`` of the current folder."""
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
