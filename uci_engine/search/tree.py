"""The tree: principal variation search and quiescence.

`Tree.search` is independent of processes and protocols. With a fixed depth or node limit it is
deterministic: the same position and table contents give the same tree, in the pure and the compiled
build. The techniques are numbered where they occur; each can be switched off (`settings.py`), and
with all of them off, the value is that of plain minimax. Without `alpha_beta` it is minimax itself,
node by node.

Reference for all of them: https://www.chessprogramming.org/Search
"""

from __future__ import annotations

import math
from array import array

from ..base.limits import Limits
from ..base.scores import (
    EXACT_BOUND,
    INFINITE,
    LOWER_BOUND,
    MATE,
    MAX_PLY,
    TB_BOUND,
    UPPER_BOUND,
)
from ..board.constants import FIFTY_MOVES
from ..board.movegen import (
    Bitboard,
    Depth,
    Flag,
    Key,
    MoveCode,
    Number,
    PieceType,
    Ply,
    Score,
    Square,
    is_noisy,
    lsb,
    new_board,
    piece_on,
    pieces_of,
    popcount,
    promotion,
    to_square,
)
from ..eval.evaluation import Evaluator
from ..eval.technique import technique
from ..tablebase.probing import Tablebase
from ..tablebase.wdl import wdl_score
from .correction import CorrectionHistory
from .custom import CustomEvaluation, CustomOrder
from .history import History
from .move_picker import MovePicker
from .parameters import (
    DEEPER_MARGIN,
    DEEPER_MARGIN_PER_PLY,
    DELTA_MARGIN,
    FUTILITY_BASE,
    FUTILITY_DEPTH,
    FUTILITY_MARGIN,
    HISTORY_PRUNING_DEPTH,
    HISTORY_PRUNING_MARGIN,
    INTERNAL_REDUCTION_DEPTH,
    LATE_MOVE_BASE,
    LATE_MOVE_DEPTH,
    NOISY_FUTILITY_DEPTH,
    NOISY_HISTORY_BITS,
    NULL_MOVE_DEPTH,
    NULL_MOVE_DEPTH_DIVISOR,
    NULL_MOVE_MARGIN,
    NULL_MOVE_MARGIN_PER_PLY,
    NULL_MOVE_MAX_SURPLUS,
    NULL_MOVE_REDUCTION,
    NULL_MOVE_SCORE_DIVISOR,
    NULL_MOVE_VERIFIED_DEPTH,
    PROBCUT_DEPTH,
    PROBCUT_MARGIN,
    PROBCUT_REDUCTION,
    QUIESCENCE_MOVES,
    RAZORING_DEPTH,
    RAZORING_MARGIN,
    REDUCTION_BASE,
    REDUCTION_DEPTH,
    REDUCTION_DIVISOR,
    REDUCTION_HISTORY_BITS,
    REDUCTION_MOVES,
    REVERSE_FUTILITY_DEPTH,
    REVERSE_FUTILITY_MARGIN,
    SEE_DEPTH,
    SEE_NOISY_MARGIN,
    SEE_QUIET_MARGIN,
    SHALLOWER_MARGIN,
    SINGULAR_DEPTH,
    SINGULAR_DOUBLE_MARGIN,
    SINGULAR_MARGIN,
    SINGULAR_TT_DEPTH,
    WON_SCORE,
)
from .position import Position
from .see import capture_value, see_ge
from .settings import ENGINE_ORDER, Settings
from .smp_counters import SharedCounters
from .strength import Handicap
from .time_management import Clock
from .transposition import NO_EVALUATION, TranspositionTable, bound_of

#: Time between two looks at the clock.
POLL_EVERY_MS = 2.0

#: The first iteration searches all root moves regardless of the clock, unless it takes longer.
FIRST_ITERATION_MS = 10.0

_CACHE_SIZE = 1 << 14  # evaluations; eight times as many cost as much time as they saved
_SCORE_BITS = 20
_SCORE_MASK = (1 << _SCORE_BITS) - 1
_SCORE_OFFSET = 1 << _SCORE_BITS - 1  # makes a score unsigned
_MAX_SEARCHED = 64  # quiet moves, and captures, per node that can get a malus
_MAX_LINE = MAX_PLY + 2
_FRAME_MOVES = _MAX_LINE + 2 * _MAX_SEARCHED
_NEAR_FIFTY_MOVES = 90  # from here on, a table score may promise too much


def _reduction_table() -> array[int]:
    """Plies to reduce a late quiet move by, indexed by depth << 6 | move number."""
    reductions = array("i", bytes(4 * 64 * 64))
    for depth in range(1, 64):
        for number in range(1, 64):
            reductions[depth << 6 | number] = int(
                REDUCTION_BASE + math.log(depth) * math.log(number) / REDUCTION_DIVISOR
            )
    return reductions


