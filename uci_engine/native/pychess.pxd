# The C interface of the specialised python-chess: `from halbzug.board.pychess cimport Board, ...`.
#
# A move code is from_square | to_square << 6 | promotion << 12 (promotion 0 for none); 0 is the
# null move. Twins named _c_* are derived from the python-chess method of that name by passes.py.
# They use no Python objects, expect an exact Board, take colours as 0 or 1, and are memory-safe
# for any code and any board. Missing values are numbers: no king and no en passant square are -1,
# no piece is 0. Buffers must hold 2048 codes, or 512 if no side has more than 16 pieces.

cimport cython
from cpython.long cimport PyLong_AsUnsignedLongLongMask
from cpython.object cimport PyObject, PyObject_GenericSetAttr, PyTypeObject
from cpython.ref cimport Py_INCREF
from libc.stdlib cimport abort, free, malloc, realloc
from libc.string cimport memcpy, memset

cdef extern from "bits.h" nogil:
    ctypedef unsigned long long u64
    const char PIECE_LETTERS[8]
    const u64 _t_knight[64]
    const u64 _t_king[64]
    const u64 _t_pawn[2][64]
    const u64 _t_ray[64][64]
    const u64 _t_between[64][64]
    const u64 _t_rank_rays[64]
    const u64 _t_file_rays[64]
    const u64 _t_diag_rays[64]
    int _c_lsb(u64 bb)
    int _c_msb(u64 bb)
    bint _c_can_run()
    int _c_popcount(u64 bb)
    u64 _c_bb(int square)
    void _c_prefetch(void *address)
    u64 _c_ray(int a, int b)
    u64 _c_between(int a, int b)
    u64 _c_diag(int square, u64 occupied)
    u64 _c_file(int square, u64 occupied)
    u64 _c_rank(int square, u64 occupied)
    u64 _c_when(bint condition, u64 mask)
    bint _c_holds(const int* codes, int count, int code)
    int _c_best(const long long* ratings, int first, int end)
    Py_ssize_t _c_length(PyObject* a_list)
    PyObject* _c_read_pointer(PyObject** place)
    void _c_write_pointer(PyObject** place, PyObject* value)

cdef extern from "bits.h":
    object _c_new(PyTypeObject* cls, object arguments)

cdef extern from "Python.h":
    PyTypeObject* Py_TYPE(object one) noexcept
    long PyLong_AsLongAndOverflow(object number, int* overflow) except? -1
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* length) except NULL
    object PyUnicode_FromKindAndData(int kind, const void* characters, Py_ssize_t length)

ctypedef const char* Text

cdef struct Undo:
    u64 pawns, knights, bishops, rooks, queens, kings
    u64 occupied_w, occupied_b, occupied, promoted, castling_rights
    long long halfmove_clock, fullmove_number
    int ep_square
    int code
    bint turn

# The classes of python-chess that hot code creates, or whose type it checks.
cdef type MoveObject, PieceObject, BoardState
cdef object _known_types, _last_type, _last_answer

cdef enum:
    PLAIN = 1  # the boards of a class behave like those of Board
    PLAIN_COPIES = 2  # and so do their copies

# The shared move of each code, if it has been created.
cdef PyObject* _shared_moves[32768]
cdef PyTypeObject* _shared_type

cdef int _small_int(object number) except -2
cdef bint _is_square(object square) except -1
cdef int _kind_of_type(object cls) except -1
cdef int _c_encode(object move) except -2
cdef object _c_decode(int code)
cdef object _share(int code)
cdef object _own_move(int code)
cdef object _copy_of_move(object move)
cdef object _view(object cls, Board board)
cdef object _new_object(type cls)
cdef object _state_object(Undo* undo)
cdef object _iterate(Board board, int kind, u64 from_mask, u64 to_mask)
cdef object _text(char* out, int length)
cdef int _en_passant_letter(object specification) except -1
cdef int _c_write_square(char* out, int square) noexcept nogil
cdef int _c_write_number(char* out, long long number) noexcept nogil
cdef int _c_read_square(Text text) noexcept nogil
cdef long long _c_read_number(Text text, Py_ssize_t length, int end) noexcept nogil
cdef int _c_piece_of_letter(int letter) noexcept nogil
cdef u64 _c_right_of_letter(Undo* position, int white, int letter) noexcept nogil

cdef class MoveOfBoards:
    cdef int code
    cdef Py_hash_t hash

@cython.final
@cython.freelist(8)
cdef class OccupiedCo:
    cdef BaseBoard board

cdef class BaseBoard:
    cdef object __weakref__
    cdef public u64 pawns, knights, bishops, rooks, queens, kings, promoted, occupied
    cdef u64 _occupied_co[2]

