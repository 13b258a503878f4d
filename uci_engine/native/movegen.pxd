# The compiled twin of movegen.py: the same names, inlined into the hot modules.

from halbzug.board.pychess cimport (
    BB_RANK_2, BB_RANK_7, Board, Undo, u64,
    _c_bb, _c_best, _c_diag, _c_file, _c_lsb, _c_msb, _c_popcount, _c_prefetch, _c_rank,
    _t_king, _t_knight, _t_pawn,
)

ctypedef u64 Bitboard
ctypedef bint Color
ctypedef int Depth
ctypedef bint Flag
ctypedef u64 Index
ctypedef u64 Key
ctypedef int MoveCode
ctypedef long long Nodes
ctypedef int Number
ctypedef int PieceType
ctypedef int Ply
ctypedef long long Rating
ctypedef int Score
ctypedef short Small
ctypedef int Square
ctypedef int Tapered

cdef enum:
    BUFFER = 512  # MAX_MOVES of movegen.py

cdef inline int lsb(Bitboard squares) noexcept nogil:
    return _c_lsb(squares)

cdef inline int msb(Bitboard squares) noexcept nogil:
    return _c_msb(squares)

cdef inline int popcount(Bitboard squares) noexcept nogil:
    return _c_popcount(squares)

cdef inline Square from_square(MoveCode code) noexcept nogil:
    return code & 63

cdef inline Square to_square(MoveCode code) noexcept nogil:
    return code >> 6 & 63

cdef inline PieceType promotion(MoveCode code) noexcept nogil:
    return code >> 12

cdef inline void prefetch(Key[::1] words, Key index) noexcept nogil:
    _c_prefetch(&words[index])

cdef inline void push(Board board, MoveCode code) noexcept nogil:
    board._c_push(code)

cdef inline void pop(Board board) noexcept nogil:
    board._c_pop()

cdef inline void copy_position(Board source, Board target) noexcept:
    cdef Undo position
    source._c_save(&position)
    target._c_restore(&position)
    target.chess960 = source.chess960
    target._undo_count = 0
    if target._c_has_stack():
        target._moves = None
        target._states = None

cdef inline Bitboard pieces_of(Board board, Color color) noexcept nogil:
    return board._occupied_co[1 if color else 0]

cdef inline PieceType piece_on(Board board, Square square) noexcept nogil:
    # Combines the three bits of the type; python-chess's code needs branches.
    cdef int place = square & 63
    return (
        (board.pawns | board.bishops | board.queens) >> place & 1
        | ((board.knights | board.bishops | board.kings) >> place & 1) << 1
        | ((board.rooks | board.queens | board.kings) >> place & 1) << 2
    )

cdef inline Square king_square(Board board, Color color) noexcept nogil:
    return _c_msb(board.kings & board._occupied_co[1 if color else 0])

cdef inline Square en_passant_square(Board board) noexcept nogil:
    return board._ep_square

cdef inline Flag has_legal_en_passant(Board board) noexcept nogil:
    return board._c_has_legal_en_passant()

cdef inline Flag is_insufficient_material(Board board) noexcept nogil:
    if board.pawns | board.rooks | board.queens:
        return False
    return board._c_is_insufficient_material()

cdef inline Bitboard pawn_attacks(Color color, Square square) noexcept nogil:
    return _t_pawn[1 if color else 0][square & 63]

cdef inline Bitboard knight_attacks(Square square) noexcept nogil:
    return _t_knight[square & 63]

cdef inline Bitboard king_attacks(Square square) noexcept nogil:
    return _t_king[square & 63]

cdef inline Bitboard bishop_attacks(Square square, Bitboard occupied) noexcept nogil:
    return _c_diag(square, occupied)

cdef inline Bitboard rook_attacks(Square square, Bitboard occupied) noexcept nogil:
    return _c_rank(square, occupied) | _c_file(square, occupied)

cdef inline Bitboard attackers_to(Board board, Square square, Bitboard occupied) noexcept nogil:
    # For both sides at once, so that each line is followed only once.
    cdef int place = square & 63
    cdef Bitboard pawns = (
        _t_pawn[0][place] & board._occupied_co[1] | _t_pawn[1][place] & board._occupied_co[0]
    )
    return (
        _t_king[place] & board.kings
        | _t_knight[place] & board.knights
        | pawns & board.pawns
        | _c_diag(place, occupied) & (board.bishops | board.queens)
        | (_c_rank(place, occupied) | _c_file(place, occupied)) & (board.rooks | board.queens)
    )

