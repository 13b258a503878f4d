cimport cython

from halbzug.board.movegen cimport (
    Board, Flag, MoveCode, Number, copy_position, pop, push,
)

from halbzug.board.san_reading cimport read_san

cdef int FOUND, NO_GAME, UNFINISHED, UNKNOWN
cdef int BEGIN_VARIATION, END_VARIATION, COMMENT, GLYPH
cdef int _TAB, _NEWLINE, _RETURN, _SPACE
cdef int _EXCLAMATION, _QUOTE, _HASH, _DOLLAR, _PERCENT
cdef int _OPEN, _CLOSE, _ASTERISK, _PLUS, _DASH, _DOT, _SLASH
cdef int _ZERO, _ONE, _TWO, _EIGHT, _NINE
cdef int _COLON, _SEMICOLON, _EQUALS, _QUESTION
cdef int _B, _K, _N, _O, _Q, _R, _Z
cdef int _BRACKET, _BACKSLASH, _END_BRACKET
cdef int _SMALL_A, _SMALL_H, _SMALL_X, _BRACE, _END_BRACE, _DELETE
cdef int _MARK, _FEN_SLASHES, _MAX_DEPTH, _ROOM, _BAD, _SHORT

cpdef list fens_of(Board start, unsigned short[::1] codes)
cpdef list boards_of(Board start, unsigned short[::1] codes, object stack)

@cython.final
cdef class GameScanner:
    cdef readonly Number head, moves, end, next, count, event_count
    cdef readonly Flag has_start
    cdef readonly object codes, events
    cdef const unsigned char[::1] _data
    cdef Number _size, _room
    cdef Flag _is_all
    cdef list _boards
    cdef int[::1] _last, _events
    cdef unsigned short[::1] _codes
    cdef void _make_room(self, Number room)
    cpdef void use(self, bytes data, Flag is_all)
    cpdef Number find_game(self, Number at) noexcept
    cpdef Number read_moves(self, Board start, Number at, Number end)
    cdef Number _read_tag(self, Number at) noexcept
    cdef Flag _is_start(self, Number begin, Number end) noexcept
    cdef Number _find_end(self, Number at) noexcept
    cdef Flag _may_be_first(self, Number at) noexcept
    cdef Number _comment_end(self, Number at) noexcept
    cdef Flag _is_result(self, Number begin, Number end) noexcept
    cdef Number _skip_number(self, Number at, Number end) noexcept
    cdef Number _end_of_move(self, Number at, Number end) noexcept
    cdef MoveCode _read_move(self, Board board, Number begin, Number end) noexcept
    cdef Number _read_judgement(self, Number at, Number end) noexcept
    cdef Number _read_glyph(self, Number at, Number end) noexcept
