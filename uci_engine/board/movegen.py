"""python-chess for the engine: types, boards, moves, attacks and move generation.

The engine uses python-chess's board only through this module. Every function is a thin layer over
python-chess; there is no second move generator. The compiled build replaces the module by
`native/movegen.pyx`, which provides the same names over a compiled python-chess. Each function here
is also the specification of its compiled twin.

A *move code* is an int below 2**15: origin square, target square << 6, promotion piece << 12.
`from_square`, `to_square` and `promotion` read it. Codes are compared and stored where python-chess
would use `Move` objects. Code 0 is the null move. Castling is coded as in python-chess: e1g1, or
king takes rook when the board is in Chess960 mode.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import chess
from chess import (
    BB_ALL,
    BB_KING_ATTACKS,
    BB_KNIGHT_ATTACKS,
    BB_PAWN_ATTACKS,
    BB_RANK_2,
    BB_RANK_7,
    SQUARE_NAMES,
    Board,
    Move,
    lsb,
    msb,
    popcount,
)

__all__ = [
    "BUILD",
    "MAX_MOVES",
    "NULL_MOVE",
    "Bitboard",
    "Board",
    "Buffer",
    "Color",
    "Depth",
    "Flag",
    "Index",
    "Key",
    "Move",
    "MoveCode",
    "Nodes",
    "Number",
    "PieceType",
    "Ply",
    "Rating",
    "Score",
    "Small",
    "Square",
    "Tapered",
    "attackers_to",
    "bishop_attacks",
    "bring_best",
    "checkers_of",
    "code_from_uci",
    "copy_position",
    "decode",
    "en_passant_square",
    "encode",
    "from_square",
    "generate_all",
    "generate_evasions",
    "generate_legal",
    "generate_noisy",
    "generate_quiets",
    "has_legal_en_passant",
    "is_insufficient_material",
    "is_legal",
    "is_noisy",
    "is_pseudo_legal",
    "is_safe",
    "king_attacks",
    "king_square",
    "knight_attacks",
    "lsb",
    "msb",
    "new_board",
    "pawn_attacks",
    "perft",
    "piece_on",
    "pieces_of",
    "pop",
    "popcount",
    "promotion",
    "push",
    "read_once",
    "rook_attacks",
    "slider_blockers",
    "to_square",
    "uci",
]

# -- types --------------------------------------------------------------------------------------

# Names for different uses of int. The compiled build gives each a C type.
Bitboard = int  # 64 bits, a1 = bit 0
Color = bool  # White is True
Depth = int  # plies still to search
Flag = bool
Index = int  # an index into an array, never negative
Key = int  # 64-bit Zobrist key
MoveCode = int
Nodes = int
Number = int  # any other small number
PieceType = int  # pawn 1 ... king 6, none 0
Ply = int  # plies from the root
Rating = int  # a move's sort key << 16, with its code in the low 16 bits
Score = int  # centipawns
Small = int  # 16 bits
Square = int  # a1 = 0 ... h8 = 63
Tapered = int  # middlegame and endgame scores packed into one int, see uci_engine/eval/tapered.py
Buffer = array  # a flat array of numbers, shared with C

#: The build of this module: "pure" or "compiled".
BUILD = "pure"

NULL_MOVE = 0

#: Room for the moves of any position with one king and at most 15 other pieces a side.
MAX_MOVES = 512

_PAWN = 1
_MOVES: dict[int, Move] = {NULL_MOVE: Move.null()}


# -- boards -------------------------------------------------------------------------------------


def new_board(
    fen: str = chess.STARTING_FEN, moves: Sequence[str] = (), chess960: bool = False
) -> Board:
    """Set up `fen` and play `moves` (UCI notation).

    :raises ValueError: if the FEN or a move cannot be read, or a move is illegal.
    """
    board = Board(fen, chess960=chess960)
    for move in moves:
        push(board, code_from_uci(board, move))
    return board


def push(board: Board, code: MoveCode) -> None:
    """Make a pseudo-legal move, or the null move."""
    board.push(decode(code))


def pop(board: Board) -> None:
    """Take back the last move."""
    board.pop()


def copy_position(source: Board, target: Board) -> None:
    """Copy a position to another board, without its move stack."""
    if target.move_stack or target._stack:
        target.move_stack, target._stack = [], []
    target.pawns, target.knights, target.bishops = source.pawns, source.knights, source.bishops
    target.rooks, target.queens, target.kings = source.rooks, source.queens, source.kings
    target.occupied, target.promoted = source.occupied, source.promoted
    target.occupied_co = source.occupied_co[:]
    target.turn, target.chess960 = source.turn, source.chess960
    target.castling_rights, target.ep_square = source.castling_rights, source.ep_square
    target.halfmove_clock = source.halfmove_clock
    target.fullmove_number = source.fullmove_number


def pieces_of(board: Board, color: Color) -> Bitboard:
    """All pieces of one side."""
    return board.occupied_co[color]


def piece_on(board: Board, square: Square) -> PieceType:
    """The piece type on a square; 0 if it is empty."""
    return board.piece_type_at(square) or 0


def king_square(board: Board, color: Color) -> Square:
    """The square of a side's king."""
    return msb(board.kings & board.occupied_co[color])


