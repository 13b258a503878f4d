"""Which techniques a search uses: each can be switched off, to see what it is worth.

`Settings` is where a switch is defined, and the search reads it: `settings.razoring`. The build
declares the fields as C flags. The numbers are those of the steps in `Tree.search`, where each
technique is explained.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from ..board.movegen import Flag, Number

#: The orders of a picker: the engine's, in stages; as python-chess generates the moves; the one of
#: the textbooks; that with the transposition table's move and the killers before it; and that of a
#: user's function, with the transposition table's move before it.
ENGINE_ORDER, NO_ORDER, TEXTBOOK_ORDER, KILLER_ORDER, CUSTOM_ORDER = range(5)


@dataclass(frozen=True)
class Settings:
    """The switches of a search, as the engine plays by default, in three groups."""

    # The first group: without these it is still alpha-beta, or minimax, and finds the same value.
    #: Leave out what cannot change the value; without it every move of every node is searched.
    alpha_beta: Flag = True
    #: Search later moves with a null window first (20); without it each gets the whole window.
    principal_variation_search: Flag = True
    #: Without it only the wanted depth is searched.
    iterative_deepening: Flag = True
    #: In which order moves are tried.
    order: Number = ENGINE_ORDER
    transposition_table: Flag = True  # 5
    #: Without it the table only says which move to try first.
    tt_cutoffs: Flag = True
    #: Accept a table score of exactly the wanted depth only (a deeper one is better, not equal).
    exact_tt_depth: Flag = False
    capture_history: Flag = True  # 22
    four_ply_continuation: Flag = True  # 22
    # What the value of a leaf is.
    quiescence: Flag = True  # 2
    network: Flag = True  # 7
    piece_correction: Flag = True  # 24, a part of the correction history

    # The second group, from `_FIRST_SELECTIVE` on: these can change the value of minimax.
    aspiration: Flag = True
    mate_distance_pruning: Flag = True  # 4
    #: In a won position look for a short mate now and then, leaving nothing out.
    mate_search: Flag = True
    check_extension: Flag = True  # 1
    singular_extension: Flag = True  # 18
    #: Quiet moves that give check directly, on quiescence's first ply.
    quiescence_checks: Flag = True
    #: The static evaluation, mended by experience (7, 24).
    correction_history: Flag = True
    tt_evaluation: Flag = True  # 7
    #: Checks are left out only for the material they lose, and not reduced at the root.
    check_exemption: Flag = True
    # Of late move reductions (19), and of what follows them (20).
    cut_nodes: Flag = True
    noisy_reductions: Flag = True
    noisy_tt_move: Flag = True
    deeper_research: Flag = True

    # The third group, from `_FIRST_PRUNING` on: these leave moves out or look less deep at them.
    # Whole nodes cut off.
    reverse_futility: Flag = True  # 8
    razoring: Flag = True  # 9
    null_move: Flag = True  # 10
    probcut: Flag = True  # 11
    internal_iterative_reduction: Flag = True  # 12
    # Moves left out.
    late_move_pruning: Flag = True  # 14
    history_pruning: Flag = True  # 15
    futility: Flag = True  # 16
    see_pruning: Flag = True  # 17, and of losing captures in quiescence and ProbCut
    #: In quiescence; also of all quiet evasions but one.
    delta_pruning: Flag = True
    # Moves searched less deep.
    late_move_reductions: Flag = True  # 19
    root_reductions: Flag = True


_FIRST_SELECTIVE, _FIRST_PRUNING = "aspiration", "reverse_futility"


def _off_from(first: str) -> dict[str, bool]:
    """The switch `first`, and all that are defined after it, off."""
    names = [field.name for field in fields(Settings)]
    return dict.fromkeys(names[names.index(first) :], False)


#: Nothing selective: the value of a search is the value of minimax at the same depth.
PLAIN = Settings(exact_tt_depth=True, **_off_from(_FIRST_SELECTIVE))

#: What a search for a mate goes without: a proof must not leave out what looks unlikely, nor look
#: less deep at it.
NO_PRUNING = _off_from(_FIRST_PRUNING)