cdef class Board(BaseBoard):
    cdef public bint turn, chess960
    cdef public u64 castling_rights
    cdef public long long halfmove_clock, fullmove_number
    cdef int _ep_square
    cdef list _moves, _states
    cdef Undo* _undo
    cdef int _undo_count, _undo_capacity
    cdef PyTypeObject* _plain_type
    cdef bint _has_plain_copies
    @cython.final
    cdef bint _is_plain(self) noexcept
    cdef int _code(self, object move) except -2
    cdef int _flush(self) except -1
    cdef bint _may_have_repeated(self, int count) except -1
    cdef bint _goes_on(self) except -1
    cdef object _piece(self, int square)
    cdef object _write_and_push(self, int code, bint long)

    cdef tuple _c_transposition_key(self)  # the exception: it uses Python objects
    cdef int _c_generate_pseudo_legal_moves(
        self, int* out, u64 from_mask, u64 to_mask) noexcept nogil
    cdef int _c_generate_pseudo_legal_ep(self, int* out, u64 from_mask, u64 to_mask) noexcept nogil
    cdef int _c_generate_pseudo_legal_captures(
        self, int* out, u64 from_mask, u64 to_mask) noexcept nogil
    cdef int _c_generate_castling_moves(self, int* out, u64 from_mask, u64 to_mask) noexcept nogil
    cdef int _c_generate_evasions(
        self, int* out, int king, u64 checkers, u64 from_mask, u64 to_mask) noexcept nogil
    cdef int _c_generate_legal_moves(self, int* out, u64 from_mask, u64 to_mask) noexcept nogil
    cdef int _c_generate_legal_ep(self, int* out, u64 from_mask, u64 to_mask) noexcept nogil
    cdef int _c_generate_legal_captures(self, int* out, u64 from_mask, u64 to_mask) noexcept nogil

    cdef int _c_piece_type_at(self, int square) noexcept nogil
    cdef int _c_king(self, bint color) noexcept nogil
    cdef u64 _c_attacks_mask(self, int square) noexcept nogil
    cdef u64 _c_attackers_mask(self, bint color, int square, u64 occupied) noexcept nogil
    cdef u64 _c_pin_mask(self, bint color, int square) noexcept nogil
    cdef int _c_remove_piece_at(self, int square) noexcept nogil
    cdef void _c_set_piece_at(
        self, int square, int piece_type, bint color, bint promoted) noexcept nogil

    cdef u64 _c_checkers_mask(self) noexcept nogil
    cdef bint _c_is_check(self) noexcept nogil
    cdef bint _c_was_into_check(self) noexcept nogil
    cdef bint _c_is_into_check(self, int code) noexcept nogil
    cdef bint _c_is_pseudo_legal(self, int code) noexcept nogil
    cdef bint _c_is_legal(self, int code) noexcept nogil
    cdef bint _c_is_safe(self, int king, u64 blockers, int code) noexcept nogil
    cdef u64 _c_slider_blockers(self, int king) noexcept nogil
    cdef bint _c_ep_skewered(self, int king, int capturer) noexcept nogil
    cdef bint _c_attacked_for_king(self, u64 path, u64 occupied) noexcept nogil
    cdef bint _c_has_pseudo_legal_en_passant(self) noexcept nogil
    cdef bint _c_has_legal_en_passant(self) noexcept nogil
    cdef bint _c_is_insufficient_material(self) noexcept nogil
    cdef bint _c_has_insufficient_material(self, bint color) noexcept nogil
    cdef u64 _c_clean_castling_rights(self) noexcept nogil

    cdef bint _c_is_en_passant(self, int code) noexcept nogil
    cdef bint _c_is_capture(self, int code) noexcept nogil
    cdef bint _c_is_zeroing(self, int code) noexcept nogil
    cdef bint _c_is_castling(self, int code) noexcept nogil
    cdef int _c_from_chess960(
        self, bint chess960, int from_square, int to_square, int promotion) noexcept nogil
    cdef int _c_to_chess960(self, int code) noexcept nogil

    cdef void _c_push(self, int code) noexcept nogil
    cdef void _c_pop(self) noexcept nogil
    cdef bint _c_has_stack(self) noexcept nogil
    cdef Undo* _c_next_undo(self) noexcept nogil
    cdef void _c_make_room(self, int capacity) noexcept nogil
    cdef void _c_save(self, Undo* undo) noexcept nogil
    cdef void _c_restore(self, Undo* undo) noexcept nogil
    cdef long long _c_perft(self, int depth) noexcept nogil

    cdef int _c_generate(self, int kind, int* out, u64 from_mask, u64 to_mask) noexcept nogil
    cdef int _c_count(self, int kind) noexcept nogil
    cdef bint _c_has_legal_move(self) noexcept nogil
    cdef bint _c_may_have_repeated(self, int count) noexcept nogil
    cdef void _c_clear(self) noexcept nogil

    cdef int _c_write_placement(self, char* out, bint promoted) noexcept nogil
    cdef int _c_write_castling(self, char* out, bint shredder) noexcept nogil
    cdef int _c_write_position(
        self, char* out, bint shredder, int en_passant, bint promoted) noexcept nogil
    cdef int _c_write_algebraic(self, char* out, int code, bint long) noexcept nogil
    cdef u64 _c_rivals(self, int piece_type, int code) noexcept nogil
    cdef u64 _c_pieces(self, int piece_type) noexcept nogil
    cdef bint _c_read_fen(self, Text text, Py_ssize_t length) noexcept nogil
    cdef int _c_read_san(self, Text text, Py_ssize_t length) noexcept nogil
    cdef int _c_read_uci(self, Text text, Py_ssize_t length) noexcept nogil

@cython.final
@cython.freelist(16)
cdef class MoveIterator:
    cdef Board board  # None once its moves have been generated
    cdef unsigned short* codes
    cdef int kind, index, count
    cdef u64 from_mask, to_mask
    cdef int _begin(self) except -1

cdef class MoveView:
    cdef public object board
    cdef int kind
    cdef Board _plain_board(self)
    cdef object _moves(self)

cdef class LegalMoves(MoveView):
    pass

cdef class PseudoLegalMoves(MoveView):
    pass