def en_passant_square(board: Board) -> Square:
    """The square behind a pawn that has just moved two squares; -1 if there is none."""
    square = board.ep_square
    return -1 if square is None else square


def has_legal_en_passant(board: Board) -> bool:
    """Whether the side to move can legally capture en passant, considering pins."""
    return board.has_legal_en_passant()


def is_insufficient_material(board: Board) -> bool:
    """Whether neither side can ever mate."""
    if board.pawns | board.rooks | board.queens:
        return False
    return board.is_insufficient_material()


# -- moves --------------------------------------------------------------------------------------


def from_square(code: MoveCode) -> Square:
    """The origin square of a move."""
    return code & 63


def to_square(code: MoveCode) -> Square:
    """The target square of a move; for castling in Chess960 mode, the rook's square."""
    return code >> 6 & 63


def promotion(code: MoveCode) -> PieceType:
    """The piece type that a pawn promotes to; 0 if the move is not a promotion."""
    return code >> 12


def encode(move: Move) -> MoveCode:
    """A move's code."""
    return move.from_square | move.to_square << 6 | (move.promotion or 0) << 12


def decode(code: MoveCode) -> Move:
    """The move of a code; the same object each time, which must not be changed."""
    move = _MOVES.get(code)
    if move is None:
        move = Move(from_square(code), to_square(code), promotion(code) or None)
        _MOVES[code] = move
    return move


def uci(code: MoveCode) -> str:
    """A move code as UCI text, for example `e7e8q`."""
    if code == NULL_MOVE:
        return "0000"
    piece = "  nbrq"[promotion(code)].strip()
    return SQUARE_NAMES[from_square(code)] + SQUARE_NAMES[to_square(code)] + piece


def code_from_uci(board: Board, text: str) -> MoveCode:
    """The code of a legal move given as UCI text, in the castling form the board uses.

    :raises ValueError: if the text is not a move or the move is illegal.
    """
    code = encode(board.parse_uci(text))
    if code == NULL_MOVE:
        raise ValueError(f"illegal move: {text}")  # python-chess accepts it
    return code


def is_legal(board: Board, code: MoveCode) -> bool:
    """Whether any code is a legal move here; castling may be in either form."""
    return board.is_legal(decode(code))


def is_pseudo_legal(board: Board, code: MoveCode) -> bool:
    """Whether an external code (from the transposition table) is a pseudo-legal move here."""
    if not board.chess960 and board.occupied_co[board.turn] >> to_square(code) & 1:
        return False  # python-chess would take king-takes-rook for castling
    return board.is_pseudo_legal(decode(code))


def is_safe(board: Board, king: Square, blockers: Bitboard, code: MoveCode) -> bool:
    """Whether a pseudo-legal move leaves the own king (on square `king`) out of check."""
    origin = from_square(code)
    if origin != king and not blockers >> origin & 1 and to_square(code) != board.ep_square:
        return True
    return board._is_safe(king, blockers, decode(code))


# -- attacks ------------------------------------------------------------------------------------


def pawn_attacks(color: Color, square: Square) -> Bitboard:
    """The squares that a pawn of `color` attacks."""
    return BB_PAWN_ATTACKS[color][square]


def knight_attacks(square: Square) -> Bitboard:
    """The squares that a knight attacks."""
    return BB_KNIGHT_ATTACKS[square]


def king_attacks(square: Square) -> Bitboard:
    """The squares that a king attacks."""
    return BB_KING_ATTACKS[square]


def bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard:
    """The squares that a bishop attacks, blocked by `occupied`."""
    return chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]


def rook_attacks(square: Square, occupied: Bitboard) -> Bitboard:
    """The squares that a rook attacks, blocked by `occupied`."""
    return (
        chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
        | chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
    )


