"""The tuned numbers of the search. The build turns the integers into C constants.

Unless stated otherwise, scores and margins are in centipawns, depths and reductions in plies.
Numbers in brackets are the steps of `Tree.search`, where each technique is explained. Elo is what a
technique is worth alone: the engine against itself without it, at 8,000 nodes a move. LEDGER.md has
the games, the intervals (some 50 Elo wide on either side), and the values that were tried and
rejected.
"""

from __future__ import annotations

# -- the root -----------------------------------------------------------------------------------

# Aspiration windows: +127 Elo. A half-width of 15 doubled; 8 instead of 15: +3 +/- 36.
ASPIRATION_DEPTH = 4  # from this depth on
ASPIRATION_WINDOW = 15  # the first half-width

# Mate searches in won positions: +0 Elo, but they find mates in four that were missed.
WON_SCORE = 600  # beyond it, the search looks for mates
FIRST_MATE_SEARCH = 4096  # nodes before the first such search
MATE_SEARCH_GROWTH = 2  # the nodes grow by this factor before the next one
MATE_SEARCH_SHARE = 4  # each may use 1 / this of the nodes searched so far

# `go mate` gives up an iteration after this multiple of the nodes so far, plus this number.
MATE_ITERATION_SHARE = 3
MIN_MATE_ITERATION = 10_000

# -- whole nodes cut off ------------------------------------------------------------------------

# Reverse futility (8): +134 Elo.
REVERSE_FUTILITY_DEPTH = 8  # up to this depth
REVERSE_FUTILITY_MARGIN = 75  # per ply

# Razoring (9): +6 Elo.
RAZORING_DEPTH = 3  # up to this depth
RAZORING_MARGIN = 220  # per ply

# Null move (10): -9 Elo at 8,000 nodes a move, which is too shallow to measure it.
NULL_MOVE_DEPTH = 3  # from this depth on
NULL_MOVE_REDUCTION = 4
NULL_MOVE_DEPTH_DIVISOR = 4  # one more ply per this many plies of depth,
NULL_MOVE_SCORE_DIVISOR = 256  # and per this many centipawns above beta,
NULL_MOVE_MAX_SURPLUS = 3  # but at most this many plies for the latter
NULL_MOVE_MARGIN = 50  # the static evaluation must be above beta by at least this,
NULL_MOVE_MARGIN_PER_PLY = 6  # less this for every ply of depth
NULL_MOVE_VERIFIED_DEPTH = 12  # verified by a reduced search from this depth on: +10 +/- 15

# ProbCut (11): +6 Elo, +11 +/- 26 in 500 games.
PROBCUT_DEPTH = 5  # from this depth on
PROBCUT_MARGIN = 170
PROBCUT_REDUCTION = 4

# Internal iterative reduction (12): -14 Elo at 8,000 nodes a move.
INTERNAL_REDUCTION_DEPTH = 4  # from this depth on

# -- moves left out -----------------------------------------------------------------------------

# Late move pruning (14): +134 Elo.
LATE_MOVE_DEPTH = 8  # up to this depth
LATE_MOVE_BASE = 4  # moves, plus depth squared; halved if the evaluation is not improving

# History pruning (15): -9 Elo at 8,000 nodes a move.
HISTORY_PRUNING_DEPTH = 5  # up to this depth
HISTORY_PRUNING_MARGIN = -4500  # of history, per ply

# Futility (16): +14 Elo.
FUTILITY_DEPTH = 7  # up to this depth
FUTILITY_BASE = 90
FUTILITY_MARGIN = 85  # per ply
# Captures have the same base and margin, and gain the victim and a share of their history.
NOISY_FUTILITY_DEPTH = 7  # up to this depth
NOISY_HISTORY_BITS = 7  # one centipawn per 1 << this of capture history

# Pruning by static exchange evaluation (17): +127 Elo.
SEE_DEPTH = 7  # up to this depth
SEE_QUIET_MARGIN = -45  # per ply
SEE_NOISY_MARGIN = -95  # per ply

