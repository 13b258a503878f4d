"""A process that searches for the laboratory, without the UCI front.

It is run as a script, with the interpreter and the package of the build that plays, which may be of
another commit than this file. So it imports only what the search has had for a long time.

Its arguments are the folder of the package (empty: where the interpreter finds it), the hash size
in MiB, and `NAME=VALUE` for each number of `search/parameters.py` to override; `EvalFile=PATH` sets
the option, whose default is the engine's.

It answers lines with lines:

    (at the start)              a JSON object: the build, and a digest of its source
    new                         ok; everything known from earlier games is forgotten
    go NODES FEN[;MOVE MOVE..]  MOVE SCORE NODES; the score in centipawns for the side to move
    clock NODES_PER_MS LEFT INCREMENT MOVES FEN[;MOVE MOVE..]
                                the same with a clock that counts nodes: the time left and the
                                increment, in milliseconds, and the moves to go (0: all)
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from halbzug.search.search import Search
    from halbzug.search.transposition import TranspositionTable


def main() -> int:
    """Answer until the input ends."""
    import contextlib
    import hashlib
    import importlib.util
    import json
    from pathlib import Path

    site, hash_mb, *settings = sys.argv[1:]
    sys.path[:1] = [site] if site else []  # in place of this file's folder
    base = "halbzug.base" if importlib.util.find_spec("halbzug.base") else "halbzug"  # before it
    loading = importlib.import_module(f"{base}.loading")
    with contextlib.suppress(AttributeError):
        loading.use_own_python_chess()
    parameters = importlib.import_module("halbzug.search.parameters")
    texts = dict(text.split("=", 1) for text in settings)
    eval_file = texts.pop("EvalFile", "")
    values = {name: float(value) for name, value in texts.items()}
    for name, value in values.items():
        if not isinstance(getattr(parameters, name, None), (int, float)):
            print(f"search/parameters.py has no number {name}", file=sys.stderr)
            return 1
        kind = type(getattr(parameters, name))
        if kind is int and value % 1:
            print(f"{name} is a whole number", file=sys.stderr)
            return 1
        setattr(parameters, name, kind(value))  # before the modules that read it are imported

    from halbzug.board.movegen import BUILD
    from halbzug.search.search import Search
    from halbzug.search.transposition import TranspositionTable

    # A module that imports a number has it as an attribute, even if it was compiled as a constant.
    for module in [one for name, one in sys.modules.items() if name.startswith("halbzug.search.")]:
        for name in values:
            if getattr(module, name, None) not in (None, getattr(parameters, name)):
                print(f"{name} is a constant of this build", file=sys.stderr)
                return 1

    digest = hashlib.sha256(str(sorted(values.items())).encode())
    for room in ("board", "eval", "search"):
        folders = importlib.import_module(f"halbzug.{room}").__path__
        for file in sorted(path for folder in folders for path in Path(folder).rglob("*.py")):
            if "_compiled" not in file.parts:
                digest.update(file.read_bytes())
    if importlib.util.find_spec("halbzug.eval.network_file"):
        network_file = importlib.import_module("halbzug.eval.network_file")
        weights = network_file.named(eval_file or network_file.DEFAULT_EVALUATION)
        network_file.choose(weights)
        digest.update(weights.pack() if weights else b"")
    print(json.dumps({"build": BUILD, "digest": digest.hexdigest()[:16]}), flush=True)

    make_limits = importlib.import_module(f"{base}.limits").Limits
    table = TranspositionTable(int(hash_mb))
    answer(Search(table), table, make_limits)
    return 0


def answer(search: Search, table: TranspositionTable, make_limits: Callable[..., Any]) -> None:
    """Answer lines of input until it ends.

    :param make_limits: the class of a search's limits.
    """
    from halbzug.board.movegen import new_board
    from halbzug.search.position import Position

    score = 0

    def note(event: object) -> None:
        nonlocal score
        score = getattr(event, "score", score)

    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "new":
            table.clear()
            search.tree.new_game()
            print("ok", flush=True)
            continue
        *numbers, place = rest.split(" ", 4 if word == "clock" else 1)
        fen, _, moves = place.partition(";")
        position = Position(new_board(fen, moves.split()))
        clock = None
        if word == "clock":
            nodes_per_ms, left, increment, to_go = map(int, numbers)
            limits = make_limits(left, left, increment, increment, to_go)
            clock = node_clock(search, limits, nodes_per_ms)
        else:
            limits = make_limits(nodes=int(numbers[0]))
        best = search.run(position, limits, clock, note)
        print(best.move, score, search.nodes, flush=True)


def node_clock(search: Search, limits: Any, nodes_per_ms: int) -> Any:
    """A clock for a move that counts the nodes of the search."""
    from halbzug.search.time_management import NodeClock, allot

    return NodeClock(allot(limits, True, 0), lambda: search.nodes, nodes_per_ms)


if __name__ == "__main__":
    sys.exit(main())
