"""Runs Monte Carlo tree searches of a position, and has alpha-beta judge the moves they choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import chess

from ..base.scores import MATE, is_mate
from ..display.progress import Report, progress_shown
from ..teaching.tree_growth import MODULES, Growth, Method, grow, load_engine
from . import ablation
from .monte_carlo_texts import text

#: Instructive positions by name; `html/monte-carlo-texts.json` describes them.
POSITIONS = {
    "trap": "K1k5/8/5Rr1/2r2P2/8/8/8/8 w - - 0 1",
    "promotion": "5K1k/8/6P1/8/1r1P4/P6q/8/8 w - - 0 1",
    "legal": "rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P1b1/2N5/PPPP1PPP/R1BQK2R b KQkq - 0 5",
}

#: More simulations would make the page slow to load.
MAX_SIMULATIONS = 10_000

#: A move this much worse than the best one is a mistake, in centipawns.
MISTAKE = 200

_QUIESCENCE = next(one for one in ablation.TECHNIQUES if one.name == "+ quiescence")
_NODE_LIMIT = 2_000_000


@dataclass(frozen=True)
class AlphaBetaVerdict:
    """Alpha-beta's opinion of the position, and of the moves that the other searches chose.

    :ivar value: of its own move; all values here are in centipawns from the side to move.
    :ivar judged: the values of other moves, by UCI move.
    """

    depth: int
    move: str
    value: int
    nodes: int
    judged: Mapping[str, int]

    def is_mistake(self, move: str) -> bool:
        """Whether alpha-beta considers the move a mistake."""
        return self.judged[move] <= self.value - MISTAKE


def ask_alpha_beta(board: chess.Board, depth: int, moves: set[str]) -> AlphaBetaVerdict:
    """Search a position with alpha-beta and quiescence search, without pruning.

    :param depth: plies, at least 2.
    :param moves: the moves to judge, in UCI notation.
    """
    found = ablation.run(_QUIESCENCE, board, depth, _NODE_LIMIT)
    judged = {found.move: found.value}
    for move in sorted(moves - {found.move}):
        after = board.copy(stack=False)
        after.push_uci(move)
        if any(after.legal_moves):
            value = -ablation.run(_QUIESCENCE, after, depth - 1, _NODE_LIMIT).value
            # From here, a mate is one ply further away.
            judged[move] = value - (1 if value > 0 else -1) * is_mate(value)
        else:
            judged[move] = MATE - 1 if after.is_check() else 0
    return AlphaBetaVerdict(depth, found.move, found.value, found.nodes, judged)


class MonteCarloSearches:
    """Three Monte Carlo tree searches of one position, and alpha-beta's opinion of them.

    :param board: the position.
    :param name: its name in `POSITIONS`; empty for other positions.
    :param simulations: of each search, from 2 to `MAX_SIMULATIONS`.
    :param depth: of alpha-beta, in plies, at least 2.
    :param seed: for the playouts.
    :ivar growths: the recorded searches, by name.
    :ivar verdict: alpha-beta's.
    :raises ImportError: if numpy is missing.
    """

    def __init__(
        self,
        board: chess.Board,
        name: str = "",
        *,
        simulations: int,
        depth: int,
        seed: int,
        progress: bool | Report | None = None,
    ) -> None:
        self.board, self.name, self.seed = board, name, seed
        self.simulations = simulations
        self.growths: dict[Method, Growth] = {}
        for method in MODULES:
            load_engine(method)  # fails before any search has worked in vain
        total = len(MODULES) * simulations
        with progress_shown(progress, text("title"), total) as tell:
            for place, method in enumerate(MODULES):

                def told(number: int, before: int = place * simulations) -> None:
                    tell(before + number, total)

                self.growths[method] = grow(method, board, simulations, seed, told)
        leaders = {one.leader for growth in self.growths.values() for one in growth.simulations}
        self.verdict = ask_alpha_beta(board, depth, leaders - {""})

    def san(self, move: str) -> str:
        """The SAN of a move in the position; a dash if there is none yet."""
        return self.board.san(chess.Move.from_uci(move)) if move else "-"