cdef inline Bitboard checkers_of(Board board) noexcept nogil:
    return board._c_checkers_mask()

cdef inline Bitboard slider_blockers(Board board, Square king) noexcept nogil:
    return board._c_slider_blockers(king)

cdef inline Flag is_noisy(Board board, MoveCode code) noexcept nogil:
    cdef Square target = to_square(code)
    if promotion(code) or pieces_of(board, not board.turn) >> target & 1:
        return True
    return (code ^ target) & 7 != 0 and piece_on(board, from_square(code)) == 1

cdef inline Flag is_safe(Board board, Square king, Bitboard blockers, MoveCode code) noexcept nogil:
    cdef Square origin = from_square(code)
    if origin != king and not blockers & _c_bb(origin) and to_square(code) != board._ep_square:
        return True
    return board._c_is_safe(king, blockers, code)

cdef inline Flag is_pseudo_legal(Board board, MoveCode code) noexcept nogil:
    if not board.chess960:
        if board._occupied_co[1 if board.turn else 0] & _c_bb(to_square(code)):
            return False
    return board._c_is_pseudo_legal(code)

cdef inline Flag is_legal(Board board, MoveCode code) noexcept nogil:
    return board._c_is_legal(code)

cdef inline int generate_legal(Board board, long long[::1] moves, int first) noexcept nogil:
    cdef int codes[BUFFER]
    cdef int index
    cdef int count = board._c_generate_legal_moves(codes, ~<Bitboard>0, ~<Bitboard>0)
    for index in range(count):
        moves[first + index] = codes[index]
    return first + count

cdef inline int generate_noisy(Board board, long long[::1] moves, int first) noexcept nogil:
    cdef int codes[BUFFER]
    cdef int index
    cdef int count
    cdef Bitboard promoting = (
        board.pawns & board._occupied_co[1 if board.turn else 0]
        & (BB_RANK_7 if board.turn else BB_RANK_2)
    )
    count = board._c_generate_pseudo_legal_moves(
        codes, ~<Bitboard>0, board._occupied_co[0 if board.turn else 1])
    if promoting:
        count += board._c_generate_pseudo_legal_moves(codes + count, promoting, ~board.occupied)
    if board._ep_square >= 0:
        count += board._c_generate_pseudo_legal_ep(codes + count, ~<Bitboard>0, ~<Bitboard>0)
    for index in range(count):
        moves[first + index] = codes[index]
    return first + count

cdef inline int generate_quiets(
    Board board, long long[::1] moves, int first, Bitboard origins, Bitboard targets) noexcept nogil:
    cdef int codes[BUFFER]
    cdef int index
    cdef int count
    cdef int end = first
    cdef int code
    cdef Bitboard promoting = (
        board.pawns & board._occupied_co[1 if board.turn else 0]
        & (BB_RANK_7 if board.turn else BB_RANK_2)
    )
    count = board._c_generate_pseudo_legal_moves(
        codes, origins & ~promoting, targets & ~board._occupied_co[0 if board.turn else 1])
    for index in range(count):
        code = codes[index]
        if to_square(code) == board._ep_square and (from_square(code) ^ to_square(code)) & 7:
            if board.pawns & _c_bb(from_square(code)):
                continue
        moves[end] = code
        end += 1
    return end

cdef inline int generate_evasions(
    Board board, Square king, Bitboard checkers, long long[::1] moves) noexcept nogil:
    cdef int codes[BUFFER]
    cdef int index
    cdef int count = board._c_generate_evasions(
        codes, king, checkers, ~<Bitboard>0, ~<Bitboard>0)
    for index in range(count):
        moves[index] = codes[index]
    return count

cdef inline u64 read_once(u64[::1] words, u64 index) noexcept nogil:
    return (<volatile u64*>&words[index])[0]

cdef inline void bring_best(long long[::1] ratings, int first, int end) noexcept nogil:
    cdef int place = _c_best(&ratings[0], first, end)
    cdef long long best = ratings[place]
    ratings[place] = ratings[first]
    ratings[first] = best
