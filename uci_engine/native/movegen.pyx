# cython: boundscheck=False, wraparound=False
"""The compiled twin of movegen.py: the same names over the compiled python-chess."""

from array import array

import chess

from halbzug.board.pychess import Board
from halbzug.board.pychess cimport _c_decode

BUILD = "compiled"
NULL_MOVE = 0
MAX_MOVES = BUFFER
Buffer = array
Move = chess.Move
_Board = Board


def new_board(fen=chess.STARTING_FEN, moves=(), chess960=False):
    board = _Board(fen, chess960=chess960)
    for move in moves:
        push(board, code_from_uci(board, move))
    return board


def encode(move):
    return move.from_square | move.to_square << 6 | (move.promotion or 0) << 12


def decode(int code):
    return _c_decode(code)


def uci(int code):
    if code == 0:
        return "0000"
    names = chess.SQUARE_NAMES
    piece = "  nbrq"[promotion(code)].strip()
    return names[from_square(code)] + names[to_square(code)] + piece


def code_from_uci(board, text):
    code = encode(board.parse_uci(text))
    if code == NULL_MOVE:
        raise ValueError(f"illegal move: {text}")  # python-chess would accept it
    return code


def generate_all(Board board not None):
    cdef int codes[BUFFER]
    cdef int count = board._c_generate_legal_moves(codes, ~<Bitboard>0, ~<Bitboard>0)
    return [codes[index] for index in range(count)]


def perft(Board board not None, int depth):
    return board._c_perft(depth)


# Python cannot see functions that are inlined in C; these wrap them under the same names.

def _from_square(int code):
    return from_square(code)

def _to_square(int code):
    return to_square(code)

def _promotion(int code):
    return promotion(code)

def _push(Board board not None, int code):
    push(board, code)

def _pop(Board board not None):
    pop(board)

def _copy_position(Board source not None, Board target not None):
    copy_position(source, target)

def _pieces_of(Board board not None, bint color):
    return pieces_of(board, color)

def _piece_on(Board board not None, int square):
    return piece_on(board, square)

def _king_square(Board board not None, bint color):
    return king_square(board, color)

def _en_passant_square(Board board not None):
    return en_passant_square(board)

def _has_legal_en_passant(Board board not None):
    return has_legal_en_passant(board)

def _is_insufficient_material(Board board not None):
    return is_insufficient_material(board)

def _pawn_attacks(bint color, int square):
    return pawn_attacks(color, square)

def _knight_attacks(int square):
    return knight_attacks(square)

def _king_attacks(int square):
    return king_attacks(square)

def _bishop_attacks(int square, Bitboard occupied):
    return bishop_attacks(square, occupied)

def _rook_attacks(int square, Bitboard occupied):
    return rook_attacks(square, occupied)

def _checkers_of(Board board not None):
    return checkers_of(board)

def _slider_blockers(Board board not None, int king):
    return slider_blockers(board, king)

def _is_noisy(Board board not None, int code):
    return is_noisy(board, code)

def _is_safe(Board board not None, int king, Bitboard blockers, int code):
    return is_safe(board, king, blockers, code)

def _is_pseudo_legal(Board board not None, int code):
    return is_pseudo_legal(board, code)

def _is_legal(Board board not None, int code):
    return is_legal(board, code)

def _generate_legal(Board board not None, long long[::1] moves not None, int first):
    return generate_legal(board, moves, first)

def _generate_noisy(Board board not None, long long[::1] moves not None, int first):
    return generate_noisy(board, moves, first)

def _generate_quiets(
    Board board not None, long long[::1] moves not None, int first,
    Bitboard origins=~<Bitboard>0, Bitboard targets=~<Bitboard>0):
    return generate_quiets(board, moves, first, origins, targets)

def _generate_evasions(
    Board board not None, int king, Bitboard checkers, long long[::1] moves not None):
    return generate_evasions(board, king, checkers, moves)

def _prefetch(Key[::1] words not None, Key index):
    prefetch(words, index)

def _read_once(u64[::1] words not None, u64 index):
    return read_once(words, index)

def _bring_best(long long[::1] ratings not None, int first, int end):
    bring_best(ratings, first, end)


globals().update(
    prefetch=_prefetch,
    Board=_Board,
    lsb=chess.lsb,
    msb=chess.msb,
    popcount=chess.popcount,
    from_square=_from_square,
    to_square=_to_square,
    promotion=_promotion,
    push=_push,
    pop=_pop,
    copy_position=_copy_position,
    pieces_of=_pieces_of,
    piece_on=_piece_on,
    king_square=_king_square,
    en_passant_square=_en_passant_square,
    has_legal_en_passant=_has_legal_en_passant,
    is_insufficient_material=_is_insufficient_material,
    pawn_attacks=_pawn_attacks,
    knight_attacks=_knight_attacks,
    king_attacks=_king_attacks,
    bishop_attacks=_bishop_attacks,
    rook_attacks=_rook_attacks,
    checkers_of=_checkers_of,
    slider_blockers=_slider_blockers,
    is_noisy=_is_noisy,
    is_safe=_is_safe,
    is_pseudo_legal=_is_pseudo_legal,
    is_legal=_is_legal,
    generate_legal=_generate_legal,
    generate_noisy=_generate_noisy,
    generate_quiets=_generate_quiets,
    generate_evasions=_generate_evasions,
    read_once=_read_once,
    bring_best=_bring_best,
    Color=bool,
    Flag=bool,
    **dict.fromkeys(
        (
            "Bitboard", "Depth", "Index", "Key", "MoveCode", "Nodes", "Number", "PieceType", "Ply",
            "Rating", "Score", "Small", "Square", "Tapered",
        ),
        int,
    ),
)