# Quiescence (2) searches only so many moves that neither capture on the square of the last move
# nor promote nor give check.
QUIESCENCE_MOVES = 2

# Delta pruning in quiescence: -45 Elo at 8,000 nodes a move; a margin of 250 is -33 +/- 36.
DELTA_MARGIN = 140

# -- extensions and reductions ------------------------------------------------------------------

# Singular extension (18): +30 Elo.
SINGULAR_DEPTH = 7  # from this depth on
SINGULAR_TT_DEPTH = 3  # how much shallower the table entry may be
SINGULAR_MARGIN = 2  # per ply
SINGULAR_DOUBLE_MARGIN = 20  # further below, for a second ply

# Late move reductions (19): +24 Elo. BASE + ln(depth) ln(move number) / DIVISOR.
REDUCTION_DEPTH = 2  # from this depth on
REDUCTION_MOVES = 1  # after this many moves, and one more on the principal variation
REDUCTION_BASE = 0.4
REDUCTION_DIVISOR = 2.2
REDUCTION_HISTORY_BITS = 13  # one ply less per 1 << this of history

# The depth of the re-search of a reduced move (20): +21 Elo, +27 +/- 29 in 400 games.
DEEPER_MARGIN = 25  # above the best score so far: a ply deeper,
DEEPER_MARGIN_PER_PLY = 2  # plus this for every ply of depth
SHALLOWER_MARGIN = 8  # above the best score so far; below it, a ply shallower

# -- history (22) -------------------------------------------------------------------------------

# Bonus and malus: QUADRATIC depth^2 + LINEAR depth, limited from MAX_DEPTH on. +25 +/- 35 Elo with
# 160 instead of 32.
HISTORY_BONUS_QUADRATIC = 16
HISTORY_BONUS_LINEAR = 240
HISTORY_BONUS_MAX_DEPTH = 6
HISTORY_BONUS_MAX = 1800

# Captures are ordered by this multiple of the victim's centipawns plus capture history: -3 Elo, +27
# +/- 29 in 400 games.
VICTIM_WEIGHT = 16

# Quiet moves out of a threat by a less valuable piece are rated higher by this much history, moves
# into one lower, and direct checks higher.
THREATENED_QUEEN = 16_000
THREATENED_ROOK = 9000
THREATENED_MINOR = 5500
CHECK_BONUS = 5500

# -- correction history (24): +45 Elo -----------------------------------------------------------

CORRECTION_GRAIN = 24  # units of an entry per centipawn
CORRECTION_LIMIT = 1024  # limit of an entry, in these units
CORRECTION_BONUS_DIVISOR = 8  # divides the error times the depth
CORRECTION_BONUS_MAX = 256

# -- time management ----------------------------------------------------------------------------

# The number of moves that a sudden-death game is expected to last, from any point on.
EXPECTED_MOVES = 35

# The average time of a move, in optimum times, because an iteration that has begun is usually
# finished. Remaining moves are planned with this factor.
OVERRUN = 1.4

# Share of the increment to spend on each move, and the largest share of the clock for it: late in
# a long game there is little besides increments, and some must be kept for stalls and for moves
# that need more time.
INCREMENT_SHARE = 0.75
MAX_INCREMENT_SHARE = 0.15

MAXIMUM_RATIO = 4.0  # the maximum time, in optimum times
MAX_CLOCK_SHARE = 0.6  # of the clock for a move, unless it is the last of its period

# Factors of the optimum time after each iteration: the fewer iterations the best move has stayed
# the same, the smaller its share of the nodes, and the more its score has dropped, the larger.
MIN_ITERATIONS = 6  # fewer do not show how settled the move is
SETTLED_BASE = 1.4  # without any such iteration,
SETTLED_PER_ITERATION = 0.07  # less this for each
EFFORT_BASE = 1.9  # without any nodes,
EFFORT_SHARE = 1.2  # less this with all of them
WORRYING_DROP = 100.0  # centipawns that double the time,
MIN_WORRY = 0.85  # but at least this factor
MAX_WORRY = 1.6  # and at most this one