_REDUCTIONS = _reduction_table()


class Frame:
    """The search's state for one ply of the current line: an entry of its stack.

    :param following: the frame of the next ply; None for the last frame.
    """

    def __init__(self, ply: Ply, following: Frame | None) -> None:
        self.ply = ply
        if following is not None:
            self.next = following
        #: The corrected static evaluation; in check, that of two plies before.
        self.evaluation = NO_EVALUATION
        #: A move excluded by a singular search; 0 for none.
        self.excluded = 0
        self.pv_length = 0

    def set_moves(self, moves: array[int]) -> None:
        """Use these `_FRAME_MOVES` numbers for the lists of moves."""
        #: The best line from here.
        self.pv = moves[:_MAX_LINE]
        #: The quiet and noisy moves searched before the best one.
        self.quiets = moves[_MAX_LINE : _MAX_LINE + _MAX_SEARCHED]
        self.noisies = moves[_MAX_LINE + _MAX_SEARCHED :]

    def set_pickers(self, position: Position, history: History, tt: TranspositionTable) -> None:
        """Create the pickers for this ply."""
        self.picker = MovePicker(position, history, tt)
        # For the singular search, during which the first one waits.
        self.other_picker = MovePicker(position, history, tt)

    def begin(self, position: Position, settings: Settings) -> None:
        """Prepare for a search that begins at `position`."""
        self.picker.use(position, settings.see_pruning, settings.order)
        self.other_picker.use(position, settings.see_pruning, settings.order)

    def line(self) -> list[MoveCode]:
        """The best line from here."""
        return list(self.pv[: self.pv_length])


def _new_stack() -> list[Frame]:
    """The frames of all plies, starting at the root."""
    stack = []
    following = None
    # One array for all, because creating one for each list of a frame takes time.
    moves = array("i", bytes(4 * _FRAME_MOVES * (MAX_PLY + 1)))
    ply: Ply
    for ply in range(MAX_PLY, -1, -1):
        frame = Frame(ply, following)
        frame.set_moves(moves[_FRAME_MOVES * ply : _FRAME_MOVES * (ply + 1)])
        stack.append(frame)
        following = frame
    stack.reverse()
    return stack


