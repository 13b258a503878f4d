"""Which techniques a search uses: each can be switched off, to see what it is worth.

The numbers are those of the steps in `Search._search`, where each technique is explained.
"""

from __future__ import annotations

from dataclasses import dataclass

from halbzug.search.textbook_orders import ENGINE_ORDER


@dataclass(frozen=True)
class Settings:
    """The switches of a search, as the engine plays by default."""

    # The frame: without these it is still alpha-beta, or minimax, and finds the same value.
    #: Leave out what cannot change the value; without it every move of every node is searched.
    alpha_beta: bool = True
    #: Search later moves with a null window first (20); without it each gets the whole window.
    principal_variation_search: bool = True
    #: Without it only the wanted depth is searched.
    iterative_deepening: bool = True
    aspiration: bool = True
    #: In which order moves are tried: one of those of `halbzug.search.textbook_orders`.
    order: int = ENGINE_ORDER
    mate_distance_pruning: bool = True  # 4

    # The transposition table (5).
    transposition_table: bool = True
    #: Without it the table only says which move to try first.
    tt_cutoffs: bool = True
    #: Accept a table score of exactly the wanted depth only (a deeper one is better, not equal).
    exact_tt_depth: bool = False

    #: In a won position look for a short mate now and then, leaving nothing out.
    mate_search: bool = True

    # The horizon.
    quiescence: bool = True  # 2
    #: Quiet moves that give check directly, on quiescence's first ply.
    quiescence_checks: bool = True
    #: Also of all quiet evasions but one.
    delta_pruning: bool = True
    check_extension: bool = True  # 1
    singular_extension: bool = True  # 18

    # The static evaluation, corrected by the network, and mended by experience (7, 24).
    network: bool = True
    correction_history: bool = True
    piece_correction: bool = True
    tt_evaluation: bool = True

    # Whole nodes cut off.
    reverse_futility: bool = True  # 8
    razoring: bool = True  # 9
    null_move: bool = True  # 10
    probcut: bool = True  # 11
    internal_iterative_reduction: bool = True  # 12

    # Moves left out.
    late_move_pruning: bool = True  # 14
    history_pruning: bool = True  # 15
    futility: bool = True  # 16
    see_pruning: bool = True  # 17, and of losing captures in quiescence and ProbCut
    #: Checks are left out only for the material they lose, and not reduced at the root.
    check_exemption: bool = True

    # Moves searched less deep (19).
    late_move_reductions: bool = True
    root_reductions: bool = True
    cut_nodes: bool = True
    noisy_reductions: bool = True
    noisy_tt_move: bool = True
    deeper_research: bool = True  # 20

    # What is remembered of moves (22).
    capture_history: bool = True
    four_ply_continuation: bool = True


#: Nothing selective: the value of a search is the value of minimax at the same depth.
PLAIN = Settings(
    exact_tt_depth=True,
    mate_search=False,
    aspiration=False,
    mate_distance_pruning=False,
    check_extension=False,
    reverse_futility=False,
    razoring=False,
    null_move=False,
    internal_iterative_reduction=False,
    late_move_pruning=False,
    futility=False,
    see_pruning=False,
    late_move_reductions=False,
    singular_extension=False,
    correction_history=False,
    probcut=False,
    history_pruning=False,
    delta_pruning=False,
    quiescence_checks=False,
    tt_evaluation=False,
    root_reductions=False,
    cut_nodes=False,
    noisy_reductions=False,
    deeper_research=False,
    noisy_tt_move=False,
)

#: What a search for a mate goes without: a proof must not leave out what looks unlikely, nor look
#: less deep at it.
NO_PRUNING = {
    "reverse_futility": False,
    "razoring": False,
    "null_move": False,
    "internal_iterative_reduction": False,
    "late_move_reductions": False,
    "root_reductions": False,
    "late_move_pruning": False,
    "futility": False,
    "see_pruning": False,
    "probcut": False,
    "history_pruning": False,
    "delta_pruning": False,
}
