"""Halbzug's search with Stockfish's network, answering like `halbzug.tuning.player`.

Its arguments are the network file, an empty argument, and the hash size in MiB.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from ..base.limits import Limits
from ..board.movegen import BUILD, Board, new_board
from ..search.custom import CustomEvaluation
from ..search.search import Search
from ..search.transposition import TranspositionTable
from .packing import record_of
from .player import answer
from .stockfish_network import StockfishNetwork


def main() -> int:
    """Answer until the input ends."""
    path, _, hash_mb = sys.argv[1:]
    network = StockfishNetwork(Path(path).read_bytes())

    def evaluate(board: Board) -> int:
        (score,) = network.scores(record_of(board))
        return score if board.turn else -score

    table = TranspositionTable(int(hash_mb))
    search = Search(table)
    search.tree.set_custom(CustomEvaluation(evaluate, new_board()), None)
    print(json.dumps({"build": BUILD, "digest": ""}), flush=True)
    answer(search, table, Limits)
    return 0


if __name__ == "__main__":
    sys.exit(main())