class Tree:
    """The tree below the root.

    :param tt: shared between searches; what one has learnt speeds up the next.
    """

    def __init__(self, tt: TranspositionTable, settings: Settings) -> None:
        self.tt = tt
        self.history = History()
        self.correction = CorrectionHistory()
        self.evaluator = Evaluator()
        self.custom: CustomEvaluation | None = None
        self.custom_order: CustomOrder | None = None
        # Each has the upper bits of its key, and the score in the lowest `_SCORE_BITS`.
        self.cached_evaluations = array("Q", bytes(8 * _CACHE_SIZE))
        self.use(settings)
        self.tablebase: Tablebase | None = None
        self.tablebase_pieces = 0  # the largest number of pieces for which to probe
        self.tablebase_depth = 4
        self.tablebase_hits = 0
        self.reductions = _REDUCTIONS
        self.position = Position(new_board())
        self.stack = _new_stack()
        frame: Frame
        for frame in self.stack:  # at construction, because it takes longer than a short search
            frame.set_pickers(self.position, self.history, tt)
        self.root_frame = self.stack[0]
        self.handicap: Handicap | None = None
        self.is_perturbed = False
        self.has_technique = False
        self.strong_side = False
        self.perturbations = array("i", bytes(4 * 7 * 64))
        self.nodes = 0
        #: Nodes whose moves were searched; the others are leaves.
        self.inner_nodes = 0
        #: Nodes with a beta cutoff, and those where the first move caused it.
        self.cutoffs = 0
        self.first_cutoffs = 0
        self.selective_depth = 0
        self.root_depth = 0
        self.probcut_move = 0
        #: XORed into each transposition table key; mate searches have their own.
        self.salt = 0
        self.stopped = False
        self.next_poll = 0
        self.node_limit = 0

    def new_game(self) -> None:
        """Forget the last game. The table is cleared by its owner.

        Evaluations are kept: they are the same in every game.
        """
        self.history.clear()
        self.correction.clear()

    def set_handicap(self, handicap: Handicap | None) -> None:
        """Play with this handicap; None is full strength.

        The table must not hold results found with another handicap: their scores are perturbed.
        """
        if handicap == self.handicap:
            return  # a game has one, and computing the perturbations takes time
        self.handicap = handicap
        self.is_perturbed = handicap is not None and handicap.perturbation > 0
        self.has_technique = handicap is not None and handicap.has_technique
        if handicap:
            self.perturbations = array("i", handicap.perturbations())

    def set_tablebase(self, tablebase: Tablebase | None, depth: int = 4) -> None:
        """Use these tablebases; in the tree, they are probed at this remaining depth or more."""
        self.tablebase = tablebase
        self.tablebase_depth = depth

    def set_custom(self, evaluation: CustomEvaluation | None, order: CustomOrder | None) -> None:
        """Use a user's functions for the evaluation, and for the order if the settings say so."""
        self.custom = evaluation
        self.custom_order = order
        frame: Frame
        for frame in self.stack:
            frame.picker.custom = frame.other_picker.custom = order

    def use(self, settings: Settings) -> None:
        """Search with these settings from now on; a mate search has its own."""
        self.settings = self.history.settings = self.correction.settings = settings

    def begin(
        self,
        position: Position,
        settings: Settings,
        limits: Limits,
        clock: Clock,
        counters: SharedCounters,
    ) -> None:
        """Prepare for a search that begins at `position`."""
        self.use(settings)
        self.position = position
        self.clock = clock
        self.counters = counters
        frame: Frame
        for frame in self.stack:
            frame.begin(position, settings)
        self.history.clear_killers()
        self.tt.new_search()
        self.nodes = self.inner_nodes = self.cutoffs = self.first_cutoffs = 0
        self.tablebase_pieces = self.tablebase_hits = 0
        self.stopped = False
        self.node_limit = 0 if limits.nodes is None else max(limits.nodes, 1)
        self.next_poll = 1
        self.began_ms = clock.elapsed_ms()
        self.root_depth = 0
        self.wants_mate = limits.mate is not None
        self.strong_side = position.board.turn
        root_frame = self.root_frame
        root_frame.evaluation = NO_EVALUATION if position.checkers else self.evaluate()

    def search(
        self,
        alpha: Score,
        beta: Score,
        depth: Depth,
        frame: Frame,
        after_null: Flag,
        is_cut: Flag,
    ) -> Score:
        """Principal variation search, fail-soft, of the position at the ply of `frame`.

        The window is wider than one only in nodes that may lie on the principal variation.

        :param is_cut: a move is expected to fail high here.
        """
        settings = self.settings
        position = self.position
        board = position.board
        in_check: Flag = position.checkers != 0

        # 1. Check extension: a side in check has few answers and must not be evaluated yet.
        if in_check and settings.check_extension:
            depth += 1

        # 2. Quiescence: at the horizon, only captures and checks are followed. If beta is a lost
        # score, a side that is not in check, and so not mated, fails high at once.
        if depth <= 0:
            if beta <= -TB_BOUND and not in_check:
                return beta
            return self._quiescence(alpha, beta, frame, True)

        if self._enter_node(frame):
            return 0
        ply: Ply = frame.ply

        # 3. Draws, and the maximum depth.
        if self.is_draw(in_check, frame):
            return 0
        if ply >= MAX_PLY:
            return self.evaluate()

        # 4. Mate distance pruning: a longer mate cannot beat one already found.
        if settings.mate_distance_pruning:
            if alpha < ply - MATE:
                alpha = ply - MATE
            if beta > MATE - ply - 1:
                beta = MATE - ply - 1
            if alpha >= beta:
                return alpha

        # 5. Transposition table: off the principal variation, a deep enough score ends the node;
        # otherwise its move is tried first.
        is_pv: Flag = beta - alpha > 1
        key = position.key ^ self.salt
        excluded: MoveCode = frame.excluded
        tt_move: MoveCode = 0
        tt_score: Score = 0
        tt_depth: Depth = 0
        tt_bound: Number = 0
        evaluation: Score = NO_EVALUATION
        if settings.transposition_table and self.tt.probe(key, ply):
            tt = self.tt
            tt_move = tt.move
            tt_score = tt.score
            tt_depth = tt.depth
            tt_bound = tt.bound
            evaluation = tt.evaluation
            if excluded == 0 and self._is_tt_cutoff(alpha, beta, depth):
                return tt_score

        # 6. Tablebases: a capture or pawn move led to an endgame whose result is known.
        score: Score
        if (
            self.tablebase_pieces > 0
            and depth >= self.tablebase_depth
            and board.halfmove_clock == 0
            and excluded == 0
            and popcount(board.occupied) <= self.tablebase_pieces
        ):
            score = self._probe_tablebase(ply)
            known: Number = EXACT_BOUND
            if score >= TB_BOUND:
                known = LOWER_BOUND  # a mate may be even better
            elif score <= -TB_BOUND:
                known = UPPER_BOUND
            if score != INFINITE and (
                known == EXACT_BOUND or (score >= beta if known == LOWER_BOUND else score <= alpha)
            ):
                if settings.transposition_table:
                    trusted: Depth = depth + 6 if depth + 6 < MAX_PLY else MAX_PLY - 1
                    self.tt.store(key, ply, 0, score, evaluation, trusted, known)
                return score

        # 7. Static evaluation, for the decisions below; meaningless in check. It is improving if it
        # is better than when this side was last not in check.
        improving: Flag = False
        earlier: Score = NO_EVALUATION
        if ply >= 2:
            earlier_frame: Frame = self.stack[ply - 2]
            earlier = earlier_frame.evaluation
        raw_evaluation: Score = evaluation
        if in_check:
            raw_evaluation = evaluation = NO_EVALUATION
            frame.evaluation = earlier
        else:
            if raw_evaluation == NO_EVALUATION:
                raw_evaluation = self.evaluate()
            evaluation = raw_evaluation
            if settings.correction_history:
                evaluation = self.correction.correct(board, raw_evaluation)
            improving = ply >= 2 and evaluation > earlier
            frame.evaluation = evaluation
        # A table score that says more, even as a bound, is the better estimate.
        static: Score = evaluation
        if (
            settings.tt_evaluation
            and tt_bound
            and not in_check
            and -TB_BOUND < tt_score < TB_BOUND
            and (tt_bound == EXACT_BOUND or (tt_score > evaluation) == (tt_bound == LOWER_BOUND))
        ):
            evaluation = tt_score

        child = frame.next
        if not is_pv and not in_check and excluded == 0:
            # 8. Reverse futility: so far above beta that a quiet ply or two cannot matter.
            if (
                settings.reverse_futility
                and depth <= REVERSE_FUTILITY_DEPTH
                and evaluation - REVERSE_FUTILITY_MARGIN * (depth - improving) >= beta
                and -TB_BOUND < beta < TB_BOUND
            ):
                return evaluation

            # 9. Razoring: so far below alpha that only captures can help; see whether they do. In a
            # won position, only mates would help, not captures.
            if (
                settings.razoring
                and depth <= RAZORING_DEPTH
                and evaluation + RAZORING_MARGIN * depth < alpha < WON_SCORE
            ):
                score = self._quiescence(alpha, alpha + 1, frame, True)
                if score <= alpha or self.stopped:
                    return score

            # 10. Null move: if passing the move still holds beta, a real move will, too. Not with
            # king and pawns alone, where passing may be best (zugzwang); with pieces that is rare,
            # and far from the horizon a search of the moves must verify it.
            if (
                settings.null_move
                and not after_null
                and depth >= NULL_MOVE_DEPTH
                and evaluation >= beta
                and static >= beta + NULL_MOVE_MARGIN - NULL_MOVE_MARGIN_PER_PLY * depth
                and beta > -TB_BOUND
                and self._has_pieces()
            ):
                surplus: Depth = (evaluation - beta) // NULL_MOVE_SCORE_DIVISOR
                if surplus > NULL_MOVE_MAX_SURPLUS:
                    surplus = NULL_MOVE_MAX_SURPLUS
                null_depth: Depth = (
                    depth - NULL_MOVE_REDUCTION - depth // NULL_MOVE_DEPTH_DIVISOR - surplus
                )
                self.history.note_null_move(ply)
                position.make_null()
                score = -self.search(-beta, -beta + 1, null_depth, child, True, not is_cut)
                position.unmake()
                if self.stopped:
                    return 0
                is_confirmed: Flag = score >= beta
                if is_confirmed and depth >= NULL_MOVE_VERIFIED_DEPTH:
                    verified: Score = self.search(beta - 1, beta, null_depth, frame, True, is_cut)
                    if self.stopped:
                        return 0
                    is_confirmed = verified >= beta
                if is_confirmed:
                    return beta if score >= TB_BOUND else score

        # 11. ProbCut: a good capture that is clearly above beta at a lower depth will hold beta
        # here, too.
        probcut_beta: Score = beta + PROBCUT_MARGIN
        if (
            settings.probcut
            and not is_pv
            and not in_check
            and excluded == 0
            and depth >= PROBCUT_DEPTH
            and -TB_BOUND < beta < TB_BOUND
            and not (
                tt_bound and tt_depth >= depth - PROBCUT_REDUCTION + 1 and tt_score < probcut_beta
            )
        ):
            score = self._probcut(probcut_beta, depth, frame, static, tt_move, is_cut)
            if self.stopped:
                return 0
            if score >= probcut_beta:
                if settings.transposition_table:
                    self.tt.store(
                        key,
                        ply,
                        self.probcut_move,
                        score,
                        raw_evaluation,
                        depth - PROBCUT_REDUCTION + 1,
                        LOWER_BOUND,
                    )
                return score

        # 12. Internal iterative reduction: without a table move, the node is poorly ordered and not
        # worth its full depth yet.
        if (
            settings.internal_iterative_reduction
            and tt_move == 0
            and depth >= INTERNAL_REDUCTION_DEPTH
        ):
            depth -= 1

        # 13. The moves, most promising first.
        picker: MovePicker = frame.other_picker if excluded else frame.picker
        picker.begin(tt_move, ply, False)
        picker.keep_checks = settings.check_exemption
        start_alpha: Score = alpha
        best: Score = -INFINITE
        best_move: MoveCode = 0
        count: Ply = 0
        quiets: Ply = 0
        noisies: Ply = 0
        is_quiet: Flag = False
        is_best_quiet: Flag = False
        new_depth: Depth = 0
        is_tt_move_noisy: Flag = (
            settings.noisy_tt_move and tt_move != 0 and is_noisy(board, tt_move)
        )
        row: Ply = (depth if depth < 63 else 63) << 6
        while True:
            move: MoveCode = picker.next()
            if move == 0:
                break
            if move == excluded:
                continue
            count += 1
            is_quiet = not picker.is_noisy
            reduction: Depth = 0
            if (
                settings.late_move_reductions
                and depth >= REDUCTION_DEPTH
                and count > REDUCTION_MOVES + is_pv
            ):
                reduction = self.reductions[row | (count if count < 63 else 63)]

            # Off the principal variation, once a move is found that is not lost, moves with little
            # hope may be pruned; checks only if they lose too much material.
            if best > -TB_BOUND and not in_check and not is_pv:
                if is_quiet and not (settings.check_exemption and picker.gives_check(move)):
                    # 14. Late move pruning: in a good order, the last quiet moves are the worst.
                    if (
                        settings.late_move_pruning
                        and depth <= LATE_MOVE_DEPTH
                        and count > (LATE_MOVE_BASE + depth * depth) >> (0 if improving else 1)
                    ):
                        picker.skip_quiets = True
                        continue

                    # 15. History pruning: what has failed nearly everywhere will fail here, too.
                    if (
                        settings.history_pruning
                        and depth <= HISTORY_PRUNING_DEPTH
                        and self.history.rate_quiet(board, move, ply)
                        < HISTORY_PRUNING_MARGIN * depth
                    ):
                        continue

                    # 16. Futility: a quiet move cannot lift a position this far below alpha.
                    left: Depth = depth - reduction
                    if (
                        settings.futility
                        and left <= FUTILITY_DEPTH
                        and evaluation + FUTILITY_BASE + FUTILITY_MARGIN * left <= alpha
                    ):
                        picker.skip_quiets = True
                        continue

                # A capture lifts it by its victim, and by what captures like it have gained.
                elif (
                    settings.futility
                    and not is_quiet
                    and depth <= NOISY_FUTILITY_DEPTH
                    and evaluation
                    + FUTILITY_BASE
                    + FUTILITY_MARGIN * depth
                    + capture_value(board, move)
                    + (self.history.rate_capture(board, move) >> NOISY_HISTORY_BITS)
                    <= alpha
                    and not picker.gives_check(move)
                ):
                    continue

                # 17. Static exchange evaluation: the deeper the search, the more material a move
                # may give up. The picker's stages know which captures lose nothing.
                if (
                    settings.see_pruning
                    and depth <= SEE_DEPTH
                    and (is_quiet or picker.is_losing or settings.order != ENGINE_ORDER)
                    and not see_ge(
                        board, move, (SEE_QUIET_MARGIN if is_quiet else SEE_NOISY_MARGIN) * depth
                    )
                ):
                    continue

            # 18. Singular extension: if all other moves fail clearly below the table's score, the
            # table's move is the only one, and is extended by a ply. If others reach beta, too, the
            # node is cut (multicut); if they may, the move is searched less deeply. Not in won
            # positions, where the only moves are endless checks.
            extension: Depth = 0
            if (
                settings.singular_extension
                and move == tt_move
                and excluded == 0
                and depth >= SINGULAR_DEPTH
                and tt_depth >= depth - SINGULAR_TT_DEPTH
                and tt_bound != UPPER_BOUND
                and -WON_SCORE < tt_score < WON_SCORE
                and ply < 2 * self.root_depth
            ):
                singular_beta: Score = tt_score - SINGULAR_MARGIN * depth
                frame.excluded = move
                score = self.search(
                    singular_beta - 1, singular_beta, (depth - 1) >> 1, frame, after_null, is_cut
                )
                frame.excluded = 0
                if self.stopped:
                    return 0
                if score < singular_beta:
                    extension = 1
                    if not is_pv and score < singular_beta - SINGULAR_DOUBLE_MARGIN:
                        extension = 2
                elif singular_beta >= beta:
                    return singular_beta
                elif tt_score >= beta:
                    extension = -2
                elif is_cut:
                    extension = -1

            # 19. Late move reductions: late moves are first searched at a lower depth, the lower
            # the worse their history; of the noisy ones, only those that lose material.
            if reduction > 0:
                if is_quiet:
                    if is_pv:
                        reduction -= 1
                    if not improving:
                        reduction += 1
                    if is_cut and settings.cut_nodes:
                        reduction += 1
                    if is_tt_move_noisy:
                        reduction += 1
                    if self.history.is_killer(move, ply):
                        reduction -= 1
                    reduction -= self.history.rate_quiet(board, move, ply) >> REDUCTION_HISTORY_BITS
                elif settings.noisy_reductions and picker.is_losing:
                    reduction = reduction >> 1
                else:
                    reduction = 0

            self.history.note_move(board, move, ply)
            position.make(move)
            if position.checkers or in_check:
                reduction -= 1
            if reduction > depth - 2:
                reduction = depth - 2
            if reduction < 0:
                reduction = 0

            # 20. Principal variation search: the first move gets the whole window, the others must
            # only prove that they are no better. By how much a reduced move beat alpha decides the
            # depth of its re-search.
            if count == 1 or not settings.principal_variation_search:
                score = -self.search(
                    -beta, -alpha, depth - 1 + extension, child, False, not is_pv and not is_cut
                )
            else:
                score = -self.search(-alpha - 1, -alpha, depth - 1 - reduction, child, False, True)
                if score > alpha and reduction > 0 and not self.stopped:
                    new_depth = depth - 1
                    if settings.deeper_research:
                        if score > best + DEEPER_MARGIN + DEEPER_MARGIN_PER_PLY * depth:
                            new_depth += 1
                        elif score < best + SHALLOWER_MARGIN:
                            new_depth -= 1
                    if new_depth > depth - 1 - reduction:
                        score = -self.search(
                            -alpha - 1, -alpha, new_depth, child, False, not is_cut
                        )
                if alpha < score < beta and not self.stopped:
                    score = -self.search(-beta, -alpha, depth - 1, child, False, False)
            position.unmake()
            if self.stopped:
                return 0

            if score > best:
                best = score
                if score > alpha:
                    best_move = move
                    is_best_quiet = is_quiet
                    if settings.alpha_beta:  # minimax never raises alpha
                        alpha = score
                    if is_pv:
                        self._extend_pv(frame, move)
                    if score >= beta:
                        break
            if is_quiet:
                if quiets < _MAX_SEARCHED:
                    frame.quiets[quiets] = move
                    quiets += 1
            elif noisies < _MAX_SEARCHED:
                frame.noisies[noisies] = move
                noisies += 1

        # 21. Mate and stalemate.
        if count == 0:
            if excluded:
                return alpha
            return ply - MATE if in_check else 0
        self.inner_nodes += 1

        # 22. History: a bonus for the move that cut off, a malus for those searched before it.
        if best >= beta:
            self.cutoffs += 1
            if count == 1:
                self.first_cutoffs += 1
            index: Ply
            if is_best_quiet:
                self.history.add_bonus(board, ply, depth, best_move)
                for index in range(quiets):
                    self.history.add_malus(board, ply, depth, frame.quiets[index])
            elif settings.capture_history:
                self.history.add_capture_bonus(board, depth, best_move)
            if settings.capture_history:
                for index in range(noisies):
                    self.history.add_capture_malus(board, depth, frame.noisies[index])

        # 23. Store the result.
        bound: Number = bound_of(best, start_alpha, beta)
        if settings.transposition_table and excluded == 0:
            self.tt.store(key, ply, best_move, best, raw_evaluation, depth, bound)

        # 24. Correction history: learn where the evaluation was wrong and no capture explains it.
        if (
            settings.correction_history
            and not in_check
            and excluded == 0
            and (best_move == 0 or is_best_quiet)
            and not (bound == LOWER_BOUND and best <= static)
            and not (bound == UPPER_BOUND and best >= static)
        ):
            self.correction.learn(board, depth, best - static)
        return best

    def _probcut(
        self,
        beta: Score,
        depth: Depth,
        frame: Frame,
        static: Score,
        tt_move: MoveCode,
        is_cut: Flag,
    ) -> Score:
        """The score of a good capture that fails high over `beta`, or less if there is none.

        The capture is left in `probcut_move`.

        Source: https://www.chessprogramming.org/ProbCut
        """
        position = self.position
        picker = frame.picker
        picker.begin(tt_move, frame.ply, True)
        score: Score = -INFINITE
        while True:
            move: MoveCode = picker.next()
            if move == 0:
                return -INFINITE
            if see_ge(position.board, move, beta - static):
                self.history.note_move(position.board, move, frame.ply)
                position.make(move)
                score = -self._quiescence(-beta, -beta + 1, frame.next, True)
                if score >= beta and not self.stopped:
                    score = -self.search(
                        -beta, -beta + 1, depth - PROBCUT_REDUCTION, frame.next, False, not is_cut
                    )
                position.unmake()
                if self.stopped or score >= beta:
                    self.probcut_move = move
                    return score

    def _quiescence(self, alpha: Score, beta: Score, frame: Frame, is_first: Flag) -> Score:
        """Search captures and promotions, and all answers to checks, until the position is quiet.

        The side to move may stand pat, that is, decline to capture, unless it is in check.

        Source: https://www.chessprogramming.org/Quiescence_Search

        :param is_first: at the horizon itself, where quiet moves that give direct check and lose
            nothing are tried, too.
        """
        settings = self.settings
        position = self.position
        if self._enter_node(frame):
            return 0
        ply: Ply = frame.ply
        in_check: Flag = position.checkers != 0
        if self.is_draw(in_check, frame):
            return 0
        if not settings.quiescence or ply >= MAX_PLY:
            return self.evaluate()
        # In the table, a quiescence without checks must not stand for one with them.
        with_checks: Flag = is_first and not in_check and settings.quiescence_checks
        depth: Depth = 0 if with_checks or in_check else -1

        is_pv: Flag = beta - alpha > 1
        key = position.key
        tt_move: MoveCode = 0
        evaluation: Score = NO_EVALUATION
        if settings.transposition_table and self.tt.probe(key, ply):
            tt = self.tt
            tt_move = tt.move
            evaluation = tt.evaluation
            if self._is_tt_cutoff(alpha, beta, depth):
                return tt.score

        start_alpha: Score = alpha
        best: Score = -INFINITE
        best_move: MoveCode = 0
        if not in_check:
            if evaluation == NO_EVALUATION:
                evaluation = self.evaluate()
            best = evaluation
            if settings.correction_history:
                best = self.correction.correct(position.board, evaluation)
            if best >= beta:
                return best
            if best > alpha and settings.alpha_beta:
                alpha = best

        picker = frame.picker
        picker.begin(tt_move, ply, True)
        picker.keep_checks = with_checks
        score: Score
        count: Ply = 0
        evasions: Ply = 0  # quiet moves, in check
        futile: Score = best + DELTA_MARGIN
        while True:
            move: MoveCode = picker.next()
            if move == 0:
                break
            count += 1
            if settings.delta_pruning and best > -TB_BOUND:
                if in_check:
                    # One quiet evasion besides the captures is enough to show that it is not mate.
                    if not picker.is_noisy and evasions > 0:
                        break
                elif picker.is_noisy:
                    # Late captures seldom decide, unless they continue the last exchange.
                    if (
                        count > QUIESCENCE_MOVES
                        and to_square(move) != self.history.last_target(ply)
                        and promotion(move) == 0
                        and not picker.gives_check(move)
                    ):
                        continue
                    value: Score = futile + capture_value(position.board, move)
                    if value <= alpha:
                        if value > best:
                            best = value
                        continue
            if not picker.is_noisy:
                evasions += 1
            self.history.note_move(position.board, move, ply)
            position.make(move)
            score = -self._quiescence(-beta, -alpha, frame.next, False)
            position.unmake()
            if self.stopped:
                return 0
            if score > best:
                best = score
                if score > alpha:
                    best_move = move
                    if settings.alpha_beta:
                        alpha = score
                    if is_pv:
                        self._extend_pv(frame, move)
                    if score >= beta:
                        break
        if count > 0:
            self.inner_nodes += 1
        elif in_check:
            return ply - MATE

        if settings.transposition_table:
            bound = bound_of(best, start_alpha, beta)
            self.tt.store(key, ply, best_move, best, evaluation, depth, bound)
        return best

    def _probe_tablebase(self, ply: Ply) -> Score:
        """The tablebases' score for this position; INFINITE if they have none."""
        wdl = None if self.tablebase is None else self.tablebase.probe_wdl(self.position.board)
        if wdl is None:
            return INFINITE
        self.tablebase_hits += 1
        score: Score = wdl_score(wdl, ply)
        return score

    # -- helpers of the search ------------------------------------------------------------------

    def _enter_node(self, frame: Frame) -> Flag:
        """Count a node, and occasionally look at the clock; return whether to give up."""
        frame.pv_length = 0
        self.nodes += 1
        if self.nodes >= self.next_poll:
            self.poll()
        if frame.ply > self.selective_depth:
            self.selective_depth = frame.ply
        return self.stopped

    def _is_tt_cutoff(self, alpha: Score, beta: Score, depth: Depth) -> Flag:
        """Whether the table's last probe ends a node to be searched to `depth`.

        Not on the principal variation, which would be cut short; without null windows, every node
        may be on it.
        """
        tt = self.tt
        settings = self.settings
        enough: Flag = tt.depth == depth if settings.exact_tt_depth else tt.depth >= depth
        return (
            enough
            and (beta - alpha <= 1 or not settings.principal_variation_search)
            and self.position.board.halfmove_clock < _NEAR_FIFTY_MOVES
            and tt.decides(alpha, beta)
            and settings.tt_cutoffs
        )

    def is_draw(self, in_check: Flag, frame: Frame) -> Flag:
        """Repetition, the fifty-move rule (mate takes precedence) and insufficient material."""
        position = self.position
        if position.board.halfmove_clock >= FIFTY_MOVES:
            if not in_check:
                return True
            picker = frame.picker
            picker.begin(0, frame.ply, False)
            return picker.next() != 0
        return position.is_repetition(frame.ply) or position.has_insufficient_material()

    def evaluate(self) -> Score:
        """The static evaluation, in centipawns from the side to move; cached.

        Most leaves are cut off by it and are not stored in the transposition table.

        Source: https://www.chessprogramming.org/Evaluation_Hash_Table
        """
        position = self.position
        slot: Key = position.key & (_CACHE_SIZE - 1)
        entry: Key = self.cached_evaluations[slot]
        score: Score = entry & _SCORE_MASK
        score -= _SCORE_OFFSET
        if (entry ^ position.key) >> _SCORE_BITS:
            if self.custom is None:
                score = self.evaluator.evaluate(position.board, position.accumulator)
            else:
                score = self.custom.evaluate(position.board)
                if self.custom.has_failed:  # the search is over
                    self.stopped = True
                    return 0
            entry = score + _SCORE_OFFSET
            self.cached_evaluations[slot] = position.key >> _SCORE_BITS << _SCORE_BITS | entry
        if self.is_perturbed:
            score += self._perturbation()
        if self.has_technique:
            if position.board.turn == self.strong_side:
                return technique(position.board, self.strong_side, score)
            return -technique(position.board, self.strong_side, -score)
        return score

    def _perturbation(self) -> Score:
        """The handicap's addition to the evaluation, in centipawns from the side to move."""
        board = self.position.board
        white: Bitboard = pieces_of(board, True)
        rest: Bitboard = board.occupied
        error: Score = 0
        while rest:
            square: Square = lsb(rest)
            rest &= rest - 1
            piece: PieceType = piece_on(board, square)
            if white >> square & 1:
                error += self.perturbations[piece << 6 | square]
            else:
                error -= self.perturbations[piece << 6 | square ^ 56]
        return error if board.turn else -error

    def _has_pieces(self) -> Flag:
        """Whether the side to move has more than king and pawns."""
        board = self.position.board
        own = pieces_of(board, board.turn)
        return own & (board.knights | board.bishops | board.rooks | board.queens) != 0

    def _extend_pv(self, frame: Frame, move: MoveCode) -> None:
        """Set the best line from here to `move` and the best line after it.

        Source: https://www.chessprogramming.org/Triangular_PV-Table
        """
        child = frame.next
        frame.pv[0] = move
        index: Ply
        for index in range(child.pv_length):
            frame.pv[index + 1] = child.pv[index]
        frame.pv_length = child.pv_length + 1

    def poll(self) -> None:
        """Check the clock and the node limit, and decide when to check again."""
        counters = self.counters
        if self._is_time_up():
            self.stopped = True
        rate = self.nodes / max(self.clock.elapsed_ms(), 0.1)
        step = max(min(int(rate * POLL_EVERY_MS), 16384), 16)
        counted = self.nodes
        if self.node_limit:
            left = self.node_limit - counters.total_nodes(self.nodes)
            if left <= 0:
                self.stopped = True
            step = min(step, max(left // counters.size, 1))
            counted += step  # counted in advance, so that all workers together keep the limit
        self.next_poll = self.nodes + step
        counters.publish(counted, self.tablebase_hits)

    def _is_time_up(self) -> bool:
        """Whether to stop at once; the first iteration has its own time."""
        order = self.custom_order
        has_failed = order is not None and order.has_failed
        is_over = self.clock.must_stop() or self.counters.is_over or has_failed
        if self.root_depth != 1:
            return is_over
        is_late = self.clock.elapsed_ms() - self.began_ms >= FIRST_ITERATION_MS
        return is_late and (is_over or self.wants_mate)
