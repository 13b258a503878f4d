"""The tuned numbers of the search, each once. The build makes C constants of the integers.

Scores and margins are in centipawns, depths and reductions in plies, if nothing else is said. The
numbers in brackets are the steps of `Tree.search`, where each technique is explained. Elo is what
the technique is worth alone: the engine against itself without it, at 8,000 nodes a move. LEDGER.md
has the games, the intervals (some 50 Elo wide on either side), and the values that were tried and
not kept.
"""

from __future__ import annotations

# -- the root -----------------------------------------------------------------------------------

# Aspiration windows: +127 Elo. A half-width of 15 doubled; of 8, +3 +/- 36 against it.
ASPIRATION_DEPTH = 4  # from this depth on
ASPIRATION_WINDOW = 15  # the first half-width

# Searches for a short mate, in won positions: +0 Elo, and mates in four that were missed.
WON_SCORE = 600  # beyond it the search looks for mates, not for a little more
FIRST_MATE_SEARCH = 4096  # nodes before the first of these searches
MATE_SEARCH_GROWTH = 2  # the next one, when the nodes have become this many times as many
MATE_SEARCH_SHARE = 4  # each may take one node for this many of the search

# `go mate` gives up an iteration after this many times the nodes so far, and these.
MATE_ITERATION_SHARE = 3
MIN_MATE_ITERATION = 10_000

# -- whole nodes cut off ------------------------------------------------------------------------

# Reverse futility (8): +134 Elo.
REVERSE_FUTILITY_DEPTH = 8  # up to this depth
REVERSE_FUTILITY_MARGIN = 75  # a ply

# Razoring (9): +6 Elo.
RAZORING_DEPTH = 3  # up to this depth
RAZORING_MARGIN = 220  # a ply

# Null move (10): -9 Elo at 8,000 nodes a move, which is too shallow to say much of it.
NULL_MOVE_DEPTH = 3  # from this depth on
NULL_MOVE_REDUCTION = 4
NULL_MOVE_DEPTH_DIVISOR = 4  # a ply more for this many of depth
NULL_MOVE_SCORE_DIVISOR = 256  # and for this many centipawns above beta,
NULL_MOVE_MAX_SURPLUS = 3  # but no more than this for those
NULL_MOVE_VERIFIED_DEPTH = 12  # confirmed by a search of the moves from here on: +10 +/- 15

# ProbCut (11): +6 Elo, +11 +/- 26 in 500 games.
PROBCUT_DEPTH = 5  # from this depth on
PROBCUT_MARGIN = 170
PROBCUT_REDUCTION = 4

# Internal iterative reduction (12): -14 Elo at 8,000 nodes a move.
INTERNAL_REDUCTION_DEPTH = 4  # from this depth on

# -- moves left out -----------------------------------------------------------------------------

# Late move pruning (14): +134 Elo.
LATE_MOVE_DEPTH = 8  # up to this depth
LATE_MOVE_BASE = 3  # moves, and depth squared; half of it if the evaluation is not improving

# History pruning (15): -9 Elo at 8,000 nodes a move.
HISTORY_PRUNING_DEPTH = 5  # up to this depth
HISTORY_PRUNING_MARGIN = -4500  # of history, a ply

# Futility (16): +14 Elo.
FUTILITY_DEPTH = 7  # up to this depth
FUTILITY_BASE = 90
FUTILITY_MARGIN = 85  # a ply

# Pruning by static exchange evaluation (17): +127 Elo.
SEE_DEPTH = 7  # up to this depth
SEE_QUIET_MARGIN = -45  # a ply
SEE_NOISY_MARGIN = -95  # a ply

# Delta pruning in quiescence: -45 Elo at 8,000 nodes a move; a margin of 250 is -33 +/- 36.
DELTA_MARGIN = 140

# -- extensions and reductions ------------------------------------------------------------------

# Singular extension (18): +30 Elo.
SINGULAR_DEPTH = 7  # from this depth on
SINGULAR_TT_DEPTH = 3  # the table's entry may be less deep by this much
SINGULAR_MARGIN = 2  # a ply
SINGULAR_DOUBLE_MARGIN = 20  # more, for a second ply

# Late move reductions (19): +24 Elo. BASE + ln(depth) ln(number of the move) / DIVISOR.
REDUCTION_DEPTH = 3  # from this depth on
REDUCTION_MOVES = 3  # after this many moves
REDUCTION_BASE = 0.4
REDUCTION_DIVISOR = 2.2
REDUCTION_HISTORY_BITS = 13  # a ply less for 1 << this of history

# How deep to search a reduced move again (20): +21 Elo, +27 +/- 29 in 400 games.
DEEPER_MARGIN = 40  # above the best score so far, for a ply more,
DEEPER_MARGIN_PER_PLY = 2  # and this for every ply of depth
SHALLOWER_MARGIN = 8  # above the best score so far; below it a ply less

# -- history (22) -------------------------------------------------------------------------------

# Bonus and malus: QUADRATIC depth^2 + LINEAR depth, from MAX_DEPTH on the maximum. +25 +/- 35 Elo
# with 160 instead of 32.
HISTORY_BONUS_QUADRATIC = 16
HISTORY_BONUS_LINEAR = 160
HISTORY_BONUS_MAX_DEPTH = 7
HISTORY_BONUS_MAX = 1800

# Captures are ordered by this many times the victim's centipawns, and capture history: -3 Elo, +27
# +/- 29 in 400 games.
VICTIM_WEIGHT = 16

# -- correction history (24): +45 Elo -----------------------------------------------------------

CORRECTION_GRAIN = 24  # parts of a centipawn that an entry counts
CORRECTION_LIMIT = 1024  # no entry is larger, in these parts
CORRECTION_BONUS_DIVISOR = 8  # of the error times the depth
CORRECTION_BONUS_MAX = 256