def attackers_to(board: Board, square: Square, occupied: Bitboard) -> Bitboard:
    """The pieces of both sides that attack a square; only `occupied` squares block lines."""
    return board.attackers_mask(True, square, occupied) | board.attackers_mask(
        False, square, occupied
    )


def checkers_of(board: Board) -> Bitboard:
    """The pieces that give check to the side to move."""
    return board.checkers_mask()


# -- moves --------------------------------------------------------------------------------------


def is_noisy(board: Board, code: MoveCode) -> Flag:
    """Whether a legal move captures or promotes."""
    target = to_square(code)
    if promotion(code) or pieces_of(board, not board.turn) >> target & 1:
        return True
    # A pawn that changes files onto an empty square captures en passant.
    return (from_square(code) ^ target) & 7 != 0 and piece_on(board, from_square(code)) == _PAWN


def slider_blockers(board: Board, king: Square) -> Bitboard:
    """The pieces of the side to move that may be pinned to its king."""
    return board._slider_blockers(king)


# -- generation ---------------------------------------------------------------------------------


def generate_noisy(board: Board, moves: Buffer[int], first: int) -> int:
    """Write pseudo-legal captures and promotions into `moves` from `first` on; return the end."""
    ours = board.occupied_co[board.turn]
    theirs = board.occupied_co[not board.turn]
    end = first
    for move in board.generate_pseudo_legal_moves(BB_ALL, theirs):
        moves[end] = encode(move)
        end += 1
    promoting = board.pawns & ours & (BB_RANK_7 if board.turn else BB_RANK_2)
    if promoting:
        for move in board.generate_pseudo_legal_moves(promoting, BB_ALL & ~board.occupied):
            moves[end] = encode(move)
            end += 1
    if board.ep_square:
        for move in board.generate_pseudo_legal_ep():
            moves[end] = encode(move)
            end += 1
    return end


def generate_quiets(
    board: Board,
    moves: Buffer[int],
    first: int,
    origins: Bitboard = BB_ALL,
    targets: Bitboard = BB_ALL,
) -> int:
    """Write pseudo-legal moves other than those of `generate_noisy`; return the end.

    :param origins: only moves from these squares.
    :param targets: only moves to these squares; for castling, the rook's square.
    """
    ours = board.occupied_co[board.turn]
    theirs = board.occupied_co[not board.turn]
    promoting = board.pawns & ours & (BB_RANK_7 if board.turn else BB_RANK_2)
    ep_square = board.ep_square
    end = first
    for move in board.generate_pseudo_legal_moves(origins & ~promoting, targets & ~theirs):
        is_diagonal = (move.from_square ^ move.to_square) & 7
        if move.to_square == ep_square and is_diagonal and board.pawns >> move.from_square & 1:
            continue
        moves[end] = encode(move)
        end += 1
    return end


def generate_evasions(board: Board, king: Square, checkers: Bitboard, moves: Buffer[int]) -> int:
    """Write pseudo-legal check evasions into `moves`; return their number."""
    end = 0
    for move in board._generate_evasions(king, checkers):
        moves[end] = encode(move)
        end += 1
    return end


def generate_legal(board: Board, moves: Buffer[int], first: int) -> int:
    """Write all legal moves into `moves` from index `first` on, in python-chess's order.

    Returns the index after the last one.
    """
    for move in board.generate_legal_moves():
        moves[first] = encode(move)
        first += 1
    return first


def generate_all(board: Board) -> list[MoveCode]:
    """All legal moves, in python-chess's order."""
    return [encode(move) for move in board.generate_legal_moves()]


def perft(board: Board, depth: Depth) -> Nodes:
    """Count the leaves of the legal move tree, making and unmaking every move."""
    if depth == 0:
        return 1
    nodes = 0
    for move in board.generate_legal_moves():
        board.push(move)
        nodes += perft(board, depth - 1)
        board.pop()
    return nodes


# -- memory -------------------------------------------------------------------------------------


def prefetch(words: memoryview[int], index: Key) -> None:
    """Prefetch a word into the cache; does nothing in the pure build."""


def bring_best(ratings: Buffer[int], first: int, end: int) -> None:
    """Swap the greatest rating in `ratings[first:end]`, which must not be empty, to the front."""
    place = ratings.index(max(ratings[first:end]), first, end)
    ratings[first], ratings[place] = ratings[place], ratings[first]


def read_once(words: memoryview, index: int) -> int:
    """The word at `index`, read exactly once, because another process may be writing it.

    A C compiler may otherwise read memory twice, and get two different values.
    """
    word: int = words[index]
    return word
