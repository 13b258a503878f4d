"""The techniques of a search: each can be switched off to see what it is worth.

Each switch is defined in `Settings` and read by the search as, for instance, `settings.razoring`.
The build declares the fields as C flags. Numbers are the steps of `Tree.search`, where each
technique is explained.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from ..board.movegen import Flag, Number

#: The orders of a picker: the engine's, in stages; python-chess's generation order; the textbook
#: order; the textbook order after the transposition table's move and the killers; and a user's
#: function after the transposition table's move.
ENGINE_ORDER, NO_ORDER, TEXTBOOK_ORDER, KILLER_ORDER, CUSTOM_ORDER = range(5)


@dataclass(frozen=True)
class Settings:
    """The switches of a search, with the engine's defaults, in three groups."""

    # The first group does not change the value: without these, it is still alpha-beta, or minimax.
    # Cut off what cannot change the value; otherwise every move of every node is searched.
    alpha_beta: Flag = True
    #: Search later moves with a null window first (20); otherwise each gets the whole window.
    principal_variation_search: Flag = True
    #: If off, only the requested depth is searched.
    iterative_deepening: Flag = True
    #: The order in which moves are tried.
    order: Number = ENGINE_ORDER
    transposition_table: Flag = True  # 5
    #: If off, the table only says which move to try first.
    tt_cutoffs: Flag = True
    #: Accept table scores of exactly the requested depth only (deeper ones are better, not equal).
    exact_tt_depth: Flag = False
    capture_history: Flag = True  # 22
    four_ply_continuation: Flag = True  # 22
    # How a leaf is evaluated.
    quiescence: Flag = True  # 2
    piece_correction: Flag = True  # 24, a part of the correction history

    # The second group, from `_FIRST_SELECTIVE` on: these can change the minimax value.
    aspiration: Flag = True
    mate_distance_pruning: Flag = True  # 4
    #: In a won position, occasionally search for a short mate without pruning.
    mate_search: Flag = True
    check_extension: Flag = True  # 1
    singular_extension: Flag = True  # 18
    #: Quiet moves that give direct check, at quiescence's first ply.
    quiescence_checks: Flag = True
    #: Correct the static evaluation by experience (7, 24).
    correction_history: Flag = True
    tt_evaluation: Flag = True  # 7
    #: Prune checks only for the material they lose, and do not reduce them at the root.
    check_exemption: Flag = True
    # Of late move reductions (19), and the searches after them (20).
    cut_nodes: Flag = True
    noisy_reductions: Flag = True
    noisy_tt_move: Flag = True
    deeper_research: Flag = True

    # The third group, from `_FIRST_PRUNING` on: these prune moves or reduce their depth. Whole
    # nodes cut off.
    reverse_futility: Flag = True  # 8
    razoring: Flag = True  # 9
    null_move: Flag = True  # 10
    probcut: Flag = True  # 11
    internal_iterative_reduction: Flag = True  # 12
    # Moves pruned.
    late_move_pruning: Flag = True  # 14
    history_pruning: Flag = True  # 15
    futility: Flag = True  # 16
    see_pruning: Flag = True  # 17, and of losing captures in quiescence and ProbCut
    #: In quiescence; also prunes all quiet evasions but one.
    delta_pruning: Flag = True
    # Moves reduced.
    late_move_reductions: Flag = True  # 19
    root_reductions: Flag = True


_FIRST_SELECTIVE, _FIRST_PRUNING = "aspiration", "reverse_futility"


def _off_from(first: str) -> dict[str, bool]:
    """Switch off the setting `first`, and all that are defined after it."""
    names = [field.name for field in fields(Settings)]
    return dict.fromkeys(names[names.index(first) :], False)


#: Nothing selective: the value of a search is the minimax value at the same depth.
PLAIN = Settings(exact_tt_depth=True, **_off_from(_FIRST_SELECTIVE))

#: Off in a mate search: a proof must neither prune nor reduce unlikely moves.
NO_PRUNING = _off_from(_FIRST_PRUNING)
